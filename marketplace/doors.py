"""Where apps that bring workers in have their say: what a worker who came in by their door may see and take.

The core calls every door that is registered and knows none of them.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse

from .models import HITType, User, WorkerProfile


@dataclass(frozen=True)
class Entrance:
    """A way in for somebody who has no account, as the front page offers it."""

    label: str
    url: str


Taken = tuple[str, str]  # a HIT id and an assignment id, as ``services.assignments.accept`` gives them
Take = Callable[[], Taken]


class Door:
    """What one door wants; each method as it stands changes nothing."""

    def answer(self, request: HttpRequest, worker: WorkerProfile) -> HttpResponse | None:
        """What to answer ``worker`` instead of the page asked for, None for that page.

        A door that sets ``request.is_guest`` has the page shown without the ways to the rest of the site.
        """
        return None

    def turn_away(self, request: HttpRequest, user: User) -> HttpResponse | None:
        """What to answer somebody signed in who is no worker, None for the page that says so."""
        return None

    def take(self, worker: WorkerProfile, hit_type: HITType, now: datetime, take: Take) -> Taken:
        """Let ``worker`` take a HIT of ``hit_type`` by calling ``take``, or raise ``assignments.NoPlace``."""
        return take()

    def reserved(self, worker: WorkerProfile, hit_type_ids: Iterable[int]) -> set[int]:
        """Those of the HIT types (by primary key) that are kept for others: ``worker`` neither finds nor takes them."""
        return set()

    def entrance(self) -> Entrance | None:
        """The way in that this door offers to everybody, None where there is none."""
        return None

    def paid_elsewhere(self, worker_ids: Iterable[int]) -> set[int]:
        """Those of the workers (by primary key) whom somebody else pays: they are in no list of payments due."""
        return set()

    def own_data(self, worker: WorkerProfile) -> Iterable[tuple[str, Any]]:
        """What the door keeps about ``worker``, part by part: a name and a value that JSON can hold."""
        return ()


DOORS: list[Door] = []


def answer(request: HttpRequest, worker: WorkerProfile) -> HttpResponse | None:
    return next((found for door in DOORS if (found := door.answer(request, worker))), None)


def turn_away(request: HttpRequest, user: User) -> HttpResponse | None:
    return next((found for door in DOORS if (found := door.turn_away(request, user))), None)


def take(worker: WorkerProfile, hit_type: HITType, now: datetime, take: Take) -> Taken:
    """Call ``take`` through all doors, each around the next."""
    for door in DOORS:
        take = partial(door.take, worker, hit_type, now, take)
    return take()


def reserved(worker: WorkerProfile, hit_type_ids: Iterable[int]) -> set[int]:
    wanted = set(hit_type_ids)
    return {found for door in DOORS for found in door.reserved(worker, wanted)} if wanted else set()


def paid_elsewhere(worker_ids: Iterable[int]) -> set[int]:
    wanted = set(worker_ids)
    return {worker_id for door in DOORS for worker_id in door.paid_elsewhere(wanted)}


def entrances() -> list[Entrance]:
    return [entrance for door in DOORS if (entrance := door.entrance())]


def own_data(worker: WorkerProfile) -> Iterator[tuple[str, Any]]:
    for door in DOORS:
        yield from door.own_data(worker)
