"""The API about curations: asking for one, how far it is, cancelling, going on, importing, and its files."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotation import passage_serializers as shapes
from annotation.curation_forms import CurationForm
from annotation.curation_pages import ACTS, result_file
from annotation.models import CurationRun, Project
from annotation.passage_api import NOT_FOUND, REFUSED
from annotation.room_api import IDEMPOTENCY_KEY, RoomView, SmallJSON, shown
from annotation.services import curating
from annotation.services import curation_files as files
from annotation.services.curating import NotCurated

BEGIN = OpenApiExample(
    "A sample of a dump on the server",
    {"server_source": "enwiki.xml.bz2", "server_titles": "pagerank.tsv", "top": 10000, "sample": 536, "seed": 7},
    request_only=True,
)


class CurationView(RoomView):
    serializer_class = shapes.CurationSerializer
    queryset = CurationRun.objects.none()  # for the schema; which project's, the address says
    refusals = [((NotCurated,), 422, "refused", "")]

    def runs(self, project: Project) -> QuerySet[CurationRun]:
        return CurationRun.objects.in_project(project).select_related("project", "asked_by")


class CurationsView(CurationView):
    """The curations of a project, and asking for one."""

    parser_classes = [SmallJSON, MultiPartParser]

    @extend_schema(operation_id="list_curations")
    def get(self, request: Request, slug: str) -> Response:
        return self.leaf(self.runs(self.project(slug)))

    @extend_schema(
        operation_id="begin_curation",
        description="Curate a source in the background: files sent over, or one that lies in the server's folder of "
        "sources. The same request under the same key is one curation.",
        parameters=[IDEMPOTENCY_KEY],
        request={
            "application/json": shapes.CurationRequestSerializer,
            "multipart/form-data": shapes.CurationRequestSerializer,
        },
        responses={201: shapes.CurationSerializer, **REFUSED, 413: shapes.PassageRefusalSerializer},
        examples=[BEGIN],
    )
    def post(self, request: Request, slug: str) -> Response:
        project = self.as_requester(self.project(slug))
        key = self.key()
        form = self._form(project)
        if not form.is_valid():
            raise ValidationError({name: [str(error) for error in errors] for name, errors in form.errors.items()})
        run = curating.ask(project, form.wish(), self.user, key)
        return Response(shown(shapes.CurationSerializer, run, request), 201)

    def _form(self, project: Project) -> CurationForm:
        """The page's form as the request fills it in: page and API have the same rules."""
        given = self.request.data
        if not isinstance(given, dict):
            raise ValidationError({"non_field_errors": [_("Send an object.")]})
        blank = CurationForm(project)
        unknown = sorted(set(map(str, given)) - set(blank.fields))
        if unknown:
            raise ValidationError({name[:100]: [_("There is no such option.")] for name in unknown[:20]})
        defaults = {name: blank.get_initial_for_field(field, name) for name, field in blank.fields.items()}
        defaults |= {"lists": "leave_out"}
        named = {name: given.get(name) for name in given if name not in ("files", "titles")}
        return CurationForm(project, defaults | named, self.request.FILES)


class OneCurationView(CurationView):
    """One curation, with its report once it is done."""

    serializer_class = shapes.CurationDetailSerializer

    @extend_schema(operation_id="read_curation", responses={200: shapes.CurationDetailSerializer, **NOT_FOUND})
    def get(self, request: Request, slug: str, pk: int) -> Response:
        return Response(self.get_serializer(get_object_or_404(self.runs(self.project(slug)), pk=pk)).data)


class CurationActView(CurationView):
    """What is done with a curation."""

    @extend_schema(
        operation_id="act_on_curation",
        description="`cancel` it; let it go on from where it was (`resume`) after it was cancelled or failed; or "
        "`import` what it kept into the project, once, however often it is asked for.",
        parameters=[OpenApiParameter("action", str, OpenApiParameter.PATH, enum=sorted(ACTS))],
        request=None,
        responses={200: shapes.CurationSerializer, **REFUSED},
    )
    def post(self, request: Request, slug: str, pk: int, action: str) -> Response:
        project = self.as_requester(self.project(slug))
        run = get_object_or_404(self.runs(project), pk=pk)
        if action not in ACTS:
            raise Http404
        ACTS[action](run, self.user)
        return Response(shown(shapes.CurationSerializer, get_object_or_404(self.runs(project), pk=pk), request))


class CurationFileView(CurationView):
    """A file that a curation wrote."""

    @extend_schema(
        operation_id="read_curation_file",
        parameters=[OpenApiParameter("name", str, OpenApiParameter.PATH, enum=sorted(files.RESULTS))],
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY, **NOT_FOUND},
    )
    def get(self, request: Request, slug: str, pk: int, name: str) -> Any:
        return result_file(get_object_or_404(self.runs(self.project(slug)), pk=pk), name)
