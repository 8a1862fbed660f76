"""Faults on purpose: ordering them, and which one a call meets.

A requester's row says whether any fault may meet it. Callers of ``next_for`` look there first: the row comes with the
access key, so that where nothing was ordered, nothing is asked.
"""

import math
import secrets
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from ..models import Fault, OperatorAction, RequesterProfile, User
from ..models.faults import Met
from . import operating

OF_CALLS: list[Fault.Kind] = [kind for kind in Fault.Kind if kind not in Fault.OF_DELIVERIES and kind != Fault.Kind.ANY]


class PaysPeople(ValueError):
    """Faults were ordered for a requester who pays people, where that is not allowed."""


def may_meet(requester: RequesterProfile) -> bool:
    """Whether a fault may meet ``requester``, from its row alone. One who pays people meets none but where the
    settings allow it, whatever was ordered."""
    return requester.meets_faults and (requester.pays_nobody or settings.MARKETPLACE_FAULTS)


def next_for(requester: RequesterProfile, operation: str) -> Met | None:
    """What this call shall go through, used up by one; faults come in the order in which they were ordered."""
    return _next(requester, [operation, "*"], [*OF_CALLS, Fault.Kind.ANY])


def next_for_delivery(requester: RequesterProfile) -> Met | None:
    """What the delivery of a notification to ``requester`` shall go through, used up by one."""
    return _next(requester, ["*"], Fault.OF_DELIVERIES)


def _next(requester: RequesterProfile, operations: list[str], kinds: Iterable[str]) -> Met | None:
    if not may_meet(requester):
        return None
    with transaction.atomic():
        waiting = Fault.objects.meeting(requester).filter(operation__in=operations, kind__in=kinds)
        faults = list(waiting.order_by("id").select_for_update())
        for fault in faults:
            met = fault.drawn()
            used = {"times": F("times") - 1} if met and fault.times is not None else {}
            Fault.objects.filter(pk=fault.pk).update(draws=F("draws") + 1, **used)
            if met:
                return met
    if not faults:
        _stand_down(requester)
    return None


@transaction.atomic
def _stand_down(requester: RequesterProfile) -> None:
    """Let calls pass without asking again, once nothing is left for ``requester``."""
    # Whoever orders a fault holds this lock first, so that none is overlooked.
    RequesterProfile.objects.select_for_update(no_key=True).get(pk=requester.pk)
    if not Fault.objects.meeting(requester).exists():
        RequesterProfile.objects.filter(pk=requester.pk).update(meets_faults=False)


def fault_from(values: dict[str, Any]) -> Fault:
    """Read an order such as ``{"operation": "CreateHIT", "fault": "slow", "seconds": 2, "times": 3}``.

    ``fault`` is a kind, or a list of kinds to pick from at random. ``times`` is how often, or null for until it is
    switched off, as it is where only a ``probability`` is given. ``seed`` makes the draws those of an earlier run.
    Raises ValueError with a sentence that names what is wrong.
    """
    wanted = values["fault"]
    among = [Fault.Kind(kind) for kind in wanted] if isinstance(wanted, list) else []
    if isinstance(wanted, list) and not among:
        raise ValueError("fault is an empty list; name at least one kind.")
    kind = Fault.Kind.ANY if among else Fault.Kind(wanted)
    among = among or (OF_CALLS if kind == Fault.Kind.ANY else [])
    if set(among) - set(OF_CALLS):
        raise ValueError(f"A call can meet only {', '.join(OF_CALLS)}.")
    operation, probability = str(values.get("operation", "*")), float(values.get("probability", 1.0))
    seconds, times = float(values.get("seconds", 2.0)), values.get("times", None if "probability" in values else 1)
    if not 0 < probability <= 1:
        raise ValueError("probability must be above 0 and at most 1.")
    if not (math.isfinite(seconds) and 0 <= seconds <= Fault.MAX_SECONDS):
        raise ValueError(f"seconds must be from 0 to {Fault.MAX_SECONDS:g}.")
    if times is not None and not 0 <= int(times) < 2**31:
        raise ValueError("times must be a whole number, or null for until it is switched off.")
    if operation != "*" and (kind in Fault.OF_DELIVERIES or not operation.isalnum() or len(operation) > 64):
        raise ValueError(f"operation must be * or one of the API's, not {operation!r}.")
    seed = values.get("seed")
    return Fault(
        operation=operation,
        kind=kind,
        among=list(among),
        seconds=seconds,
        times=None if times is None else int(times),
        probability=probability,
        seed=secrets.randbits(62) if seed is None else int(seed) % 2**62,
    )


@transaction.atomic
def order(requester: RequesterProfile | None, faults: list[Fault]) -> None:
    """Let ``faults`` meet ``requester``, or everybody. Raises PaysPeople where it pays people and may meet none."""
    if requester is not None and not requester.pays_nobody and not settings.MARKETPLACE_FAULTS:
        raise PaysPeople(
            _("%s pays people. Faults for them are allowed only where the setting MARKETPLACE_FAULTS is on.")
            % requester.name
        )
    whom = RequesterProfile.objects.all() if requester is None else RequesterProfile.objects.filter(pk=requester.pk)
    for row in whom.order_by("id").select_for_update(no_key=True):
        RequesterProfile.objects.filter(pk=row.pk).update(meets_faults=True)
    for fault in faults:
        fault.requester = requester
    Fault.objects.bulk_create(faults)


def drop(requester: RequesterProfile | None) -> None:
    """Let nothing that was ordered for ``requester`` meet it from now on; without one, drop all orders there are."""
    orders = Fault.objects.all() if requester is None else Fault.objects.filter(requester=requester)
    orders.delete()


def replace(requester: RequesterProfile, faults: list[Fault]) -> None:
    """Let ``faults`` meet ``requester`` instead of any ordered for it before. Raises PaysPeople."""
    with transaction.atomic():
        drop(requester)
        order(requester, faults)


@transaction.atomic
def switch_on(operator: User, requester: RequesterProfile | None, fault: Fault, now: datetime) -> None:
    """Let ``fault`` meet ``requester``, or everybody, besides those that are on. Raises PaysPeople."""
    order(requester, [fault])
    operating.record(
        operator, OperatorAction.Action.ORDER_FAULT, now, requester=requester, detail=_detail(fault, requester)
    )


@transaction.atomic
def switch_off(operator: User, faults: list[Fault], now: datetime) -> None:
    """Let none of ``faults`` meet anybody from now on."""
    for fault in faults:
        if Fault.objects.filter(pk=fault.pk).delete()[0]:
            requester = fault.requester
            detail = _detail(fault, requester)
            operating.record(operator, OperatorAction.Action.STOP_FAULT, now, requester=requester, detail=detail)


def _detail(fault: Fault, requester: RequesterProfile | None) -> str:
    times = "∞" if fault.times is None else f"{fault.times} ×"
    whom = "" if requester else _("every requester") + ": "
    return f"{whom}{fault.operation} {fault.kind}, {times}, {100 * fault.probability:g} %, seed {fault.seed}"


def are_for_everybody() -> bool:
    """Whether a fault is ordered for everybody, a requester made now among them."""
    return Fault.objects.active().filter(requester__isnull=True).exists()
