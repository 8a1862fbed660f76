"""Human EM and F1 of a project's split, read from the database as ``scoring`` reads it from a file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from annotation.models import Answer, Project, Question
from scoring.human import AnsweredQuestion, HumanPerformance, human_performance

# Questions that one query reads.
BATCH = 2000


@dataclass(frozen=True)
class Published:
    """EM and F1 in percent."""

    exact_match: float
    f1: float


# The SQuAD paper, section 6.2, on version 1.0 of the dataset.
PUBLISHED = {"dev": Published(80.3, 90.5), "test": Published(77.0, 86.8)}
# Of the questions, at least one extra worker so marked: the SQuAD paper, section 3.
PUBLISHED_UNANSWERABLE_PERCENT = 2.6


@dataclass
class Extra:
    """Questions with an extra answer, and those of them that at least one extra worker could not answer."""

    questions: int = 0
    unanswerable: int = 0

    @property
    def unanswerable_percent(self) -> float | None:
        """None where no question has an extra answer."""
        return 100 * self.unanswerable / self.questions if self.questions else None


@dataclass(frozen=True)
class Agreement:
    """Human performance on ``questions`` counting questions of a split."""

    performance: HumanPerformance
    extra: Extra = field(default_factory=Extra)

    @property
    def questions(self) -> int:
        reading = self.performance.all_others
        return reading.total + reading.too_few_answers + reading.no_gold_answer

    @property
    def is_empty(self) -> bool:
        """Whether no question has answers that can be compared."""
        return self.performance.all_others.total == 0


def agreement(project: Project, split: str) -> Agreement:
    """Human performance on the counting questions of ``split``, by the rule of SQuAD 1.1 and ``project``'s language.

    Answers stand in the order of their positions; gold and adjudicated ones have none and take no part.
    """
    extra = Extra()
    questions = _answered_questions(project, split, extra)
    return Agreement(human_performance(questions, language=project.language), extra)


def _answered_questions(project: Project, split: str, extra: Extra) -> Iterator[AnsweredQuestion]:
    """The questions in the order of their keys; ``extra`` counts along."""
    counting = Question.objects.in_project(project).counting().filter(paragraph__article__split=split)
    last = 0
    while batch := list(counting.filter(pk__gt=last).order_by("pk").values_list("pk", "public_id")[:BATCH]):
        last = batch[-1][0]
        answers: dict[int, list[tuple[int | None, str | None]]] = defaultdict(list)
        rows = Answer.objects.counting().filter(question__in=[pk for pk, _public_id in batch])
        for question, position, text in rows.order_by("question", "position").values_list(
            "question", "position", "text"
        ):
            answers[question].append((position, text))
        for pk, public_id in batch:
            others = [text for position, text in answers[pk] if position]
            extra.questions += bool(others)
            extra.unanswerable += None in others
            yield AnsweredQuestion(public_id, [text for _position, text in answers[pk]])
