"""Agreement over many questions: each measure as a figure with its interval, or with the reason why there is none."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.agreement import QuestionAgreement
from scoring.bootstrap import REPLICATES, SEED, Array, interval, ratio, resampled_sums
from scoring.human import PERCENT_PLACES
from scoring.sentences import Sentence, _

# The measures in the order of the page, and whether each is a percentage; the others are coefficients up to 1.
MEASURES = {
    "human_exact_match": True,
    "human_f1": True,
    "leave_one_out_exact_match": True,
    "leave_one_out_f1": True,
    "pairwise_exact_match": True,
    "pairwise_f1": True,
    "majority": True,
    "unanswerable_by_anyone": True,
    "unanswerable_by_most": True,
    "alpha_answerable": False,
    "alpha_spans": False,
}


@dataclass(frozen=True, slots=True)
class Figure:
    """One measure: its value (in percent, or a coefficient), the bootstrap interval around it, and over how many
    questions it is; or, without a value, ``why`` there is none. ``interval_why`` says why the interval alone is not
    there."""

    value: float | None
    low: float | None = None
    high: float | None = None
    questions: int = 0
    why: Sentence | None = None
    interval_why: Sentence | None = None

    def report(self) -> dict[str, Any]:
        """The figure for JSON, rounded to ``PERCENT_PLACES``; a key without a meaning is left out."""
        if self.value is None:
            return {"value": None, "questions": self.questions, "why": str(self.why)}
        shown: dict[str, Any] = {"value": round(self.value, PERCENT_PLACES), "questions": self.questions}
        if self.low is None or self.high is None:
            return shown | {"interval": None, "why_no_interval": str(self.interval_why)}
        return shown | {"interval": [round(self.low, PERCENT_PLACES), round(self.high, PERCENT_PLACES)]}


# The columns that the figures are made of.
(
    _HUMAN,
    _HUMAN_EM,
    _HUMAN_F1,
    _LEFT,
    _LEFT_EM,
    _LEFT_F1,
    _PAIRED,
    _PAIRED_EM,
    _PAIRED_F1,
    _SETTLED,
    _EXTRA,
    _BY_ANYONE,
    _BY_MOST,
    _MIXED,
    _ANSWERED,
    _UNANSWERED,
    _SPANNED,
    _OBSERVED,
    _EXPECTED,
) = range(19)
COLUMNS = 19


def parts_of(question: QuestionAgreement) -> list[float]:
    """What ``question`` adds to each of the ``COLUMNS`` sums."""
    human = question.each[1] if len(question.each) > 1 else None
    left, pairwise, spans = question.leave_one_out, question.pairwise, question.spans
    row = [0.0] * COLUMNS
    if human is not None:
        row[_HUMAN : _HUMAN_F1 + 1] = [1, human.exact_match, human.f1]
    if left is not None:
        row[_LEFT : _LEFT_F1 + 1] = [1, left.exact_match, left.f1]
    if pairwise is not None:
        row[_PAIRED : _PAIRED_F1 + 1] = [1, pairwise.exact_match, pairwise.f1]
        row[_SETTLED] = bool(question.is_settled)
        row[_BY_MOST] = 2 * question.unanswerable > question.answers
        row[_EXTRA], row[_BY_ANYONE] = question.extra > 0, question.extra_unanswerable > 0
    row[_MIXED : _UNANSWERED + 1] = [
        question.answerable.mixed,
        question.answerable.first,
        question.answerable.second,
    ]
    if spans is not None:
        row[_SPANNED : _EXPECTED + 1] = [1, spans.observed, spans.expected]
    return row


def _alpha_answerable(sums: Array) -> Array:
    mixed, first, second = sums[:, _MIXED], sums[:, _ANSWERED], sums[:, _UNANSWERED]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(first * second == 0, np.nan, 1 - (first + second - 1) * mixed / (first * second))


def _alpha_spans(sums: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(sums[:, _EXPECTED] == 0, np.nan, 1 - sums[:, _OBSERVED] / sums[:, _EXPECTED])


_FIGURES: dict[str, tuple[Callable[[Array], Array], int]] = {  # and the column that counts the questions
    "human_exact_match": (ratio(_HUMAN_EM, _HUMAN), _HUMAN),
    "human_f1": (ratio(_HUMAN_F1, _HUMAN), _HUMAN),
    "leave_one_out_exact_match": (ratio(_LEFT_EM, _LEFT), _LEFT),
    "leave_one_out_f1": (ratio(_LEFT_F1, _LEFT), _LEFT),
    "pairwise_exact_match": (ratio(_PAIRED_EM, _PAIRED), _PAIRED),
    "pairwise_f1": (ratio(_PAIRED_F1, _PAIRED), _PAIRED),
    "majority": (ratio(_SETTLED, _PAIRED), _PAIRED),
    "unanswerable_by_anyone": (ratio(_BY_ANYONE, _EXTRA), _EXTRA),
    "unanswerable_by_most": (ratio(_BY_MOST, _PAIRED), _PAIRED),
    "alpha_answerable": (_alpha_answerable, _PAIRED),
    "alpha_spans": (_alpha_spans, _SPANNED),
}


def figures_of(
    questions: Sequence[QuestionAgreement], *, replicates: int = REPLICATES, seed: int = SEED
) -> dict[str, Figure]:
    """Every measure over ``questions``, by the names of ``MEASURES``; without ``replicates`` no interval."""
    parts = np.array([parts_of(question) for question in questions], dtype=np.float64)
    return figures_from(parts.reshape(len(questions), COLUMNS), replicates=replicates, seed=seed)


def figures_from(parts: Array, *, replicates: int = REPLICATES, seed: int = SEED) -> dict[str, Figure]:
    """``figures_of`` questions of which each adds a row of ``parts``, as ``parts_of`` gives it."""
    whole = parts.sum(axis=0, keepdims=True)
    drawn = resampled_sums(parts, replicates, seed) if replicates and len(parts) > 1 else None
    return {name: _figure(name, whole, drawn) for name in MEASURES}


def _figure(name: str, whole: Array, drawn: Array | None) -> Figure:
    formula, counting = _FIGURES[name]
    questions = int(whole[0, counting])
    value = float(formula(whole)[0])
    if np.isnan(value):
        return Figure(None, questions=questions, why=_why(name, whole))
    scale = 100 if MEASURES[name] else 1
    if drawn is None or questions < 2:
        few = _("One question alone has no interval: it takes several to draw from.")
        return Figure(scale * value, questions=questions, interval_why=few)
    found = interval(formula(drawn))
    if found is None:
        rare = _("In more than one draw of twenty the figure is undefined, as what it hangs on is too rare.")
        return Figure(scale * value, questions=questions, interval_why=rare)
    return Figure(scale * value, scale * found[0], scale * found[1], questions)


def _why(name: str, whole: Array) -> Sentence:
    if not whole[0, _PAIRED]:
        return _("No question has two answers that count.")
    if name == "alpha_answerable":
        if not whole[0, _UNANSWERED]:
            return _("Nobody marked a question as unanswerable: where all say the same, chance says nothing.")
        return _("Everybody marked every question as unanswerable: where all say the same, chance says nothing.")
    if name == "alpha_spans":
        return _("No question has two answers whose place in the paragraph is known.")
    if name == "unanswerable_by_anyone":
        return _("None of these answers is an extra one: all are by who wrote the question.")
    if name.startswith("human_") and whole[0, _LEFT]:
        return _("None of these answers is the second one of its question.")
    return _("Every question has unanswerable answers alone to compare with.")
