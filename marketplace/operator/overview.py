"""What an operator sees first, and what operators have done."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from .. import clock
from ..auth import operator_view
from ..models import User
from ..services import operating, overdue


@require_safe
@operator_view
def overview(request: HttpRequest, operator: User) -> HttpResponse:
    now = clock.now()
    overdue.settle(now)
    context = {"numbers": operating.numbers(now), "agenda": operating.agenda(now)}
    return render(request, "marketplace/operator/overview.html", context | page("overview"))


@require_safe
@operator_view
def log(request: HttpRequest, operator: User) -> HttpResponse:
    """The actions of all operators, newest first."""
    before = number(request.GET.get("before"))
    context = {"actions": operating.actions(before), "is_first": before is None}
    return render(request, "marketplace/operator/log.html", context | page("log"))


def page(tab: str) -> dict[str, str]:
    """What the frame of every page of the area wants to know."""
    return {"section": "operator", "tab": tab}


def number(text: str | None) -> int | None:
    """A row's key out of an address, or None where there is none."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 19 else None
