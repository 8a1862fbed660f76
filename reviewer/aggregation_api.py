"""The API about answers weighed by how reliable their workers are, under ``/api/v1/``."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from hits.api_base import RoomView
from hits.serializers import RequestRefusalSerializer

from .agreement_api import SplitFilter, project_named
from .ranked_pages import RankedPages
from .services import weighing
from .services.aggregation import METHODS, NotAggregated

REFUSED: dict[int, Any] = {
    202: RequestRefusalSerializer,
    400: RequestRefusalSerializer,
    404: RequestRefusalSerializer,
    422: RequestRefusalSerializer,
}


class AggregationFilter(SplitFilter):
    method = serializers.ChoiceField(METHODS)


class ReliabilitySerializer(serializers.Serializer[Any]):
    worker = serializers.CharField(help_text="Their key in this project.")
    quality = serializers.FloatField(help_text="How reliable they are, from 0 to 1.")


class AggregationSerializer(serializers.Serializer[Any]):
    at = serializers.DateTimeField(help_text="When it was worked out.")
    is_current = serializers.BooleanField(help_text="Whether no answer has come or gone since.")
    split = serializers.CharField()
    method = serializers.CharField()
    questions_with_a_majority = serializers.IntegerField()
    same_as_the_majority = serializers.IntegerField(help_text="Of these, those for which the method chose the same.")
    workers = ReliabilitySerializer(many=True)


class ChosenSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    majority = serializers.CharField(
        allow_null=True, help_text="What most gave, null where no answer has most; empty: it cannot be answered."
    )
    chosen = serializers.CharField(help_text="By the method; empty: it cannot be answered.")


class ChosenPages(RankedPages):
    @staticmethod
    def rank(row: dict[str, Any]) -> list[Any]:
        return [row["id"]]


class AggregationView(RoomView):
    """How reliable the workers of a split are by Dawid and Skene or by MACE, and how often that changes the answer."""

    serializer_class = AggregationSerializer

    @extend_schema(
        operation_id="read_aggregation",
        parameters=[AggregationFilter],
        responses={200: AggregationSerializer, **REFUSED},
    )
    def get(self, request: Request, slug: str) -> Response:
        found = _weighed(self, slug)
        if isinstance(found, Response):
            return found
        told = {name: value for name, value in (found.report or {}).items() if name != "questions"}
        return Response({"at": found.at, "is_current": found.is_current} | told)


class AggregationQuestionsView(RoomView):
    """The answer that the method chose for each question, beside the plain majority; by their ids."""

    serializer_class = ChosenSerializer
    pagination_class = ChosenPages

    @extend_schema(
        operation_id="list_aggregated_questions",
        parameters=[AggregationFilter],
        responses={200: ChosenSerializer(many=True), **REFUSED},
    )
    def get(self, request: Request, slug: str) -> Response:
        found = _weighed(self, slug)
        if isinstance(found, Response):
            return found
        return self.leaf((found.report or {})["questions"])


def _weighed(view: RoomView, slug: str) -> weighing.Weighed | Response:
    """What is known, or the answer that says why nothing is. Raises ValidationError, Http404."""
    project = project_named(view, slug)
    given = AggregationFilter(data=view.request.query_params)
    given.is_valid(raise_exception=True)
    try:
        found = weighing.weighed(project, given.validated_data["split"], given.validated_data["method"])
    except NotAggregated as refusal:
        return Response({"code": "refused", "detail": str(refusal)}, 422)
    if found.report is None:
        sentence = _("The answers are being weighed; ask again in a minute.")
        return Response({"code": "being_worked_out", "detail": sentence}, 202)
    return found
