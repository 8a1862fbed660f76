"""The API about releases, under ``/api/v1/``: the same services as the pages', the same sentences where one refuses."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import FileResponse, Http404
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Project
from annotation.room_api import IDEMPOTENCY_KEY, shown
from annotation.sentences import in_words
from hits.api_base import RoomView
from hits.serializers import RequestRefusalSerializer
from reviewer import release_answers
from reviewer import release_serializers as serializers
from reviewer.models import Release, ReleaseRun
from reviewer.services import release_inspections, release_runs
from scoring.json_files import FileError

REFUSED: dict[Any, Any] = dict.fromkeys((400, 403, 404, 409, 422), RequestRefusalSerializer)
MAKE = OpenApiExample(
    "Three answers in dev and test, test held back",
    {"project": "mills", "note": "For the shared task", "least_answers": 3, "hold_back_test": True},
    request_only=True,
)
FILE: dict[Any, Any] = {(200, "application/octet-stream"): OpenApiTypes.BINARY, **REFUSED}


class ReleaseView(RoomView):
    """What the views of this module share."""

    serializer_class: Any = serializers.ReleaseSerializer
    refusals = [((release_runs.NotReleasable,), 422, "refused", ""), *RoomView.refusals]

    def get_queryset(self) -> QuerySet:
        return Release.objects.visible_to(self.user).select_related("project")

    def release(self, pk: int) -> Release:
        return get_object_or_404(self.get_queryset(), pk=pk)

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, FileError):
            return Response({"code": "refused", "detail": in_words(exc.sentence)}, 422)
        return super().handle_exception(exc)


class ReleasesView(ReleaseView):
    """Releases, and making one."""

    filter_class = serializers.ReleaseFilter
    lookups = {"project": "project__slug", "number": "number"}

    @extend_schema(operation_id="list_releases", parameters=[serializers.ReleaseFilter])
    def get(self, request: Request) -> Response:
        return self.page(self.get_queryset())

    @extend_schema(
        operation_id="make_release",
        description="Have a release made. The answer is its making, whose `status` tells when it is done. Where one "
        "with the same choices is being made already, the answer is that one.",
        parameters=[IDEMPOTENCY_KEY],
        request=serializers.MakeReleaseSerializer,
        responses={202: serializers.ReleaseRunSerializer, **REFUSED},
        examples=[MAKE],
    )
    def post(self, request: Request) -> Response:
        asked = serializers.MakeReleaseSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        project = Project.objects.visible_to(self.user).filter(slug=asked.validated_data["project"]).first()
        if project is None:
            raise Http404
        self.as_requester(project)

        def make(key: UUID) -> tuple[int, Any]:
            run = release_runs.order(project, asked.spec(), self.user)
            return 202, shown(serializers.ReleaseRunSerializer, run, request)

        return self.once(make)


class ReleaseRunView(ReleaseView):
    """The making of a release."""

    serializer_class = serializers.ReleaseRunSerializer

    def get_queryset(self) -> QuerySet:
        return ReleaseRun.objects.visible_to(self.user).select_related("project", "release")

    @extend_schema(operation_id="read_release_run", responses={200: serializers.ReleaseRunSerializer, **REFUSED})
    def get(self, request: Request, pk: int) -> Response:
        return Response(self.get_serializer(get_object_or_404(self.get_queryset(), pk=pk)).data)


class OneReleaseView(ReleaseView):
    """One release, with its manifest."""

    serializer_class = serializers.ReleaseDetailSerializer

    @extend_schema(operation_id="read_release", responses={200: serializers.ReleaseDetailSerializer, **REFUSED})
    def get(self, request: Request, pk: int) -> Response:
        return Response(self.get_serializer(self.release(pk)).data)


class ReleaseFileView(ReleaseView):
    """One public file of a release."""

    @extend_schema(operation_id="read_release_file", responses=FILE)
    def get(self, request: Request, pk: int, name: str) -> HttpResponseBase:
        return release_answers.public_file(self.release(pk), name)


class ReleaseKeyView(ReleaseView):
    """The held-back answers of a release's test."""

    @extend_schema(
        operation_id="read_release_key",
        description="For requesters alone; that they were fetched is noted, and shown on the release's page.",
        responses=FILE,
    )
    def get(self, request: Request, pk: int) -> FileResponse:
        release = self.release(pk)
        self.as_requester(release.project)
        return release_answers.private_file(release, self.user)


class ReleaseChangesView(ReleaseView):
    """What changed between two releases."""

    serializer_class = serializers.ChangesSerializer

    @extend_schema(
        operation_id="read_release_changes",
        parameters=[serializers.SinceSerializer],
        responses={200: serializers.ChangesSerializer, **REFUSED},
    )
    def get(self, request: Request, pk: int) -> Response:
        release = self.release(pk)
        asked = serializers.SinceSerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        since = asked.validated_data.get("since", release.number - 1)
        earlier = get_object_or_404(Release.objects.in_project(release.project), number=since)
        try:
            found = release_inspections.changed(earlier, release).difference
        except release_inspections.BeingCompared:
            return _ask_again(_("The two releases are being compared. Ask again in some seconds."))
        told = {"added": found.added, "removed": found.removed, "changed": found.changed}
        return Response({"since": since, "number": release.number, **told})


class ReleaseVerificationView(ReleaseView):
    """Whether the kept files of a release are as they were released."""

    serializer_class = serializers.VerificationSerializer

    @extend_schema(operation_id="verify_release", responses={200: serializers.VerificationSerializer, **REFUSED})
    def get(self, request: Request, pk: int) -> Response:
        found = release_inspections.checked(self.release(pk))
        if found.faults is None:
            return _ask_again(_("The files are being checked. Ask again in some seconds."))
        faults = [in_words(fault) for fault in found.faults]
        told = {"is_whole": not faults, "faults": faults, "at": found.at, "is_current": found.is_current}
        return Response(self.get_serializer(told).data)


def _ask_again(sentence: str) -> Response:
    return Response({"code": "being_worked_out", "detail": sentence}, 409)
