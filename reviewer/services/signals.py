"""How a question was worked on, in words with numbers: evidence that a reviewer weighs, and that decides nothing."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import QuestionSignals
from reviewer.templatetags.review_words import duration
from scoring.advice import COPIED_WORDS


def in_words(signals: QuestionSignals, written: str) -> str:
    """``signals`` as one line. ``written`` is the text of the question, or empty where somebody else wrote it."""
    said = [_("{time} at work").format(time=duration(signals.active_seconds))]
    if written:
        said.append(ngettext("{count} key", "{count} keys", signals.keys).format(count=signals.keys))
    if signals.pastes:
        said.append(
            ngettext("pasted {count} time", "pasted {count} times", signals.pastes).format(count=signals.pastes)
        )
    if written and signals.untyped_characters:
        share = _("{percent} % of the text came without keystrokes")
        said.append(share.format(percent=untyped_percent(signals, written)))
    if signals.late_edits:
        edited = ngettext("edited again {count} time", "edited again {count} times", signals.late_edits)
        said.append(edited.format(count=signals.late_edits))
    if signals.copied_words >= COPIED_WORDS:
        said.append(_("{count} words in a row are the paragraph's").format(count=signals.copied_words))
    return " · ".join(said)


def untyped_percent(signals: QuestionSignals, written: str) -> int:
    """The characters that came without a key, in percent of ``written``; what was deleted again was counted too, so
    100 at most."""
    return min(100, round(100 * signals.untyped_characters / len(written)))
