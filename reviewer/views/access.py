"""Who may open the pages of a project, and what all of them show."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from django.contrib.admin.views.decorators import staff_member_required
from django.core.exceptions import PermissionDenied
from django.db.models import OuterRef, Subquery
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from accounts.models import User
from annotation.models import Membership, Project
from annotation.permissions import REQUESTERS, REVIEWERS

View = Callable[..., HttpResponseBase]


def of_project(*roles: str) -> Callable[[View], View]:
    """A view that is given the project of the address in place of its short name, for users who hold one of ``roles``
    in it (any role where none is named): others are sent to sign in, or get 404 where they may not know of it, or 403.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def of_slug(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponseBase:
            user = user_of(request)
            mine = Membership.objects.filter(user=user, project=OuterRef("pk"))
            # The role comes along, so that asking for it again costs no further query.
            project = Project.objects.filter(slug=slug).annotate(viewers_role=Subquery(mine.values("role")[:1])).first()
            if project is None or not holds(user, project):
                raise Http404(_("There is no such project among yours."))
            if roles and not holds(user, project, *roles):
                raise PermissionDenied(_("Your role in this project does not allow this."))
            return view(request, project, **kwargs)

        return staff_member_required(of_slug)

    return decorate


def holds(user: User, project: Project, *roles: str) -> bool:
    """Whether ``user`` holds one of ``roles`` (any where none is named) in ``project``, which ``of_project`` fetched
    for them; a superuser holds all."""
    role = project.__dict__["viewers_role"]
    return user.is_superuser or (role in roles if roles else role is not None)


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
        "may_review": holds(user, project, *REVIEWERS),
        "is_requester": holds(user, project, *REQUESTERS),
        "may_manage": holds(user, project, *REQUESTERS),
    }
    return TemplateResponse(request, template, shared | context, status=status)
