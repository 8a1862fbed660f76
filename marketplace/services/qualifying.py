"""Workers ask for qualifications, take their tests and are granted or declined; requesters grant and revoke.

Source: the operations on qualifications of the API reference. Chosen here where it is silent: the delay before another
try runs from the end of the last one, and another try's value replaces the one before.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from .. import answers
from ..errors import Refused
from ..models import QualificationGrant, QualificationRequest, QualificationType, RequesterProfile, WorkerProfile
from ..questions import answer_key, parse_test
from . import messages

Status = QualificationRequest.Status


@dataclass(frozen=True)
class Chance:
    """Whether a worker may ask for a type now. ``open`` is a request that has not ended; ``from_when`` is set where
    only time stands in the way; ``reason`` is a word for the page, empty where they may."""

    reason: str = ""
    open: QualificationRequest | None = None
    from_when: datetime | None = None


def chance_of(worker: WorkerProfile, qualification_type: QualificationType, now: datetime) -> Chance:
    """Whether ``worker`` may ask for ``qualification_type`` at ``now``."""
    let_lapse(worker, now)
    requests = QualificationRequest.objects.of_worker(worker).filter(qualification_type=qualification_type)
    if pending := requests.open().select_related("qualification_type").first():
        return Chance("open", open=pending)
    if not qualification_type.is_requestable:
        return Chance("closed")
    held = QualificationGrant.objects.filter(
        worker=worker, qualification_type=qualification_type, status=QualificationGrant.Status.GRANTED
    )
    if not qualification_type.test and held.exists():
        return Chance("held")
    last = requests.select_related("qualification_type").order_by("-id").first()
    if last is None:
        return Chance()
    again = last.again_from()
    if again is None:
        return Chance("once")
    return Chance("wait", from_when=again) if again > now else Chance()


def let_lapse(worker: WorkerProfile, now: datetime) -> None:
    """End the tests of ``worker`` whose time has run out."""
    overdue = QualificationRequest.objects.of_worker(worker).filter(deadline__lte=now)
    overdue.move(Status.STARTED, Status.LAPSED)


@transaction.atomic
def ask(worker: WorkerProfile, qualification_type: QualificationType, now: datetime) -> QualificationRequest | None:
    """Ask for ``qualification_type``: begin its test, be granted it at once, or wait for its requester.

    A request that is open already is returned as it is; None where the worker may not ask.
    """
    # One request at a time: a second one waits here and finds the first. So does the type's deletion.
    wanted = QualificationType.objects.select_for_update().get(pk=qualification_type.pk)
    chance = chance_of(worker, wanted, now)
    return chance.open if chance.reason else _made(worker, wanted, now)


def _made(worker: WorkerProfile, qualification_type: QualificationType, now: datetime) -> QualificationRequest:
    values: dict[str, Any] = {"status": Status.SUBMITTED, "submitted_at": now}
    if qualification_type.test:
        assert qualification_type.test_duration_seconds is not None  # noqa: S101  # a constraint says so
        values = {
            "status": Status.STARTED,
            "deadline": now + timedelta(seconds=qualification_type.test_duration_seconds),
            "test": qualification_type.test,
            "answer_key": qualification_type.answer_key,
        }
    elif qualification_type.auto_granted:
        values |= {"status": Status.GRANTED, "value": qualification_type.auto_granted_value, "decided_at": now}
    made = QualificationRequest.objects.create(
        worker=worker, qualification_type=qualification_type, started_at=now, **values
    )
    if made.value is not None:
        grant(qualification_type, worker, made.value, now)
    return made


@transaction.atomic
def submit_test(request: QualificationRequest, given: list[answers.Answer], now: datetime) -> bool:
    """Take the answers to a begun test, and score them if there is a key; False where its time is over.

    Raises answers.TooLarge.
    """
    written = answers.written(given)
    begun = QualificationRequest.objects.filter(pk=request.pk, deadline__gt=now)
    if not request.answer_key:
        return bool(begun.move(Status.STARTED, Status.SUBMITTED, answer=written, submitted_at=now))
    key = answer_key.parse(request.answer_key, parse_test(request.test))
    value = key.value_of(answers.values_in(written))
    times = {"submitted_at": now, "decided_at": now}
    if not begun.move(Status.STARTED, Status.GRANTED, answer=written, value=value, **times):
        return False
    grant(request.qualification_type, request.worker, value, now)
    return True


def grant(
    qualification_type: QualificationType, worker: WorkerProfile, value: int, now: datetime, *, is_silent: bool = False
) -> None:
    """Give ``worker`` the type with ``value``, or another value of it; one that they know of is never silent again."""
    values = {
        "integer_value": value,
        "status": QualificationGrant.Status.GRANTED,
        "granted_at": now,
        "revoked_at": None,
        "reason": "",
    }
    QualificationGrant.objects.update_or_create(
        qualification_type=qualification_type,
        worker=worker,
        defaults=values if is_silent else values | {"is_silent": False},
        create_defaults=values | {"is_silent": is_silent},
    )


@transaction.atomic
def associate(
    qualification_type: QualificationType, worker: WorkerProfile, value: int, now: datetime, *, notify: bool
) -> None:
    """Grant without being asked; with ``notify`` the worker is written to."""
    grant(qualification_type, worker, value, now, is_silent=not notify)
    if notify:
        text = _("You now have the qualification “%(name)s” with the value %(value)d.")
        _tell(qualification_type, worker, text % {"name": qualification_type.name, "value": value}, now)


@transaction.atomic
def revoke(held: QualificationGrant, reason: str, now: datetime) -> bool:
    """Take a qualification back; the worker is written to where there is a reason. False if it was revoked before."""
    granted = QualificationGrant.objects.filter(pk=held.pk, status=QualificationGrant.Status.GRANTED)
    changes: dict[str, Any] = {"is_silent": False} if reason else {}  # the reason is told, and the name with it
    if not granted.update(status=QualificationGrant.Status.REVOKED, revoked_at=now, reason=reason, **changes):
        return False
    if reason:
        text = _("You no longer have the qualification “%(name)s”. The requester says: %(reason)s")
        names = {"name": held.qualification_type.name, "reason": reason}
        _tell(held.qualification_type, held.worker, text % names, now)
    return True


@transaction.atomic
def accept(requester: RequesterProfile, request_id: str, value: int, now: datetime) -> None:
    """Grant what a worker asked for. Raises Refused."""
    request = _locked(requester, request_id)
    QualificationRequest.objects.filter(pk=request.pk).move(
        Status.SUBMITTED, Status.GRANTED, value=value, decided_at=now
    )
    associate(request.qualification_type, request.worker, value, now, notify=True)


@transaction.atomic
def decline(requester: RequesterProfile, request_id: str, reason: str, now: datetime) -> None:
    """Decline what a worker asked for; they see ``reason``. Raises Refused."""
    request = _locked(requester, request_id)
    QualificationRequest.objects.filter(pk=request.pk).move(
        Status.SUBMITTED, Status.REJECTED, reason=reason, decided_at=now
    )
    text = _("Your request for the qualification “%s” was declined.") % request.qualification_type.name
    if reason:
        text += " " + _("The requester says: %s") % reason
    _tell(request.qualification_type, request.worker, text, now)


def waiting_for(requester: RequesterProfile) -> QuerySet[QualificationRequest]:
    """The requests that wait for ``requester``, in the order in which they came."""
    rows = QualificationRequest.objects.filter(qualification_type__requester=requester, status=Status.SUBMITTED)
    return rows.select_related("qualification_type", "worker").order_by("submitted_at", "id")


def _locked(requester: RequesterProfile, request_id: str) -> QualificationRequest:
    """A request that waits for ``requester``, locked until the transaction ends. Raises Refused."""
    # A test that is not handed in yet is no request to the API.
    rows = QualificationRequest.objects.exclude(status__in=[Status.STARTED, Status.LAPSED])
    rows = rows.select_related("qualification_type__requester", "worker").select_for_update(of=("self",))
    found = rows.filter(request_id=request_id, qualification_type__requester=requester).first()
    if found is None:
        raise Refused("QualificationRequestDoesNotExist", f"QualificationRequest {request_id[:64]} does not exist.")
    if found.status != Status.SUBMITTED:
        raise Refused(
            "InvalidQualificationRequestState",
            f"This QualificationRequest is currently in the state '{found.status.capitalize()}'. "
            "This operation can be called with a status of: Submitted",
        )
    return found


@transaction.atomic
def delete_type(qualification_type: QualificationType, now: datetime) -> None:
    """Take a type out of use: open requests are declined, grants stay, HIT types that ask for it make no new HITs."""
    QualificationType.objects.filter(pk=qualification_type.pk).update(
        deleted_at=now, status=QualificationType.Status.INACTIVE
    )
    ended = {"reason": _("The requester no longer gives this qualification."), "decided_at": now}
    for status in (Status.STARTED, Status.SUBMITTED):
        qualification_type.requests.all().move(status, Status.REJECTED, **ended)


def _tell(qualification_type: QualificationType, worker: WorkerProfile, text: str, now: datetime) -> None:
    assert qualification_type.requester is not None  # noqa: S101  # the system's own types are not granted by anybody
    subject = _("Qualification: %s") % qualification_type.name
    messages.send_to_worker(
        qualification_type.requester, worker, subject[: messages.SUBJECT], text[: messages.TEXT], now
    )


PAGE_SIZE = 50  # rows of each list on the worker's page


def held_by(worker: WorkerProfile) -> list[QualificationGrant]:
    """What ``worker`` holds or has lost and knows of, of the types that requesters made; the latest first."""
    rows = QualificationGrant.objects.filter(worker=worker, qualification_type__requester__isnull=False)
    rows = rows.exclude(is_silent=True, qualification_type__test="", qualification_type__auto_granted=False)
    return list(rows.select_related("qualification_type__requester").order_by("-granted_at", "-id")[:PAGE_SIZE])


def requests_of(worker: WorkerProfile, now: datetime) -> list[QualificationRequest]:
    """What ``worker`` asked for, the latest first."""
    let_lapse(worker, now)
    rows = QualificationRequest.objects.of_worker(worker).select_related("qualification_type__requester")
    return list(rows.defer("test", "answer", "answer_key").order_by("-id")[:PAGE_SIZE])


def on_offer(worker: WorkerProfile, search: str) -> list[QualificationType]:
    """Types that ``worker`` has not and could ask for, the newest first: those with a test or granted at once.

    A search also finds those that a requester grants by hand, but for the requester's own notes.
    """
    granted = QualificationGrant.Status.GRANTED
    held = QualificationGrant.objects.filter(worker=worker, status=granted, qualification_type=OuterRef("pk"))
    rows = QualificationType.objects.requestable().filter(~Exists(held)).select_related("requester")
    if search:
        rows = rows.with_privacy().filter(
            Q(is_private=False),
            Q(name__icontains=search)
            | Q(description__icontains=search)
            | Q(keywords__icontains=search)
            | Q(requester__name__icontains=search),
        )
    else:
        rows = rows.filter(~Q(test="") | Q(auto_granted=True))
    return list(rows.defer("answer_key").order_by("-id")[:PAGE_SIZE])
