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
from .models import AccessKey, ClockOffset, Fault
from .services import accounts


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

    These are the faults of that requester's next calls, instead of any ordered before.
    """
    requester = AccessKey.objects.select_related("requester").filter(access_key_id=body["access_key"]).first()
    if requester is None:
        raise ValueError("There is no such access key.")
    faults = [
        Fault(
            requester=requester.requester,
            operation=order.get("operation", "*"),
            kind=Fault.Kind(order["fault"]),
            seconds=float(order.get("seconds", 2.0)),
            times=int(order.get("times", 1)),
        )
        for order in body["next"]
    ]
    Fault.objects.filter(requester=requester.requester).delete()
    Fault.objects.bulk_create(faults)
    return {"ordered": len(faults)}
