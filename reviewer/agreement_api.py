"""The API about agreement, under ``/api/v1/``: the figures of the pages, for whoever holds a role in the project."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Article, Project
from annotation.permissions import project_or_404
from hits.api_base import RoomView
from hits.serializers import RequestRefusalSerializer

from .services import study


class SplitFilter(serializers.Serializer[Any]):
    split = serializers.ChoiceField(Article.Split.choices, default=Article.Split.DEV)


class FigureSerializer(serializers.Serializer[Any]):
    value = serializers.FloatField(allow_null=True, help_text="In percent, or a coefficient up to 1 (alpha).")
    interval = serializers.ListField(
        child=serializers.FloatField(), allow_null=True, required=False, help_text="From and to, 95 %."
    )
    questions = serializers.IntegerField()
    why = serializers.CharField(required=False, help_text="Why there is no value.")
    why_no_interval = serializers.CharField(required=False)


class AgreementSerializer(serializers.Serializer[Any]):
    at = serializers.DateTimeField(help_text="When the figures were worked out.")
    is_current = serializers.BooleanField(help_text="Whether no answer has come or gone since.")
    split = serializers.CharField()
    language = serializers.CharField()
    questions = serializers.IntegerField()
    readings = serializers.DictField(help_text="The second answer against all others, and the first and third.")
    extra = serializers.DictField(help_text="Questions with an extra answer, and those so marked unanswerable.")
    figures = serializers.DictField(child=FigureSerializer())
    articles = serializers.ListField(child=serializers.DictField())
    workers = serializers.ListField(child=serializers.DictField())
    batches = serializers.ListField(child=serializers.DictField())
    periods = serializers.ListField(child=serializers.DictField())
    least_agreed = serializers.ListField(child=serializers.DictField())


class AgreementView(RoomView):
    """How far the answers of a split agree."""

    serializer_class = AgreementSerializer
    pagination_class = None

    @extend_schema(
        operation_id="read_agreement",
        parameters=[SplitFilter],
        responses={
            200: AgreementSerializer,
            202: RequestRefusalSerializer,
            400: RequestRefusalSerializer,
            404: RequestRefusalSerializer,
        },
    )
    def get(self, request: Request, slug: str) -> Response:
        project = project_named(self, slug)
        given = SplitFilter(data=request.query_params)
        given.is_valid(raise_exception=True)
        shown = study.shown(project, given.validated_data["split"])
        if shown.study is None:
            sentence = _("The figures are being worked out; ask again in a minute.")
            return Response({"code": "being_worked_out", "detail": sentence}, 202)
        return Response({"at": shown.at, "is_current": shown.is_current} | study.public(project.pk, shown.study))


def project_named(view: RoomView, slug: str, *roles: str) -> Project:
    """The project of the address, for a user who holds one of ``roles`` in it. Raises Http404, PermissionDenied."""
    pk = Project.objects.filter(slug=slug).values_list("pk", flat=True).first()
    return project_or_404(view.user, pk or 0, *roles)
