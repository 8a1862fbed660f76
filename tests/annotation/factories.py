"""Rows for tests, each with just what it needs to be valid; whatever a test is about it passes by name."""

from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from itertools import count
from typing import Any

from django.contrib.auth.hashers import make_password
from django.db.models import Max

from accounts.models import User
from annotation.models import (
    Answer,
    Article,
    Assignment,
    Import,
    Membership,
    Offer,
    Paragraph,
    Project,
    Question,
    Task,
    TaskParagraph,
    TaskQuestion,
    Worker,
)
from annotation.presets import PRESETS

PASSWORD = "correct horse battery staple"
MILL = "The mill was built in 1742. It burned twice. The present roof, of Welsh slate, dates from 1866."
NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)

_numbers = count(1)


@cache
def _hashed() -> str:
    """``PASSWORD`` as users hold it; hashing is slow by design, so it is done once."""
    return make_password(PASSWORD)


def make_user(username: str = "", *, is_staff: bool = True, **fields: Any) -> User:
    """A staff user who signs in with ``PASSWORD``."""
    values = {"username": username or f"user-{next(_numbers)}", "password": _hashed(), "is_staff": is_staff}
    return User.objects.create(**(values | fields))


def make_superuser(username: str = "") -> User:
    return make_user(username or f"root-{next(_numbers)}", is_superuser=True)


def make_project(*, preset: str = "own-crowd", requester: User | None = None, **fields: Any) -> Project:
    """A project of ``preset``, with ``requester`` as its member where one is given. No shortest paragraph, $100."""
    number = next(_numbers)
    values = {"name": f"Project {number}", "slug": f"project-{number}"}
    values |= PRESETS[preset] | {"preset": preset, "min_paragraph_chars": 0, "spending_cap_usd": 100} | fields
    project = Project.objects.create(**values)
    if requester is not None:
        Membership.objects.create(project=project, user=requester, role=Membership.Role.REQUESTER)
    return project


def make_member(project: Project, role: str, username: str = "") -> User:
    """A staff user who holds ``role`` in ``project``."""
    user = make_user(username)
    Membership.objects.create(project=project, user=user, role=role)
    return user


def make_import(project: Project, **fields: Any) -> Import:
    return Import.objects.create(project=project, **({"file_name": "a.json", "file_sha256": "0" * 64} | fields))


def make_article(project: Project, **fields: Any) -> Article:
    """The next article of ``project``."""
    position = project.articles.aggregate(free=Max("position", default=-1) + 1)["free"]
    values = {"title": f"Article_{next(_numbers)}", "position": position}
    return Article.objects.create(project=project, **(values | fields))


def make_paragraph(project: Project | None = None, article: Article | None = None, text: str = "") -> Paragraph:
    """The next paragraph of ``article``, or of a new article of ``project``; its text stands in no other."""
    article = article or make_article(project or make_project())
    text = text or f"{MILL} It is mill number {next(_numbers)}."
    return Paragraph.objects.create(
        project=article.project,
        article=article,
        position=article.paragraphs.count(),
        text=text,
        text_sha256=sha256(text.encode()).hexdigest(),
    )


def make_task(*paragraphs: Paragraph, kind: str = Task.Kind.WRITE) -> Task:
    """A task of ``paragraphs`` in order; of one new paragraph where none is given."""
    paragraphs = paragraphs or (make_paragraph(),)
    task = Task.objects.create(project=paragraphs[0].project, kind=kind)
    for position, paragraph in enumerate(paragraphs):
        TaskParagraph.objects.create(task=task, position=position, paragraph=paragraph)
    return task


def make_answer_task(*questions: Question, gold: tuple[Question, ...] = ()) -> Task:
    """A task that asks ``questions`` (those in ``gold`` as gold ones), paragraph by paragraph in their order."""
    paragraphs = list(dict.fromkeys(question.paragraph for question in questions))
    task = make_task(*paragraphs, kind=Task.Kind.ANSWER)
    for task_paragraph in task.task_paragraphs.all():
        of_paragraph = [question for question in questions if question.paragraph_id == task_paragraph.paragraph_id]
        for position, question in enumerate(of_paragraph):
            purpose = TaskQuestion.Purpose.GOLD if question in gold else TaskQuestion.Purpose.REAL
            TaskQuestion.objects.create(
                task_paragraph=task_paragraph, position=position, question=question, purpose=purpose
            )
    return task


def make_offer(task: Task | None = None, **fields: Any) -> Offer:
    """``task`` on offer as a HIT of its own at the endpoint ``marketplace``."""
    values = {
        "endpoint": "marketplace",
        "mturk_hit_id": f"HIT{next(_numbers):027}",
        "reward_usd": "0.60",
        "paid_seconds": 240,
        "allowed_seconds": 720,
        "worker_origins": ["http://127.0.0.1:8001"],
    }
    return Offer.objects.create(task=task or make_task(), **(values | fields))


def make_worker(**fields: Any) -> Worker:
    values = {"endpoint": "marketplace", "mturk_worker_id": f"W{next(_numbers):013}"}
    return Worker.objects.create(**(values | fields))


def make_assignment(offer: Offer | None = None, worker: Worker | None = None, **fields: Any) -> Assignment:
    """An assignment of ``offer``; ``status=`` one that the endpoint has listed brings its time of submission."""
    offer = offer or make_offer()
    values: dict[str, Any] = {"mturk_assignment_id": f"A{next(_numbers):029}"}
    if fields.get("status", Assignment.Status.OPEN) in Assignment.LISTED:
        values |= {"finished_at": NOON, "submitted_at": NOON}
    return Assignment.objects.create(
        task=offer.task, offer=offer, worker=worker or make_worker(endpoint=offer.endpoint), **(values | fields)
    )


def make_question(
    paragraph: Paragraph | None = None,
    text: str = "When was the mill built?",
    *,
    assignment: Assignment | None = None,
    answer: str | None = "1742",
    **fields: Any,
) -> Question:
    """A question of ``assignment``, or an imported one; ``answer`` is its author's, None where it has none yet."""
    paragraph = paragraph or make_paragraph()
    source = {"assignment": assignment} if assignment else {"imported_from": make_import(paragraph.project)}
    question = Question.objects.create(project=paragraph.project, paragraph=paragraph, text=text, **(source | fields))
    if answer is not None:
        counts = assignment is None or assignment.status == Assignment.Status.APPROVED
        make_answer(question, answer, position=0 if counts else None, **source)
    return question


def make_answer(question: Question, text: str | None, **fields: Any) -> Answer:
    """An answer where ``text`` first stands in the paragraph; ``text=None`` says that it cannot be answered."""
    if not fields.keys() & {"assignment", "imported_from", "adjudicated_by"}:
        fields["imported_from"] = question.imported_from or make_import(question.project)
    if text is None:
        return Answer.objects.create(question=question, **fields)
    start = question.paragraph.text.index(text)
    return Answer.objects.create(question=question, start=start, end=start + len(text), text=text, **fields)
