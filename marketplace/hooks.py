"""Test hooks: fresh accounts, the clock, faults on order. Routed only under MARKETPLACE_TEST_HOOKS."""

import json
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from functools import wraps
from typing import Any

from django.db.models import F
from django.http import HttpRequest, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from . import clock, ids
from .models import AccessKey, ClockOffset, RequesterProfile
from .services import accounts, faults, money


def hook(function: Callable[[dict[str, Any]], dict[str, Any]]) -> Callable[[HttpRequest], JsonResponse]:
    """A view that gives ``function`` the request's JSON object; what it raises as ValueError is answered with 400."""

    @csrf_exempt
    @require_POST
    @wraps(function)
    def view(request: HttpRequest) -> JsonResponse:
        try:
            body = json.loads(request.body or b"{}")
            if not isinstance(body, dict):
                raise ValueError("The body must be a JSON object.")
            return JsonResponse(function(body))
        except (ValueError, KeyError, TypeError, InvalidOperation) as error:
            return JsonResponse({"error": f"{type(error).__name__}: {error}"}, status=400)

    return view


@hook
def make_requester(body: dict[str, Any]) -> dict[str, Any]:
    """``{"sandbox": true}`` (as without a body) or ``{"funds": "1000.00"}``; a fresh account each time."""
    funds = Decimal(str(body.get("funds", "0")))
    pays_nobody = body.get("sandbox", not funds)
    name = body.get("name") or f"Requester {ids.random_text(8)}"
    key = accounts.create_requester(name, clock.now(), pays_nobody=pays_nobody, funds_usd=funds)
    return {
        "access_key": key.access_key_id,
        "secret_key": key.secret_key,
        "customer_id": key.requester.customer_id,
        "name": key.requester.name,
    }


@hook
def add_funds(body: dict[str, Any]) -> dict[str, Any]:
    """``{"access_key": ..., "amount": "10.00"}`` puts so much into that requester's account."""
    requester = AccessKey.objects.select_related("requester").get(access_key_id=body["access_key"]).requester
    money.add_funds(requester, Decimal(str(body["amount"])), clock.now())
    requester.refresh_from_db()
    return {"available_usd": str(requester.available_usd), "held_usd": str(requester.held_usd)}


@hook
def set_key(body: dict[str, Any]) -> dict[str, Any]:
    """``{"access_key": ..., "active": false}`` revokes a key; ``true`` lets it in again."""
    changed = AccessKey.objects.filter(access_key_id=body["access_key"]).update(is_active=bool(body["active"]))
    return {"changed": changed}


@hook
def make_worker(body: dict[str, Any]) -> dict[str, Any]:
    """``{"username", "password", "standing": {"approved": 5000, "percent": 99, "country": "US"}}``, all optional."""
    username = body.get("username") or f"worker-{ids.random_text(8).lower()}"
    password = body.get("password") or ids.random_text(12)
    worker = accounts.create_worker(username, clock.now(), password=password)
    accounts.set_standing(worker, accounts.Standing.from_values(body.get("standing", {})), clock.now())
    return {"username": worker.user.username, "password": password, "worker_id": worker.worker_id}


@hook
def move_clock(body: dict[str, Any]) -> dict[str, Any]:
    """``{"advance_seconds": 3600}`` moves the marketplace's time on from where it is; ``{"reset": true}`` puts it
    right again."""
    row, _ = ClockOffset.objects.get_or_create(pk=1)
    if body.get("reset"):
        ClockOffset.objects.filter(pk=row.pk).update(seconds=0)
    else:
        ClockOffset.objects.filter(pk=row.pk).update(seconds=F("seconds") + int(body["advance_seconds"]))
    row.refresh_from_db()
    return {"offset_seconds": row.seconds, "now": clock.now().isoformat()}


@hook
def order_faults(body: dict[str, Any]) -> dict[str, Any]:
    """``{"access_key": ..., "next": [{"operation": "CreateHIT", "fault": "timeout_after", "seconds": 2, "times": 1}]}``

    These are the faults of that requester's calls from now on, instead of any ordered before; each is as
    ``faults.fault_from`` reads it. ``{"fault": ["throttle", "drop_after"], "probability": 0.2, "seed": 7}`` lets each
    call fail with that probability, the same way again with the same seed.
    """
    requester = _requester(body)
    orders = [faults.fault_from(order) for order in body["next"]]
    faults.replace(requester, orders)
    return {"ordered": len(orders)}


@hook
def set_rate(body: dict[str, Any]) -> dict[str, Any]:
    """``{"access_key": ..., "requests_per_second": 5}``; null is what the settings say, 0 as many as it likes."""
    rate = accounts.set_rate(_requester(body), body["requests_per_second"])
    return {"requests_per_second": rate}


def _requester(body: dict[str, Any]) -> RequesterProfile:
    key = AccessKey.objects.select_related("requester").filter(access_key_id=body["access_key"]).first()
    if key is None:
        raise ValueError("There is no such access key.")
    return key.requester
