"""The API about a project's dashboard, under ``/api/v1/``: the figures of its page, for whoever holds a role in it."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from hits.api_base import RoomView
from hits.serializers import RequestRefusalSerializer

from .agreement_api import project_named
from .services import dashboard


class DashboardSerializer(serializers.Serializer[Any]):
    at = serializers.DateTimeField(help_text="When the figures were worked out.")
    is_current = serializers.BooleanField(help_text="Whether nothing has changed since.")
    funnel = serializers.DictField(help_text="Counts from paragraphs to released questions.")
    spend = serializers.DictField(help_text="USD; moments are [time, spent, reserved].")
    pace = serializers.DictField(help_text="Questions by day or week, and when running batches would be filled.")
    lengths = serializers.DictField(help_text="Words of the answers; bins are [from, to, answers].")
    words = serializers.DictField(help_text="The first word and the first two of the questions, most frequent first.")
    coverage = serializers.DictField(help_text="Paragraphs by their number of questions.")
    workers = serializers.DictField(help_text="Workers by their keys in this project, with evidence and its numbers.")


class DashboardView(RoomView):
    """How far a project is, what it cost, what came of it."""

    serializer_class = DashboardSerializer
    pagination_class = None

    @extend_schema(
        operation_id="read_dashboard",
        responses={200: DashboardSerializer, 202: RequestRefusalSerializer, 404: RequestRefusalSerializer},
    )
    def get(self, request: Request, slug: str) -> Response:
        project = project_named(self, slug)
        found = dashboard.shown(project)
        if found.figures is None:
            sentence = _("The figures are being worked out; ask again in a minute.")
            return Response({"code": "being_worked_out", "detail": sentence}, 202)
        figures = dashboard.public(project.pk, found.figures)
        return Response({"at": found.at, "is_current": found.is_current} | figures)
