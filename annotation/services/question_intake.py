"""The questions and answers of a file: which are new, which the project has, and which are faulty."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from annotation.models import Answer, Import, Project, Question
from annotation.sentences import in_words
from annotation.services.bulk_copy import Steps, copy_rows, count_anew, max_chars, take_ids
from annotation.services.passage_intake import FileParagraph, PassageFile, Tally
from scoring.datasets import Question as FileQuestion
from scoring.sentences import Sentence, _
from scoring.spans import is_mid_word

PUBLIC_ID_CHARS = max_chars(Question, "public_id")
# Positions are small integers; nobody asks that much of one paragraph or question.
MOST_QUESTIONS = 10_000  # new ones on a paragraph
MOST_ANSWERS = 1000  # to a question
# Ids that one query asks for.
IDS_PER_QUERY = 5000

QUESTION_FIELDS = ("pk", "project", "paragraph", "public_id", "text", "position", "imported_from", "created_at")
ANSWER_FIELDS = (
    *("question", "imported_from", "start", "end", "text", "position"),
    *("is_gold", "is_mid_word", "created_at"),
)

# What makes two questions of one id the same: paragraph, text, and the answers' places in order (None: unanswerable).
Content = tuple[int, str, tuple[tuple[int | None, int | None], ...]]


class FaultyQuestions(Exception):
    """Questions of the file are faulty, and nothing of it was stored.

    ``faults`` lists them all: ``{"place", "question_id", "article", "problems": [sentence, ...]}``.
    """

    def __init__(self, faults: list[dict[str, Any]]) -> None:
        super().__init__(f"{len(faults)} faulty questions")
        self.faults = faults


@dataclass(frozen=True, slots=True)
class NewQuestion:
    """A question of the file, and the row of its paragraph."""

    paragraph: FileParagraph
    paragraph_id: int
    question: FileQuestion

    @property
    def spans(self) -> tuple[tuple[int | None, int | None], ...]:
        """Start and end of its answers; one without a place where it is unanswerable."""
        return tuple((span.start, span.end) for span in self.question.answers) or ((None, None),)

    @property
    def content(self) -> Content:
        return self.paragraph_id, self.question.text, self.spans


def sort_questions(
    project: Project, file: PassageFile, paragraphs: Sequence[FileParagraph], stored: Mapping[str, int]
) -> tuple[list[NewQuestion], list[dict[str, Any]], Tally]:
    """The questions of ``file`` that are new, the faulty ones, and the count of all.

    ``stored`` gives the key of each paragraph by its text's hash. Faulty are those that the reader found so, and those
    whose id the project has already with another content; with the same content they are only counted.
    """
    faults = [_fault(str(fault.place), fault.question_id, fault.place.title, fault.problems) for fault in file.faults]
    tally = Tally(read=len(faults))
    known = known_contents(project, [question.id for paragraph in paragraphs for question in paragraph.questions])
    new = []
    counted: dict[int, int] = defaultdict(int)
    for paragraph in paragraphs:
        for question in paragraph.questions:
            tally.read += 1
            if paragraph.dropped:
                tally.drop("paragraph_dropped", {"question_id": question.id} | paragraph.as_example())
                continue
            candidate = NewQuestion(paragraph, stored[paragraph.text_sha256], question)
            problem = _problem(candidate, known, counted[candidate.paragraph_id])
            if problem is not None:
                faults.append(_fault(paragraph.place, question.id, paragraph.title, [problem]))
            elif question.id in known:
                tally.drop("already_there", {"question_id": question.id} | paragraph.as_example())
            else:
                new.append(candidate)
                counted[candidate.paragraph_id] += 1
    tally.added = len(new)
    for fault in faults:
        tally.drop("faulty", fault)
    return new, faults, tally


def _problem(candidate: NewQuestion, known: Mapping[str, Content], before: int) -> Sentence | None:
    """What is wrong with ``candidate``, if anything; ``before`` it came so many new questions on its paragraph."""
    question_id = candidate.question.id
    if len(question_id) > PUBLIC_ID_CHARS:
        return _("Its id is longer than {limit} characters.", limit=PUBLIC_ID_CHARS)
    if question_id in known and known[question_id] != candidate.content:
        return _("The project has a question with this id already, with another text, paragraph or answers.")
    if len(candidate.question.answers) > MOST_ANSWERS:
        return _("It has more than {limit} answers.", limit=f"{MOST_ANSWERS:,}")
    if question_id not in known and before >= MOST_QUESTIONS:
        return _("Its paragraph has more than {limit} new questions.", limit=f"{MOST_QUESTIONS:,}")
    return None


def _fault(place: str, question_id: str | None, title: str, problems: Iterable[Sentence]) -> dict[str, Any]:
    sentences = [in_words(problem) for problem in problems]
    return {"place": place, "question_id": question_id, "article": title, "problems": sentences}


def known_contents(project: Project, public_ids: Sequence[str]) -> dict[str, Content]:
    """The content of those questions of ``project`` that have one of ``public_ids``; of their answers, the imported."""
    contents: dict[str, Content] = {}
    for first in range(0, len(public_ids), IDS_PER_QUERY) if project.questions.exists() else ():
        questions = project.questions.filter(public_id__in=public_ids[first : first + IDS_PER_QUERY])
        answers = defaultdict(list)
        imported = Answer.objects.filter(question__in=questions, imported_from__isnull=False, is_gold=False)
        for question_id, start, end in imported.order_by("position").values_list("question_id", "start", "end"):
            answers[question_id].append((start, end))
        for pk, public_id, paragraph_id, text in questions.values_list("pk", "public_id", "paragraph_id", "text"):
            contents[public_id] = (paragraph_id, text, tuple(answers[pk]))
    return contents


def store_questions(record: Import, new: Sequence[NewQuestion], steps: Steps) -> int:
    """Store the questions and their answers in the file's order; return how many answers there were."""
    now = timezone.now()
    ids = take_ids(Question, len(new))
    positions: dict[int, int] = defaultdict(int)

    def questions() -> Iterator[tuple[Any, ...]]:
        for pk, row in zip(ids, new, strict=True):
            position = positions[row.paragraph_id]
            positions[row.paragraph_id] += 1
            yield pk, record.project_id, row.paragraph_id, row.question.id, row.question.text, position, record.pk, now

    def answers() -> Iterator[tuple[Any, ...]]:
        for pk, row in zip(ids, new, strict=True):
            text = row.paragraph.text
            for position, (start, end) in enumerate(row.spans):
                if start is None or end is None:
                    yield pk, record.pk, None, None, None, position, False, False, now
                else:
                    mid_word = is_mid_word(text, start, end)
                    yield pk, record.pk, start, end, text[start:end], position, False, mid_word, now

    copy_rows(Question, QUESTION_FIELDS, steps.counted(questions()))
    copy_rows(Answer, ANSWER_FIELDS, steps.counted(answers()))
    count_anew(len(new), Question, Answer)
    return sum(len(row.spans) for row in new)
