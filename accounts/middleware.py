"""The one place where the content security policy gives way."""

from collections.abc import Callable

from csp.constants import UNSAFE_EVAL, UNSAFE_INLINE
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import cached_property

# What django-unfold needs: Alpine.js evaluates expressions that stand in attributes, and htmx and Alpine set styles.
ADMIN_NEEDS = {"script-src": [UNSAFE_EVAL], "style-src": [UNSAFE_INLINE]}


class AdminContentPolicy:
    """Adds to the policy of the admin's pages what unfold needs, and leaves every other page strict.

    Stands below ``csp.middleware.CSPMiddleware``, which writes the header.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._get_response(request)
        if request.path_info.startswith(self._admin):
            response._csp_update = ADMIN_NEEDS  # type: ignore[attr-defined]
        return response

    @cached_property
    def _admin(self) -> str:
        # The same for every request; the addresses are not loaded yet when middlewares are made.
        return reverse("admin:index")
