"""The crowd endpoints that this installation knows, from ``settings.CROWD_ENDPOINTS``.

Every batch, HIT, worker, offer and ledger row carries an endpoint's key. Nothing outside this room and nothing in
the calls themselves depends on which endpoint it is.
"""

from dataclasses import dataclass, field
from functools import cache
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from .fees import FeeSchedule


@dataclass(frozen=True)
class Endpoint:
    """One crowd endpoint.

    ``worker_origins`` are the origins that may frame the work page and that answers may be sent on to.
    ``pays_people`` says that approved work costs real money there. ``notice`` is shown wherever the endpoint is.
    """

    key: str
    label: str
    url: str
    worker_origins: tuple[str, ...]
    pays_people: bool
    fees: FeeSchedule = field(default_factory=FeeSchedule)
    allow_http: bool = False
    access_key: str = ""
    secret_key: str = field(default="", repr=False)
    notice: str = ""
    # An endpoint for rehearsals has players (user name, password, worker id) and the site they work on.
    worker_site: str = ""
    players: tuple[tuple[str, str, str], ...] = field(default=(), repr=False)

    @property
    def is_for_rehearsal(self) -> bool:
        return bool(self.worker_site)

    def check(self) -> None:
        """Refuse an address that is not allowed. Raises ImproperlyConfigured."""
        for address in (self.url, *self.worker_origins):
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
    endpoints = {key: Endpoint(key=key, **values) for key, values in settings.CROWD_ENDPOINTS.items()}
    for endpoint in endpoints.values():
        endpoint.check()
    return endpoints


def get(key: str) -> Endpoint:
    """The endpoint ``key``. Raises ImproperlyConfigured if this installation has none of that name any more."""
    try:
        return all_endpoints()[key]
    except KeyError:
        raise ImproperlyConfigured(f"No crowd endpoint {key!r} in CROWD_ENDPOINTS; rows of it remain.") from None
