"""Erasing what is known of a person, while their work and its amounts stay."""

from collections.abc import Callable
from datetime import datetime

from axes.models import AccessAttempt
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.utils.translation import gettext as _

from config.sign_in import name_counted

from .. import ids
from ..models import Message, OperatorAction, PaymentDetails, Rating, Report, User, WorkerProfile
from . import operating
from .workers import NotPossible, check_other_roles, locked_user

Eraser = Callable[[WorkerProfile], object]


def _payment_details(worker: WorkerProfile) -> None:
    PaymentDetails.objects.filter(worker=worker).delete()


def _sign_in_attempts(worker: WorkerProfile) -> None:
    AccessAttempt.objects.filter(username=name_counted(worker.user.username)).delete()


def _own_words(worker: WorkerProfile) -> None:
    """What they wrote to requesters and to the operator; who wrote, and about what, stays."""
    erased = _("(erased)")
    Message.objects.filter(worker=worker, direction=Message.Direction.TO_REQUESTER).update(subject=erased, text=erased)
    reports = Report.objects.filter(worker=worker)
    reports.exclude(text="").update(text=erased)
    reports.update(earlier_text="")
    Rating.objects.filter(worker=worker).update(comment="", earlier_comment="")


# Each erases what one subject keeps of a person; whatever keeps more adds its own here.
ERASERS: list[Eraser] = [_payment_details, _sign_in_attempts, _own_words]


@transaction.atomic
def erase(operator: User, worker: WorkerProfile, now: datetime, *, reason: str) -> None:
    """Replace the worker's user name, e-mail and password, drop their payment details, and close the account.

    The worker id stays, since requesters' own records have it; so do assignments, ledger and payouts, which refer to
    the worker by key. Raises NotPossible.
    """
    user = locked_user(worker)
    check_other_roles(user)
    if worker.erased_at is not None:
        raise NotPossible(_("This account was erased already."))
    for eraser in ERASERS:
        eraser(worker)
    User.objects.filter(pk=user.pk).update(
        username=f"erased-{ids.random_text(12).lower()}",
        email="",
        password=make_password(None),
        is_active=False,
        last_login=None,
    )
    WorkerProfile.objects.filter(pk=worker.pk).update(erased_at=now)
    operating.record(operator, OperatorAction.Action.ERASE_WORKER, now, worker=worker, reason=reason)
