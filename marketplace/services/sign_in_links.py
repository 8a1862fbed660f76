"""One-time links for people who forgot their password: an operator makes one, whoever has it chooses a new password."""

import hashlib
import secrets
from datetime import datetime, timedelta
from uuid import UUID

from axes.models import AccessAttempt
from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from config.sign_in import name_counted

from .. import doors
from ..models import OperatorAction, RequesterProfile, SignInLink, User, WorkerProfile
from . import operating

GOOD_FOR = timedelta(hours=24)


class NotPossible(Exception):
    """No link can be made for this login; the message says why and what to do."""


def hash_of(token: str) -> str:
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


@transaction.atomic
def make(operator: User, profile: WorkerProfile | RequesterProfile, now: datetime, *, reason: str, token: UUID) -> str:
    """A link for the login of ``profile``, which cannot be shown again; earlier ones of that login end with it.

    Raises NotPossible, or AlreadyDone for a form sent twice.
    """
    user = User.objects.select_for_update().get(pk=profile.user_id)
    _refuse_others_logins(user)
    operating.record(
        operator,
        OperatorAction.Action.SIGN_IN_LINK,
        now,
        worker=profile if isinstance(profile, WorkerProfile) else None,
        requester=profile if isinstance(profile, RequesterProfile) else None,
        reason=reason,
        token=token,
    )
    SignInLink.objects.filter(user=user, used_at=None).update(used_at=now)
    secret = secrets.token_urlsafe(24)
    SignInLink.objects.create(user=user, token_hash=hash_of(secret), created_at=now, expires_at=now + GOOD_FOR)
    return f"{settings.MARKETPLACE_URL}{reverse('sign-in-link', args=[secret])}"


def _refuse_others_logins(user: User) -> None:
    if user.is_operator:
        raise NotPossible(
            _("This login also runs the marketplace. Its password is set with manage.py create_operator alone.")
        )
    if not user.is_active:
        raise NotPossible(_("This account is closed. Open it again first."))
    worker = getattr(user, "worker", None)
    if worker is not None and doors.paid_elsewhere([worker.pk]):
        raise NotPossible(_("This worker comes in by the link of a panel, and has no password."))


def find(token: str, now: datetime) -> SignInLink | None:
    """The link that ``token`` opens, while it is good."""
    links = SignInLink.objects.select_related("user").filter(
        token_hash=hash_of(token), used_at=None, expires_at__gt=now, user__is_active=True, user__is_operator=False
    )
    return links.first()


@transaction.atomic
def use(link: SignInLink, password: str, now: datetime) -> bool:
    """Set ``password`` for the link's login, and let them try again who were locked out; False if it was used since."""
    if not SignInLink.objects.filter(pk=link.pk, used_at=None, expires_at__gt=now).update(used_at=now):
        return False
    user = link.user
    user.set_password(password)
    user.save(update_fields=["password"])
    AccessAttempt.objects.filter(username=name_counted(user.username)).delete()
    return True
