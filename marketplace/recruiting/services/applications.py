"""Open sign-up with an operator's approval, bounded against floods."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db import transaction
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ...models import OperatorAction, User, WorkerProfile
from ...services import operating
from ..models import Application, OpenSignUp, Terms
from . import newcomers

# Our choices: a person answers every application, and a department may share one address.
MAX_WAITING = 200
MAX_AN_HOUR = 60
MAX_A_DAY_FROM_ONE_ADDRESS = 5
SOURCE_KEPT = timedelta(days=1)  # as long as it is counted, whatever is decided meanwhile


class TooMany(Exception):
    """Nobody can apply just now; the message says why and what to do."""


def is_open() -> bool:
    return OpenSignUp.objects.filter(is_on=True).exists()


@transaction.atomic
def set_open(is_on: bool, by: User, now: datetime) -> None:
    OpenSignUp.objects.update_or_create(pk=1, defaults={"is_on": is_on})
    detail = "opened sign-up to all" if is_on else "closed open sign-up"
    operating.record(by, OperatorAction.Action.RECRUIT, now, detail=detail)


@transaction.atomic
def apply(
    username: str, password: str, email: str, message: str, source: str | None, now: datetime, *, terms: Terms | None
) -> Application:
    """Make a login that waits to become a worker. ``source`` is the address it comes from.

    Raises TooMany, or UsernameTaken.
    """
    # One application is counted at a time.
    if OpenSignUp.objects.select_for_update().filter(is_on=True).first() is None:
        raise TooMany(_("Sign-up has just been closed."))
    forget_sources(now)
    source_hash = salted_hmac("recruiting.source", source or "", algorithm="sha256").hexdigest()
    _check_room(source_hash, now)
    user = newcomers.make_user(username, password, email)
    newcomers.agree(user, terms, now)
    return Application.objects.create(user=user, message=message, source_hash=source_hash, applied_at=now)


def _check_room(source_hash: str, now: datetime) -> None:
    last_hour = Application.objects.filter(applied_at__gt=now - timedelta(hours=1))
    last_day = Application.objects.filter(applied_at__gt=now - SOURCE_KEPT)
    if last_day.filter(source_hash=source_hash).count() >= MAX_A_DAY_FROM_ONE_ADDRESS:
        raise TooMany(_("Several people have applied from where you are today. Please come back tomorrow."))
    if Application.objects.filter(status=Application.Status.WAITING).count() >= MAX_WAITING:
        raise TooMany(_("More people have applied than we can look at. Please come back in a few days."))
    if last_hour.count() >= MAX_AN_HOUR:
        raise TooMany(_("Many people are applying just now. Please come back in an hour."))


@transaction.atomic
def approve(application: Application, by: User, now: datetime) -> bool:
    """Make the applicant a worker; False if somebody else has just done so. Raises IllegalMove."""
    if not application.move_to(Application.Status.APPROVED, decided_at=now, decided_by=by, reason=""):
        return False
    worker = WorkerProfile.objects.get_or_create(user=application.user, defaults={"created_at": now})[0]
    operating.record(by, OperatorAction.Action.RECRUIT, now, worker=worker, detail="approved an application")
    return True


@transaction.atomic
def decline(application: Application, by: User, reason: str, now: datetime) -> bool:
    """Tell the applicant no, and why; False if somebody else decided first. Raises IllegalMove."""
    moved = application.move_to(Application.Status.DECLINED, decided_at=now, decided_by=by, reason=reason)
    if moved:
        operating.record(by, OperatorAction.Action.RECRUIT, now, detail="declined an application", reason=reason)
    return moved


def forget_sources(now: datetime) -> None:
    """Forget where those came from who applied more than a day ago."""
    past = Application.objects.filter(applied_at__lte=now - SOURCE_KEPT).exclude(source_hash="")
    past.update(source_hash="")


def agenda(now: datetime) -> Iterator[operating.Item]:
    if count := Application.objects.filter(status=Application.Status.WAITING).count():
        sentence = ngettext("%d person asks for an account.", "%d people ask for an account.", count)
        yield operating.Item(sentence % count, reverse("recruiting-applications"))
