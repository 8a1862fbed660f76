"""The pages on which a requester acts on a batch: each says what would happen and what it costs, before its button."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import IllegalMove, LostRace
from annotation.permissions import signed_in

from .life_forms import ActForm, ConfirmForm, OneOrAll, PlacesForm, TimeForm
from .models import Batch, ReleasePlan
from .services import ending, releasing, republishing, topping_up
from .services.batch_life import AskedBefore, Change, NotDone


@dataclass(frozen=True)
class Action:
    """One thing to do to a batch: its words, what it asks for, and the services that plan it and do it."""

    title: str | Promise
    button: str | Promise
    form: type[ActForm]
    plan: Callable[..., Change]
    do: Callable[..., Change]
    done: str | Promise
    costs: bool = False


ACTIONS = {
    "places": Action(
        gettext_lazy("More workers"),
        gettext_lazy("Add these places"),
        PlacesForm,
        topping_up.plan_places,
        topping_up.add_places,
        gettext_lazy("Asked for. The places appear here as the endpoint opens them."),
        costs=True,
    ),
    "release": Action(
        gettext_lazy("Release the rest"),
        gettext_lazy("Release the rest"),
        ActForm,
        releasing.plan_rest,
        releasing.release_rest,
        gettext_lazy("Released. Below you see the HITs appear at the endpoint."),
    ),
    "time": Action(
        gettext_lazy("More time"),
        gettext_lazy("Give more time"),
        TimeForm,
        topping_up.plan_time,
        topping_up.add_time,
        gettext_lazy("Asked for. The endpoint is told in a moment."),
        costs=True,
    ),
    "again": Action(
        gettext_lazy("Publish again"),
        gettext_lazy("Publish these places again"),
        ActForm,
        republishing.plan_again,
        republishing.publish_again,
        gettext_lazy("Asked for. Below you see the new HITs appear at the endpoint."),
        costs=True,
    ),
    "end": Action(
        gettext_lazy("Expire now"),
        gettext_lazy("Expire now"),
        OneOrAll,
        ending.plan_end,
        ending.end,
        gettext_lazy("Asked for. Unfilled places and their money are given back as the endpoint confirms."),
    ),
    "delete": Action(
        gettext_lazy("Delete at the endpoint"),
        gettext_lazy("Delete when it is possible"),
        ActForm,
        ending.plan_removal,
        ending.remove,
        gettext_lazy("Asked for. This page says what the deletion waits for."),
    ),
}


def actions_for(batch: Batch, plan: ReleasePlan | None) -> dict[str, Action]:
    """What there may be to do to ``batch``, which is released by ``plan``; of a batch that is closed, what would do
    something now."""
    idle = set() if plan is not None and plan.in_pilot else {"release"}
    if not republishing.may_publish_again(batch):
        idle.add("again")
    if batch.status == Batch.Status.CLOSED:
        idle |= {"places", "time", "end"}
        if not ending.to_delete(batch).exists():
            idle.add("delete")
    return {name: action for name, action in ACTIONS.items() if name not in idle}


def act(request: HttpRequest, batch: Batch, name: str, context: dict[str, Any]) -> HttpResponse:
    """The page of one action on ``batch``; a GET with the form's fields works out what they would do."""
    if name not in ACTIONS:
        raise Http404
    action = ACTIONS[name]
    given = request.POST if request.method == "POST" else request.GET
    form = action.form(_with_defaults(action, batch, given), batch=batch)
    change = action.plan(batch, **form.asked()) if form.is_valid() else None
    problem = change.problem() if change is not None else ""
    confirm = ConfirmForm(request.POST) if request.method == "POST" else None
    if request.method == "POST" and change is not None and confirm is not None and confirm.is_valid():
        try:
            return _do(request, batch, action, form, change, confirm)
        except NotDone as refusal:
            problem = str(refusal)
    context |= {
        "title": action.title,
        "batch": batch,
        "endpoint": batch.endpoint_settings,
        "action": action,
        "form": form,
        "change": change,
        "problem": problem,
        "confirm": confirm if problem and confirm else ConfirmForm(initial=_first(change)),
        "sums": _sums(change),
    }
    return TemplateResponse(request, "admin/hits/act.html", context, status=422 if request.method == "POST" else 200)


def _with_defaults(action: Action, batch: Batch, given: Any) -> dict[str, Any]:
    """The fields as sent; on the first visit as an untouched form would send them."""
    fields = action.form(batch=batch).fields
    return {name: given.get(name, field.initial) for name, field in fields.items()}


def _first(change: Change | None) -> dict[str, Any]:
    return {"token": uuid4(), "shown_usd": change.total_usd if change else 0}


def _do(
    request: HttpRequest, batch: Batch, action: Action, form: ActForm, change: Change, confirm: ConfirmForm
) -> HttpResponse:
    if confirm.cleaned_data["shown_usd"] != change.total_usd:
        sentence = _("The batch moved on: this now costs ${total}. Look at it again, then go on.")
        raise NotDone(sentence.format(total=change.total_usd))
    arguments = form.asked() | {"token": confirm.cleaned_data["token"]}
    if action.costs:
        arguments["confirmed_usd"] = confirm.cleaned_data["confirmed_usd"]
    try:
        action.do(batch, signed_in(request), **arguments)
    except AskedBefore:
        messages.info(request, _("This was asked for already; it happens once."))
    except (IllegalMove, LostRace):
        messages.error(request, _("The batch has moved on meanwhile; here is how it stands now."))
    else:
        messages.success(request, str(action.done))
    return HttpResponseRedirect(reverse("admin:hits_batch_life", args=[batch.pk]))


def _sums(change: Change | None) -> dict[str, Any]:
    if change is None:
        return {}
    places = sum(more.places for more in change.more)
    return {
        "places": places,
        "rewards_usd": sum(more.places * more.reward_usd for more in change.more),
        "fees_usd": sum(more.places * more.fee_usd for more in change.more),
        "after_usd": change.left_usd - change.total_usd,
    }
