"""Taking a project's quiz: tries, which are checked here alone, and the fact that comes of them.

The quiz belongs to the guide that the task refers to. Its right answers never leave the server before the quiz is over;
until then an item that was wrong gives its hint. A try has its number, so that asking twice counts once. The result
counts (``QuizResult``) when the endpoint lists the assignment, as a frame's address proves nothing about a worker.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation import tokens
from annotation.models import Assignment, Guide, QuizResult, QuizTry
from annotation.services import standing, work
from annotation.services.quiz_notation import JUDGE, JUDGEMENTS
from annotation.services.work_body import NONE, BadShape, QuizBody
from scoring.spans import SpanError, check_span
from scoring.squad_metrics import exact_match


class Unanswered(Exception):
    """A try in which some items have no answer; ``items`` are their places, from 0."""

    def __init__(self, items: list[int]) -> None:
        super().__init__(_("Some of the items have no answer yet."))
        self.items = items


@transaction.atomic
def check(claims: tokens.Claims, body: QuizBody) -> dict[str, Any]:
    """Check one try and return its outcome (see :func:`outcome_of`); one that was checked before comes back as it was.

    Raises TokenProblem, ListedBefore, Unanswered, or BadShape for a try out of turn.
    """
    assignment = work.assignment_for(claims)
    guide = guide_of(assignment)
    tries = list(assignment.quiz_tries.order_by("number"))
    if body.number <= len(tries):
        return outcome_of(assignment, guide, tries[: body.number])
    if assignment.finished_at is not None:
        return outcome_of(assignment, guide, tries)
    if assignment.is_listed:
        raise work.ListedBefore
    if body.number != len(tries) + 1:
        raise BadShape(_("The field “%(field)s” is out of turn.") % {"field": "try"}, "try")
    items = guide.quiz_items
    if len(body.answers) != len(items):
        raise BadShape(_("The field “%(field)s” does not fit the quiz.") % {"field": "answers"}, "answers")
    if unanswered := [place for place, answer in enumerate(body.answers) if answer is None]:
        raise Unanswered(unanswered)
    right = sum(_are_right(guide, body.answers))
    made = QuizTry.objects.create(assignment=assignment, number=body.number, answers=body.answers, right_count=right)
    tries.append(made)
    if is_over(guide, tries):
        assignment.finished_at = timezone.now()
        Assignment.objects.filter(pk=assignment.pk).update(finished_at=assignment.finished_at)
    return outcome_of(assignment, guide, tries)


def guide_of(assignment: Assignment) -> Guide:
    """The guide whose quiz ``assignment`` takes."""
    return Guide.objects.select_related("project").get(tasks=assignment.task_id)


def has_passed(guide: Guide, tries: list[QuizTry]) -> bool:
    return any(100 * made.right_count >= guide.pass_percent * len(guide.quiz_items) for made in tries)


def is_over(guide: Guide, tries: list[QuizTry]) -> bool:
    return has_passed(guide, tries) or len(tries) >= guide.quiz_tries


def outcome_of(assignment: Assignment, guide: Guide, tries: list[QuizTry]) -> dict[str, Any]:
    """What the worker is told after the last of ``tries`` (one at least).

    ``{"try", "left", "is_over", "has_passed", "right", "total", "needed", "items": [{"is_right", "words"}]}``;
    ``needed`` is how many have to be right.
    """
    last, items, over = tries[-1], guide.quiz_items, is_over(guide, tries)
    told = []
    for item, is_right in zip(items, _are_right(guide, last.answers), strict=True):
        words = item["reason"] if is_right or over else item["hint"] or _("Not yet. Think of what the guide says.")
        told.append({"is_right": is_right, "words": words if is_right or not over else _solved(item)})
    return {
        "try": last.number,
        "left": 0 if over else guide.quiz_tries - len(tries),
        "is_over": over,
        "has_passed": has_passed(guide, tries),
        "right": last.right_count,
        "total": len(items),
        "needed": -(-guide.pass_percent * len(items) // 100),
        "items": told,
    }


def _solved(item: dict[str, Any]) -> str:
    """The right answer to ``item``, with why."""
    if item["kind"] == JUDGE:
        right = str(JUDGEMENTS[item["right"]])
    else:
        right = f"“{item['right'][0]}”" if item["right"] else _("cannot be answered from this paragraph")
    return _("Right: %(answer)s. %(reason)s") % {"answer": right, "reason": item["reason"]}


def _are_right(guide: Guide, answers: list[Any]) -> list[bool]:
    passage, language = guide.quiz_passage, guide.project.language
    items = zip(guide.quiz_items, answers, strict=True)
    return [_is_right(item, answer, passage, language) for item, answer in items]


def _is_right(item: dict[str, Any], answer: Any, passage: str, language: str) -> bool:
    if item["kind"] == JUDGE:
        return bool(answer == item["right"])
    if not isinstance(answer, dict):
        return answer == NONE and not item["right"]
    try:
        check_span(passage, answer["start"], answer["end"], answer["text"])
    except SpanError:
        return False
    # As answers are compared for EM: case, articles and punctuation make no difference.
    return any(exact_match(answer["text"], right, language) for right in item["right"])


def page_part(guide: Guide, assignment: Assignment | None) -> dict[str, Any]:
    """The quiz in the work page's data: its items without what is right, and how far the worker is."""
    tries = list(assignment.quiz_tries.order_by("number")) if assignment else []
    items = [
        {"id": place + 1, "kind": item["kind"], "text": item["question"], "shown": item.get("answer", "")}
        for place, item in enumerate(guide.quiz_items)
    ]
    return {
        "quiz": {
            "passage": guide.quiz_passage,
            "items": items,
            "judgements": [{"code": code, "words": str(words)} for code, words in JUDGEMENTS.items()],
            "tries": guide.quiz_tries,
            "needed": -(-guide.pass_percent * len(items) // 100),
            "outcome": outcome_of(assignment, guide, tries) if assignment and tries else None,
        }
    }


def record(assignment: Assignment) -> QuizResult | None:
    """Record the fact that comes of a listed assignment's quiz, once; None where it was not taken to its end."""
    if assignment.finished_at is None or assignment.repeat_of_id is not None:
        return None
    known = QuizResult.objects.filter(assignment=assignment).first()
    if known is not None:
        return known
    guide, tries = guide_of(assignment), list(assignment.quiz_tries.all())
    best = max(made.right_count for made in tries)
    return standing.record_quiz(
        guide.project,
        assignment.worker,
        passed=has_passed(guide, tries),
        score=(Decimal(best) / len(guide.quiz_items)).quantize(Decimal("0.0001")),
        assignment=assignment,
    )
