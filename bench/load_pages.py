"""Under the platform's settings: a project of the size and shape of SQuAD, after all its work.

536 articles in 80/10/10 splits; 107,785 questions in the data, written in HITs of five paragraphs, with one answer each
in train and three in dev and test; of 250 workers, with drops, rejections and second answers that differ; and some
hundred HITs more whose work waits for review with its signals. Rows alone, by COPY: nothing is published or paid.
"""

from __future__ import annotations

import random
from collections import defaultdict
from datetime import timedelta
from decimal import Decimal
from hashlib import sha256
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from accounts.models import User
from annotation.models import (
    Answer,
    Article,
    Assignment,
    GoldQuestion,
    Import,
    Membership,
    Offer,
    Paragraph,
    ParagraphWork,
    PassageAct,
    Project,
    Question,
    QuestionSignals,
    Task,
    TaskParagraph,
    TaskQuestion,
    Verdict,
    Worker,
)
from bench.copying import copy_rows
from bench.texts import Texts
from hits.models import HIT, Batch, Bonus, HITType, LedgerEntry
from reviewer.models import ReviewRules

ARTICLES, PARAGRAPHS, QUESTIONS = 536, 23_215, 107_785
# More paragraphs whose work waits for review, five to a HIT.
WAITING_PARAGRAPHS = 1_500
WORKERS = 250
PER_HIT = 5
WORKS_A_BONUS = 30
BEGINNINGS = (
    *("What is", "What was", "What did", "What type of", "Who was", "Who did", "When did", "When was"),
    *("How many", "How much", "Where did", "Which", "Why did", "In what year", "The name of"),
)
SPLITS = ("train",) * 8 + ("dev", "test")
PASSWORD = "bench"  # noqa: S105 - of a throwaway site
FEE, REWARD = Decimal("0.12"), Decimal("0.60")


class Rows:
    """All rows, gathered by model, with keys given out in order."""

    def __init__(self, project: Project, requester: User, seed: int) -> None:
        self.project, self.requester = project, requester
        self.chance = random.Random(seed)
        self.now = timezone.now()
        self.begun = self.now - timedelta(days=60)
        self.rows: dict[type, list[dict[str, Any]]] = defaultdict(list)
        self.source = Import.objects.create(project=project, file_name="bench.jsonl", file_sha256="0" * 64)
        self.batches = {kind: self._batch(kind) for kind in (Task.Kind.WRITE, Task.Kind.ANSWER)}

    def add(self, model: type, **values: Any) -> int:
        values["id"] = len(self.rows[model]) + 1
        self.rows[model].append(values)
        return int(values["id"])

    def write(self) -> None:
        """All of them at once. The rows are consistent by their making, so that no key is looked up again."""
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            for model, rows in self.rows.items():
                copy_rows(model, rows, self.now)
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")

    def _batch(self, kind: str) -> tuple[Batch, HITType]:
        batch = Batch.objects.create(
            project=self.project,
            kind=kind,
            endpoint="marketplace",
            status=Batch.Status.OPEN,
            units_per_hit=PER_HIT,
            hourly_rate_usd=9,
            cap_usd=Decimal("90000"),
        )
        facts = {"paid_seconds": 240, "allowed_seconds": 720, "auto_approval_seconds": 3600, "reward_usd": REWARD}
        texts = {"title": kind, "description": kind, "keywords": kind, "mturk_hit_type_id": f"T{kind}"}
        return batch, HITType.objects.create(batch=batch, **facts, **texts)

    def hit(self, kind: str, places: int) -> tuple[int, int]:
        """A task with its HIT; its key and that of its offer."""
        batch, hit_type = self.batches[kind]
        task = self.add(Task, project_id=self.project.pk, kind=kind)
        number = f"3{task:029}"
        offer = self.add(
            Offer,
            task_id=task,
            endpoint="marketplace",
            mturk_hit_id=number,
            reward_usd=REWARD,
            paid_seconds=240,
            allowed_seconds=720,
            worker_origins=["http://127.0.0.1:8001"],
            series=batch.series,
        )
        common = {"batch_id": batch.pk, "hit_type_id": hit_type.pk, "offer_id": offer, "max_assignments": places}
        hit = self.add(
            HIT,
            **common,
            status=HIT.Status.REVIEWABLE,
            fee_usd=FEE,
            listed_count=places,
            lifetime_seconds=86400,
            mturk_hit_id=number,
            published_at=self.begun,
            released_at=self.begun,
        )
        self._money(hit, "reserve", places * (REWARD + FEE), self.begun, None)
        return task, offer

    def assignment(self, task: int, offer: int, worker: int, status: str) -> int:
        at = self.begun + timedelta(days=50 * self.chance.random())
        decided = None if status == Assignment.Status.SUBMITTED else at + timedelta(days=1)
        pk = self.add(
            Assignment,
            task_id=task,
            offer_id=offer,
            worker_id=worker,
            mturk_assignment_id=f"A{len(self.rows[Assignment]):029}",
            status=status,
            finished_at=at,
            submitted_at=at,
            decided_at=decided,
        )
        if status == Assignment.Status.APPROVED:
            for kind, amount in (("release", REWARD + FEE), ("reward", REWARD), ("fee", FEE)):
                self._money(offer, kind, amount, at + timedelta(days=1), pk)
            if pk % WORKS_A_BONUS == 0:
                self._bonus(pk, offer, worker)
        return pk

    def _bonus(self, assignment: int, hit: int, worker: int) -> None:
        of = {"batch_id": self.rows[HIT][hit - 1]["batch_id"], "assignment_id": assignment, "worker_id": worker}
        what = {"amount_usd": REWARD, "fee_usd": FEE, "reason": "Well asked.", "paid_at": self.now}
        self.add(Bonus, **of, **what, status=Bonus.Status.PAID)

    def _money(self, hit: int, kind: str, amount: Decimal, at: Any, assignment: int | None) -> None:
        whose = {"project_id": self.project.pk, "batch_id": self.rows[HIT][hit - 1]["batch_id"], "hit_id": hit}
        facts = {"assignment_id": assignment, "endpoint": "marketplace", "kind": kind, "amount_usd": amount}
        self.add(LedgerEntry, **whose, **facts, entered_at=at)


def load(project: Project, requester: User, seed: int = 7, *, waiting_per_hit: int = PER_HIT) -> Rows:
    """Write the project's rows, what waits with so many paragraphs to a HIT; return them."""
    rows = Rows(project, requester, seed)
    for number in range(WORKERS):
        rows.add(Worker, endpoint="marketplace", mturk_worker_id=f"W{number:013}")
    paragraphs = _passages(rows, Texts(seed))
    per_paragraph = _shares(rows.chance, QUESTIONS, PARAGRAPHS)
    questions: dict[str, list[tuple[int, dict[str, Any]]]] = defaultdict(list)
    for start in range(0, PARAGRAPHS, PER_HIT):
        part = paragraphs[start : start + PER_HIT]
        _written(rows, part, per_paragraph[start : start + PER_HIT], Assignment.Status.APPROVED, questions)
    for start in range(PARAGRAPHS, len(paragraphs), waiting_per_hit):
        status = rows.chance.choices([Assignment.Status.SUBMITTED, Assignment.Status.REJECTED], [9, 1])[0]
        _written(rows, paragraphs[start : start + waiting_per_hit], [5] * waiting_per_hit, status, defaultdict(list))
    for split in ("dev", "test"):
        for start in range(0, len(questions[split]), PER_HIT):
            _answered(rows, questions[split][start : start + PER_HIT])
    for split, dropped in ((split, questions[split][::400]) for split in questions):
        for question, _paragraph in dropped:
            rows.add(Verdict, question_id=question, decision="drop", reason=split, decided_by_id=requester.pk)
    rows.write()
    question = rows.rows[Question][0]["id"]
    GoldQuestion.objects.create(project=project, question_id=question, added_by=requester)
    ReviewRules.objects.create(project=project, set_by=requester)
    PassageAct.objects.create(project=project, kind="split", why="drawn", articles=ARTICLES, paragraphs=PARAGRAPHS)
    return rows


def new_project(slug: str) -> tuple[Project, User]:
    """An empty project and its requester."""
    project = Project.objects.create(name="Size of SQuAD", slug=slug, spending_cap_usd=Decimal("90000"))
    user = User.objects.create_user(username=slug, password=PASSWORD, is_staff=True)
    Membership.objects.create(project=project, user=user, role=Membership.Role.REQUESTER)
    return project, user


def _shares(chance: random.Random, total: int, places: int) -> list[int]:
    """``total`` over ``places``: four or five each, none in a few."""
    shares = [0 if chance.random() < 0.02 else total // places for _ in range(places)]
    for _ in range(total - sum(shares)):
        shares[chance.randrange(places)] += 1
    return shares


def _passages(rows: Rows, texts: Texts) -> list[dict[str, Any]]:
    """Paragraphs by article, the last ones for work that waits, in random articles."""
    for number in range(ARTICLES):
        rows.add(
            Article,
            project_id=rows.project.pk,
            title=f"Article_{number}",
            position=number,
            split=SPLITS[number % len(SPLITS)],
            source_url=f"https://en.wikipedia.org/wiki/Article_{number}",
            licence="CC BY-SA 4.0",
            key_words=["mill", "slate"],
        )
    positions: dict[int, int] = defaultdict(int)
    for number in range(PARAGRAPHS + WAITING_PARAGRAPHS):
        article = number * ARTICLES // PARAGRAPHS + 1 if number < PARAGRAPHS else rows.chance.randint(1, ARTICLES)
        text = f"{texts.paragraph()} {number}."
        rows.add(
            Paragraph,
            project_id=rows.project.pk,
            article_id=article,
            position=positions[article],
            text=text,
            text_sha256=sha256(text.encode()).hexdigest(),
            imported_from_id=rows.source.pk,
            is_excluded=False,
            section=["History"],
        )
        positions[article] += 1
    return rows.rows[Paragraph]


def _written(rows: Rows, paragraphs: list[dict[str, Any]], counts: list[int], status: str, questions: Any) -> None:
    """One HIT of writing, with its work."""
    task, offer = rows.hit(Task.Kind.WRITE, 1)
    assignment = rows.assignment(task, offer, rows.chance.randint(1, WORKERS), status)
    counts_at_once = status == Assignment.Status.APPROVED
    for position, (paragraph, count) in enumerate(zip(paragraphs, counts, strict=True)):
        place = rows.add(TaskParagraph, task_id=task, position=position, paragraph_id=paragraph["id"])
        rows.add(ParagraphWork, assignment_id=assignment, task_paragraph_id=place, active_seconds=40 * count)
        for number in range(count):
            words = f"{rows.chance.choice(BEGINNINGS)} {_piece(rows.chance, paragraph['text'], 6)[2]}?"
            question = rows.add(
                Question,
                project_id=rows.project.pk,
                paragraph_id=paragraph["id"],
                text=words,
                position=number,
                assignment_id=assignment,
                created_at=rows.now,
            )
            _answer(rows, question, paragraph["text"], assignment, 0 if counts_at_once else None)
            rows.add(QuestionSignals, assignment_id=assignment, question_id=question, active_seconds=35, keys=40)
            split = SPLITS[(paragraph["article_id"] - 1) % len(SPLITS)]
            questions[split].append((question, paragraph))


def _answered(rows: Rows, questions: list[tuple[int, dict[str, Any]]]) -> None:
    """One HIT of answering, done by two workers."""
    task, offer = rows.hit(Task.Kind.ANSWER, 2)
    places: dict[int, int] = {}
    for number, (question, paragraph) in enumerate(questions):
        if paragraph["id"] not in places:
            places[paragraph["id"]] = rows.add(
                TaskParagraph, task_id=task, position=len(places), paragraph_id=paragraph["id"]
            )
        rows.add(TaskQuestion, task_paragraph_id=places[paragraph["id"]], position=number, question_id=question)
    for position, worker in enumerate(rows.chance.sample(range(1, WORKERS + 1), 2), start=1):
        assignment = rows.assignment(task, offer, worker, Assignment.Status.APPROVED)
        for question, paragraph in questions:
            _answer(rows, question, paragraph["text"], assignment, position)


def _answer(rows: Rows, question: int, text: str, assignment: int, position: int | None) -> None:
    """An author's answer, or another's: the same as the author's three times in four, or none now and then."""
    first = rows.rows[Answer][question_first[question]] if position and question in question_first else None
    if first and rows.chance.random() < 0.75:
        start, end, words = first["start"], first["end"], first["text"]
    elif position and rows.chance.random() < 0.05:
        start = end = words = None
    else:
        start, end, words = _piece(rows.chance, text, 3)
    pk = rows.add(
        Answer,
        question_id=question,
        assignment_id=assignment,
        start=start,
        end=end,
        text=words,
        position=position,
        created_at=rows.now,
    )
    if first is None:
        question_first[question] = pk - 1


# Where the author's answer of each question stands among the rows of answers.
question_first: dict[int, int] = {}


def _piece(chance: random.Random, text: str, most: int) -> tuple[int, int, str]:
    """One to ``most`` words of ``text``, with their place."""
    start = text.rfind(" ", 0, chance.randint(1, len(text) - 200)) + 1
    end = start
    for _ in range(min(most, 1 + int(chance.expovariate(1 / 2)))):
        end = text.index(" ", end + 1)
    return start, end, text[start:end]
