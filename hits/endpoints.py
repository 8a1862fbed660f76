"""The crowd endpoints that this installation knows, from ``settings.CROWD_ENDPOINTS``.

Every batch, HIT, worker, offer and ledger row carries an endpoint's key. Nothing outside this room and nothing in
the calls themselves depends on which endpoint it is.
"""

from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext as _

from .fees import FeeSchedule


@dataclass(frozen=True)
class Endpoint:
    """One crowd endpoint.

    ``worker_origins`` are the origins that may frame the work page and that answers may be sent on to.
    ``pays_people`` says that approved work costs money there: real money, unless ``play_money`` says that its dollars
    are for trying things out. ``notice`` is shown wherever the endpoint is.
    """

    key: str
    label: str
    url: str
    worker_origins: tuple[str, ...]
    pays_people: bool
    play_money: bool = False
    fees: FeeSchedule = field(default_factory=FeeSchedule)
    allow_http: bool = False
    access_key: str = ""
    secret_key: str = field(default="", repr=False)
    # Instead of the two: a profile of AWS's shared credentials and config files.
    profile: str = ""
    notice: str = ""
    # Where it tells of events: an SQS queue by its address; the service behind it, where that is not AWS's own.
    queue_url: str = ""
    queue_endpoint: str = ""
    queue_region: str = "us-east-1"
    # An endpoint for rehearsals has players (user name, password, worker id) and the site they work on.
    worker_site: str = ""
    players: tuple[tuple[str, str, str], ...] = field(default=(), repr=False)

    @property
    def is_for_rehearsal(self) -> bool:
        return bool(self.worker_site)

    @property
    def credentials(self) -> str:
        """What its calls are signed with, by name; nothing of it is secret. Empty where nothing is set."""
        return f"profile {self.profile}" if self.profile else self.access_key

    @property
    def standing(self) -> str:
        """``pays``, ``rehearsal`` or ``free``: which colour it has, and which word."""
        if self.pays_people:
            return "pays"
        return "rehearsal" if self.is_for_rehearsal else "free"

    @property
    def word(self) -> str:
        """In a word or two, whether money moves there."""
        if self.pays_people and self.play_money:
            return _("pays people, in play money")
        return {"pays": _("pays people"), "rehearsal": _("rehearsal"), "free": _("pays nobody")}[self.standing]

    def check(self) -> None:
        """Refuse an address that is not allowed. Raises ImproperlyConfigured."""
        if self.profile and (self.access_key or self.secret_key):
            raise ImproperlyConfigured(f"Crowd endpoint {self.key!r} has both a profile and a key; keep one of them.")
        addresses = [self.url, *self.worker_origins, *filter(None, [self.queue_url, self.queue_endpoint])]
        for address in addresses:
            parts = urlsplit(address)
            if parts.scheme != "https" and not (self.allow_http and parts.scheme == "http"):
                raise ImproperlyConfigured(
                    f"Crowd endpoint {self.key!r}: {address!r} must be an https address (plain http only where "
                    "allow_http says so)."
                )
        if any(len(player) != 3 for player in self.players):
            raise ImproperlyConfigured(
                f"Crowd endpoint {self.key!r}: each player is a user name, a password and a worker id."
            )
        if self.is_for_rehearsal and self.pays_people:
            raise ImproperlyConfigured(f"Crowd endpoint {self.key!r} is for rehearsals and must pay nobody.")


@cache
def all_endpoints() -> dict[str, Endpoint]:
    """Every configured endpoint by key. Raises ImproperlyConfigured."""
    endpoints = {key: Endpoint(key=key, **_with_fees(values)) for key, values in settings.CROWD_ENDPOINTS.items()}
    for endpoint in endpoints.values():
        endpoint.check()
    return endpoints


def _with_fees(values: dict[str, Any]) -> dict[str, Any]:
    """Fees that a file gives as ``{"rate": "0.20"}``, as a schedule. Raises ImproperlyConfigured."""
    fees = values.get("fees")
    if not isinstance(fees, dict):
        return values
    try:
        shares: dict[str, Any] = {
            name: int(value) if name.endswith("assignments") else Decimal(value) for name, value in fees.items()
        }
        return {**values, "fees": FeeSchedule(**shares)}
    except (TypeError, ValueError, InvalidOperation) as error:
        raise ImproperlyConfigured(f"Crowd endpoint {values.get('label')!r}: fees {fees!r} are none.") from error


def get(key: str) -> Endpoint:
    """The endpoint ``key``. Raises ImproperlyConfigured if this installation has none of that name any more."""
    try:
        return all_endpoints()[key]
    except KeyError:
        raise ImproperlyConfigured(f"No crowd endpoint {key!r} in CROWD_ENDPOINTS; rows of it remain.") from None
