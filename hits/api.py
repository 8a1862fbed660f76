"""The API about batches, HITs, assignments, the ledger and bonuses, under ``/api/v1/``.

Whoever holds a role in a project reads its rows; its requesters change things, through the services that the pages use.
Every refusal has a sentence.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import QuerySet, Sum
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Assignment, Project
from annotation.room_api import IDEMPOTENCY_KEY, shown

from . import endpoints, serializers
from .api_base import RoomView
from .forms import LaunchForm
from .life_pages import ACTIONS
from .models import HIT, Act, Batch, Bonus, LedgerEntry
from .services import batch_life, bonuses, launching, planning, publishing
from .services.bonuses import Wish

REFUSED: dict[int, Any] = {
    400: serializers.RequestRefusalSerializer,
    403: serializers.RequestRefusalSerializer,
    404: serializers.RequestRefusalSerializer,
    409: serializers.RequestRefusalSerializer,
    422: serializers.RequestRefusalSerializer,
}
PUBLISHING = {
    "pause": (publishing.pause, Act.Kind.PAUSE),
    "resume": (publishing.resume, Act.Kind.RESUME),
    "close": (publishing.close, Act.Kind.CLOSE),
}
LAUNCH = OpenApiExample(
    "Writing, ten per cent for bonuses",
    {"project": "mills", "kind": "write", "splits": ["train"], "bonus_reserve_percent": "10", "dry_run": True},
    request_only=True,
)
OVER_CAP = OpenApiExample(
    "Over the cap",
    {"code": "refused", "detail": "The batch would cost $214.20; $150.00 is left of the cap. Lower the number of …"},
    response_only=True,
    status_codes=["422"],
)


class BatchesView(RoomView):
    """Batches, and launching one."""

    serializer_class = serializers.BatchSerializer
    filter_class = serializers.BatchFilter
    lookups = {"project": "project__slug", "endpoint": "endpoint", "status": "status", "kind": "kind"}

    def get_queryset(self) -> QuerySet:
        return Batch.objects.visible_to(self.user).select_related("project")

    @extend_schema(operation_id="list_batches", parameters=[serializers.BatchFilter])
    def get(self, request: Request) -> Response:
        return self.page(self.get_queryset())

    @extend_schema(
        operation_id="launch_batch",
        description="Launch a batch: reserve its money and queue its publishing. With `dry_run`, answer with the "
        "estimate and do nothing. Where the endpoint pays people, `confirmed_total_usd` must be the estimate's total.",
        parameters=[IDEMPOTENCY_KEY],
        request=serializers.LaunchSerializer,
        responses={
            201: serializers.BatchDetailSerializer,
            200: serializers.EstimateSerializer,
            **REFUSED,
        },
        examples=[LAUNCH, OVER_CAP],
    )
    def post(self, request: Request) -> Response:
        asked = self.body(serializers.LaunchSerializer)
        project = Project.objects.visible_to(self.user).filter(slug=asked.pop("project")).first()
        if project is None:
            raise Http404
        self.as_requester(project)
        dry_run, total = asked.pop("dry_run"), asked.pop("confirmed_total_usd", None)
        spec = _launch_form(project, asked).spec()
        if dry_run:
            return Response(shown(serializers.EstimateSerializer, planning.estimate(project, spec), request))

        def launch(key: UUID) -> tuple[int, Any]:
            batch = launching.launch(project, spec, self.user, total)
            return 201, shown(serializers.BatchDetailSerializer, batch, request)

        return self.once(launch)


def _launch_form(project: Project, asked: dict[str, Any]) -> LaunchForm:
    """The launch form as filled in by ``asked``: the page and the API have the same rules. Raises ValidationError."""
    kind = asked["kind"]
    given: dict[str, Any] = {"endpoint": next(iter(endpoints.all_endpoints()))}
    given |= dict(LaunchForm(project=project, kind=kind).initial)
    given |= {name: list(value) if isinstance(value, set) else value for name, value in asked.items()}
    if asked.get("starts_at"):
        given["starts_at"] = asked["starts_at"].strftime("%Y-%m-%dT%H:%M:%S")
    form = LaunchForm(given, project=project, kind=kind)
    if not form.is_valid():
        raise ValidationError({name: [str(error) for error in errors] for name, errors in form.errors.items()})
    return form


class BatchView(RoomView):
    """One batch, with how far it is and how its money stands."""

    serializer_class = serializers.BatchDetailSerializer

    def get_queryset(self) -> QuerySet:
        return Batch.objects.visible_to(self.user).select_related("project")

    @extend_schema(operation_id="read_batch", responses={200: serializers.BatchDetailSerializer, **REFUSED})
    def get(self, request: Request, pk: int) -> Response:
        return Response(self.get_serializer(get_object_or_404(self.get_queryset(), pk=pk)).data)


class BatchActView(RoomView):
    """What is done to a batch after its launch."""

    serializer_class = serializers.ActSerializer

    @extend_schema(
        operation_id="act_on_batch",
        description="`pause`, `resume` or `close` (give up what is not published); `places` (more workers for each "
        "HIT), `time` (more hours), `end` (expire now), `delete` (at the endpoint, when it is possible).",
        parameters=[
            IDEMPOTENCY_KEY,
            OpenApiParameter("action", str, OpenApiParameter.PATH, enum=sorted([*PUBLISHING, *ACTIONS])),
        ],
        request=serializers.ActSerializer,
        responses={200: serializers.BatchDetailSerializer, **REFUSED},
        examples=[OpenApiExample("Two more workers for each HIT", {"places": 2}, request_only=True)],
    )
    def post(self, request: Request, pk: int, action: str) -> Response:
        batch = get_object_or_404(Batch.objects.visible_to(self.user).select_related("project"), pk=pk)
        self.as_requester(batch.project)
        if action not in PUBLISHING and action not in ACTIONS:
            raise Http404
        asked = self.body(serializers.ActSerializer)

        def act(key: UUID) -> tuple[int, Any]:
            if action in PUBLISHING:
                do, kind = PUBLISHING[action]
                do(batch)
                batch_life.note(batch, kind, self.user)
            else:
                self._act(batch, action, asked, key)
            return 200, shown(serializers.BatchDetailSerializer, Batch.objects.get(pk=pk), request)

        return self.once(act)

    def _act(self, batch: Batch, name: str, asked: dict[str, Any], key: UUID) -> None:
        action: Any = ACTIONS[name]
        form = action.form(asked, batch=batch)
        if not form.is_valid():
            raise ValidationError({name: [str(error) for error in errors] for name, errors in form.errors.items()})
        arguments = form.asked() | {"token": key}
        if action.costs:
            arguments["confirmed_usd"] = asked.get("confirmed_total_usd")
        action.do(batch, self.user, **arguments)


class HITsView(RoomView):
    """HITs, intended and real."""

    serializer_class = serializers.HITSerializer
    filter_class = serializers.HITFilter
    lookups = {"project": "batch__project__slug", "endpoint": "batch__endpoint", "batch": "batch", "status": "status"}

    def get_queryset(self) -> QuerySet:
        return HIT.objects.visible_to(self.user).select_related("batch__project", "hit_type", "offer")

    @extend_schema(operation_id="list_hits", parameters=[serializers.HITFilter])
    def get(self, request: Request) -> Response:
        return self.page(self.get_queryset())


class HITView(HITsView):
    """One HIT."""

    @extend_schema(operation_id="read_hit", responses={200: serializers.HITSerializer, **REFUSED})
    def get(self, request: Request, pk: int) -> Response:  # type: ignore[override]  # one row instead of a list
        return Response(self.get_serializer(get_object_or_404(self.get_queryset(), pk=pk)).data)


class AssignmentsView(RoomView):
    """Assignments: who (by a key of the project) did what, when, and what became of it."""

    serializer_class = serializers.AssignmentSerializer
    filter_class = serializers.AssignmentFilter
    lookups = {
        "project": "task__project__slug",
        "endpoint": "offer__endpoint",
        "batch": "offer__hit__batch",
        "hit": "offer__hit",
        "status": "status",
    }

    def get_queryset(self) -> QuerySet:
        rows = Assignment.objects.filter(offer__hit__isnull=False)
        # By key: joining a project's members and a sum of work in one query would count the work several times.
        mine = Assignment.objects.visible_to(self.user).order_by().values("pk")
        measured = rows.filter(pk__in=mine).annotate(active_seconds=Sum("paragraph_works__active_seconds"))
        return measured.select_related("task__project", "offer__hit")

    @extend_schema(operation_id="list_assignments", parameters=[serializers.AssignmentFilter])
    def get(self, request: Request) -> Response:
        return self.page(self.get_queryset())


class AssignmentView(AssignmentsView):
    """One assignment."""

    @extend_schema(operation_id="read_assignment", responses={200: serializers.AssignmentSerializer, **REFUSED})
    def get(self, request: Request, pk: int) -> Response:  # type: ignore[override]  # one row instead of a list
        return Response(self.get_serializer(get_object_or_404(self.get_queryset(), pk=pk)).data)


class LedgerView(RoomView):
    """Every movement of money. Entries are only ever added."""

    serializer_class = serializers.LedgerEntrySerializer
    filter_class = serializers.LedgerFilter
    lookups = {
        "project": "project__slug",
        "endpoint": "endpoint",
        "batch": "batch",
        "hit": "hit",
        "assignment": "assignment",
        "kind": "kind",
    }

    @extend_schema(operation_id="list_ledger", parameters=[serializers.LedgerFilter])
    def get(self, request: Request) -> Response:
        return self.page(LedgerEntry.objects.visible_to(self.user).select_related("project"))


class BonusesView(RoomView):
    """Bonuses, and giving one."""

    serializer_class = serializers.BonusSerializer
    filter_class = serializers.BonusFilter
    lookups = {
        "project": "batch__project__slug",
        "endpoint": "batch__endpoint",
        "batch": "batch",
        "assignment": "assignment",
        "status": "status",
    }

    def get_queryset(self) -> QuerySet:
        return Bonus.objects.visible_to(self.user).select_related("batch__project")

    @extend_schema(operation_id="list_bonuses", parameters=[serializers.BonusFilter])
    def get(self, request: Request) -> Response:
        return self.page(self.get_queryset())

    @extend_schema(
        operation_id="give_bonus",
        description="Ask for a bonus: its money is set aside, and it is paid in a moment, exactly once.",
        parameters=[IDEMPOTENCY_KEY],
        request=serializers.GiveSerializer,
        responses={201: serializers.BonusSerializer, **REFUSED},
        examples=[
            OpenApiExample(
                "Fifty cents",
                {
                    "assignment": 17,
                    "amount_usd": "0.50",
                    "reason": "It was long.",
                    "confirmed_total_usd": "0.60",
                },
                request_only=True,
            )
        ],
    )
    def post(self, request: Request) -> Response:
        asked = self.body(serializers.GiveSerializer)
        mine = Assignment.objects.visible_to(self.user).filter(offer__hit__isnull=False)
        assignment = mine.select_related("task__project", "offer__hit__batch").filter(pk=asked["assignment"]).first()
        if assignment is None:
            raise ValidationError({"assignment": [_("There is no such assignment among those of your projects.")]})
        self.as_requester(assignment.task.project)
        wish = Wish(assignment, asked["amount_usd"], asked["reason"])

        def give(key: UUID) -> tuple[int, Any]:
            [bonus] = bonuses.ask(assignment.offer.hit.batch, [wish], self.user, asked.get("confirmed_total_usd"))
            return 201, shown(self.serializer_class, bonus, request)

        return self.once(give)


class BonusView(BonusesView):
    """One bonus."""

    http_method_names = ["get", "head", "options"]

    @extend_schema(operation_id="read_bonus", responses={200: serializers.BonusSerializer, **REFUSED})
    def get(self, request: Request, pk: int) -> Response:  # type: ignore[override]  # one row instead of a list
        return Response(self.get_serializer(get_object_or_404(self.get_queryset(), pk=pk)).data)
