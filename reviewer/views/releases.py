"""A project's releases: their list, making one, one version with its files, and what changed between two."""

from __future__ import annotations

import json
from itertools import islice
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.models import IllegalMove, LostRace, Project
from annotation.permissions import REQUESTERS, has_role
from annotation.sentences import in_words
from annotation.visitor_language import in_visitors_language
from reviewer import release_answers
from reviewer.models import Release, ReleaseRun
from reviewer.release_forms import ReleaseForm
from reviewer.services import release_inspections, release_runs
from reviewer.services.dataset import Left
from reviewer.services.release_changes import KINDS
from reviewer.services.release_places import file_of
from reviewer.services.release_zip import zip_name
from reviewer.templatetags.release_words import by_split
from scoring.json_files import FileError

from .access import of_project, page, user_of

RELEASES_A_PAGE = 30
# Questions that a page names; the release's file names all.
QUESTIONS_NAMED = 20


@in_visitors_language
@require_http_methods(["GET", "HEAD", "POST"])
@of_project()
def releases(request: HttpRequest, project: Project) -> HttpResponse:
    """The versions, newest first; for requesters the form that makes the next one."""
    may_make = has_role(user_of(request), project, *REQUESTERS) and not project.is_rehearsal
    form = ReleaseForm(request.POST if request.method == "POST" else None)
    if request.method == "POST":
        if not may_make:
            raise PermissionDenied(_("Your role in this project does not allow this."))
        if form.is_valid():
            try:
                run = release_runs.order(project, form.spec(), user_of(request))
                return redirect("release_run", project.slug, run.pk)
            except release_runs.NotReleasable as refusal:
                form.add_error(None, str(refusal))
    before = request.GET.get("before", "")
    rows = Release.objects.in_project(project).select_related("released_by").order_by("-number")
    if before.isascii() and before.isdigit() and len(before) < 10:
        rows = rows.filter(number__lt=int(before))
    shown = list(rows[: RELEASES_A_PAGE + 1])
    context = {
        "releases": shown[:RELEASES_A_PAGE],
        "older": shown[RELEASES_A_PAGE - 1].number if len(shown) > RELEASES_A_PAGE else None,
        "run": release_runs.unfinished(project),
        "last_run": ReleaseRun.objects.in_project(project).order_by("-pk").first(),
        "form": form if may_make else None,
    }
    return page(request, project, "release", "reviewer/releases.html", context, status=422 if form.errors else 200)


@in_visitors_language
@require_safe
@of_project()
def version(request: HttpRequest, project: Project, number: int) -> HttpResponse:
    """One release: what is in it, what is not and why, its files, and who fetched its held-back answers."""
    release = _release(project, number)
    others = Release.objects.in_project(project).exclude(pk=release.pk).order_by("-number")
    context = {
        "release": release,
        "manifest": release.manifest,
        "zip_name": zip_name(release),
        "has_key": bool(release.manifest["private_files"]),
        "downloads": release.key_downloads.select_related("user").order_by("-pk")[:QUESTIONS_NAMED],
        "others": others.values_list("number", flat=True)[:RELEASES_A_PAGE],
        "left_out": _left_out(release),
    }
    return page(request, project, "release", "reviewer/release_version.html", context)


@require_safe
@of_project()
def version_file(request: HttpRequest, project: Project, number: int, name: str) -> FileResponse:
    """One public file."""
    return release_answers.public_file(_release(project, number), name)


@require_safe
@of_project()
def version_zip(request: HttpRequest, project: Project, number: int) -> StreamingHttpResponse:
    """All public files."""
    return release_answers.all_files(_release(project, number))


@require_POST
@of_project(*REQUESTERS)
def version_key(request: HttpRequest, project: Project, number: int) -> FileResponse:
    """The held-back answers of test."""
    return release_answers.private_file(_release(project, number), user_of(request))


@in_visitors_language
@require_safe
@of_project()
def version_changes(request: HttpRequest, project: Project, number: int) -> HttpResponse:
    """What changed since the release of ``?since=``, the one before without it."""
    release = _release(project, number)
    since = request.GET.get("since") or str(number - 1)
    if not (since.isascii() and since.isdigit() and len(since) < 10):
        raise Http404(_("There is no such release."))
    earlier = _release(project, int(since))
    context: dict[str, Any] = {"release": release, "earlier": earlier}
    try:
        found = release_inspections.changed(earlier, release)
    except release_inspections.BeingCompared:
        return _live(request, project, "changes", context | {"is_being_compared": True}, is_over=False)
    except (FileError, OSError) as error:
        reason = in_words(error.sentence) if isinstance(error, FileError) else str(error.strerror)
        return _live(request, project, "changes", context | {"refusal": reason})
    shown = found.shown
    context |= {
        "counts": found.difference.counts,
        "more": {kind: found.difference.counts[kind] - len(shown[kind]) for kind in KINDS},
        "added": [found.after[key] for key in shown["added"]],
        "removed": [found.before[key] for key in shown["removed"]],
        "changed": [
            (found.before[key], found.after[key], _fields(found.before[key], found.after[key], names))
            for key, names in islice(found.difference.changed.items(), len(shown["changed"]))
        ],
    }
    return _live(request, project, "changes", context)


@in_visitors_language
@require_safe
@of_project()
def version_check(request: HttpRequest, project: Project, number: int) -> HttpResponse:
    """Whether the files are still as they were released."""
    release = _release(project, number)
    found = release_inspections.checked(release)
    faults = [in_words(fault) for fault in found.faults or []]
    context = {"release": release, "checked": found, "faults": faults}
    return _live(request, project, "check", context, is_over=found.is_current)


def _live(
    request: HttpRequest, project: Project, name: str, context: dict[str, Any], *, is_over: bool = True
) -> HttpResponse:
    """The page ``name`` of a release, or with ``?standing`` its live part as a fragment, which the page asks for until
    it ``is_over``."""
    fragment = f"reviewer/release_{name}_standing.html"
    if "standing" in request.GET:
        return TemplateResponse(request, fragment, context | {"project": project})
    query = request.GET.copy()
    query["standing"] = "1"
    shared = {"fragment": fragment, "is_over": is_over, "standing_address": f"{request.path}?{query.urlencode()}"}
    return page(request, project, "release", f"reviewer/release_{name}.html", context | shared)


@in_visitors_language
@require_safe
@of_project()
def run(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """How far the making of a release is, and what came of it."""
    return page(request, project, "release", "reviewer/release_run.html", {"run": _run(project, pk)})


@in_visitors_language
@require_safe
@of_project()
def run_standing(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """The live part of the page, as a fragment."""
    return TemplateResponse(
        request, "reviewer/release_run_standing.html", {"run": _run(project, pk), "project": project}
    )


@require_POST
@of_project(*REQUESTERS)
def run_give_up(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """Make no release out of it."""
    try:
        release_runs.give_up(_run(project, pk), user_of(request))
    except (IllegalMove, LostRace):
        messages.warning(request, _("It had ended before."))
    return redirect("release_run", project.slug, pk)


def _release(project: Project, number: int) -> Release:
    return get_object_or_404(
        Release.objects.in_project(project).select_related("project", "released_by"), number=number
    )


def _run(project: Project, pk: int) -> ReleaseRun:
    return get_object_or_404(ReleaseRun.objects.in_project(project).select_related("release", "asked_by"), pk=pk)


def _left_out(release: Release) -> list[dict[str, Any]]:
    """Of each split, by reason: how many questions are not in the release, and the first of them."""
    try:
        told = json.loads(file_of(release, "left-out.json").read_bytes())
    except (OSError, ValueError):
        return []
    found = []
    for split, facts in by_split(told["splits"]):
        groups: dict[str, list[str]] = {}
        for item in facts["questions_left_out"]:
            groups.setdefault(item["reason"], []).append(item["id"])
        for item in facts.get("questions_under_three_answers", []):
            groups.setdefault("answers", []).append(f"{item['id']} ({item['answers']})")
        for reason, ids in groups.items():
            found.append(_group(split, reason, ids))
    if told["questions_dropped"]:
        found.append(_group("", "dropped", told["questions_dropped"]))
    return found


def _group(split: str, reason: str, ids: list[str]) -> dict[str, Any]:
    words, wanting = {
        Left.NO_ANSWER: (_("not in here: no answer of it is left"), True),
        Left.TOO_FEW_ANSWERS: (_("not in here: too few answers for this release"), True),
        Left.ONLY_UNANSWERABLE: (_("not in here: everybody says that it cannot be answered"), False),
        Left.ADJUDICATED_UNANSWERABLE: (_("not in here: a reviewer says that it cannot be answered"), False),
        "answers": (_("in here, but with fewer than three answers"), True),
        "dropped": (_("not in here: dropped by a reviewer"), False),
    }[reason]
    return {"split": split, "words": words, "wants_answers": wanting, "count": len(ids), "ids": ids[:QUESTIONS_NAMED]}


def _fields(before: dict[str, Any], after: dict[str, Any], names: list[str]) -> list[tuple[str, str, str]]:
    """Each changed field with what it was and what it is, in words."""
    return [(name, _told(before, name), _told(after, name)) for name in names]


def _told(row: dict[str, Any], name: str) -> str:
    if name == "workers":
        return _("somebody else, under names of this release")
    value = row.get(name)
    if name == "answers":
        texts = value["text"] if isinstance(value, dict) else []
        return " · ".join(texts) or _("none, or held back")
    if name == "is_impossible":
        if value is None:
            return _("held back")
        return _("cannot be answered") if value else _("can be answered")
    return str(value)
