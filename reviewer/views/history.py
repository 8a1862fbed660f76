"""Who changed what: of one project for its requesters, of logins for superusers."""

from __future__ import annotations

from django.contrib.admin.views.decorators import staff_member_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.models import Project
from annotation.permissions import REQUESTERS
from annotation.visitor_language import in_visitors_language
from reviewer.services import changes

from .access import of_project, page, user_of


@in_visitors_language
@require_safe
@of_project(*REQUESTERS)
def project_changes(request: HttpRequest, project: Project) -> HttpResponse:
    """The changes of ``project``, the latest first."""
    context = {"changes": changes.of_project(project), "most": changes.MOST}
    return page(request, project, "personal", "reviewer/changes.html", context)


@in_visitors_language
@require_safe
@staff_member_required
def user_changes(request: HttpRequest) -> HttpResponse:
    """The changes of logins, the latest first."""
    if not user_of(request).is_superuser:
        raise PermissionDenied(_("This page is for administrators."))
    context = {"changes": changes.of_users(), "most": changes.MOST}
    return TemplateResponse(request, "reviewer/changes.html", context)
