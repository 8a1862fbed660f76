"""Human performance: how well one person's answer meets the others'.

Source: section 6.2 of the SQuAD paper (Rajpurkar et al. 2016): the second answer of each question is taken for the
prediction, the others for gold. Repeated answers are several people's and stay.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from scoring.sentences import Sentence, _
from scoring.squad_metrics import Rule, best_score, percentage

# Decimals of a percentage in a report; everything else has full precision.
PERCENT_PLACES = 3


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question with its answers in order, each from another person: a text, or None for unanswerable."""

    id: str
    answers: Sequence[str | None]


@dataclass(frozen=True, slots=True)
class HumanScore:
    """One question's second answer against its gold answers, from 0 to 1."""

    question_id: str
    exact_match: float
    f1: float
    # The second person found no answer, which scores 0.
    is_unanswerable: bool


@dataclass(slots=True)
class HumanReading:
    """Human performance under one choice of gold answers, and what took no part in it.

    ``too_few_answers`` and ``no_gold_answer`` count the questions left out, for having too few answers and for having
    only unanswerable ones as gold; ``unanswerable_gold_answers`` counts the gold answers left out, in all questions
    with enough answers.
    """

    scores: list[HumanScore] = field(default_factory=list)
    too_few_answers: int = 0
    no_gold_answer: int = 0
    unanswerable_gold_answers: int = 0

    @property
    def total(self) -> int:
        """The questions scored."""
        return len(self.scores)

    @property
    def exact_match(self) -> float | None:
        """In percent; None where no question was scored."""
        return percentage([score.exact_match for score in self.scores]) if self.scores else None

    @property
    def f1(self) -> float | None:
        """In percent; None where no question was scored."""
        return percentage([score.f1 for score in self.scores]) if self.scores else None

    @property
    def unanswerable_second_answers(self) -> int:
        """The questions scored 0 because the second person found no answer."""
        return sum(score.is_unanswerable for score in self.scores)

    def report(self) -> dict[str, float | str | None]:
        """The reading for JSON, percentages rounded to ``PERCENT_PLACES``; with ``why`` where there are none."""
        exact_match, f1 = self.exact_match, self.f1
        report: dict[str, float | str | None] = {
            "exact_match": None if exact_match is None else round(exact_match, PERCENT_PLACES),
            "f1": None if f1 is None else round(f1, PERCENT_PLACES),
            "total": self.total,
            "too_few_answers": self.too_few_answers,
            "no_gold_answer": self.no_gold_answer,
            "unanswerable_second_answers": self.unanswerable_second_answers,
            "unanswerable_gold_answers": self.unanswerable_gold_answers,
        }
        return report if self.why is None else report | {"why": str(self.why)}

    @property
    def why(self) -> Sentence | None:
        """Why nothing was scored; None where something was."""
        if self.scores:
            return None
        if self.no_gold_answer:
            return _("Every question has unanswerable answers alone to compare with.")
        return _("No question has enough answers that count.")

    def add(self, question_id: str, second: str | None, golds: Sequence[str | None], rule: Rule, language: str) -> None:
        """Score one question that has enough answers, or count why it is left out."""
        texts = [gold for gold in golds if gold is not None]
        self.unanswerable_gold_answers += len(golds) - len(texts)
        if not texts:
            self.no_gold_answer += 1
        elif second is None:
            self.scores.append(HumanScore(question_id, 0, 0, is_unanswerable=True))
        else:
            score = best_score(second, texts, rule, language)
            self.scores.append(HumanScore(question_id, score.exact_match, score.f1, is_unanswerable=False))


@dataclass(slots=True)
class HumanPerformance:
    """The second answer against all others (two answers or more), and against the first and third (three or more)."""

    all_others: HumanReading = field(default_factory=HumanReading)
    first_and_third: HumanReading = field(default_factory=HumanReading)

    def report(self) -> dict[str, dict[str, float | str | None]]:
        """Both readings for JSON."""
        return {"all_others": self.all_others.report(), "first_and_third": self.first_and_third.report()}


def human_performance(
    questions: Iterable[AnsweredQuestion], rule: Rule = Rule.V1_1, language: str = "en"
) -> HumanPerformance:
    """Human EM and F1 of ``questions``; those with too few answers are left out and counted."""
    performance = HumanPerformance()
    for question in questions:
        answers = list(question.answers)
        if len(answers) < 2:
            performance.all_others.too_few_answers += 1
        else:
            performance.all_others.add(question.id, answers[1], answers[:1] + answers[2:], rule, language)
        if len(answers) < 3:
            performance.first_and_third.too_few_answers += 1
        else:
            performance.first_and_third.add(question.id, answers[1], answers[0:3:2], rule, language)
    return performance
