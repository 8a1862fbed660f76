"""What the views of the platform's API share: who may ask, what is read, and how a refusal is worded."""

from __future__ import annotations

from io import BytesIO
from typing import Any, cast
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import APIException, ParseError, ValidationError
from rest_framework.generics import GenericAPIView
from rest_framework.pagination import CursorPagination
from rest_framework.parsers import JSONParser
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.json_text import is_whole
from accounts.models import User
from annotation.models import Project
from annotation.permissions import REQUESTERS, project_or_404

MOST_BODY_BYTES = 256 * 1024
IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    UUID,
    OpenApiParameter.HEADER,
    required=True,
    description="A UUID of the caller's making. The same request under the same key is done once; its answer is kept.",
)


class TooLarge(APIException):
    status_code = 413
    default_code = "too_large"


class SmallJSON(JSONParser):
    """JSON of at most ``MOST_BODY_BYTES``, whatever its depth."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        body = stream.read(MOST_BODY_BYTES + 1)
        if len(body) > MOST_BODY_BYTES:
            raise TooLarge(_("The body may be {most} bytes at most.").format(most=MOST_BODY_BYTES))
        try:
            value = super().parse(BytesIO(body), media_type, parser_context)
        except RecursionError as error:
            raise ParseError(_("The JSON is nested too deeply.")) from error
        if not is_whole(value):
            raise ParseError(_("The JSON holds half a character: an escape from \\ud800 to \\udfff that stands alone."))
        return value


class Pages(CursorPagination):
    """Newest first; ``next`` of one page leads to the one after it, whatever is added meanwhile."""

    ordering = "-id"
    page_size = 100
    page_size_query_param = "page_size"
    max_page_size = 500


# Exceptions of services, with the status and the code of the answer; a sentence where their own is not for callers.
Refusals = list[tuple[tuple[type[Exception], ...], int, str, Any]]


class RoomView(GenericAPIView):
    """Rows of the projects in which the user holds any role; what changes something asks for the requester's."""

    parser_classes = [SmallJSON]
    pagination_class: Any = Pages
    refusals: Refusals = []
    # Query parameters, and the lookup that each narrows by.
    filter_class: Any = None
    lookups: dict[str, str] = {}

    @property
    def user(self) -> User:
        return cast(User, self.request.user)

    def narrowed(self, rows: QuerySet) -> QuerySet:
        """``rows`` by the query's parameters. Raises ValidationError."""
        given = self.filter_class(data=self.request.query_params)
        given.is_valid(raise_exception=True)
        return rows.filter(**{self.lookups[name]: value for name, value in given.validated_data.items()})

    def page(self, rows: QuerySet) -> Response:
        return self.leaf(self.narrowed(rows))

    def leaf(self, rows: QuerySet) -> Response:
        """The page of ``rows`` that the query asks for."""
        shown = self.paginate_queryset(rows)
        return self.get_paginated_response(self.get_serializer(shown, many=True).data)

    def body(self, serializer_class: Any) -> dict[str, Any]:
        """The request's body, as ``serializer_class`` has it. Raises ValidationError."""
        given = serializer_class(data=self.request.data)
        given.is_valid(raise_exception=True)
        return dict(given.validated_data)

    def as_requester(self, project: Project) -> Project:
        """``project``, if the user is its requester. Raises Http404 or PermissionDenied."""
        return project_or_404(self.user, project.pk, *REQUESTERS)

    def project(self, slug: str) -> Project:
        """The project of that short name, if the user holds any role in it. Raises Http404."""
        found = Project.objects.visible_to(self.user).filter(slug=slug).first()
        if found is None:
            raise Http404
        return found

    def key(self) -> UUID:
        """The request's idempotency key. Raises ValidationError."""
        try:
            return UUID(self.request.headers.get("Idempotency-Key", ""))
        except ValueError as error:
            sentence = _("Send a UUID of your making: the same request under the same key is done once.")
            raise ValidationError({"Idempotency-Key": [sentence]}) from error

    def handle_exception(self, exc: Exception) -> Response:
        for kinds, status, code, sentence in self.refusals:
            if isinstance(exc, kinds):
                return Response({"code": code, "detail": sentence or str(exc)}, status)
        response = super().handle_exception(exc)
        if isinstance(exc, ValidationError):
            detail = _("Some of what was sent cannot be used; “errors” says what, by field.")
            response.data = {"code": "invalid", "detail": detail, "errors": response.data}
        elif isinstance(response.data, dict) and "detail" in response.data:
            response.data = {"code": getattr(response.data["detail"], "code", "refused"), **response.data}
        return response


def shown(serializer_class: Any, row: Any, request: Request) -> Any:
    return serializer_class(row, context={"request": request}).data
