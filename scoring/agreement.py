"""How far the people who answered the same questions agree: what is worked out for each question.

Every measure over many questions (``scoring.agreement_figures``) is made of these, so that it can be given for an
article, a worker or a week as well as for a split. docs/agreement.md defines each with its source.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from scoring.alpha import Coincidences, UnitDisagreement, coincidences, unit_disagreement
from scoring.normalization import runs
from scoring.squad_metrics import AnswerScore, Rule, score_runs

NOTHING = AnswerScore(0, 0)
SAME = AnswerScore(1, 1)


@dataclass(frozen=True, slots=True)
class GivenAnswers:
    """A question with its answers in order, each from another person.

    ``texts`` are their texts, None for unanswerable; ``spans`` where they stand in a paragraph of ``length`` code
    points, None where that is not known or there is nothing.
    """

    id: str
    texts: Sequence[str | None]
    spans: Sequence[tuple[int, int] | None] = ()
    length: int = 0


@dataclass(frozen=True, slots=True)
class QuestionAgreement:
    """One question's part in every measure.

    ``each`` is each answer against all others of the question (None where these hold no span to compare with), as the
    paper compares the second; ``pairs`` every two of them, in the order of ``itertools.combinations``, and ``pairwise``
    their mean; ``is_settled`` whether more than half of the answers are the same. The last two are None where there are
    fewer than two answers. ``marked`` is which answers say that there is none.
    """

    id: str
    answers: int
    unanswerable: int
    marked: tuple[bool, ...]
    # Of the answers after the first.
    extra: int
    extra_unanswerable: int
    each: tuple[AnswerScore | None, ...]
    pairs: tuple[AnswerScore, ...]
    pairwise: AnswerScore | None
    is_settled: bool | None
    answerable: Coincidences
    spans: UnitDisagreement | None

    @property
    def leave_one_out(self) -> AnswerScore | None:
        """The mean of ``each`` over the answers that could be compared."""
        scores = [score for score in self.each if score is not None]
        return mean_score(scores) if scores else None


def question_agreement(
    question: GivenAnswers, language: str = "en", rule: Rule = Rule.V1_1, *, with_spans: bool = True
) -> QuestionAgreement:
    """Compare the answers of ``question`` with each other, as ``language`` (BCP 47) cuts them into tokens."""
    texts = list(question.texts)
    marks = [None if text is None else tuple(runs(text, language)) for text in texts]
    pairs = _pairs(marks, rule, language)
    unanswerable = texts.count(None)
    both = tuple(pairs[two] for two in combinations(range(len(marks)), 2))
    spans = [span for span in question.spans if span is not None]
    return QuestionAgreement(
        id=question.id,
        answers=len(texts),
        unanswerable=unanswerable,
        marked=tuple(text is None for text in texts),
        extra=max(0, len(texts) - 1),
        extra_unanswerable=texts[1:].count(None),
        each=tuple(_against_others(place, marks, pairs) for place in range(len(marks))),
        pairs=both,
        pairwise=mean_score(both) if both else None,
        is_settled=most_given(marks) is not None if len(marks) > 1 else None,
        answerable=coincidences(len(texts) - unanswerable, unanswerable),
        spans=unit_disagreement([[span] for span in spans], question.length) if with_spans and len(spans) > 1 else None,
    )


def part_of(question: QuestionAgreement, places: Collection[int]) -> QuestionAgreement:
    """What ``question`` adds to the agreement of those who gave the answers at ``places``: these answers against the
    others, the pairs that one of them is in, and what the extra ones among them say. What is told of a question as a
    whole (whether most agree, what most find unanswerable, both alphas) stays as it is."""
    both = combinations(range(question.answers), 2)
    pairs = tuple(score for two, score in zip(both, question.pairs, strict=True) if any(k in places for k in two))
    extra = [question.marked[place] for place in places if place > 0]
    return replace(
        question,
        extra=len(extra),
        extra_unanswerable=sum(extra),
        each=tuple(score if place in places else None for place, score in enumerate(question.each)),
        pairs=pairs,
        pairwise=mean_score(pairs) if pairs else None,
    )


def most_given(marks: Sequence[tuple[str, ...] | None]) -> int | None:
    """The place of the first answer that more than half of them give; None where none is given so often, and where
    there is only one."""
    if len(marks) < 2:
        return None
    mark, count = Counter(marks).most_common(1)[0]
    return list(marks).index(mark) if 2 * count > len(marks) else None


def mean_score(scores: Sequence[AnswerScore]) -> AnswerScore:
    """The mean of one score at least."""
    count = len(scores)
    return AnswerScore(sum(score.exact_match for score in scores) / count, sum(score.f1 for score in scores) / count)


def _pairs(marks: Sequence[tuple[str, ...] | None], rule: Rule, language: str) -> dict[tuple[int, int], AnswerScore]:
    """Every two answers' EM and F1; both are the same whichever of the two is taken for gold. Two people who find a
    question unanswerable agree; one who does and one who does not, do not."""
    known: dict[tuple[tuple[str, ...] | None, tuple[str, ...] | None], AnswerScore] = {}
    pairs = {}
    for i, first in enumerate(marks):
        for k in range(i + 1, len(marks)):
            second = marks[k]
            if (first, second) not in known:
                if first is None or second is None:
                    known[first, second] = SAME if first is second else NOTHING
                else:
                    known[first, second] = score_runs(list(first), list(second), rule, language)
            pairs[i, k] = pairs[k, i] = known[first, second]
    return pairs


def _against_others(
    place: int, marks: Sequence[tuple[str, ...] | None], pairs: dict[tuple[int, int], AnswerScore]
) -> AnswerScore | None:
    """As the paper does for the second: the best EM and the best F1 against the spans among the others; 0 for somebody
    who found none."""
    golds = [k for k, mark in enumerate(marks) if k != place and mark is not None]
    if not golds:
        return None
    if marks[place] is None:
        return NOTHING
    scores = [pairs[place, k] for k in golds]
    return AnswerScore(max(score.exact_match for score in scores), max(score.f1 for score in scores))
