"""The operator's part of a study that is kept at Prolific through its API."""

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from ... import clock
from ...auth import operator_view
from ...models import IllegalMove, OperatorAction, User
from ...services import operating
from .. import prolific
from ..models import BonusBatch, Panel, PanelDecision, PanelStudy, ProlificStudy
from ..panel_forms import ProlificForm
from ..services import bonus_batches, prolific_studies
from .operator_invitations import frame

BIGGEST_KEY = 2**63 - 1
ACTIONS = {"PAUSE", "START", "STOP"}
MOST_PLACES = 10_000
MOST_USD = 1_000_000  # our choice: a budget that is more than a slip of the finger


def prolific_part(study: PanelStudy) -> dict[str, Any]:
    """What the study's page shows of Prolific."""
    row = ProlificStudy.objects.filter(study=study).select_related("study__panel").first()
    looks = PanelDecision.objects.filter(visit__study=study, status=PanelDecision.Status.LOOK)
    return {
        "is_prolific": study.panel.kind == Panel.Kind.PROLIFIC,
        "has_token": bool(settings.PROLIFIC_TOKEN),
        "prolific": row,
        "cost": prolific_studies.cost_of(row) if row else None,
        "budget_left": max(Decimal(0), row.bonus_budget_usd - bonus_batches.spent_usd(study)) if row else None,
        "sendable_usd": bonus_batches.total_usd(bonus_batches.sendable(study)) if row else None,
        "looks": looks.select_related("visit__participant").order_by("id")[:50],
    }


def _study(pk: int) -> PanelStudy:
    return get_object_or_404(PanelStudy.objects.select_related("panel"), pk=min(pk, BIGGEST_KEY))


def _row(pk: int) -> ProlificStudy:
    return get_object_or_404(ProlificStudy.objects.select_related("study__panel"), study=min(pk, BIGGEST_KEY))


def _ask(request: HttpRequest, step: Callable[[prolific.Client], object]) -> bool:
    """Do ``step`` at Prolific; where it does not work out, say so on the next page."""
    try:
        step(prolific.client(attempts=2, timeout_seconds=10.0))
    except (prolific.Unavailable, prolific.Refused, prolific.NotConfigured, prolific_studies.CannotDo) as error:
        messages.error(request, str(error))
        return False
    return True


@require_http_methods(["GET", "HEAD", "POST"])
@operator_view
def draft(request: HttpRequest, operator: User, pk: int) -> HttpResponse:
    """Make the draft at Prolific, which costs nothing."""
    study = _study(pk)
    form = ProlificForm(request.POST if request.method == "POST" else None, initial={"places_wanted": study.places})
    if request.method == "POST" and form.is_valid():
        now = clock.now()
        try:
            row = prolific_studies.plan(study, now, **form.cleaned_data)
        except prolific_studies.CannotDo as error:
            form.add_error(None, str(error))
        else:
            _record(operator, f"planned study {study.key} at Prolific")
            _ask(request, lambda client: prolific_studies.make_draft(row, client, now))
            return _back(study.pk)
    context = {"form": form, "study": study} | frame("panels")
    return render(request, "recruiting/operator/prolific.html", context, status=400 if form.errors else 200)


@require_POST
@operator_view
def publish(request: HttpRequest, operator: User, pk: int) -> HttpResponse:
    """Publish: people are paid for it, so the total has to be typed."""
    row = _row(pk)
    budget_usd = _amount(request.POST.get("budget", "0"))
    if _amount(request.POST.get("total", "")) != prolific_studies.cost_of(row):
        messages.error(request, _("Type the total as it stands there to publish. Nothing was done."))
    elif budget_usd is None or budget_usd > MOST_USD:
        messages.error(request, _budget_sentence())
    else:
        if row.status == ProlificStudy.Status.DRAFT:  # and not by a form that is sent again
            bonus_batches.set_budget(row.study, budget_usd, operator, clock.now())
        if _ask(request, lambda client: prolific_studies.publish(row, client)):
            _record(operator, f"published study {row.study.key} at Prolific")
    return _back(row.study_id)


def _amount(text: str) -> Decimal | None:
    """An amount of money that somebody typed, None if it is none."""
    return Decimal(text) if re.fullmatch(r"[0-9]{1,12}(\.[0-9]{1,2})?", text := text.strip(), re.ASCII) else None


def _budget_sentence() -> str:
    most = f"{MOST_USD:,}"
    return _("The bonus budget is an amount of US dollars from 0 to {most}. Nothing was done.").format(most=most)


@require_POST
@operator_view
def budget(request: HttpRequest, operator: User, pk: int) -> HttpResponse:
    """How much bonuses of the study may come to that go out by themselves."""
    row, budget_usd = _row(pk), _amount(request.POST.get("budget", ""))
    if budget_usd is None or budget_usd > MOST_USD:
        messages.error(request, _budget_sentence())
    else:
        bonus_batches.set_budget(row.study, budget_usd, operator, clock.now())
    return _back(row.study_id)


@require_POST
@operator_view
def send_bonuses(request: HttpRequest, operator: User, pk: int) -> HttpResponse:
    """Send the bonuses that are beyond the budget, whose total has to be typed."""
    row, total = _row(pk), _amount(request.POST.get("total", ""))
    try:
        bonus_batches.send_confirmed(row.study, Decimal(-1) if total is None else total, operator, clock.now())
    except bonus_batches.OtherTotal as error:
        messages.error(request, str(error))
    return _back(row.study_id)


@require_POST
@operator_view
def move(request: HttpRequest, operator: User, pk: int) -> HttpResponse:
    row, action = _row(pk), request.POST.get("action", "")
    if action in ACTIONS and _ask(request, lambda client: prolific_studies.move(row, client, action)):
        _record(operator, f"{action} of study {row.study.key} at Prolific")
    return _back(row.study_id)


@require_POST
@operator_view
def places(request: HttpRequest, operator: User, pk: int) -> HttpResponse:
    """Let ``more`` people take part; the row says so first, so that ``sync_panels`` does what a lost call did not."""
    row, text = _row(pk), request.POST.get("more", "")
    if not re.fullmatch("[1-9][0-9]{0,4}", text) or int(text) > MOST_PLACES:
        messages.error(request, _("How many more people? From 1 to {most}.").format(most=MOST_PLACES))
        return _back(row.study_id)
    prolific_studies.want_places(row, int(text))
    _record(operator, f"{text} more places for study {row.study.key} at Prolific")
    _ask(request, lambda client: prolific_studies.push_places(row, client))
    return _back(row.study_id)


@require_POST
@operator_view
def bonuses_found(request: HttpRequest, operator: User, pk: int) -> HttpResponse:
    """``paid`` in the form says that the operator found the stopped bonuses paid at Prolific."""
    batch = get_object_or_404(BonusBatch, pk=min(pk, BIGGEST_KEY))
    try:
        bonus_batches.settle_stopped(batch, request.POST.get("paid") == "yes", operator, clock.now())
    except IllegalMove:
        messages.warning(request, _("These bonuses do not wait for a look."))
    return _back(batch.study_id)


def _record(operator: User, detail: str) -> None:
    operating.record(operator, OperatorAction.Action.RECRUIT, clock.now(), detail=detail)


def _back(study_pk: int) -> HttpResponseRedirect:
    return HttpResponseRedirect(reverse("recruiting-study", args=[study_pk]))
