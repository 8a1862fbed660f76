"""EM and F1 of answers, and of a file of predictions, under the rules of SQuAD 1.1 and 2.0.

Source of both: evaluate-v1.1.py and evaluate-v2.0.py of rajpurkar/SQuAD-explorer, met to the last digit. The one
departure: a question without a prediction scores 0 and stays in the divisor under 2.0 too, where the official script
drops it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from scoring.normalization import apart, runs
from scoring.sentences import Sentence, _

# Up to so many comparisons, counting each token in its list is quicker than making two counters; both count the same.
COUNTED_ONE_BY_ONE = 500


class Rule(StrEnum):
    """Whose evaluation counts. They differ where an answer is empty or normalises to nothing."""

    V1_1 = "1.1"
    V2_0 = "2.0"


class ScoringError(ValueError):
    """Questions or predictions that cannot be scored; its only argument is a ``Sentence`` that says why."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class AnswerScore:
    """One answer against its gold answers, from 0 to 1."""

    exact_match: float
    f1: float


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """A question as scoring sees it: its gold answers in order, none where it is unanswerable."""

    id: str
    answers: Sequence[str]
    # Whether its file says is_impossible of it, be it true or false: the mark of SQuAD 2.0.
    states_impossible: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """Percentages over ``total`` questions."""

    exact_match: float
    f1: float
    total: int

    def report(self) -> dict[str, float]:
        """The part for JSON, unrounded: to the last digit of the official evaluation."""
        return {
            "exact_match": self.exact_match,
            "f1": self.f1,
            "total": self.total,
        }


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A file of predictions scored: ``overall`` and, under 2.0, the answerable and the unanswerable questions apart
    (None where there are none). ``missing`` are questions without a prediction, ``unknown`` predictions without a
    question, both ids in the order of their file; ``scores`` are the questions', 0 where the prediction is missing."""

    rule: Rule
    overall: Part
    has_answer: Part | None
    no_answer: Part | None
    missing: list[str]
    unknown: list[str]
    scores: dict[str, AnswerScore]

    def report(self) -> dict[str, object]:
        """The evaluation for JSON: percentages and ids; a part that does not exist has no key."""
        parts = {"has_answer": self.has_answer, "no_answer": self.no_answer}
        return {
            **self.overall.report(),
            **{name: part.report() for name, part in parts.items() if part is not None},
            "missing": self.missing,
            "unknown": self.unknown,
        }


def exact_match(answer: str, gold: str, language: str = "en") -> bool:
    """Whether ``answer`` equals ``gold`` once both are normalised. Two answers of which nothing is left are equal,
    under both rules."""
    return runs(answer, language) == runs(gold, language)


def token_f1(answer: str, gold: str, rule: Rule = Rule.V1_1, language: str = "en") -> float:
    """The token F1 of ``answer`` against one ``gold`` answer, from 0 to 1; tokens count with their repeats.

    Where nothing is left of either, 2.0 gives 1 if nothing is left of both and else 0; 1.1 gives 0.
    """
    return _f1(apart(runs(answer, language), language), apart(runs(gold, language), language), rule)


def best_score(answer: str, golds: Iterable[str], rule: Rule = Rule.V1_1, language: str = "en") -> AnswerScore:
    """``answer`` against the gold answer that suits it best, for EM and F1 each.

    Under 2.0 gold answers of which normalising leaves nothing are dropped, and where none is left the right answer is
    the empty one. Under 1.1 every gold answer counts, and ScoringError is raised where there is none.
    """
    # Golds are often the same text, of which one is enough.
    gold_runs = [runs(gold, language) for gold in dict.fromkeys(golds)]
    if rule is Rule.V2_0:
        gold_runs = [gold for gold in gold_runs if gold] or [[]]
    if not gold_runs:
        raise ScoringError(_("There is no gold answer to compare with."))
    answer_runs = runs(answer, language)
    if answer_runs in gold_runs:
        # Its F1 is the best there is: 1, or under 1.1 the 0 of an answer of which nothing is left.
        return AnswerScore(1, 1.0 if answer_runs or rule is Rule.V2_0 else 0)
    answer_tokens = apart(answer_runs, language)
    return AnswerScore(0, max(_f1(answer_tokens, apart(gold, language), rule) for gold in gold_runs))


def score_runs(answer: list[str], gold: list[str], rule: Rule = Rule.V1_1, language: str = "en") -> AnswerScore:
    """Two answers that ``normalization.runs`` has cut already, against each other."""
    if answer == gold:
        return AnswerScore(1, 1.0 if answer or rule is Rule.V2_0 else 0)
    return AnswerScore(0, _f1(apart(answer, language), apart(gold, language), rule))


def score_predictions(
    questions: Iterable[GoldQuestion],
    predictions: Mapping[str, str],
    rule: Rule | None = None,
    language: str = "en",
) -> Evaluation:
    """Score ``predictions`` (answer text by question id) against ``questions``.

    ``rule`` is 2.0 where any question states whether it is impossible, else 1.1. Of questions with the same id 1.1
    counts each and 2.0 the last, as the official scripts do. Raises ScoringError without questions, and under 1.1 for
    a question without answers.
    """
    questions = list(questions)
    if rule is None:
        rule = Rule.V2_0 if any(question.states_impossible for question in questions) else Rule.V1_1
    if rule is Rule.V2_0:
        questions = list({question.id: question for question in questions}.values())
    if not questions:
        raise ScoringError(_("There are no questions to score."))
    _refuse_unanswered(questions, rule)
    nothing = AnswerScore(0, 0)
    scored = [
        best_score(predictions[question.id], question.answers, rule, language)
        if question.id in predictions
        else nothing
        for question in questions
    ]
    parts: dict[bool, list[AnswerScore]] = {True: [], False: []}
    for question, score in zip(questions, scored, strict=True):
        parts[bool(question.answers)].append(score)
    ids = {question.id: None for question in questions}
    return Evaluation(
        rule=rule,
        overall=_part(scored, rule),
        has_answer=_part(parts[True], rule) if rule is Rule.V2_0 and parts[True] else None,
        no_answer=_part(parts[False], rule) if rule is Rule.V2_0 and parts[False] else None,
        missing=[question_id for question_id in ids if question_id not in predictions],
        unknown=[question_id for question_id in predictions if question_id not in ids],
        scores={question.id: score for question, score in zip(questions, scored, strict=True)},
    )


def percentage(scores: Sequence[float], rule: Rule = Rule.V1_1) -> float:
    """The mean of ``scores`` in percent, summed in the way of the rule's script so that the last digit agrees: from
    Python 3.12 on ``sum`` corrects rounding errors, the 1.1 script's loop does not. There must be at least one."""
    if rule is Rule.V2_0:
        return 100.0 * sum(scores) / len(scores)
    total: float = 0
    for score in scores:
        total += score
    return 100.0 * total / len(scores)


def _part(scores: Sequence[AnswerScore], rule: Rule) -> Part:
    return Part(
        exact_match=percentage([score.exact_match for score in scores], rule),
        f1=percentage([score.f1 for score in scores], rule),
        total=len(scores),
    )


def _f1(answer_tokens: list[str], gold_tokens: list[str], rule: Rule) -> float:
    if rule is Rule.V2_0 and not (answer_tokens and gold_tokens):
        return int(answer_tokens == gold_tokens)
    if not (shared := _shared(answer_tokens, gold_tokens)):
        return 0
    # Not simplified to 2 * shared / (both lengths): the last digit would differ from the official one.
    precision = shared / len(answer_tokens)
    recall = shared / len(gold_tokens)
    return (2 * precision * recall) / (precision + recall)


def _shared(answer_tokens: list[str], gold_tokens: list[str]) -> int:
    """How many tokens both have, counted with their repeats."""
    common = set(answer_tokens).intersection(gold_tokens)
    if len(common) * (len(answer_tokens) + len(gold_tokens)) > COUNTED_ONE_BY_ONE:
        return (Counter(answer_tokens) & Counter(gold_tokens)).total()
    return sum(min(answer_tokens.count(token), gold_tokens.count(token)) for token in common)


def _refuse_unanswered(questions: Iterable[GoldQuestion], rule: Rule) -> None:
    if rule is Rule.V1_1:
        for question in questions:
            if not question.answers:
                raise ScoringError(
                    _(
                        "Question {id} has no answer, which the rule of SQuAD 1.1 cannot score; use the rule of 2.0.",
                        id=question.id,
                    )
                )
