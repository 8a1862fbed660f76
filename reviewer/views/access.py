"""Who may open the pages of a project, and what all of them show."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from django.contrib.admin.views.decorators import staff_member_required
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse

from accounts.models import User
from annotation.models import Project
from annotation.permissions import REQUESTERS, REVIEWERS, has_role, project_or_404

View = Callable[..., HttpResponseBase]


def of_project(*roles: str) -> Callable[[View], View]:
    """A view that is given the project of the address in place of its short name, for users who hold one of ``roles``
    in it (any role where none is named): others are sent to sign in, or get 404 or 403 as ``project_or_404`` has it.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def of_slug(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponseBase:
            pk = Project.objects.filter(slug=slug).values_list("pk", flat=True).first()
            return view(request, project_or_404(request.user, pk or 0, *roles), **kwargs)

        return staff_member_required(of_slug)

    return decorate


def user_of(request: HttpRequest) -> User:
    """The user of a view behind ``of_project``."""
    return cast(User, request.user)


def page(
    request: HttpRequest, project: Project, section: str, template: str, context: dict[str, Any], status: int = 200
) -> TemplateResponse:
    """A page of ``project``, in the ``section`` that its head marks, with the links that the user's role gives."""
    user = user_of(request)
    shared = {
        "project": project,
        "section": section,
        "may_review": has_role(user, project, *REVIEWERS),
        "is_requester": has_role(user, project, *REQUESTERS),
        "may_manage": has_role(user, project, *REQUESTERS),
    }
    return TemplateResponse(request, template, shared | context, status=status)
