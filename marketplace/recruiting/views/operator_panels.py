"""The operator's pages about panels: studies, visits, and the files for the panel."""

from collections import Counter
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from ... import clock
from ...auth import operator_view
from ...models import User
from ..models import BonusBatch, Panel, PanelStudy
from ..panel_forms import PanelForm, StudyForm
from ..services import bonus_batches, links, payments, studies, visits
from ..services.presets import missing
from .operator_invitations import PAGE_SIZE, frame
from .operator_prolific import prolific_part

BIGGEST_KEY = 2**63 - 1


@require_safe
@operator_view
def panels(request: HttpRequest, operator: User) -> HttpResponse:
    rows = Panel.objects.prefetch_related("studies").order_by("-id")
    return render(request, "recruiting/operator/panels.html", {"panels": rows} | frame("panels"))


@require_http_methods(["GET", "HEAD", "POST"])
@operator_view
def new_panel(request: HttpRequest, operator: User) -> HttpResponse:
    form = PanelForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        panel = form.save(commit=False)
        studies.make_panel(panel, operator, clock.now())
        return HttpResponseRedirect(reverse("recruiting-new-study", args=[panel.pk]))
    context = {"form": form} | frame("panels")
    return render(request, "recruiting/operator/new_panel.html", context, status=400 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@operator_view
def new_study(request: HttpRequest, operator: User, pk: int) -> HttpResponse:
    panel = get_object_or_404(Panel, pk=min(pk, BIGGEST_KEY))
    form = StudyForm(request.POST if request.method == "POST" else None, panel=panel)
    if request.method == "POST" and form.is_valid():
        hit_types = list(form.cleaned_data["hit_types"])
        study = studies.make_study(panel, hit_types, operator, clock.now(), **form.values())
        return HttpResponseRedirect(reverse("recruiting-study", args=[study.pk]))
    context = {"form": form, "panel": panel} | frame("panels")
    return render(request, "recruiting/operator/new_study.html", context, status=400 if form.errors else 200)


@never_cache
@require_safe
@operator_view
def study(request: HttpRequest, operator: User, pk: int) -> HttpResponse:
    """The link to give the panel, who came, and what the panel is to be told."""
    found = _study(pk)
    visits.settle(clock.now(), found)
    shown = Paginator(found.visits.order_by("-id"), PAGE_SIZE).get_page(request.GET.get("page"))
    all_rows = payments.rows_of(found.visits.all())
    columns = {field.name: str(field.verbose_name) for field in PanelStudy._meta.fields}
    context: dict[str, Any] = {
        "study": found,
        "link": links.link_of(found),
        "page": shown,
        "rows": payments.rows_of(found.visits.filter(pk__in=[visit.pk for visit in shown]).order_by("-id")),
        "by_status": dict(Counter(row.visit.get_status_display() for row in all_rows)),
        "verdicts": dict(Counter(row.verdict.value for row in all_rows)),
        "bonuses_due": bonus_batches.bonuses_due(found).count(),
        "bonuses_of_erased": bonus_batches.bonuses_of_erased(found).count(),
        "lacking": [" / ".join(columns[name] for name in names) for names in missing(found.panel.kind, vars(found))],
        "batches": [(batch, _lines(batch)) for batch in found.bonus_batches.select_related("study").order_by("-id")],
    }
    context |= prolific_part(found)
    return render(request, "recruiting/operator/study.html", context | frame("panels"))


def _lines(batch: BonusBatch) -> list[bonus_batches.Line]:
    """What somebody is to look for at the panel."""
    return bonus_batches.lines_of(batch) if batch.status == BonusBatch.Status.STOPPED else []


def _study(pk: int) -> PanelStudy:
    return get_object_or_404(PanelStudy.objects.select_related("panel"), pk=min(pk, BIGGEST_KEY))


@require_POST
@operator_view
def set_open(request: HttpRequest, operator: User, pk: int) -> HttpResponse:
    """``open`` in the form opens the study, without it the study is closed."""
    found = _study(pk)
    studies.set_open(found, bool(request.POST.get("open")), operator, clock.now())
    return HttpResponseRedirect(reverse("recruiting-study", args=[found.pk]))


@never_cache
@require_safe
@operator_view
def approvals(request: HttpRequest, operator: User, pk: int) -> HttpResponse:
    found = _study(pk)
    return _file(payments.approvals_file(found), f"approve-{found.key}.csv")


@require_POST
@operator_view
def take_bonuses(request: HttpRequest, operator: User, pk: int) -> HttpResponse:
    """Put the bonuses that are due into a file, which can be had again; nothing of it is in a later one."""
    found = _study(pk)
    if bonus_batches.make_file(found, operator, clock.now()) is None:
        messages.warning(request, _("No bonus is due: each is in a file already."))
    return HttpResponseRedirect(reverse("recruiting-study", args=[found.pk]))


@never_cache
@require_safe
@operator_view
def bonuses(request: HttpRequest, operator: User, pk: int) -> HttpResponse:
    """What is to be paid by hand. While the API pays, or may have paid, there is no file: it would be paid twice."""
    files = BonusBatch.objects.select_related("study__panel").filter(status=BonusBatch.Status.FILE)
    batch = get_object_or_404(files, pk=min(pk, BIGGEST_KEY))
    return _file(bonus_batches.bonuses_file(batch), f"bonuses-{batch.study.key}-{batch.pk}.csv")


def _file(text: str, name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(text, content_type="text/csv; charset=utf-8", headers=headers)
