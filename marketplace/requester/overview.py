"""A requester's own corner: balance, ledger, HIT groups, and what workers say of them."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from .. import addresses, clock
from ..auth import requester_view
from ..models import RequesterProfile
from ..services import overdue, publisher


def page(requester: RequesterProfile, tab: str) -> dict[str, Any]:
    """What the frame of every page of the area wants to know."""
    return {"section": "requester", "tab": tab, "requester": requester}


@require_safe
@requester_view
def overview(request: HttpRequest, requester: RequesterProfile) -> HttpResponse:
    """Balance, and the requester's HIT groups with their states."""
    overdue.settle(clock.now())
    requester.refresh_from_db()  # settling may have moved money
    before = addresses.number(request.GET.get("before"))
    context = {
        "own": publisher.groups_of(requester, before),
        "totals": publisher.totals_of(requester),
        "is_first": before is None,
    }
    return render(request, "marketplace/requester/overview.html", page(requester, "overview") | context)


@require_safe
@requester_view
def ledger(request: HttpRequest, requester: RequesterProfile) -> HttpResponse:
    before = addresses.number(request.GET.get("before"))
    context = {"entries": publisher.ledger_of(requester, before), "is_first": before is None}
    return render(request, "marketplace/requester/ledger.html", page(requester, "ledger") | context)


@require_safe
@requester_view
def opinions(request: HttpRequest, requester: RequesterProfile) -> HttpResponse:
    """Marks, comments and reports."""
    context = {"opinions": publisher.opinions_on(requester, clock.now())}
    return render(request, "marketplace/requester/opinions.html", page(requester, "opinions") | context)
