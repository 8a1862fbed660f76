"""The API about agreement, under ``/api/v1/``: the figures of the pages, for whoever holds a role in the project."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Article, Project
from annotation.permissions import REQUESTERS, project_or_404
from annotation.room_api import IDEMPOTENCY_KEY, shown
from hits.api_base import RoomView
from hits.serializers import BatchDetailSerializer, EstimateSerializer, RequestRefusalSerializer, Usd

from .more_forms import MoreForm
from .ranked_pages import RankedPages
from .services import more_answers, study


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
    articles = serializers.ListField(
        child=serializers.DictField(), help_text="As workers, batches and periods, each with all of its figures."
    )
    workers = serializers.ListField(child=serializers.DictField())
    batches = serializers.ListField(child=serializers.DictField())
    periods = serializers.ListField(child=serializers.DictField())
    stops = serializers.ListField(child=serializers.DictField(), help_text="When most answers were first the same.")


class LeastAgreedSerializer(serializers.Serializer[Any]):
    """One question as a study keeps it: its key, then these."""

    id = serializers.CharField()
    answers = serializers.IntegerField()
    exact_match = serializers.FloatField(help_text="Of its answers in pairs, in percent.")
    f1 = serializers.FloatField(help_text="Of its answers in pairs, in percent.")
    has_majority = serializers.BooleanField(help_text="Whether more than half of its answers are the same.")
    human_exact_match = serializers.FloatField(allow_null=True, help_text="Of its second answer, in percent.")
    human_f1 = serializers.FloatField(allow_null=True, help_text="Of its second answer, in percent.")
    leave_one_out_exact_match = serializers.FloatField(allow_null=True, help_text="Mean over its answers, in percent.")
    leave_one_out_f1 = serializers.FloatField(allow_null=True, help_text="Mean over its answers, in percent.")
    unanswerable = serializers.IntegerField(help_text="How many of its answers say that there is none.")
    alpha_spans = serializers.FloatField(allow_null=True, help_text="Of the places of its answers, up to 1.")

    def to_representation(self, row: list[Any]) -> dict[str, Any]:
        return dict(zip(self.fields, row[1:], strict=True))


class LevelSerializer(serializers.Serializer[Any]):
    answers = serializers.IntegerField(help_text="That these questions have.")
    questions = serializers.IntegerField()
    chance = serializers.FloatField(allow_null=True, help_text="Of being settled by the next answer.")
    seen = serializers.IntegerField(help_text="From how many questions that is known.")
    further = serializers.FloatField(allow_null=True, help_text="Answers on average, until settled or at the limit.")
    in_the_end = serializers.FloatField(allow_null=True, help_text="The share that is settled then.")


class RoundSerializer(serializers.Serializer[Any]):
    """One answer more to each question that is not settled, its cost, and what it brings."""

    needing = serializers.SerializerMethodField(help_text="How many questions.")
    settled = serializers.IntegerField()
    at_limit = serializers.IntegerField()
    in_open_hits = serializers.IntegerField()
    levels = LevelSerializer(many=True)
    settled_by_it = serializers.FloatField(allow_null=True)
    settled_in_the_end = serializers.FloatField(allow_null=True)
    further_answers = serializers.FloatField(allow_null=True)
    estimate = EstimateSerializer()

    def get_needing(self, found: Any) -> int:
        return len(found.questions)


class MoreSerializer(serializers.Serializer[Any]):
    """What a round is to be; the page's own values where nothing is said."""

    splits = serializers.ListField(child=serializers.ChoiceField(Article.Split.choices), required=False)
    limit = serializers.IntegerField(required=False)
    units_per_hit = serializers.IntegerField(required=False)
    hourly_rate_usd = Usd(required=False)
    endpoint = serializers.CharField(required=False)
    confirmed_total_usd = Usd(required=False, help_text="The total; needed where the endpoint pays people.")


class AgreementView(RoomView):
    """How far the answers of a split agree."""

    serializer_class = AgreementSerializer

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
        found = _shown(project, request)
        if found.study is None:
            return _being_worked_out()
        told = study.public(project.pk, found.study)
        figures = {name: value for name, value in told.items() if name not in study.LONG}
        return Response({"at": found.at, "is_current": found.is_current} | figures)


class LeastAgreedPages(RankedPages):
    @staticmethod
    def rank(row: list[Any]) -> list[Any]:
        key, _public_id, _answers, exact_match, f1, *_more = row
        return [f1, exact_match, key]


class AgreementQuestionsView(RoomView):
    """The questions of a split with two answers or more, those first whose answers agree least."""

    serializer_class = LeastAgreedSerializer
    pagination_class = LeastAgreedPages

    @extend_schema(
        operation_id="list_least_agreed",
        parameters=[SplitFilter],
        responses={
            200: LeastAgreedSerializer(many=True),
            202: RequestRefusalSerializer,
            400: RequestRefusalSerializer,
            404: RequestRefusalSerializer,
        },
    )
    def get(self, request: Request, slug: str) -> Response:
        found = _shown(project_named(self, slug), request)
        return _being_worked_out() if found.study is None else self.leaf(found.study["least_agreed"])


def _shown(project: Project, request: Request) -> study.Shown:
    """What is known of the split that the query names. Raises ValidationError."""
    given = SplitFilter(data=request.query_params)
    given.is_valid(raise_exception=True)
    return study.shown(project, given.validated_data["split"])


def _being_worked_out() -> Response:
    sentence = _("The figures are being worked out; ask again in a minute.")
    return Response({"code": "being_worked_out", "detail": sentence}, 202)


def project_named(view: RoomView, slug: str, *roles: str) -> Project:
    """The project of the address, for a user who holds one of ``roles`` in it. Raises Http404, PermissionDenied."""
    pk = Project.objects.filter(slug=slug).values_list("pk", flat=True).first()
    return project_or_404(view.user, pk or 0, *roles)


class MoreView(RoomView):
    """More answers where the first disagree."""

    serializer_class = RoundSerializer

    @extend_schema(operation_id="plan_more_answers", parameters=[MoreSerializer], responses={200: RoundSerializer})
    def get(self, request: Request, slug: str) -> Response:
        project = project_named(self, slug, *REQUESTERS)
        asked = _asked(project, request.query_params)
        return _known(lambda: Response(shown(RoundSerializer, more_answers.next_round(project, asked), request)))

    @extend_schema(
        operation_id="launch_more_answers",
        parameters=[IDEMPOTENCY_KEY],
        request=MoreSerializer,
        responses={201: BatchDetailSerializer, 409: RequestRefusalSerializer, 422: RequestRefusalSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        project = project_named(self, slug, *REQUESTERS)
        given = self.body(MoreSerializer)
        total = given.pop("confirmed_total_usd", None)
        asked = _asked(project, given)

        def launch(_key: UUID) -> tuple[int, Any]:
            batch = more_answers.launch(project, asked, self.user, total)
            return 201, shown(BatchDetailSerializer, batch, request)

        return _known(lambda: self.once(launch))


def _asked(project: Project, given: Any) -> more_answers.Asked:
    """The page's form as filled in by ``given``. Raises ValidationError."""
    form = MoreForm(given, project=project)
    if not form.is_valid():
        raise ValidationError({name: [str(error) for error in errors] for name, errors in form.errors.items()})
    return form.asked()


def _known(answer: Callable[[], Response]) -> Response:
    try:
        return answer()
    except more_answers.NotKnown as unknown:
        return Response({"code": "being_worked_out", "detail": str(unknown)}, 409)
