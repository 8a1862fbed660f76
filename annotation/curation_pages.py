"""The pages of a project's curations: asking for one, how far it is, what came of it, and taking that in."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.admin import AdminSite
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_POST

from annotation import passage_pages
from annotation.choice_pages import FRAMED, TO_BE_FRAMED
from annotation.curation_forms import CurationForm
from annotation.models import Article, CurationRun, Paragraph, Project
from annotation.permissions import REQUESTERS, has_role, project_or_404, signed_in
from annotation.services import curating
from annotation.services import curation_files as files
from annotation.services.curating import NotCurated
from annotation.services.curation_reports import dropped_by_curation
from annotation.services.work_page import sample_offer
from annotation.views import sample_page
from annotation.visitor_language import in_visitors_language

MOST_DIGITS = 10
ACTS: dict[str, Callable[[CurationRun, Any], None]] = {
    "cancel": lambda run, _user: curating.cancel(run),
    "resume": lambda run, _user: curating.resume(run),
    "import": curating.ask_import,
}


def urls(site: AdminSite) -> list[URLPattern]:
    def wrap(view: Callable[..., HttpResponse]) -> Any:
        return site.admin_view(in_visitors_language(partial(view, site)))

    one = "<int:pk>/passages/curations/<int:curation_pk>/"
    return [
        path("<int:pk>/passages/curations/", wrap(curations), name="annotation_curations"),
        path("<int:pk>/passages/curations/new/", wrap(new), name="annotation_curation_new"),
        path(one, wrap(curation), name="annotation_curation"),
        path(f"{one}standing/", site.admin_view(in_visitors_language(standing)), name="annotation_curation_standing"),
        path(
            f"{one}act/<slug:action>/",
            site.admin_view(in_visitors_language(require_POST(act))),
            name="annotation_curation_act",
        ),
        path(f"{one}kept/", wrap(kept), name="annotation_curation_kept"),
        path(
            f"{one}kept/<int:number>/shown/",
            site.admin_view(in_visitors_language(shown)),
            name="annotation_curation_shown",
        ),
        path(f"{one}files/<str:name>", site.admin_view(in_visitors_language(result)), name="annotation_curation_file"),
    ]


def curations(site: AdminSite, request: HttpRequest, pk: int) -> HttpResponse:
    """The project's curations, newest first."""
    project = project_or_404(request.user, pk)
    rows, leaf = passage_pages.leafed(request, _runs(project).order_by("-pk"))
    context = {"title": _("Curations"), "runs": rows, "leaf": leaf}
    return passage_pages.page(request, site, project, "curations.html", context)


def new(site: AdminSite, request: HttpRequest, pk: int) -> HttpResponse:
    """Choose a source and what is kept of it; POSTed, a job begins."""
    project = project_or_404(request.user, pk, *REQUESTERS)
    form = CurationForm(project, request.POST, request.FILES) if request.method == "POST" else CurationForm(project)
    if form.is_valid():
        try:
            run = curating.ask(project, form.wish(), signed_in(request))
        except NotCurated as refusal:
            form.add_error(None, str(refusal))
        else:
            return HttpResponseRedirect(reverse("admin:annotation_curation", args=[project.pk, run.pk]))
    context = {
        "title": _("Curate a source"),
        "form": form,
        "groups": form.groups(),
        "most_mb": files.MAX_UPLOAD_BYTES >> 20,
        "is_server_offered": bool(files.offered()),
    }
    return passage_pages.page(request, site, project, "curation_new.html", context, 422 if form.errors else 200)


def curation(site: AdminSite, request: HttpRequest, pk: int, curation_pk: int) -> HttpResponse:
    """How far a curation is, or what came of it, and what can be done with it."""
    run = _run(request, pk, curation_pk)
    context = {"title": str(run).capitalize(), **_standing(request, run)}
    return passage_pages.page(request, site, run.project, "curation.html", context)


def standing(request: HttpRequest, pk: int, curation_pk: int) -> HttpResponse:
    """The live part of the page, as a fragment."""
    run = _run(request, pk, curation_pk)
    return TemplateResponse(request, "admin/annotation/curation_standing.html", _standing(request, run))


def _standing(request: HttpRequest, run: CurationRun) -> dict[str, Any]:
    user = signed_in(request)
    waits_for = None
    if run.status == CurationRun.Status.WAITING:
        # Another project's may be one that this user knows nothing of.
        waits_for = CurationRun.objects.filter(status=CurationRun.Status.RUNNING).exclude(pk=run.pk).exists()
    return {
        "project": run.project,
        "run": run,
        "may_manage": user is not None and has_role(user, run.project, *REQUESTERS),
        "waits_for_another": waits_for,
        "dropped": dropped_by_curation(run.report),
        "lengths": _lengths(run.report),
        "results": [name for name in files.RESULTS if (files.folder(run.key) / name).is_file()],
    }


def _lengths(report: dict[str, Any]) -> list[dict[str, int]]:
    """The histogram of a report: each bar with its share of the highest, in percent."""
    bars = report.get("lengths", [])
    highest = max((bar["paragraphs"] for bar in bars), default=0)
    return [bar | {"percent": round(100 * bar["paragraphs"] / highest)} for bar in bars]


def act(request: HttpRequest, pk: int, curation_pk: int, action: str) -> HttpResponse:
    """Cancel a curation, let it go on, or take its result into the project."""
    project = project_or_404(request.user, pk, *REQUESTERS)
    run = get_object_or_404(_runs(project), pk=curation_pk)
    if action not in ACTS:
        raise Http404
    try:
        ACTS[action](run, signed_in(request))
    except NotCurated as refusal:
        messages.error(request, str(refusal))
    return HttpResponseRedirect(reverse("admin:annotation_curation", args=[project.pk, run.pk]))


@FRAMED
def kept(site: AdminSite, request: HttpRequest, pk: int, curation_pk: int) -> HttpResponse:
    """The paragraphs that a curation kept, one at a time, as workers would see them: a look before the import."""
    run = _run(request, pk, curation_pk)
    asked = request.GET.get("n", "")
    most = max(run.paragraphs_kept, 1)
    number = min(int(asked), most) if asked.isdecimal() and asked.isascii() and len(asked) < MOST_DIGITS else 1
    number = max(number, 1)
    article, paragraph = _kept(run, number)
    context = {
        "title": _("What was kept"),
        "run": run,
        "article": article,
        "section": " › ".join(paragraph.section),
        "characters": len(paragraph.text),
        "number": number,
        "most": most,
        "before": number - 1,
        "after": number + 1 if number < most else 0,
    }
    return passage_pages.page(request, site, run.project, "curation_kept.html", context)


@xframe_options_sameorigin
@TO_BE_FRAMED
def shown(request: HttpRequest, pk: int, curation_pk: int, number: int) -> HttpResponse:
    """The worker's page for a task of the one paragraph, as a preview that nobody can send."""
    run = _run(request, pk, curation_pk)
    article, paragraph = _kept(run, number)
    row = Paragraph(project=run.project, article=Article(title=article.title), text=paragraph.text)
    return HttpResponse(sample_page(sample_offer(run.project), [row]))


def _kept(run: CurationRun, number: int) -> tuple[Any, Any]:
    """Raises Http404."""
    found = files.kept_paragraph(run.key, number) if run.report else None
    if found is None:
        raise Http404
    return found


def result(request: HttpRequest, pk: int, curation_pk: int, name: str) -> HttpResponse:
    """A file that the curation wrote."""
    run = _run(request, pk, curation_pk)
    return result_file(run, name)


def result_file(run: CurationRun, name: str) -> Any:
    """The file ``name`` of what ``run`` wrote. Raises Http404."""
    if name not in files.RESULTS:
        raise Http404
    try:
        file = open(files.folder(run.key) / name, "rb")  # noqa: SIM115 - the response closes it
    except OSError as error:
        raise Http404 from error
    return FileResponse(file, as_attachment=True, filename=name, content_type=files.RESULTS[name])


def _runs(project: Project) -> Any:
    return CurationRun.objects.in_project(project).select_related("project", "asked_by", "imported_as")


def _run(request: HttpRequest, pk: int, curation_pk: int) -> CurationRun:
    run: CurationRun = get_object_or_404(_runs(project_or_404(request.user, pk)), pk=curation_pk)
    return run
