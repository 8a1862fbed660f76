"""What every door does for the person who comes in: the account, the terms, the standing."""

from datetime import datetime

from django.db import IntegrityError, transaction

from ...models import OperatorAction, QualificationGrant, User, WorkerProfile
from ...services import accounts, operating
from ..models import Consent, Terms
from ..models.grants import Granting


class UsernameTaken(Exception):
    """Somebody signs in with that user name already."""


def make_user(username: str, password: str, email: str) -> User:
    """A login with a password. Raises UsernameTaken, also where another takes the name at the same moment."""
    try:
        with transaction.atomic():
            return User.objects.create_user(username, password, email)
    except IntegrityError:
        raise UsernameTaken from None


def agree(user: User, terms: Terms | None, now: datetime) -> None:
    if terms is not None:
        Consent.objects.get_or_create(user=user, terms=terms, defaults={"agreed_at": now})


def grant(worker: WorkerProfile, granting: Granting, now: datetime) -> None:
    """Give ``worker`` what the door gives. A value that the worker has already of a custom qualification stays."""
    accounts.set_standing(worker, accounts.Standing.from_values(granting.standing), now)
    if granting.qualification_type is not None:
        QualificationGrant.objects.get_or_create(
            worker=worker,
            qualification_type=granting.qualification_type,
            defaults={"integer_value": granting.qualification_value, "granted_at": now},
        )


@transaction.atomic
def set_terms(text: str, by: User, now: datetime) -> None:
    """Ask everybody who comes in from now on to agree to ``text``; empty asks for nothing."""
    Terms.objects.create(text=text, created_by=by, created_at=now)
    operating.record(by, OperatorAction.Action.RECRUIT, now, detail="changed the terms for newcomers")
