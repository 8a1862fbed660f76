"""How a question was worked on, in words with numbers: evidence that a reviewer weighs, and that decides nothing."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext, ngettext_lazy

from annotation.models import QuestionSignals
from reviewer.models import FoundSignal
from reviewer.services.signal_catalogue import Code
from reviewer.templatetags.review_words import duration
from scoring.advice import COPIED_WORDS, length_of


def in_words(signals: QuestionSignals, written: str, language: str) -> str:
    """``signals`` as one line. ``written`` is the text of the question, or empty where somebody else wrote it;
    ``language`` is a primary subtag."""
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
    if signals.copied_words >= length_of(COPIED_WORDS, language):
        said.append(_("{count} words in a row are the paragraph's").format(count=signals.copied_words))
    return " · ".join(said)


def untyped_percent(signals: QuestionSignals, written: str) -> int:
    """The characters that came without a key, in percent of ``written``; what was deleted again was counted too, so
    100 at most."""
    return min(100, round(100 * signals.untyped_characters / len(written)))


def sentence(signal: FoundSignal) -> str:
    """``signal`` in words with its numbers."""
    values = signal.values
    code = Code(signal.signal)
    if code in _COUNTED:
        return str(_COUNTED[code].format(**values))
    if code in _SENTENCES:
        return _(_SENTENCES[code]).format(**{name: _shown(name, value) for name, value in values.items()})
    if code is Code.TOO_FAST:
        said = _("{active} at work for what is paid as {paid}")
        usual = _("; the median here is {usual}") if values.get("usual") else ""
        return (said + usual).format(**{name: _shown(name, value) for name, value in values.items()})
    if code is Code.PASTED:
        return _pasted(values)
    if code is Code.ODD_EDGES:
        return _("the answer {faults}").format(faults=", ".join(_(_EDGES[edge]) for edge in values["edges"]))
    if code is Code.STRAIGHT_LINING:
        return _(_PATTERNS[values["pattern"]]).format(**values)
    if code is Code.GOLD_FAILED:
        known = ", ".join(_("cannot be answered") if one is None else f"“{one}”" for one in values["known"])
        said = _("{percent} % F1 with what is known: {known}")
        return said.format(known=known, percent=values["percent"])
    marks = ", ".join(_(_MARKS[mark]) for mark in values["marks"])
    return _("{marks}. Evidence alone: many people write like this").format(marks=marks)


def _shown(name: str, value: object) -> object:
    return duration(value) if name in ("active", "paid", "usual") and isinstance(value, int) else value


def _pasted(values: dict[str, int]) -> str:
    said = []
    if values["pastes"]:
        said.append(
            ngettext("pasted {count} time", "pasted {count} times", values["pastes"]).format(count=values["pastes"])
        )
    if values["percent"]:
        said.append(_("{percent} % of the text came without keystrokes").format(percent=values["percent"]))
    said.append(ngettext("{count} key", "{count} keys", values["keys"]).format(count=values["keys"]))
    return ", ".join(said)


_SENTENCES = {
    Code.COPIED: gettext_noop("{count} words in a row are the paragraph's"),
    Code.LONG_ANSWER: gettext_noop("{count} words; more than {most} are seldom needed"),
    Code.ANSWER_IN_QUESTION: gettext_noop("the question holds its answer"),
    Code.NOT_A_QUESTION: gettext_noop("no question mark at its end"),
    Code.DUPLICATE: gettext_noop("“{other}”"),
    Code.NEAR_DUPLICATE: gettext_noop("{percent} % like “{other}”"),
    Code.OTHER_LANGUAGE: gettext_noop("the questions read as “{language}”; the project's language is “{wanted}”"),
    Code.LONE_ANSWER: gettext_noop("agrees with none of {others} others: {percent} % F1 at best"),
    Code.USUAL_PACE: gettext_noop("{active} at work; the median here is {usual}"),
}
# The value that is named decides between singular and plural.
_COUNTED: dict[Code, Any] = {
    Code.GOLD_PASSED: ngettext_lazy(
        "{passed} of {checked} gold check passed", "{passed} of {checked} gold checks passed", "checked"
    ),
    Code.AGREES: ngettext_lazy(
        "agrees with somebody on {agreed} of {compared} question",
        "agrees with somebody on {agreed} of {compared} questions",
        "compared",
    ),
    Code.TYPED: ngettext_lazy("{keys} key", "{keys} keys", "keys"),
}
_EDGES = {
    "mid_word": gettext_noop("begins or ends inside a word"),
    "punctuation": gettext_noop("takes punctuation along"),
    "loose_word": gettext_noop("begins with a word that it could do without"),
    "unclosed": gettext_noop("has a bracket or quotation mark without its other half"),
}
_PATTERNS = {
    "same_mould": gettext_noop("{percent} % of {count} questions begin with the same words"),
    "no_answer": gettext_noop("{percent} % of {count} questions were said to have no answer"),
    "at_the_start": gettext_noop("{percent} % of {count} answers lie at the very beginning of the paragraph"),
    "same_span": gettext_noop("{percent} % of {count} answers are the same place"),
}
_MARKS = {
    "phrases": gettext_noop("phrases such as “according to the passage”"),
    "markup": gettext_noop("list signs or markup"),
    "typeset": gettext_noop("dashes, quotation marks or blanks that keyboards do not have"),
    "even": gettext_noop("all questions of nearly one length"),
    "untyped": gettext_noop("most of it came without keystrokes"),
}
