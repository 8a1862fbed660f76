"""The page of the crowd endpoints: which there are, what money does there, and a check of each."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from unfold.admin import ModelAdmin

from accounts.models import User
from annotation.permissions import REQUESTERS, has_role_anywhere

from . import endpoints
from .badges import badge
from .services import checking


class EndpointBadge:
    """For lists of rows that carry an endpoint's key: its badge as a column, and the badge's stylesheet."""

    class Media:
        css = {"all": ["hits/endpoints.css"]}

    @admin.display(description="endpoint", ordering="endpoint")
    def endpoint_badge(self, row: Any) -> SafeString:
        return badge(row.endpoint)


def may_look(user: User | AnonymousUser) -> bool:
    """Requesters of any project, and superusers: a check shows the account's balance."""
    return isinstance(user, User) and user.is_active and has_role_anywhere(user, *REQUESTERS)


class EndpointAdmin(ModelAdmin):
    """The endpoints stand in the settings; here they are looked at, and never edited."""

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        return [
            path("", wrap(self.list_view), name="hits_endpointstanding_changelist"),
            path("<slug:key>/check/", wrap(require_POST(self.check_view)), name="hits_endpoint_check"),
        ]

    def has_module_permission(self, request: HttpRequest) -> bool:
        return may_look(request.user)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return may_look(request.user)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def list_view(self, request: HttpRequest) -> HttpResponse:
        return self._page(request)

    def check_view(self, request: HttpRequest, key: str) -> HttpResponse:
        if key not in endpoints.all_endpoints():
            raise Http404
        return self._page(request, checked=key)

    def _page(self, request: HttpRequest, checked: str = "") -> HttpResponse:
        if not may_look(request.user):
            raise PermissionDenied
        context = self.admin_site.each_context(request) | {
            "title": _("Endpoints"),
            "opts": self.opts,
            "endpoints": endpoints.all_endpoints().values(),
            "checked": checked,
            "findings": checking.check(checked) if checked else [],
        }
        return TemplateResponse(request, "admin/hits/endpoints.html", context)
