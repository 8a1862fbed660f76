"""The signals that stand beside submitted work: what each is called, what it means, and from where on it is shown.

A project may move each threshold or switch the signal off (``ReviewRules.thresholds``). The defaults are our choice
where no source is named; SQuAD's protocol gives the pay and the time, and asks for the worker's own words and the
shortest span.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import TextChoices
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from reviewer.models import ReviewRules
from scoring.advice import LONG_ANSWER_WORDS, length_of
from scoring.normalization import primary_subtag


class Code(TextChoices):
    """What a stored signal is called."""

    TOO_FAST = "too_fast", _("far too fast")
    COPIED = "copied", _("copied words")
    PASTED = "pasted", _("pasted, or no keystrokes")
    LONG_ANSWER = "long_answer", _("long answer")
    ANSWER_IN_QUESTION = "answer_in_question", _("answer in the question")
    NOT_A_QUESTION = "not_a_question", _("not a question")
    DUPLICATE = "duplicate", _("asked before")
    NEAR_DUPLICATE = "near_duplicate", _("nearly asked before")
    OTHER_LANGUAGE = "other_language", _("another language")
    ODD_EDGES = "odd_edges", _("odd edges of the answer")
    LONE_ANSWER = "lone_answer", _("disagrees with everybody")
    STRAIGHT_LINING = "straight_lining", _("all alike")
    GOLD_FAILED = "gold_failed", _("gold check failed")
    MACHINE = "machine", _("reads as machine-written")
    # What speaks for the work.
    GOLD_PASSED = "gold_passed", _("gold checks passed")
    AGREES = "agrees", _("agrees with others")
    TYPED = "typed", _("typed key by key")
    USUAL_PACE = "usual_pace", _("usual pace")


# Evidence that is shown and never a reason to reject by itself.
NEVER_ALONE = frozenset({Code.MACHINE})
SPEAK_FOR = frozenset({Code.GOLD_PASSED, Code.AGREES, Code.TYPED, Code.USUAL_PACE})


@dataclass(frozen=True)
class Threshold:
    """From where on a signal is shown. ``unit`` is *percent*, *words*, *marks*, or empty for a signal that is just on
    or off (its number is 1 then)."""

    code: Code
    unit: str
    default: float
    least: float
    most: float
    meaning: str | Promise

    @property
    def weight(self) -> int:
        """What the signal weighs in the order of the queue, from 1 to 5."""
        return WEIGHTS[self.code]


# Our choice: what points to work that was not done weighs more than what is mended with a word.
WEIGHTS = {
    Code.GOLD_FAILED: 5,
    Code.OTHER_LANGUAGE: 5,
    Code.TOO_FAST: 4,
    Code.STRAIGHT_LINING: 4,
    Code.LONE_ANSWER: 4,
    Code.DUPLICATE: 4,
    Code.PASTED: 3,
    Code.COPIED: 3,
    Code.NOT_A_QUESTION: 3,
    Code.MACHINE: 2,
    Code.ANSWER_IN_QUESTION: 2,
    Code.NEAR_DUPLICATE: 2,
    Code.LONG_ANSWER: 1,
    Code.ODD_EDGES: 1,
}

# The worker's page remarks on five; of SQuAD's own questions one in six repeats so many, and one in seventeen seven.
COPIED_WORDS = 7

THRESHOLDS = (
    Threshold(
        Code.TOO_FAST, "percent", 20, 1, 100, _("The page was at work for less than this share of the paid time.")
    ),
    Threshold(
        Code.COPIED, "words", COPIED_WORDS, 2, 100, _("So many words in a row of the question are the paragraph's.")
    ),
    Threshold(Code.PASTED, "percent", 50, 1, 100, _("So much of the question came without keystrokes, or was pasted.")),
    Threshold(Code.LONG_ANSWER, "words", LONG_ANSWER_WORDS, 1, 1000, _("The answer has more words than this.")),
    Threshold(Code.ANSWER_IN_QUESTION, "", 1, 1, 1, _("The question holds its own answer.")),
    Threshold(Code.NOT_A_QUESTION, "", 1, 1, 1, _("No question mark, or what the language uses for it, ends it.")),
    Threshold(Code.DUPLICATE, "", 1, 1, 1, _("The same words ask about the same article already.")),
    Threshold(Code.NEAR_DUPLICATE, "percent", 85, 50, 99, _("Another question about the article is so much like it.")),
    Threshold(Code.OTHER_LANGUAGE, "percent", 90, 50, 100, _("So surely are the questions in another language.")),
    Threshold(
        Code.ODD_EDGES, "", 1, 1, 1, _("The answer begins or ends inside a word, at a comma, with a loose word.")
    ),
    Threshold(
        Code.LONE_ANSWER,
        "percent",
        0,
        0,
        100,
        _("The F1 with the nearest of at least two others' answers is no higher."),
    ),
    Threshold(Code.STRAIGHT_LINING, "percent", 80, 50, 100, _("So many of at least four follow one pattern.")),
    Threshold(Code.GOLD_FAILED, "percent", 50, 1, 100, _("The F1 with the known answers is below this.")),
    Threshold(Code.MACHINE, "marks", 2, 1, 5, _("So many marks of generated text; never a reason by itself.")),
)
THRESHOLD_OF = {threshold.code: threshold for threshold in THRESHOLDS}


def default_of(threshold: Threshold, language: str) -> float:
    """The default in ``language``: words are counted in characters where no blanks part them."""
    if threshold.unit == "words":
        return length_of(int(threshold.default), primary_subtag(language))
    return threshold.default


def in_force(rules: ReviewRules, language: str) -> dict[Code, float | None]:
    """The threshold of every signal under ``rules``; None where it is switched off."""
    chosen: Mapping[str, Any] = rules.thresholds
    return {threshold.code: chosen.get(threshold.code, default_of(threshold, language)) for threshold in THRESHOLDS}


def worry(found: Iterable[tuple[str, bool]], questions: int) -> int:
    """What the signals ``found`` weigh together, in hundredths: each by its weight where it is about the whole, and by
    its weight times the share of the ``questions`` that have it where it is about questions. A signal is given as its
    code and whether it is about a question; those that speak for the work weigh nothing."""
    times: dict[tuple[str, bool], int] = defaultdict(int)
    for one in found:
        times[one] += 1
    total = 0.0
    for (code, is_of_question), count in times.items():
        weight = WEIGHTS.get(Code(code), 0)
        total += weight * min(1, count / max(1, questions)) if is_of_question else weight
    return round(100 * total)
