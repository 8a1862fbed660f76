"""What an operator sees of a worker, and does to one."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from ..models import Assignment, OperatorAction, QualificationGrant, QualificationType, User, WorkerProfile
from . import accounts, operating, qualifications
from .accounts import Standing

PAGE_SIZE = 50


class NotPossible(Exception):
    """What the operator asked for cannot be done to this worker; the message says why and what to do."""


@dataclass(frozen=True)
class Found:
    workers: list[WorkerProfile]
    next_before: int | None


def find(search: str, state: str, before: int | None) -> Found:
    """Workers by the start of their id or a part of their user name, newest first, from ``before`` (exclusive) on.

    ``state`` is ``active``, ``closed`` or anything else for both.
    """
    rows = WorkerProfile.objects.select_related("user").order_by("-id")
    if search:
        rows = rows.filter(Q(worker_id__startswith=search.upper()) | Q(user__username__icontains=search))
    if state in ("active", "closed"):
        rows = rows.filter(user__is_active=state == "active")
    if before is not None:
        rows = rows.filter(pk__lt=before)
    found = list(rows[: PAGE_SIZE + 1])
    shown = found[:PAGE_SIZE]
    return Found(shown, shown[-1].pk if len(found) > PAGE_SIZE else None)


def counts_of(worker: WorkerProfile) -> list[tuple[str, int]]:
    """How many assignments of each status the worker has, in words."""
    counted = Assignment.objects.of_worker(worker).values_list("status").annotate(Count("id")).order_by()
    by_status = dict(counted)
    return [(str(status.label), by_status.get(status.value, 0)) for status in Assignment.Status]


@dataclass(frozen=True)
class SystemValue:
    """A system qualification of a worker: its value, and whether an operator set it."""

    name: str
    value: str
    is_set: bool


# As Standing names them, in the order of the page.
SYSTEM_TYPES = {
    "approved": QualificationType.NUMBER_APPROVED,
    "percent": QualificationType.PERCENT_APPROVED,
    "country": QualificationType.LOCALE,
    "masters": QualificationType.MASTERS,
    "adult": QualificationType.ADULT,
}


def system_values(worker: WorkerProfile) -> list[SystemValue]:
    values = qualifications.standing_of(worker, SYSTEM_TYPES.values())
    set_here = set(_grants(worker).values_list("qualification_type__type_id", flat=True))
    return [
        SystemValue(str(qualifications.SYSTEM_NAMES[type_id]), str(values.get(type_id, "")), type_id in set_here)
        for type_id in SYSTEM_TYPES.values()
    ]


def _grants(worker: WorkerProfile) -> QuerySet[QualificationGrant]:
    """The worker's values of the system's own types that an operator set."""
    return QualificationGrant.objects.filter(
        worker=worker, status=QualificationGrant.Status.GRANTED, qualification_type__requester__isnull=True
    )


def standing_set(worker: WorkerProfile) -> Standing:
    """What operators have set of the worker's standing."""
    grants = {grant.qualification_type.type_id: grant for grant in _grants(worker).select_related("qualification_type")}
    approved, percent, place = (grants.get(SYSTEM_TYPES[name]) for name in ("approved", "percent", "country"))
    return Standing(
        approved=approved.integer_value if approved else None,
        percent=percent.integer_value if percent else None,
        country=place.country if place else None,
        subdivision=place.subdivision if place else "",
        masters=SYSTEM_TYPES["masters"] in grants,
        adult=SYSTEM_TYPES["adult"] in grants,
    )


@transaction.atomic
def set_standing(operator: User, worker: WorkerProfile, standing: Standing, now: datetime, *, reason: str) -> None:
    """Make ``standing`` the operators' whole word on the worker; what it leaves open is left to the history again."""
    before = standing_set(worker)
    left = {SYSTEM_TYPES[name] for name in SYSTEM_TYPES if not _says(getattr(standing, name))}
    if QualificationType.MASTERS in left:
        left.add(QualificationType.MASTERS_SANDBOX)
    _grants(worker).filter(qualification_type__type_id__in=left).update(status=QualificationGrant.Status.REVOKED)
    accounts.set_standing(worker, standing, now)
    operating.record(
        operator,
        OperatorAction.Action.SET_STANDING,
        now,
        worker=worker,
        detail=f"{in_words(before)} → {in_words(standing)}",
        reason=reason,
    )


def _says(value: object) -> bool:
    return value is not None and value is not False


def in_words(standing: Standing) -> str:
    """``approved=5000, percent=99, country=US``, or a dash where nothing is set."""
    values = {name: getattr(standing, name) for name in SYSTEM_TYPES}
    parts = [name if value is True else f"{name}={value}" for name, value in values.items() if _says(value)]
    if standing.subdivision:
        parts.append(f"subdivision={standing.subdivision}")
    return ", ".join(parts) or "–"


@transaction.atomic
def deactivate(operator: User, worker: WorkerProfile, now: datetime, *, reason: str) -> None:
    """Close the worker's account: nobody signs in with it, and whoever is signed in is out. What is held may still
    be submitted, and what was earned is due. Raises NotPossible."""
    user = locked_user(worker)
    check_other_roles(user)
    if not user.is_active:
        raise NotPossible(_("This account is closed already."))
    User.objects.filter(pk=user.pk).update(is_active=False)
    operating.record(operator, OperatorAction.Action.DEACTIVATE_WORKER, now, worker=worker, reason=reason)


@transaction.atomic
def reactivate(operator: User, worker: WorkerProfile, now: datetime, *, reason: str) -> None:
    """Open a closed account again. Raises NotPossible."""
    user = locked_user(worker)
    if user.is_active:
        raise NotPossible(_("This account is open already."))
    if worker.erased_at:
        raise NotPossible(_("This account was erased, so there is nobody to open it for."))
    User.objects.filter(pk=user.pk).update(is_active=True)
    operating.record(operator, OperatorAction.Action.REACTIVATE_WORKER, now, worker=worker, reason=reason)


def locked_user(worker: WorkerProfile) -> User:
    """The worker's login, locked for a change of the account."""
    user = User.objects.select_for_update().get(pk=worker.user_id)
    worker.refresh_from_db(fields=["erased_at"])
    return user


def check_other_roles(user: User) -> None:
    """Raise NotPossible where the login is more than a worker's."""
    if user.is_operator:
        raise NotPossible(_("This login also runs the marketplace. Take that from it first."))
    if hasattr(user, "requester"):
        raise NotPossible(_("This login is also a requester's. Give the requester a login of its own first."))
