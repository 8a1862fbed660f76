"""The API about reasoning labels, under ``/api/v1/``."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Article
from annotation.permissions import REVIEWERS
from annotation.room_api import IDEMPOTENCY_KEY
from hits.api_base import RoomView
from hits.serializers import RequestRefusalSerializer

from .agreement_api import project_named
from .models import ReasoningSample
from .services import reasoning


class SampleSerializer(serializers.ModelSerializer[ReasoningSample]):
    id = serializers.IntegerField(source="pk", read_only=True)
    seed = serializers.IntegerField(min_value=0, max_value=2**31)
    per_article = serializers.IntegerField(min_value=1, max_value=reasoning.MOST_PER_ARTICLE)
    split = serializers.ChoiceField(Article.Split.choices)

    class Meta:
        model = ReasoningSample
        fields = ["id", "split", "per_article", "seed", "drawn_at"]
        read_only_fields = ["drawn_at"]


class TableRowSerializer(serializers.Serializer[Any]):
    reasoning = serializers.CharField()
    description = serializers.CharField()
    percent = serializers.FloatField(allow_null=True)
    published_percent = serializers.FloatField()
    kappa = serializers.FloatField(allow_null=True)
    why_no_kappa = serializers.CharField(allow_null=True)
    example = serializers.CharField(allow_null=True)
    example_answer = serializers.CharField(allow_null=True)
    example_sentence = serializers.CharField(allow_null=True, help_text="Of the paragraph, with what is left out as …")
    example_evidence = serializers.CharField(allow_null=True, help_text="The marked words, parted by |")


class TableSerializer(serializers.Serializer[Any]):
    sample = serializers.IntegerField()
    split = serializers.CharField()
    per_article = serializers.IntegerField()
    seed = serializers.IntegerField()
    questions = serializers.IntegerField()
    labelled = serializers.IntegerField()
    labelled_by_two = serializers.IntegerField()
    rows = TableRowSerializer(many=True)


class SamplesView(RoomView):
    """The samples of a project, newest first; reviewers draw another."""

    serializer_class = SampleSerializer
    pagination_class = None

    @extend_schema(operation_id="list_reasoning_samples", responses={200: SampleSerializer(many=True)})
    def get(self, request: Request, slug: str) -> Response:
        samples = reasoning.samples_of(project_named(self, slug))
        return Response(SampleSerializer(samples, many=True).data)

    @extend_schema(
        operation_id="draw_reasoning_sample",
        parameters=[IDEMPOTENCY_KEY],
        request=SampleSerializer,
        responses={201: SampleSerializer, 403: RequestRefusalSerializer, 422: RequestRefusalSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        project = project_named(self, slug, *REVIEWERS)
        asked = self.body(SampleSerializer)

        def draw(_key: UUID) -> tuple[int, Any]:
            sample = reasoning.draw(project, asked["split"], asked["per_article"], asked["seed"], self.user)
            return 201, SampleSerializer(sample).data

        try:
            return self.once(draw)
        except reasoning.NotDrawn as refusal:
            return Response({"code": "refused", "detail": str(refusal)}, 422)


class SampleView(RoomView):
    """The table of one sample, as far as it is labelled."""

    serializer_class = TableSerializer

    @extend_schema(operation_id="read_reasoning_table", responses={200: TableSerializer, 404: RequestRefusalSerializer})
    def get(self, request: Request, slug: str, sample_pk: int) -> Response:
        samples = ReasoningSample.objects.in_project(project_named(self, slug))
        return Response(reasoning.table(get_object_or_404(samples, pk=sample_pk)).report())
