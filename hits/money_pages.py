"""The pages about money: a batch's caps and bonuses, fair pay, and a project's ledger."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.keys import key_from
from annotation.models import IllegalMove, LostRace, Project
from annotation.permissions import REQUESTERS, has_role, project_or_404, signed_in

from . import mturk, reconcile_page
from .models import Batch, Bonus, LedgerEntry
from .money_forms import BonusForm, CapForm, LedgerFilter, PayForm, TimesForm
from .querysets import LedgerQuerySet
from .services import bonuses, caps, fair_pay, ledger, plots, progress, spending
from .services.bonuses import NotPayable, Wish

if TYPE_CHECKING:
    from .admin import BatchAdmin

SHOWN_BONUSES = 200
PAGE = 100
CSV_COLUMNS = (
    *("entry", "entered_at", "batch", "hit", "assignment", "bonus", "endpoint", "kind"),
    *("amount_usd", "reserved_after_usd", "spent_after_usd"),
)


def urls(batches: BatchAdmin) -> list[URLPattern]:
    """The addresses of these pages, below those of ``batches``."""

    def wrap(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
        wrapped: Callable[..., HttpResponseBase] = batches.admin_site.admin_view(partial(view, batches))
        return wrapped

    return [
        path("<int:pk>/money/", wrap(money), name="hits_batch_money"),
        path("<int:pk>/fair-pay/", wrap(fair), name="hits_batch_fair_pay"),
        path("reconcile/<int:project_pk>/", wrap(reconcile_page.reconcile), name="hits_reconcile"),
        path("ledger/<int:project_pk>/", wrap(ledger_page), name="hits_ledger"),
        path("ledger/<int:project_pk>/ledger.csv", wrap(ledger_csv), name="hits_ledger_csv"),
    ]


def money(batches: BatchAdmin, request: HttpRequest, pk: int) -> HttpResponse:
    """A batch's caps, its bonus reserve and its bonuses; what is done there is POSTed with ``act``."""
    batch = _batch(batches, request, pk)
    # A review page leads here with the number of its assignment.
    asked = request.GET.get("assignment", "")
    first = {"assignment": asked} if asked.isdecimal() and len(asked) < 20 else {}
    forms: dict[str, Any] = {
        "cap_form": CapForm(prefix="cap"),
        "bonus_form": BonusForm(prefix="bonus", batch=batch, initial=first),
    }
    problem = ""
    if request.method == "POST":
        project_or_404(request.user, batch.project_id, *REQUESTERS)
        act = ACTS.get(request.POST.get("act", ""), _unknown_act)
        try:
            if act(request, batch, forms):
                return HttpResponseRedirect(reverse("admin:hits_batch_money", args=[pk]))
        except (caps.OverCap, caps.NotRaisable, NotPayable, bonuses.Unknowable) as refusal:
            problem = str(refusal)
        except (mturk.Unavailable, mturk.Rejected) as refusal:
            problem = str(refusal)
        except (IllegalMove, LostRace):
            problem = _("The bonus is being sent at this moment, or has moved on. Here is how it stands now.")
    entries = LedgerEntry.objects.filter(batch=batch)
    moments = spending.moments_of(entries)
    rows = Bonus.objects.filter(batch=batch).select_related("asked_by")
    context = {
        "batch": batch,
        "endpoint": batch.endpoint_settings,
        "money": progress.money_of_batch(batch),
        "project_money": progress.money_of_project(batch.project),
        "fund_left_usd": entries.fund_left_usd(),
        "moments": moments,
        "plot": plots.spend_plot(moments, batch.cap_usd) if moments else "",
        "raises": batch.cap_raises.select_related("raised_by").order_by("-pk"),
        "bonuses": rows.order_by("-pk")[:SHOWN_BONUSES],
        "bonus_count": rows.count(),
        "may_act": _may_act(request, batch.project),
        "problem": problem,
    }
    page = _page(batches, request, batch.project, _("Money of {batch}").format(batch=batch))
    failed = bool(problem) or any(form.is_bound and form.errors for form in forms.values())
    return TemplateResponse(request, "admin/hits/money.html", page | context | forms, status=422 if failed else 200)


def _raise_cap(request: HttpRequest, batch: Batch, forms: dict[str, Any]) -> bool:
    form = forms["cap_form"] = CapForm(request.POST, prefix="cap")
    if not form.is_valid():
        return False
    raised = caps.raise_cap(batch, form.cleaned_data["to_usd"], form.cleaned_data["why"], signed_in(request))
    messages.success(request, _("The batch's cap is ${cap} now.").format(cap=raised.to_usd))
    return True


def _give_bonus(request: HttpRequest, batch: Batch, forms: dict[str, Any]) -> bool:
    form = forms["bonus_form"] = BonusForm(request.POST, prefix="bonus", batch=batch)
    if not form.is_valid():
        return False
    chosen = form.cleaned_data
    wish = Wish(chosen["assignment"], chosen["amount_usd"], chosen["reason"])
    bonuses.ask(batch, [wish], signed_in(request), chosen.get("confirmed_total_usd"))
    messages.success(request, _("Asked for. Below you see when the endpoint has paid it."))
    return True


def _release_fund(request: HttpRequest, batch: Batch, forms: dict[str, Any]) -> bool:
    freed = ledger.release_fund(batch)
    messages.success(request, _("${freed} of the bonus reserve is free again.").format(freed=freed))
    return True


def _try_again(request: HttpRequest, batch: Batch, forms: dict[str, Any]) -> bool:
    bonuses.try_again(_bonus(request, batch))
    messages.success(request, _("It is sent again."))
    return True


def _give_up(request: HttpRequest, batch: Batch, forms: dict[str, Any]) -> bool:
    if bonuses.give_up(_bonus(request, batch)):
        messages.success(request, _("Given up: its money is free again."))
    else:
        messages.warning(request, _("The endpoint had paid it already, so it stands as paid."))
    return True


def _unknown_act(request: HttpRequest, batch: Batch, forms: dict[str, Any]) -> bool:
    raise NotPayable(_("Choose what to do with one of the buttons of this page."))


ACTS = {
    "cap": _raise_cap,
    "bonus": _give_bonus,
    "fund": _release_fund,
    "again": _try_again,
    "give_up": _give_up,
}


def _bonus(request: HttpRequest, batch: Batch) -> Bonus:
    key = key_from(request.POST.get("bonus", ""))
    return get_object_or_404(Bonus, pk=key, batch=batch)


def fair(batches: BatchAdmin, request: HttpRequest, pk: int) -> HttpResponse:
    """What lifts everybody to the promised rate: per worker, in total, and one button that pays it."""
    batch = _batch(batches, request, pk)
    problem = ""
    if request.method == "POST":
        project_or_404(request.user, batch.project_id, *REQUESTERS)
        form: Any = PayForm(request.POST)
        if form.is_valid():
            chosen = form.cleaned_data
            try:
                paid = fair_pay.pay(
                    batch,
                    chosen["times"],
                    chosen["shown_total_usd"],
                    signed_in(request),
                    chosen["confirmed_total_usd"],
                )
            except (NotPayable, caps.OverCap) as refusal:
                problem = str(refusal)
            else:
                told = ngettext("{n} bonus is on its way.", "{n} bonuses are on their way.", len(paid))
                messages.success(request, told.format(n=len(paid)))
                return HttpResponseRedirect(reverse("admin:hits_batch_money", args=[pk]))
    else:
        form = TimesForm(request.GET if "times" in request.GET else {"times": str(fair_pay.USUAL_TIMES)})
    form.is_valid()
    proposal = fair_pay.propose(batch, form.cleaned_data.get("times") or fair_pay.USUAL_TIMES)
    bins = plots.bins_of([row.hourly_usd for row in proposal.rows], proposal.rate_usd) if proposal.rows else []
    context = {
        "batch": batch,
        "endpoint": batch.endpoint_settings,
        "form": form,
        "proposal": proposal,
        "over": max(Decimal(0), proposal.total_usd - proposal.left_usd),
        "money": progress.money_of_batch(batch),
        "bins": bins,
        "plot": plots.rates_plot(bins, proposal.rate_usd) if bins else "",
        "last_paid_at": fair_pay.last_paid_at(batch),
        "may_act": _may_act(request, batch.project),
        "problem": problem,
    }
    page = _page(batches, request, batch.project, _("Fair pay for {batch}").format(batch=batch))
    failed = bool(problem or form.errors)
    return TemplateResponse(request, "admin/hits/fair_pay.html", page | context, status=422 if failed else 200)


def ledger_page(batches: BatchAdmin, request: HttpRequest, project_pk: int) -> HttpResponse:
    """A project's ledger, newest first, with running balances and money over time."""
    project = project_or_404(request.user, project_pk)
    form, entries = _chosen(request, project)
    before = key_from(request.GET.get("before", "")) or None
    shown = spending.page_of(entries.select_related("batch"), before, PAGE)
    moments = spending.moments_of(entries) if form.is_valid() else []
    batch = form.cleaned_data.get("batch")
    money = progress.money_of_batch(batch) if batch else progress.money_of_project(project)
    query = request.GET.copy()
    query.pop("before", None)
    context = {
        "form": form,
        "shown": shown,
        "is_first": before is None,
        "money": money,
        "of_batch": batch,
        "moments": moments,
        "plot": plots.spend_plot(moments, money.cap_usd) if moments else "",
        "query": query.urlencode(),
    }
    page = _page(batches, request, project, _("Ledger"))
    status = 200 if form.is_valid() else 422
    return TemplateResponse(request, "admin/hits/ledger.html", page | context, status=status)


def ledger_csv(batches: BatchAdmin, request: HttpRequest, project_pk: int) -> StreamingHttpResponse:
    """The same entries, oldest first, as CSV, read while it is sent."""
    project = project_or_404(request.user, project_pk)
    _form, entries = _chosen(request, project)
    name = f"{project.slug}-ledger-{timezone.now():%Y-%m-%d}.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingHttpResponse(_lines(entries), content_type="text/csv; charset=utf-8", headers=headers)


def _lines(entries: LedgerQuerySet) -> Iterator[str]:
    writer = csv.writer(_Handed())
    yield writer.writerow(CSV_COLUMNS)
    for entry, reserved, spent in spending.with_balances(entries):
        values = {
            "entry": entry.pk,
            "entered_at": entry.entered_at.isoformat(),
            "batch": entry.batch_id,
            "hit": entry.hit_id,
            "assignment": entry.assignment_id,
            "bonus": entry.bonus_id,
            "endpoint": entry.endpoint,
            "kind": entry.kind,
            "amount_usd": entry.amount_usd,
            "reserved_after_usd": reserved,
            "spent_after_usd": spent,
        }
        yield writer.writerow([values[column] for column in CSV_COLUMNS])


class _Handed:
    """A file for ``csv`` that keeps nothing: what is written is handed back."""

    def write(self, line: str) -> str:
        return line


def _chosen(request: HttpRequest, project: Project) -> tuple[LedgerFilter, Any]:
    form = LedgerFilter(request.GET, project=project)
    entries = LedgerEntry.objects.in_project(project)
    return form, form.narrow(entries) if form.is_valid() else entries.none()


def _batch(batches: BatchAdmin, request: HttpRequest, pk: int) -> Batch:
    batch: Batch = get_object_or_404(batches.get_queryset(request).select_related("project"), pk=pk)
    return batch


def _page(batches: BatchAdmin, request: HttpRequest, project: Project, title: str) -> dict[str, Any]:
    return batches.admin_site.each_context(request) | {"title": title, "project": project, "opts": batches.opts}


def _may_act(request: HttpRequest, project: Project) -> bool:
    user = signed_in(request)
    return user is not None and has_role(user, project, *REQUESTERS)
