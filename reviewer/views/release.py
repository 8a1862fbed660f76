"""What an export holds, and its files."""

from __future__ import annotations

import mimetypes

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from annotation.models import Project, Question
from annotation.permissions import REQUESTERS
from annotation.visitor_language import in_visitors_language
from reviewer.services import dataset, export

from .access import of_project, page

REASONS = {
    dataset.Left.NO_ANSWER: gettext_lazy("no answer of it counts"),
    dataset.Left.ONLY_UNANSWERABLE: gettext_lazy("every answer says that it cannot be answered"),
    dataset.Left.ADJUDICATED_UNANSWERABLE: gettext_lazy("a reviewer found that it cannot be answered"),
}
# Questions that the page names; the report names all.
QUESTIONS_NAMED = 20
# Up to so many questions the page is worked out while somebody waits; that takes some tenths of a second.
QUESTIONS_SURVEYED = 3000


@in_visitors_language
@require_safe
@of_project(*REQUESTERS)
def release(request: HttpRequest, project: Project) -> HttpResponse:
    """What the files would hold now and what would be left out, with links to them. Of a large dataset the links alone:
    the report among the files, and the page of a release, have the rest."""
    files = {
        "zip_name": export.zip_name(project),
        "report_name": export.REPORT_NAME,
        "attribution_name": export.ATTRIBUTION_NAME,
    }
    counting = Question.objects.in_project(project).order_by()[: QUESTIONS_SURVEYED + 1].count()
    if counting > QUESTIONS_SURVEYED and not project.is_rehearsal:
        large = files | {"is_large": True, "most": QUESTIONS_SURVEYED}
        return page(request, project, "release", "reviewer/release.html", large)
    try:
        report = export.survey(project)
    except dataset.NotExportable as refusal:
        return page(request, project, "release", "reviewer/release.html", {"refusal": str(refusal)})
    splits = [
        {
            "name": name,
            "report": split,
            "left_out": [(item["id"], REASONS[item["reason"]]) for item in split.questions_left_out[:QUESTIONS_NAMED]],
            "under_three": split.questions_under_three_answers[:QUESTIONS_NAMED],
        }
        for name, split in report.splits.items()
    ]
    context = files | {
        "report": report,
        "splits": splits,
        "dropped": report.questions_dropped[:QUESTIONS_NAMED],
        "wanted": dataset.WANTED_ANSWERS,
        "is_empty": not any(split.questions for split in report.splits.values()),
    }
    return page(request, project, "release", "reviewer/release.html", context)


@require_safe
@of_project(*REQUESTERS)
def release_file(request: HttpRequest, project: Project, name: str) -> HttpResponse | FileResponse:
    """One file of an export made now, or a .zip of all."""
    try:
        file = export.open_file(project, name)
    except dataset.NotExportable as refusal:
        return page(request, project, "release", "reviewer/release.html", {"refusal": str(refusal)}, status=409)
    except FileNotFoundError:
        raise Http404(_("An export of this project has no file of this name.")) from None
    content_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return FileResponse(file, as_attachment=True, filename=name, content_type=content_type)
