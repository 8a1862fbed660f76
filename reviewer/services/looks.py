"""Second looks at submitted work: asked for, or drawn for a share of it; and how far two reviewers agree."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from accounts.models import User
from annotation.models import Answer, Assignment, Project, Question, Task, TaskQuestion, Verdict
from annotation.permissions import REQUESTERS, has_role
from hits.models import AssignmentDecision
from reviewer.models import BulkAct, ReviewRules, SecondLook, SecondLookWithdrawal, SecondOpinion
from reviewer.services.people import ago, display_name
from reviewer.services.reasons import MAX_REASON_CHARS, UnusableReason
from scoring.kappa import Kappa, cohen_kappa

# What a reviewer finds about a question, and about the whole.
QUESTION_LABELS = ("keep", "drop", "fix")
WORK_LABELS = ("approve", "reject")


class NotYours(Exception):
    """A second look that somebody else has to take, or has taken; the message says so."""


@dataclass(frozen=True)
class ReviewerAgreement:
    """How far first and second reviewers of a project agree, on questions and on whole pieces of work."""

    questions: Kappa
    works: Kappa


@transaction.atomic
def ask(assignment: Assignment, user: User, question: Question | None = None, note: str = "") -> SecondLook:
    """Ask a colleague to look at ``assignment``, or at one ``question`` of it. The same asked again while it waits is
    the one that is there. Raises UnusableReason."""
    said = {"assignment": assignment, "question": question, "note": checked_note(note), "asked_by": user}
    # Of the same form sent twice at once the second waits here, and finds it asked.
    list(Assignment.objects.select_for_update(no_key=True).filter(pk=assignment.pk).values_list("pk"))
    asked = SecondLook.objects.waiting().filter(**said, cause=SecondLook.Cause.ASKED).first()
    return asked or SecondLook.objects.create(**said, cause=SecondLook.Cause.ASKED, first=labels_now(assignment))


def checked_note(note: str) -> str:
    """``note`` in one line. Raises UnusableReason."""
    line = " ".join(note.split())
    if "\0" in line:
        raise UnusableReason(_("The note holds characters that cannot be shown. Type it again."))
    if len(line) > MAX_REASON_CHARS:
        sentence = _("The note has {count} characters; {most} are allowed. Shorten it.")
        raise UnusableReason(sentence.format(count=len(line), most=MAX_REASON_CHARS))
    return line


def is_drawn(rules: ReviewRules, assignment_id: int) -> bool:
    """Whether an assignment is in the share that a second reviewer looks at: by its key and the seed alone, so that
    nobody can choose, and anybody can check."""
    digest = hashlib.sha256(f"{rules.second_seed}:{assignment_id}".encode()).digest()
    return int.from_bytes(digest[:8]) * 100 < rules.second_share_percent << 64


def draw(assignment: Assignment, user: User, rules: ReviewRules, decision: str) -> SecondLook | None:
    """Once ``user`` decided about ``assignment``: the second look at it, where it is drawn and has none yet."""
    if not is_drawn(rules, assignment.pk):
        return None
    try:
        with transaction.atomic():
            return SecondLook.objects.create(
                assignment=assignment,
                cause=SecondLook.Cause.DRAWN,
                first=labels_now(assignment) | {"assignment": decision},
                asked_by=user,
            )
    except IntegrityError:  # decided before and taken back: the first look stands
        return None


def labels_now(assignment: Assignment) -> dict[str, Any]:
    """What is decided about ``assignment`` so far: a label for the whole where there is one, and for each question."""
    decision = AssignmentDecision.objects.standing().filter(assignment=assignment).order_by("-pk").first()
    found: dict[str, Any] = {"questions": {}}
    if decision is not None:
        found["assignment"] = decision.kind
    writes = assignment.task.kind == Task.Kind.WRITE
    ids = questions_of(assignment)
    made = {"question__in": ids} if writes else {"answer__assignment": assignment}
    rows = Verdict.objects.filter(**made).order_by("pk")
    standing = dict(rows.values_list("question" if writes else "answer__question", "decision"))
    fixed = Answer.objects.filter(question__in=ids, adjudicated_by__isnull=False, is_gold=False)
    fixed_ids = set(fixed.exclude(pk__in=Answer.objects.dropped()).values_list("question", flat=True))
    for pk in ids:
        is_dropped = standing.get(pk) == Verdict.Decision.DROP
        found["questions"][str(pk)] = "drop" if is_dropped else "fix" if pk in fixed_ids else "keep"
    return found


def questions_of(assignment: Assignment) -> list[int]:
    """The ids of the questions that ``assignment`` wrote or answered, but for gold ones."""
    if assignment.task.kind == Task.Kind.WRITE:
        return list(Question.objects.filter(assignment=assignment).order_by("pk").values_list("pk", flat=True))
    asked = TaskQuestion.objects.filter(task_paragraph__task=assignment.task_id, purpose=TaskQuestion.Purpose.REAL)
    return list(asked.order_by("question").values_list("question", flat=True))


def checked_labels(assignment: Assignment, given: Mapping[str, Any]) -> dict[str, Any]:
    """``given`` in the form of ``SecondLook.first``. Raises UnusableReason where something is missing or unknown."""
    questions = given.get("questions")
    wanted = {str(pk) for pk in questions_of(assignment)}
    if (
        given.get("assignment") not in WORK_LABELS
        or not isinstance(questions, Mapping)
        or set(questions) != wanted
        or not all(label in QUESTION_LABELS for label in questions.values())
    ):
        raise UnusableReason(_("Say of every question whether to keep, drop or fix it, and of the whole what to do."))
    return {"assignment": given["assignment"], "questions": dict(questions)}


@transaction.atomic
def give_opinion(look: SecondLook, user: User, labels: Mapping[str, Any], note: str = "") -> SecondOpinion:
    """Answer a second look. It decides nothing: where two differ, somebody decides on the work's own page.

    Raises NotYours where ``user`` was the first reviewer or somebody has answered, UnusableReason for the rest.
    """
    _lock([look.pk])
    if look.asked_by_id == user.pk:
        raise NotYours(_("You were the first to look at this; the second look is a colleague's."))
    given = SecondOpinion.objects.filter(look=look).select_related("given_by").first()
    if given is not None:
        sentence = _("{name} took this second look {when}.")
        raise NotYours(sentence.format(name=display_name(given.given_by), when=ago(given.given_at)))
    refuse_withdrawn(look)
    return SecondOpinion.objects.create(
        look=look,
        labels=checked_labels(look.assignment, labels),
        note=checked_note(note),
        asked_by=look.asked_by,
        given_by=user,
    )


def refuse_withdrawn(look: SecondLook) -> None:
    """Raises NotYours where ``look`` is wanted no more."""
    taken = SecondLookWithdrawal.objects.filter(look=look).select_related("withdrawn_by").first()
    if taken is not None:
        sentence = _("{name} withdrew this second look {when}.")
        raise NotYours(sentence.format(name=display_name(taken.withdrawn_by), when=ago(taken.withdrawn_at)))


def may_withdraw(look: SecondLook, user: User, *, is_requester: bool) -> bool:
    """Whether ``user`` may say that ``look`` is wanted no more: who asked, and the project's requesters."""
    is_open = SecondLook.State.WITHDRAWN in SecondLook.MOVES[look.state]
    return is_open and look.cause == SecondLook.Cause.ASKED and (is_requester or look.asked_by_id == user.pk)


@transaction.atomic
def withdraw(look: SecondLook, user: User) -> SecondLookWithdrawal:
    """Take back that ``look`` was asked for. Raises NotYours where it was drawn by chance, answered or withdrawn, or
    somebody else asked and ``user`` is no requester of the project."""
    _lock([look.pk])
    look = SecondLook.objects.select_related("assignment__task__project", "opinion__given_by").get(pk=look.pk)
    refuse_withdrawn(look)
    if look.state == SecondLook.State.ANSWERED:
        given = look.opinion
        sentence = _("{name} took this second look {when}.")
        raise NotYours(sentence.format(name=display_name(given.given_by), when=ago(given.given_at)))
    if look.cause == SecondLook.Cause.DRAWN:
        raise NotYours(_("This second look was drawn by chance; nobody can choose to leave it out."))
    is_requester = has_role(user, look.assignment.task.project, *REQUESTERS)
    if not may_withdraw(look, user, is_requester=is_requester):
        raise NotYours(_("Only who asked for this second look, or a requester of the project, can withdraw it."))
    return SecondLookWithdrawal.objects.create(look=look, withdrawn_by=user)


def withdraw_act(act: BulkAct, user: User) -> int:
    """Take back the looks of ``act`` that nobody has taken yet; return how many."""
    _lock(act.second_looks.values_list("pk", flat=True))
    waiting = SecondLook.objects.waiting().filter(act=act).order_by("pk")
    return len(
        SecondLookWithdrawal.objects.bulk_create(SecondLookWithdrawal(look=one, withdrawn_by=user) for one in waiting)
    )


def _lock(ids: Iterable[int]) -> None:
    """Of two who end one of the looks ``ids`` at once the second waits, and then sees what the first did."""
    list(SecondLook.objects.select_for_update().filter(pk__in=list(ids)).order_by("pk").values_list("pk"))


def close_asked(assignments: Sequence[Assignment], user: User) -> None:
    """Once ``user`` decided about ``assignments``: take that for the answer to what colleagues asked about them, and
    withdraw what they asked colleagues themselves."""
    works = {assignment.pk: assignment for assignment in assignments}
    asked = SecondLook.objects.waiting().filter(assignment__in=works, cause=SecondLook.Cause.ASKED)
    _lock(asked.values_list("pk", flat=True))
    open_looks = list(asked.order_by("pk"))
    own = [look for look in open_looks if look.asked_by_id == user.pk]
    SecondLookWithdrawal.objects.bulk_create(SecondLookWithdrawal(look=look, withdrawn_by=user) for look in own)
    others = [look for look in open_looks if look.asked_by_id != user.pk]
    labels = {pk: labels_now(works[pk]) for pk in {look.assignment_id for look in others}}
    SecondOpinion.objects.bulk_create(
        SecondOpinion(look=look, labels=labels[look.assignment_id], asked_by_id=look.asked_by_id, given_by=user)
        for look in others
    )


def reviewer_agreement(project: Project) -> ReviewerAgreement:
    """How far first and second reviewers agree on what was drawn by chance; what was asked for is no fair sample."""
    drawn = SecondLook.objects.in_project(project).standing().filter(cause=SecondLook.Cause.DRAWN)
    opinions = SecondOpinion.objects.filter(look__in=drawn.values("pk")).order_by("pk")
    questions, works = [], []
    for first, second in opinions.values_list("look__first", "labels"):
        works.append((first["assignment"], second["assignment"]))
        shared = first["questions"].keys() & second["questions"].keys()
        questions += [(first["questions"][pk], second["questions"][pk]) for pk in sorted(shared)]
    return ReviewerAgreement(cohen_kappa(questions), cohen_kappa(works))
