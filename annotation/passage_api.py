"""The API about a project's passages, under ``/api/v1/projects/SLUG/``: what its pages show and do.

Whoever holds a role in the project reads; its requesters decide, mend and draw, through the services of the pages.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.db.models import Exists, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotation import passage_serializers as shapes
from annotation.models import Article, Paragraph, PassageAct, Project, TextRepair
from annotation.room_api import RoomView, shown
from annotation.services import choosing, key_words, overview, passages, split_drawing, topics
from annotation.services.choosing import NotChosen
from annotation.services.import_reports import left_out
from annotation.services.passages import Narrowing
from annotation.services.split_drawing import NotDrawn, SplitRequest
from scoring.line_ends import lf

REFUSED: dict[int, Any] = dict.fromkeys((400, 403, 404, 422), shapes.PassageRefusalSerializer)
NOT_FOUND: dict[int, Any] = {404: shapes.PassageRefusalSerializer}
EXCLUDE = OpenApiExample(
    "Everything under one heading, looked at first",
    {"kind": "exclude", "section": "Lyrics", "why": "Song texts are not free.", "dry_run": True},
    request_only=True,
)
DRAW = OpenApiExample(
    "Half dev, half train, balanced by topic",
    {"train_percent": 50, "dev_percent": 50, "test_percent": 0, "seed": 7, "stratify": "topic", "why": "A pilot."},
    request_only=True,
)


class PassageView(RoomView):
    refusals = [((NotChosen, NotDrawn), 422, "refused", "")]


class GlanceView(PassageView):
    """A project's passages at a glance."""

    serializer_class = shapes.GlanceSerializer

    @extend_schema(operation_id="read_passages", responses={200: shapes.GlanceSerializer, **NOT_FOUND})
    def get(self, request: Request, slug: str) -> Response:
        project = self.project(slug)
        glance = {
            "lengths": passages.lengths(project),
            "topics": topics.stated_topics(project, passages.KEY_WORDS_SHOWN),
            "key_words": key_words.topics(project, passages.KEY_WORDS_SHOWN),
            "sections": passages.sections(project),
            "left_out": left_out(project),
        }
        return Response(self.get_serializer(glance).data)


class ArticlesView(PassageView):
    """The articles of a project with what they hold."""

    serializer_class = shapes.ArticleSerializer
    queryset = Article.objects.none()  # for the schema; which project's, the address says

    @extend_schema(operation_id="list_articles")
    def get(self, request: Request, slug: str) -> Response:
        return self.leaf(passages.listed_articles(self.project(slug), "", "", "").order_by("-pk"))


class ParagraphsView(PassageView):
    """The paragraphs of a project, narrowed by the query."""

    serializer_class = shapes.ParagraphSerializer
    queryset = Paragraph.objects.none()

    @extend_schema(operation_id="list_paragraphs", parameters=[shapes.NarrowingSerializer])
    def get(self, request: Request, slug: str) -> Response:
        given = shapes.NarrowingSerializer(data=request.query_params)
        given.is_valid(raise_exception=True)
        return self.leaf(passages.listed(self.project(slug), _narrowing(given.validated_data), "newest"))


class ParagraphView(PassageView):
    """One paragraph."""

    serializer_class = shapes.ParagraphDetailSerializer

    @extend_schema(operation_id="read_paragraph", responses={200: shapes.ParagraphDetailSerializer, **NOT_FOUND})
    def get(self, request: Request, slug: str, pk: int) -> Response:
        return Response(self.get_serializer(_paragraph(self.project(slug), pk)).data)


class RepairView(PassageView):
    """Mending a paragraph's text."""

    serializer_class = shapes.RepairSerializer

    @extend_schema(
        operation_id="repair_paragraph",
        description="Give a paragraph another text, as long as it is in no task and has no question. The old text is "
        "kept. The same text again changes nothing.",
        request=shapes.RepairSerializer,
        responses={200: shapes.ParagraphDetailSerializer, **REFUSED},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        project = self.as_requester(self.project(slug))
        paragraph = _paragraph(project, pk)
        asked = self.body(shapes.RepairSerializer)
        choosing.repair_text(paragraph, lf(asked["text"]), asked["why"], self.user)
        return Response(shown(shapes.ParagraphDetailSerializer, _paragraph(project, pk), request))


class RepairsView(PassageView):
    """Texts that were mended."""

    serializer_class = shapes.RepairedSerializer
    queryset = TextRepair.objects.none()

    @extend_schema(operation_id="list_repairs")
    def get(self, request: Request, slug: str) -> Response:
        rows = TextRepair.objects.filter(paragraph__project=self.project(slug))
        return self.leaf(rows.select_related("repaired_by").order_by("-pk"))


class DecisionsView(PassageView):
    """Decisions about a project's passages, and making one."""

    serializer_class = shapes.DecisionSerializer
    queryset = PassageAct.objects.none()

    @extend_schema(operation_id="list_passage_decisions")
    def get(self, request: Request, slug: str) -> Response:
        return self.leaf(_acts(self.project(slug)).order_by("-pk"))

    @extend_schema(
        operation_id="decide_about_passages",
        description="Exclude paragraphs from all further tasks, or include them again. With `dry_run`, say how many "
        "that would change, and change nothing; sent as `expected`, that number is checked again. An article excluded "
        "as a whole (`article` alone) stays so for what is imported later.",
        request=shapes.DecideSerializer,
        responses={201: shapes.DecisionSerializer, 200: shapes.CountsSerializer, **REFUSED},
        examples=[EXCLUDE],
    )
    def post(self, request: Request, slug: str) -> Response:
        project = self.as_requester(self.project(slug))
        asked = self.body(shapes.DecideSerializer)
        narrowing = _narrowing(asked)
        if narrowing == Narrowing() and not asked["all"]:
            raise ValidationError({"all": [_("Nothing narrows this: say all, if you mean the whole project.")]})
        if asked["dry_run"]:
            counts = choosing.preview(project, narrowing, asked["kind"])
            return Response(shown(shapes.CountsSerializer, counts, request))
        act = choosing.choose(project, narrowing, asked["kind"], asked["why"], self.user, asked.get("expected"))
        return Response(shown(shapes.DecisionSerializer, act, request), 201)


class UndoView(PassageView):
    """Taking a decision back."""

    serializer_class = shapes.UndoSerializer

    @extend_schema(
        operation_id="undo_passage_decision",
        description="Take a decision back for those of its paragraphs that nobody decided about since. With `dry_run`, "
        "say how many these are.",
        request=shapes.UndoSerializer,
        responses={201: shapes.DecisionSerializer, 200: shapes.CountsSerializer, **REFUSED},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        project = self.as_requester(self.project(slug))
        act = get_object_or_404(_acts(project).exclude(kind=PassageAct.Kind.SPLIT), pk=pk)
        asked = self.body(shapes.UndoSerializer)
        if asked["dry_run"]:
            paragraphs, articles = choosing.undo_preview(act)
            return Response({"paragraphs": paragraphs, "articles": articles})
        return Response(shown(shapes.DecisionSerializer, choosing.undo(act, asked["why"], self.user), request), 201)


class SplitsView(PassageView):
    """The splits of a project, and drawing them."""

    serializer_class = shapes.SplitsSerializer

    @extend_schema(operation_id="read_splits", responses={200: shapes.SplitsSerializer, **NOT_FOUND})
    def get(self, request: Request, slug: str) -> Response:
        project = self.project(slug)
        splits = [asdict(size) for size in overview.split_sizes(project)]
        return Response(self._shown(project, {"splits": splits}))

    @extend_schema(
        operation_id="draw_splits",
        description="Draw all articles into train, dev and test anew, by the seed. With `dry_run`, answer with the "
        "sizes and draw nothing. The first launch of work freezes the splits.",
        request=shapes.DrawSerializer,
        responses={
            200: OpenApiResponse(shapes.SplitsSerializer, "What would be drawn."),
            201: OpenApiResponse(shapes.SplitsSerializer, "What was drawn."),
            **REFUSED,
        },
        examples=[DRAW],
    )
    def post(self, request: Request, slug: str) -> Response:
        project = self.as_requester(self.project(slug))
        given = self.body(shapes.DrawSerializer)
        asked = SplitRequest(**asdict(SplitRequest.of(project)) | _of_request(given))
        answer: dict[str, Any] = {
            "splits": split_drawing.preview(project, asked),
            "groups": split_drawing.groups(project, asked),
        }
        if given["dry_run"]:
            return Response(self._shown(project, answer))
        answer["decision"] = split_drawing.apply(project, asked, given["why"], self.user).pk
        return Response(self._shown(project, answer), 201)

    def _shown(self, project: Project, answer: dict[str, Any]) -> Any:
        return self.get_serializer(answer | {"frozen": split_drawing.frozen_because(project)}).data


def _of_request(given: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if name in SplitRequest.__dataclass_fields__}


def _narrowing(given: dict[str, Any]) -> Narrowing:
    word = given.get("key_word", "")
    return Narrowing.of(given | {"key_word": word.lower()})


def _acts(project: Project) -> QuerySet[PassageAct]:
    return PassageAct.objects.in_project(project).select_related("project", "decided_by", "undone_by")


def _paragraph(project: Project, pk: int) -> Paragraph:
    rows = Paragraph.objects.in_project(project).select_related("article")
    rows = rows.annotate(is_in_tasks=Exists(passages.in_tasks()), has_questions=Exists(passages.with_questions()))
    found = rows.filter(pk=pk).first()
    if found is None:
        raise Http404
    return found
