"""The API about what is kept of workers, under ``/api/v1/``: the same services as the pages'."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import looking
from accounts.looking import Look
from annotation.models import Worker
from annotation.room_api import RoomView
from hits.serializers import RequestRefusalSerializer
from reviewer.models.erasures import WHY_CHARS
from reviewer.services import erasing, rights
from reviewer.views.personal import record_of

REFUSED: dict[Any, Any] = dict.fromkeys((400, 403, 404, 409, 422), RequestRefusalSerializer)


class FindWorkerSerializer(serializers.Serializer[Any]):
    endpoint = serializers.CharField(max_length=50)
    worker_id = serializers.CharField(max_length=erasing.MOST_ID_CHARS, help_text="As the endpoint calls them.")


class FoundWorkerSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField(help_text="As pages call them: “worker 12”.")


class ErasureSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    erased_at = serializers.DateTimeField(allow_null=True)
    goes = serializers.DictField(child=serializers.IntegerField(), help_text="Rows that an erasure deletes, by kind.")
    stays = serializers.DictField(child=serializers.IntegerField(), help_text="Rows that stay, by kind.")
    in_the_way = serializers.ListField(child=serializers.CharField(), help_text="What has to be done before.")


class EraseSerializer(serializers.Serializer[Any]):
    confirmed_number = serializers.IntegerField(help_text="The worker's number once more.")
    why = serializers.CharField(max_length=WHY_CHARS, required=False, allow_blank=True)


class PersonalView(RoomView):
    """What the views of this module share."""

    refusals = [((erasing.NotErasable,), 409, "open", ""), *RoomView.refusals]

    def get_queryset(self) -> QuerySet[Worker]:
        return rights.workers_for(self.user)

    def worker(self, pk: int) -> Worker:
        return get_object_or_404(self.get_queryset(), pk=pk)


class FindWorkerView(PersonalView):
    """The worker of an id, by the number that everything else goes by."""

    serializer_class = FindWorkerSerializer

    @extend_schema(
        operation_id="find_worker",
        description="For requesters of a project that knows the worker. The id is in the body, so that no log has it.",
        responses={200: FoundWorkerSerializer, **REFUSED},
    )
    def post(self, request: Request) -> Response:
        given = self.body(FindWorkerSerializer)
        found = erasing.find(given["endpoint"], given["worker_id"])
        if found is None or not self.get_queryset().filter(pk=found.pk).exists():
            raise Http404(_("Nobody of that id has worked in your projects."))
        looking.note(self.user, found, Look.FOUND)
        return Response({"number": found.pk})


class WorkerRecordView(PersonalView):
    """All that is kept about one worker."""

    @extend_schema(
        operation_id="read_worker_record",
        description="From the projects of which the user is a requester; from all, with the worker id, for superusers.",
        responses={(200, "application/json"): OpenApiTypes.OBJECT, **REFUSED},
    )
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        return record_of(self.worker(pk), self.user)


class WorkerErasureView(PersonalView):
    """Erasing a worker, and what that would do."""

    serializer_class = EraseSerializer

    @extend_schema(operation_id="read_worker_erasure", responses={200: ErasureSerializer, **REFUSED})
    def get(self, request: Request, pk: int) -> Response:
        return Response(_told(self.worker(pk)))

    @extend_schema(
        operation_id="erase_worker",
        description="Deletes the worker id and the traces of how they worked; questions, answers and amounts stay. "
        "Cannot be undone; doing it again changes nothing. Refused with 409 while money or a decision is open.",
        responses={200: ErasureSerializer, **REFUSED},
        examples=[OpenApiExample("An erasure", {"confirmed_number": 12, "why": "By letter"}, request_only=True)],
    )
    def post(self, request: Request, pk: int) -> Response:
        worker = self.worker(pk)
        given = self.body(EraseSerializer)
        if rights.others_projects(self.user, worker):
            raise PermissionDenied(_("The worker is known to projects that are not yours: ask an administrator."))
        if given["confirmed_number"] != worker.pk:
            sentence = _("This is not the worker's number. Nothing was erased.")
            raise serializers.ValidationError({"confirmed_number": [sentence]})
        erasing.erase(worker.pk, self.user, given.get("why", ""))
        return Response(_told(Worker.objects.get(pk=worker.pk)))


def _told(worker: Worker) -> dict[str, Any]:
    outlook = erasing.outlook(worker)
    return {
        "number": worker.pk,
        "erased_at": worker.erased_at,
        "goes": outlook.goes,
        "stays": outlook.stays,
        "in_the_way": outlook.in_the_way,
    }
