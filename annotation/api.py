"""The work page's API: save a draft, finish. Reached from a frame that may have no origin, and without cookies.

The token in ``Authorization: Work <token>`` is the only proof; the answers may be read by any page, as that token is
what they depend on. Every refusal is ``{"code", "detail"}`` with a sentence for the worker, and more where it helps.
"""

from __future__ import annotations

from typing import Any, cast

from django.http import HttpResponseBase
from django.utils.translation import gettext as _
from django.utils.translation import override
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.utils import OpenApiParameter, PolymorphicProxySerializer, extend_schema
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import MethodNotAllowed, UnsupportedMediaType
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation import serializers
from annotation.languages import page_language
from annotation.models import Task
from annotation.services import notes, quizzes, work, work_body
from annotation.tokens import Claims, TokenProblem, not_ours, receipt, receipt_of

# How long a browser may remember that this API may be called from anywhere. Chromium caps it at two hours.
PREFLIGHT_SECONDS = 24 * 60 * 60


class WorkToken(BaseAuthentication):
    """``Authorization: Work <token>``. There is no user behind it: ``request.auth`` holds the claims."""

    def authenticate(self, request: Request) -> tuple[Any, Claims]:
        scheme, _space, token = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        if scheme != "Work":
            raise not_ours()
        return None, Claims.read(token)


class WorkTokenScheme(OpenApiAuthenticationExtension):
    target_class = "annotation.api.WorkToken"
    name = "workToken"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "“Work”, a blank, and the token from the work page's data.",
        }


class BoundedJSON(BaseParser):
    """JSON of at most ``work_body.MOST_BODY_BYTES``, whatever its depth."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        return work_body.parse_json(stream.read(work_body.MOST_BODY_BYTES + 1))


class WorkView(APIView):
    """What both endpoints share: the token, the language, who may read the answer, and how a refusal is worded."""

    authentication_classes = [WorkToken]
    permission_classes = []
    parser_classes = [BoundedJSON]

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> HttpResponseBase:
        with override(page_language(request.GET.get("lang"))):
            return super().dispatch(request, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        if request.method != "OPTIONS":  # a preflight carries no token
            super().initial(request, *args, **kwargs)

    def options(self, request: Any, *args: Any, **kwargs: Any) -> Response:
        return Response(
            status=204,
            headers={
                "Access-Control-Allow-Methods": "GET, PUT, POST, OPTIONS",
                "Access-Control-Allow-Headers": "authorization, content-type",
                "Access-Control-Max-Age": str(PREFLIGHT_SECONDS),
            },
        )

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        response["Access-Control-Allow-Origin"] = "*"
        response["Cache-Control"] = "no-store"
        return response

    def handle_exception(self, exc: Exception) -> Response:
        status, extra = _refusal(exc)
        if status is None:
            return super().handle_exception(exc)
        code = extra.pop("code")
        return Response({"code": code, "detail": str(exc), **extra}, status=status)

    def read(self, request: Request) -> tuple[Claims, work_body.WorkBody]:
        """The token's claims and the body of work. Raises BadShape, also for the token of a quiz."""
        claims = cast(Claims, request.auth)
        if claims.kind == Task.Kind.QUIZ:
            raise work_body.BadShape(_("This HIT is a quiz: its answers are checked, and nothing else is sent."))
        return claims, work_body.read_body(request.data, claims.kind)


def _refusal(exc: Exception) -> tuple[int | None, dict[str, Any]]:
    """The status of the answer to ``exc``, its code, and what else it says; None for what is not ours to word."""
    match exc:
        case TokenProblem():
            return 403, {"code": exc.code}
        case work_body.TooLarge():
            return 413, {"code": "too_large", "field": exc.field}
        case work_body.BadShape():
            return 400, {"code": "bad_shape", "field": exc.field}
        case work.Stale():
            return 409, {"code": "stale", "version": exc.version, "saved_at": exc.saved_at}
        case work.Finished():
            return 409, {"code": "finished"}
        case work.Incomplete():
            errors = [
                {"paragraph": problem.paragraph, "question": problem.question, "message": problem.message}
                for problem in exc.problems
            ]
            return 422, {"code": "incomplete", "errors": errors}
        case quizzes.Unanswered():
            return 422, {"code": "incomplete", "errors": [{"item": place} for place in exc.items]}
        case MethodNotAllowed():
            return 405, {"code": "method_not_allowed"}
        case UnsupportedMediaType():
            return 415, {"code": "unsupported_media_type"}
    return None, {}


_LANGUAGE = OpenApiParameter("lang", str, description="The language of the sentences, such as en.")
_BODY = PolymorphicProxySerializer(
    "Work",
    [serializers.WritingSerializer, serializers.AnsweringSerializer, serializers.QuizSerializer],
    resource_type_field_name=None,
)
_REFUSALS: dict[int, Any] = {
    400: serializers.BadShapeSerializer,
    403: serializers.RefusalSerializer,
    409: serializers.StaleSerializer,
    413: serializers.BadShapeSerializer,
}


class DraftView(WorkView):
    """The draft of one assignment."""

    @extend_schema(
        operation_id="read_draft",
        description="The newest draft. What a page sent as its last act may have arrived after the page that took its "
        "place was rendered, and a frame often has no storage to keep it in: so the new page asks once more.",
        parameters=[_LANGUAGE],
        responses={200: serializers.DraftSerializer, 403: serializers.RefusalSerializer},
    )
    def get(self, request: Request) -> Response:
        draft = work.stored_draft(cast(Claims, request.auth))
        return Response({"version": draft.version, **draft.content} if draft else {"version": 0, "paragraphs": []})

    @extend_schema(
        operation_id="save_draft",
        description="Save what the worker has so far. The newest version wins: an older one, or an equal one with "
        "another content, is refused with the stored version. The same request again is harmless.",
        parameters=[_LANGUAGE],
        request=_BODY,
        responses={200: serializers.SavedSerializer, **_REFUSALS},
    )
    def put(self, request: Request) -> Response:
        if cast(Claims, request.auth).kind == Task.Kind.QUIZ:
            quiz_body = work_body.read_quiz_body(request.data)
            saved_at = work.save_draft(cast(Claims, request.auth), quiz_body)
            return Response({"version": quiz_body.version, "saved_at": saved_at})
        claims, body = self.read(request)
        work_body.check_most(body, claims.most_paragraphs, claims.most_questions, claims.most_answer_chars)
        return Response({"version": body.version, "saved_at": work.save_draft(claims, body)})


class FinishView(WorkView):
    """The end of the work on one assignment."""

    @extend_schema(
        operation_id="finish",
        description="Store the questions and answers, exactly once; sent again, the answer is the same and nothing "
        "changes. What is missing is listed with a sentence each. The page then posts submit.fields to submit.url.",
        parameters=[_LANGUAGE],
        request=_BODY,
        responses={200: serializers.FinishedSerializer, **_REFUSALS, 422: serializers.IncompleteSerializer},
    )
    def post(self, request: Request) -> Response:
        claims, body = self.read(request)
        outcome = work.finish(claims, body)
        assignment = outcome.assignment
        reply: dict[str, Any] = {"finished_at": assignment.finished_at, "already": outcome.already}
        if outcome.changed:
            reply["detail"] = _("This work had been sent before. The later changes were not kept.")
        fields = {"assignmentId": assignment.mturk_assignment_id, "receipt": receipt(assignment)}
        return Response(reply | {"submit": {"url": claims.submit_url, "fields": fields}})


class QuizView(WorkView):
    """A try at the quiz of one assignment."""

    @extend_schema(
        operation_id="check_quiz",
        description="Check a try and say of each item whether it is right. The same try again is answered as it was "
        "and changes nothing. Once the quiz is over, submit says what to post where, whether it was passed or not.",
        parameters=[_LANGUAGE],
        request=serializers.QuizSerializer,
        responses={200: serializers.QuizOutcomeSerializer, **_REFUSALS, 422: serializers.UnansweredSerializer},
    )
    def post(self, request: Request) -> Response:
        claims = cast(Claims, request.auth)
        if claims.kind != Task.Kind.QUIZ:
            raise work_body.BadShape(_("This HIT is no quiz."))
        body = work_body.read_quiz_body(request.data)
        if not body.number:
            raise work_body.BadShape(_("The field “%(field)s” is missing.") % {"field": "try"}, "try")
        outcome = quizzes.check(claims, body)
        if not outcome["is_over"]:
            return Response(outcome)
        fields = {"assignmentId": claims.mturk_assignment_id, "receipt": receipt_of(claims.assignment_id)}
        return Response(outcome | {"submit": {"url": claims.submit_url, "fields": fields}})


class NotesView(WorkView):
    """What the page's worker has read of what reviewers noted for them."""

    @extend_schema(
        operation_id="mark_notes_read",
        description="Say that the worker has read these notes of the page's data, so that no later page opens with "
        "them. Others than the worker's own are left alone; the same request again is harmless.",
        parameters=[_LANGUAGE],
        request=serializers.NotesReadSerializer,
        responses={200: serializers.NotesCountSerializer, **_REFUSALS},
    )
    def post(self, request: Request) -> Response:
        ids = work_body.read_note_ids(request.data)
        return Response({"read": notes.mark_read(cast(Claims, request.auth), ids)})
