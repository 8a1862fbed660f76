"""The reasons that workers are given, chosen or written."""

from __future__ import annotations

import unicodedata

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

# A worker reads the reason and may answer it; a word or two is none.
MIN_REASON_CHARS = 10
# RequesterFeedback holds no more.
MAX_REASON_CHARS = 1024

# Reasons to choose from, by a short name that forms send. Each says what is wrong and what to do next time.
CHOICES = {
    "copied": gettext_lazy("Most questions take over the paragraph's words. Please ask in your own words."),
    "unrelated": gettext_lazy("The answers do not answer the questions. Please mark the words that do."),
    "repeated": gettext_lazy("The questions ask the same thing again. Please ask about different things."),
    "no_questions": gettext_lazy("What was written are no questions that can be answered from the paragraph."),
    "language": gettext_lazy("The questions are not in the language of the paragraph."),
    "random": gettext_lazy("The answers look marked at random: they agree neither with the questions nor with others."),
}


class UnusableReason(ValueError):
    """A reason that cannot be sent to a worker; the message says what is missing."""


def chosen_or_written(chosen: str, written: str) -> str:
    """What was written, or else the reason that was chosen by its short name; empty where neither was."""
    return written if written.strip() else str(CHOICES.get(chosen, ""))


def checked_reason(text: str) -> str:
    """``text`` as one line that can be sent to a worker. Raises UnusableReason."""
    reason = " ".join(text.split())
    if not reason:
        raise UnusableReason(_("Say why: the worker is shown your reason."))
    if len(reason) < MIN_REASON_CHARS:
        raise UnusableReason(
            _("Say why in at least {count} characters: the worker is shown your reason.").format(count=MIN_REASON_CHARS)
        )
    if len(reason) > MAX_REASON_CHARS:
        sentence = _("The reason has {count} characters; the marketplace passes on {most} at most. Shorten it.")
        raise UnusableReason(sentence.format(count=len(reason), most=MAX_REASON_CHARS))
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in reason):
        raise UnusableReason(_("The reason holds characters that cannot be shown. Type it again."))
    return reason
