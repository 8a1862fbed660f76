"""Who may do what in a project: by membership alone. Django's own model permissions play no part.

A view of one project starts from ``project_or_404``; an admin of rows that reach a project is a ``ProjectScopedAdmin``.
"""

from typing import Any

from django.contrib import messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db import DataError, ProgrammingError
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from accounts.models import User
from annotation.models import Membership, Project

Role = Membership.Role
VIEWERS = (Role.VIEWER, Role.REVIEWER, Role.REQUESTER)
REVIEWERS = (Role.REVIEWER, Role.REQUESTER)
REQUESTERS = (Role.REQUESTER,)
# What the admin's own filters, and our links to lists, put behind a field's name.
FILTER_ENDINGS = ("", "__exact", "__id__exact", "__isnull")


def signed_in(request: HttpRequest) -> User | None:
    """The signed-in staff user of ``request``."""
    user = request.user
    return user if isinstance(user, User) and user.is_active and user.is_staff else None


def has_role(user: User, project: Project, *roles: str) -> bool:
    """Whether ``user`` holds one of ``roles`` in ``project``; a superuser holds all of them."""
    return user.is_superuser or _roles(user).get(project.pk) in roles


def has_role_anywhere(user: User, *roles: str) -> bool:
    """Whether ``user`` holds one of ``roles`` in any project."""
    return user.is_superuser or not set(roles).isdisjoint(_roles(user).values())


def _roles(user: User) -> dict[int, str]:
    """The role of ``user`` by project, asked of the database once for each request's user, as every part of a page and
    every entry of the admin's sidebar asks for it."""
    if "_roles" not in user.__dict__:
        user.__dict__["_roles"] = dict(Membership.objects.filter(user=user).values_list("project", "role"))
    roles: dict[int, str] = user.__dict__["_roles"]
    return roles


def project_or_404(user: Any, pk: int | str, *roles: str) -> Project:
    """The project ``pk`` for a user who holds one of ``roles`` in it (any role where none is named).

    Raises Http404 where the user may not know of it, PermissionDenied where the role is too small.
    """
    project = Project.objects.visible_to(user).filter(pk=pk).first() if isinstance(user, User) else None
    if project is None:
        raise Http404(_("There is no such project among yours."))
    if roles and not has_role(user, project, *roles):
        raise PermissionDenied(_("Your role in this project does not allow this."))
    return project


# A list of the admin ends after so many rows; whoever looks for another one searches or narrows it.
MOST_LISTED = 10_000


class ShortPaginator(Paginator):
    """Pages of the first MOST_LISTED rows, so that no list is counted to its end."""

    @cached_property
    def count(self) -> int:
        rows: Any = self.object_list  # a queryset, of the admin
        return int(rows[:MOST_LISTED].count())


class ProjectScopedAdmin:
    """Mixin before a ``ModelAdmin`` (or an inline's): shows the rows of the user's projects, and lets each role do
    what it may. Nobody adds, changes or deletes unless a subclass names who."""

    # From the row to its project, as a query names it.
    project_path = "project"
    view_roles: tuple[str, ...] = VIEWERS
    add_roles: tuple[str, ...] = ()
    change_roles: tuple[str, ...] = ()
    delete_roles: tuple[str, ...] = ()

    model: type[Model]
    paginator = ShortPaginator
    # The number of all rows beside that of the rows found.
    show_full_result_count = False

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """Whether a list may be narrowed by ``lookup``: by what it offers a filter for, and by the project. Any other
        field would tell what no page shows, and any other comparison could be one that the database cannot make."""
        filters = self.get_list_filter(request)  # type: ignore[attr-defined]
        offered = [item if isinstance(item, str) else item[0] for item in filters]
        return lookup in {name + ending for name in (self.project_path, *offered) for ending in FILTER_ENDINGS}

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        try:
            shown = super().get_changelist_instance(request)  # type: ignore[misc]
        except (ValueError, DataError, ProgrammingError) as error:  # the value is none that the field could hold
            raise IncorrectLookupParameters from error
        if shown.result_count == MOST_LISTED:
            sentence = _("This list ends after %(most)s rows. Search or filter it to find others.")
            messages.info(request, sentence % {"most": f"{MOST_LISTED:,}"})
        return shown

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        rows: QuerySet = super().get_queryset(request)  # type: ignore[misc]
        user = signed_in(request)
        if user is None:
            return rows.none()
        if self._is_list_of_all_projects(request):
            rows = self._without_rehearsals(rows)
        return self._rows_for(rows, user, self.view_roles)

    def _without_rehearsals(self, rows: QuerySet) -> QuerySet:
        """``rows`` but for those that belong to rehearsals alone."""
        if self._leads_to_one():
            return self.in_projects(rows, Project.objects.filter(is_rehearsal=False))
        reached = self.in_projects(rows.model._default_manager.all(), Project.objects.filter(is_rehearsal=True))
        real = self.in_projects(rows.model._default_manager.all(), Project.objects.filter(is_rehearsal=False))
        return rows.exclude(pk__in=reached.exclude(pk__in=real.order_by().values("pk")).order_by().values("pk"))

    def _is_list_of_all_projects(self, request: HttpRequest) -> bool:
        """Whether it is the admin's list, narrowed to no project: there rehearsals would stand among the real work."""
        match = request.resolver_match
        is_list = match is not None and (match.url_name or "").endswith("_changelist") and self.model is not Project
        return is_list and not any(name.startswith(self.project_path) for name in request.GET)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return signed_in(request) is not None

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self._may(request, obj, self.view_roles)

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return bool(self.add_roles) and self._may(request, None, self.add_roles)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self._may(request, obj, self.change_roles)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self._may(request, obj, self.delete_roles)

    def in_projects(self, rows: QuerySet, projects: QuerySet[Project]) -> QuerySet:
        """Those of ``rows`` that belong to one of ``projects``."""
        return rows.filter(**{f"{self.project_path}__in": projects})

    def _leads_to_one(self) -> bool:
        """Whether each row belongs to exactly one project, along foreign keys alone: then a list is narrowed row by
        row, and never by the keys of all rows."""
        if type(self).in_projects is not ProjectScopedAdmin.in_projects or self.model is Project:
            return False
        model: Any = self.model
        for name in self.project_path.split("__"):
            field = model._meta.get_field(name)
            if not field.many_to_one or field.null:
                return False
            model = field.related_model
        return True

    def _may(self, request: HttpRequest, obj: Model | None, roles: tuple[str, ...]) -> bool:
        """Whether the user holds one of ``roles`` where ``obj`` belongs, or in any project where none is given."""
        user = signed_in(request)
        if user is None or not roles:
            return False
        if obj is not None:
            # A form asks this for each of its parts: once for a request's user is enough.
            known: dict[Any, bool] = user.__dict__.setdefault("_rows", {})
            row = (type(obj), obj.pk, roles)
            if row not in known:
                known[row] = self._rows_for(type(obj)._default_manager.filter(pk=obj.pk), user, roles).exists()
            return known[row]
        # Without a row the question is about the list, which everybody may open: it holds only what is theirs.
        return roles == self.view_roles or has_role_anywhere(user, *roles)

    def _rows_for(self, rows: QuerySet, user: User, roles: tuple[str, ...]) -> QuerySet:
        if user.is_superuser:
            return rows
        projects = Project.objects.with_role(user, *roles)
        if rows.model is self.model and self._leads_to_one():
            return self.in_projects(rows, projects)
        reached = self.in_projects(rows.model._default_manager.all(), projects)
        # By key, so that a path over many rows gives none of them twice.
        return rows.filter(pk__in=reached.order_by().values("pk"))
