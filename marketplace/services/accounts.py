"""Making requesters and workers, and saying what an operator knows about a worker."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.utils.text import slugify

from .. import ids
from ..models import AccessKey, QualificationGrant, QualificationType, RequesterProfile, User, WorkerProfile
from . import faults, money

MAX_RATE = 10_000.0  # calls a second


@dataclass(frozen=True)
class Standing:
    """System qualification values that an operator sets for a worker; None leaves one to the worker's history."""

    approved: int | None = None  # Worker_NumberHITsApproved
    percent: int | None = None  # Worker_PercentAssignmentsApproved, 0..100
    country: str | None = None  # Worker_Locale, ISO 3166 (two letters)
    subdivision: str = ""  # with the country, ISO 3166-2 (two characters)
    masters: bool = False
    adult: bool = False

    @classmethod
    def from_values(cls, values: dict[str, object]) -> "Standing":
        """Read a standing such as ``{"approved": 5000, "percent": "99", "country": "US"}``.

        Raises ValueError with a sentence that names the wrong key or value.
        """
        known = {"approved", "percent", "country", "subdivision", "masters", "adult"}
        if unknown := set(values) - known:
            raise ValueError(f"A standing has no {', '.join(sorted(unknown))}; it has {', '.join(sorted(known))}.")
        numbers: dict[str, int | None] = {"approved": None, "percent": None}
        for name in numbers:
            if name in values:
                text = str(values[name])
                if not text.isascii() or not text.isdigit():
                    raise ValueError(f"{name} must be a whole number, not {text!r}.")
                numbers[name] = int(text)
        if (numbers["percent"] or 0) > 100:
            raise ValueError("percent must be from 0 to 100.")
        country, subdivision = (str(values.get(name) or "").upper() for name in ("country", "subdivision"))
        if country and not (len(country) == 2 and country.isascii() and country.isalpha()):
            raise ValueError(f"country must be two letters (ISO 3166), not {country!r}.")
        if subdivision and not (country and len(subdivision) == 2 and subdivision.isascii() and subdivision.isalnum()):
            raise ValueError("subdivision must be two letters or digits (ISO 3166-2) and needs a country.")
        flags = {name: str(values.get(name, "")).lower() in {"1", "true", "yes"} for name in ("masters", "adult")}
        return cls(numbers["approved"], numbers["percent"], country or None, subdivision, **flags)


@transaction.atomic
def create_requester(
    name: str,
    now: datetime,
    *,
    pays_nobody: bool = False,
    funds_usd: Decimal = Decimal(0),
    access_key_id: str | None = None,
    secret_key: str | None = None,
    username: str | None = None,
    password: str | None = None,
) -> AccessKey:
    """Make the requester called ``name`` with an access key, or return the key that the one of that name has.

    Without ``access_key_id`` and ``secret_key`` a new pair is drawn. Funds are put in only when the requester is made.
    They sign in as ``username`` (drawn from the name if not given; a worker's will do), once a password was given.
    Raises ValueError where ``username`` is another requester's, or the requester of that name has another.
    """
    requester = RequesterProfile.objects.select_related("user").filter(name=name).order_by("id").first()
    if requester is None:
        user = _login(username or _free_username(name), password)
        if RequesterProfile.objects.filter(user=user).exists():
            raise ValueError(f"{user.username} signs in as another requester already.")
        requester = RequesterProfile.objects.create(
            user=user, name=name, pays_nobody=pays_nobody, created_at=now, meets_faults=faults.are_for_everybody()
        )
        if funds_usd:
            money.add_funds(requester, funds_usd, now)
    elif username and not User.objects.called(username).filter(pk=requester.user_id).exists():
        raise ValueError(f"{name} signs in as {requester.user.username}, not as {username}.")
    elif password is not None:
        _login(requester.user.username, password)
    keys = requester.access_keys.filter(is_active=True).order_by("id")
    existing = keys.filter(access_key_id=access_key_id).first() if access_key_id else keys.first()
    if existing is not None:
        return existing
    pair = {"access_key_id": access_key_id, "secret_key": secret_key}
    return AccessKey.objects.create(requester=requester, **{name: value for name, value in pair.items() if value})


def _free_username(name: str) -> str:
    username = slugify(name, allow_unicode=True)
    return f"requester-{ids.random_text(8).lower()}" if not username or is_taken(username) else username


def is_taken(username: str) -> bool:
    """Whether somebody signs in as ``username``, in whatever case or width it is typed."""
    return User.objects.called(username).exists()


def _login(username: str, password: str | None) -> User:
    """The user who signs in as ``username``, made if there is none; a password given is set."""
    user = User.objects.called(username).first()
    if user is None:
        return User.objects.create_user(username, password)
    if password is not None and not user.check_password(password):
        user.set_password(password)
        user.save(update_fields=["password"])
    return user


@transaction.atomic
def create_worker(username: str, now: datetime, *, password: str | None = None) -> WorkerProfile:
    """Make the worker who signs in as ``username``, or return the one who does; a password given is set."""
    user = _login(username, password)
    return WorkerProfile.objects.get_or_create(user=user, defaults={"created_at": now})[0]


@transaction.atomic
def create_operator(username: str, *, password: str | None = None) -> User:
    """Make the operator who signs in as ``username``, or make the one who does an operator; a password given is
    set."""
    user = _login(username, password)
    User.objects.filter(pk=user.pk).update(is_operator=True)
    user.refresh_from_db()
    return user


@transaction.atomic
def set_standing(worker: WorkerProfile, standing: Standing, now: datetime) -> None:
    """Write an operator's word on ``worker``; values that ``standing`` leaves open stay as they are."""
    values: dict[str, dict[str, object]] = {}
    if standing.approved is not None:
        values[QualificationType.NUMBER_APPROVED] = {"integer_value": standing.approved}
    if standing.percent is not None:
        values[QualificationType.PERCENT_APPROVED] = {"integer_value": standing.percent}
    if standing.country is not None:
        values[QualificationType.LOCALE] = {"country": standing.country, "subdivision": standing.subdivision}
    if standing.masters:
        values[QualificationType.MASTERS] = values[QualificationType.MASTERS_SANDBOX] = {"integer_value": 1}
    if standing.adult:
        values[QualificationType.ADULT] = {"integer_value": 1}
    types = {row.type_id: row for row in QualificationType.objects.filter(type_id__in=values)}
    for type_id, value in values.items():
        QualificationGrant.objects.update_or_create(
            worker=worker,
            qualification_type=types[type_id],
            defaults={"status": QualificationGrant.Status.GRANTED, "granted_at": now, **value},
        )


def set_rate(requester: RequesterProfile, requests_per_second: float | None) -> float | None:
    """Let ``requester`` make so many calls a second; 0 is as many as it likes, None what the settings say.

    Raises ValueError.
    """
    rate = None if requests_per_second is None else float(requests_per_second)
    if rate is not None and not 0 <= rate <= MAX_RATE:
        raise ValueError(f"requests_per_second must be from 0 to {MAX_RATE:g}.")
    RequesterProfile.objects.filter(pk=requester.pk).update(requests_per_second=rate)
    return rate
