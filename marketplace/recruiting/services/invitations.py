"""Invitation links: make, use, revoke. Who gets the last place is settled by the database."""

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.db.models import Case, F, Prefetch, Q, QuerySet, Value, When
from django.urls import reverse
from django.utils.translation import ngettext

from ...models import OperatorAction, QualificationType, User, WorkerProfile
from ...services import accounts, operating
from ..models import Invitation, InvitationUse, Participant, Terms
from . import newcomers

MAX_PLACES = 10_000
MAX_LINKS = 200  # made at once


class Closed(Exception):
    """The link lets nobody in (any more); ``state`` says why, None where there is no such link."""

    def __init__(self, state: Invitation.State | None):
        super().__init__(state)
        self.state = state


class ForWorkers(Exception):
    """A panel's participant has no use for an invitation: they see their study alone."""


@dataclass(frozen=True)
class Offer:
    """What an invitation is to be."""

    note: str = ""
    places: int = 1
    expires_at: datetime | None = None
    standing: dict[str, object] = field(default_factory=dict)
    qualification_type: QualificationType | None = None
    qualification_value: int = 1


def hash_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def link_of(token: str) -> str:
    """The address to send out, which cannot be shown again later."""
    return f"{settings.MARKETPLACE_URL}{reverse('join', args=[token])}"


@transaction.atomic
def invite(offer: Offer, now: datetime, *, links: int = 1, by: User | None = None) -> list[str]:
    """Make ``links`` invitations like ``offer``; return their links. Raises ValueError, a sentence, on nonsense."""
    if not 1 <= offer.places <= MAX_PLACES:
        raise ValueError(f"A link can have from 1 to {MAX_PLACES} places, not {offer.places}.")
    if not 1 <= links <= MAX_LINKS:
        raise ValueError(f"From 1 to {MAX_LINKS} links can be made at once, not {links}.")
    if offer.expires_at is not None and offer.expires_at <= now:
        raise ValueError("The end lies in the past: nobody could use the link.")
    accounts.Standing.from_values(offer.standing)
    made = []
    for _ in range(links):
        token = secrets.token_urlsafe(24)
        Invitation.objects.create(
            token_hash=hash_of(token),
            link_end=token[-4:],
            note=offer.note,
            places=offer.places,
            expires_at=offer.expires_at,
            standing=offer.standing,
            qualification_type=offer.qualification_type,
            qualification_value=offer.qualification_value,
            created_by=by,
            created_at=now,
        )
        made.append(link_of(token))
    if by is not None:
        made_links = ngettext("%d invitation", "%d invitations", links) % links
        with_places = ngettext("with %d place each", "with %d places each", offer.places) % offer.places
        detail = f"{made_links} {with_places}"
        operating.record(by, OperatorAction.Action.RECRUIT, now, detail=detail, reason=offer.note)
    return made


def _unused(now: datetime) -> Q:
    """Those that nobody has come by, and somebody still can."""
    return Q(places_taken=0, revoked_at=None) & (Q(expires_at=None) | Q(expires_at__gt=now))


def listed(now: datetime) -> QuerySet[Invitation]:
    """All invitations with who came by them: unused ones first, and the newest first."""
    rows = Invitation.objects.select_related("qualification_type", "created_by")
    rows = rows.prefetch_related(Prefetch("uses", InvitationUse.objects.select_related("worker__user").order_by("id")))
    return rows.order_by(Case(When(_unused(now), then=Value(0)), default=Value(1)), "-id")


def agenda(now: datetime) -> Iterable[operating.Item]:
    """The invitations that nobody has used yet, for the operator's overview."""
    if count := Invitation.objects.filter(_unused(now)).count():
        sentence = ngettext("%d invitation has not been used yet.", "%d invitations have not been used yet.", count)
        yield operating.Item(sentence % count, reverse("recruiting"))


def find(token: str, now: datetime) -> Invitation:
    """The invitation that ``token`` opens. Raises Closed."""
    invitation = Invitation.objects.select_related("qualification_type").filter(token_hash=hash_of(token)).first()
    if invitation is None:
        raise Closed(None)
    state = invitation.state(now)
    if state != Invitation.State.OPEN:
        raise Closed(state)
    return invitation


@transaction.atomic
def join(token: str, username: str, password: str, email: str, now: datetime, *, terms: Terms | None) -> WorkerProfile:
    """Make a worker's account on one of the invitation's places, for somebody who agreed to ``terms``.

    Raises Closed, or UsernameTaken, which gives the place back.
    """
    invitation = _take_place(token, now)
    user = newcomers.make_user(username, password, email)
    newcomers.agree(user, terms, now)
    worker = WorkerProfile.objects.create(user=user, created_at=now)
    _use(invitation, worker, now)
    return worker


@transaction.atomic
def join_with_account(token: str, worker: WorkerProfile, now: datetime) -> None:
    """Give a worker who is here already what the invitation grants; a second time takes no second place.

    Raises Closed, or ForWorkers where the worker is a panel's participant.
    """
    if Participant.objects.filter(worker=worker).exists():
        raise ForWorkers
    # The lock makes two requests of one worker wait for each other, so that the second finds the first one's use.
    locked = Invitation.objects.select_for_update().filter(token_hash=hash_of(token)).first()
    if locked is not None and locked.uses.filter(worker=worker).exists():
        return
    invitation = _take_place(token, now)
    _use(invitation, worker, now)


def _take_place(token: str, now: datetime) -> Invitation:
    is_open = Q(expires_at=None) | Q(expires_at__gt=now)
    rows = Invitation.objects.filter(is_open, token_hash=hash_of(token), revoked_at=None, places_taken__lt=F("places"))
    taken = rows.update(places_taken=F("places_taken") + 1)
    if not taken:
        invitation = Invitation.objects.filter(token_hash=hash_of(token)).first()
        raise Closed(invitation.state(now) if invitation is not None else None)
    return Invitation.objects.select_related("qualification_type").get(token_hash=hash_of(token))


def _use(invitation: Invitation, worker: WorkerProfile, now: datetime) -> None:
    newcomers.grant(worker, invitation, now)
    InvitationUse.objects.create(invitation=invitation, worker=worker, used_at=now)


@transaction.atomic
def revoke(invitation: Invitation, by: User, now: datetime) -> None:
    """Let nobody else in by the link; those who came in stay. Revoking twice changes nothing."""
    if Invitation.objects.filter(pk=invitation.pk, revoked_at=None).update(revoked_at=now):
        operating.record(
            by, OperatorAction.Action.RECRUIT, now, detail=f"revoked invitation {invitation.pk}", reason=invitation.note
        )
