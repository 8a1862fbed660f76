"""Submitted work on published HITs, and projects whose questions have several people's answers."""

import json
from decimal import Decimal

from annotation.models import Assignment, Worker
from hits.fees import FeeSchedule
from hits.models import HIT, Batch, HITType
from reviewer.models import Release
from reviewer.services.release_places import home
from scoring.release_diff import KEY
from scoring.release_files import MANIFEST, described, sealed
from tests.annotation.factories import (
    NOON,
    make_answer,
    make_answer_task,
    make_article,
    make_assignment,
    make_import,
    make_offer,
    make_paragraph,
    make_question,
    make_task,
)

CASTLE = (
    "Brann Castle stands above the Ilve. The well is 61 m deep and was dug in 1340, the year 1340 being dry. "
    "Abbot Ruad raised the wall of the castle for the Crown."
)


def publish(task, *, reward_usd="0.60", max_assignments=1, endpoint="marketplace"):
    """``task`` as an open HIT; return its offer."""
    batch = Batch.objects.create(
        project=task.project,
        kind=task.kind,
        endpoint=endpoint,
        status=Batch.Status.OPEN,
        units_per_hit=1,
        hourly_rate_usd=9,
        cap_usd=1000,
    )
    hit_type = HITType.objects.create(
        batch=batch,
        reward_usd=Decimal(reward_usd),
        paid_seconds=240,
        allowed_seconds=720,
        auto_approval_seconds=3600,
        title="Write",
        description="Write",
        keywords="write",
        mturk_hit_type_id=f"T{batch.pk}",
    )
    offer = make_offer(task, reward_usd=reward_usd, endpoint=endpoint)
    HIT.objects.create(
        batch=batch,
        hit_type=hit_type,
        offer=offer,
        status=HIT.Status.OPEN,
        max_assignments=max_assignments,
        fee_usd=FeeSchedule().fee_usd(Decimal(reward_usd), max_assignments),
        lifetime_seconds=3600,
        mturk_hit_id=offer.mturk_hit_id,
    )
    return offer


def make_written(project, *, status="submitted", text="", reward_usd="0.60", **fields):
    """One writer's work: a question with its answer about a new paragraph of ``project``."""
    paragraph = make_paragraph(project, text=text)
    offer = publish(make_task(paragraph), reward_usd=reward_usd)
    assignment = make_assignment(offer, status=status, **fields)
    make_question(paragraph, assignment=assignment)
    return assignment


def make_answered(*questions, texts, status="submitted", worker=None, **fields):
    """One worker's answers (``texts``; None for unanswerable) to ``questions``; positions where it is approved."""
    task = make_answer_task(*questions)
    assignment = make_assignment(publish(task), worker, status=status, **fields)
    for question, text in zip(questions, texts, strict=True):
        counts = status == Assignment.Status.APPROVED
        position = question.answers.filter(position__isnull=False).count() if counts else None
        make_answer(question, text, assignment=assignment, position=position)
    return assignment


def make_split(project, split, *answers, text=CASTLE, title=None):
    """An article of ``split`` with one imported question for each of ``answers``, a list of texts in order."""
    article = make_article(project, split=split, **({"title": title} if title else {}))
    paragraph = make_paragraph(article=article, text=text)
    source = make_import(project)
    questions = []
    for number, texts in enumerate(answers):
        question = make_question(
            paragraph, f"Question {number}?", answer=None, public_id=f"{split}-{number}", position=number
        )
        for position, answer in enumerate(texts):
            make_answer(question, answer, imported_from=source, position=position)
        questions.append(question)
    return questions


def make_many_waiting(project, count):
    """``count`` assignments that wait, all of one HIT, made in few queries."""
    offer = publish(make_task(make_paragraph(project)), max_assignments=count)
    workers = Worker.objects.bulk_create(
        Worker(endpoint="marketplace", mturk_worker_id=f"MANY{number:09}") for number in range(count)
    )
    return Assignment.objects.bulk_create(
        Assignment(
            task=offer.task,
            offer=offer,
            worker=worker,
            mturk_assignment_id=f"MANY{number:09}",
            status="submitted",
            submitted_at=NOON,
            finished_at=NOON,
        )
        for number, worker in enumerate(workers)
    )


def make_release(project, number, *rows, workers="left_out", private=None):
    """Release ``number`` of ``project``: a row, and files written by hand, of ``rows`` (id, question) in train."""
    folder = home(project) / str(number)
    (folder / "public" / "data").mkdir(parents=True)
    answers = {"text": [], "answer_start": []}
    lines = [
        {"id": key, "title": "Castle", "context": CASTLE, "question": asked, "answers": answers} for key, asked in rows
    ]
    (folder / "public" / "data" / "train.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / "public" / "attribution.json").write_text('[{"title": "Castle", "split": "train"}]')
    (folder / "public" / "left-out.json").write_text('{"splits": {}, "questions_dropped": []}')
    files = sorted(path for path in (folder / "public").rglob("*") if path.is_file())
    private_files = []
    if private is not None:
        (folder / "private").mkdir()
        (folder / "private" / KEY).write_text(private)
        private_files = [described(folder / "private", folder / "private" / KEY)]
    manifest = sealed(
        {
            "number": number,
            "counts": {"train": {"articles": 1, "paragraphs": 1, "questions": len(rows), "answers": 0}},
            "warnings": [],
            "previous": None,
            "files": [described(folder / "public", path) for path in files],
            "private_files": private_files,
        }
    )
    (folder / "public" / MANIFEST).write_text(json.dumps(manifest))
    return Release.objects.create(
        project=project,
        number=number,
        workers=workers,
        salt="" if workers == "left_out" else "ab" * 32,
        holds_back_test=private is not None,
        content_sha256=f"{number:064}",
        manifest=manifest,
        released_at=NOON,
    )
