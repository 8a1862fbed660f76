"""The API about review, under ``/api/v1/``: the queue, one piece of work with its signals, and deciding.

Whoever holds a role in a project reads; reviewers and requesters decide, through the services that the pages use.
Decisions of programs are told at once, unless they ask for the time to undo.
"""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Answer, Assignment, Question, Task
from annotation.note_words import REASONS as NOTE_REASONS
from annotation.permissions import REVIEWERS, project_or_404
from annotation.services.notes import UnusableNote
from hits.api_base import RoomView
from hits.serializers import RequestRefusalSerializer
from hits.services.pseudonyms import worker_key
from reviewer.models import BulkAct
from reviewer.services import bulk, letting_on, looks, notes, noticing, queue, reasons, review
from reviewer.services.evidence import ReviewedQuestion, evidence
from reviewer.services.queue import Filter, State
from reviewer.services.verdicts import NoSuchSpan, Overtaken, adjudicate, give_verdict, span_in

from .models import ReviewRules, SecondLook

MOST_KEY = 10**18
REFUSED: dict[int, Any] = dict.fromkeys((400, 403, 404, 409, 422), RequestRefusalSerializer)
ACTIONS = ("approve", "drop", "reject", "undo", "look", "withdraw", "let_on")
QUESTION_ACTIONS = ("keep", "drop", "fix", "look", "note")


class QueueFilter(serializers.Serializer[Any]):
    project = serializers.SlugField(required=False)
    state = serializers.ChoiceField(State.choices, default=State.WAITING)
    kind = serializers.ChoiceField(Task.Kind.choices, required=False)
    signal = serializers.CharField(required=False, help_text="A signal's code, `any` or `none`.")
    batch = serializers.IntegerField(min_value=1, max_value=MOST_KEY, required=False)


class ReviewSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField(source="pk")
    project = serializers.CharField(source="task.project.slug")
    kind = serializers.CharField(source="task.kind")
    worker = serializers.SerializerMethodField(help_text="A key of this worker in this project alone.")
    status = serializers.CharField()
    submitted_at = serializers.DateTimeField()
    against = serializers.IntegerField(
        source="signal_run.against",
        default=None,
        allow_null=True,
        help_text="Signals against it; null before they are.",
    )
    worry = serializers.IntegerField(
        source="signal_run.worry",
        default=None,
        allow_null=True,
        help_text="What these signals weigh together, in hundredths; null before they are.",
    )

    def get_worker(self, assignment: Assignment) -> str:
        return worker_key(assignment.task.project_id, assignment.worker_id)


class SaidSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    sentence = serializers.CharField()
    speaks_for = serializers.BooleanField()


class StoredAnswerSerializer(serializers.ModelSerializer[Answer]):
    class Meta:
        model = Answer
        fields = ["id", "start", "end", "text", "is_mid_word"]


class SentNoteSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField(source="pk")
    reason = serializers.CharField(help_text="A usual reason by its code; empty where it is in words alone.")
    note = serializers.CharField(source="text")
    start = serializers.IntegerField(allow_null=True)
    end = serializers.IntegerField(allow_null=True)
    text = serializers.CharField(source="marked_words")
    written_at = serializers.DateTimeField()
    read_at = serializers.DateTimeField(source="reading.read_at", default=None, allow_null=True)


class ReviewedQuestionSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField(source="question.pk")
    public_id = serializers.CharField(source="question.public_id")
    text = serializers.CharField(source="question.text")
    answer = StoredAnswerSerializer(allow_null=True, help_text="The worker's own; all null where they found none.")
    adjudication = StoredAnswerSerializer(allow_null=True, help_text="A reviewer's own, which exports take.")
    is_gold = serializers.BooleanField()
    is_dropped = serializers.BooleanField()
    seen_verdict = serializers.IntegerField(help_text="Send it back as `seen` with a verdict.")
    seen_adjudication = serializers.IntegerField(help_text="Send it back as `seen` with a fix.")
    signals = SaidSerializer(source="said", many=True)
    notes = serializers.SerializerMethodField(help_text="What the worker was told about it.")

    @extend_schema_field(SentNoteSerializer(many=True))
    def get_notes(self, item: ReviewedQuestion) -> Any:
        about = [note for note in self.context.get("notes", ()) if note.question_id == item.question.pk]
        return SentNoteSerializer(about, many=True).data


class NoteReasonSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    sentence = serializers.CharField()


class ReviewedWorkSerializer(ReviewSerializer):
    """One piece of work with all that there is to see."""

    standing = serializers.CharField(help_text="Who decided what, and when, in a sentence.")
    signals = SaidSerializer(many=True, help_text="Of the whole.")
    questions = ReviewedQuestionSerializer(many=True)
    note_reasons = NoteReasonSerializer(many=True, help_text="What a note may give as its `chosen_reason`.")


class WorkDecisionSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(
        required=False, max_length=20_000, trim_whitespace=False, help_text="For `reject`; the worker reads it."
    )
    chosen_reason = serializers.ChoiceField(list(reasons.CHOICES), required=False, help_text="In place of `reason`.")
    note = serializers.CharField(required=False, max_length=20_000, help_text="For `look`: what to look at.")
    hold = serializers.BooleanField(default=False, help_text="Wait for the project's time to undo.")


class VerdictSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(required=False, max_length=20_000)
    chosen_reason = serializers.CharField(
        required=False,
        max_length=1000,
        help_text="For `note`: the code of a usual reason, or one of the project's own in full; see `note_reasons`.",
    )
    note = serializers.CharField(
        required=False, max_length=20_000, help_text="For `look` to a colleague, for `note` to the worker."
    )
    seen = serializers.IntegerField(min_value=0, max_value=MOST_KEY, required=False)
    start = serializers.IntegerField(min_value=0, max_value=MOST_KEY, required=False, help_text="In code points.")
    end = serializers.IntegerField(min_value=0, max_value=MOST_KEY, required=False)
    occurrence = serializers.IntegerField(
        min_value=1, max_value=MOST_KEY, required=False, help_text="Which place of `text`, where it has several."
    )
    text = serializers.CharField(required=False, max_length=100_000, trim_whitespace=False)
    unanswerable = serializers.BooleanField(default=False)


class ManySerializer(serializers.Serializer[Any]):
    project = serializers.SlugField()
    decision = serializers.ChoiceField(BulkAct.Decision.choices)
    kind = serializers.ChoiceField(Task.Kind.choices, required=False)
    signal = serializers.CharField(required=False)
    batch = serializers.IntegerField(min_value=1, max_value=MOST_KEY, required=False)
    assignments = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MOST_KEY), required=False, max_length=100_000
    )
    reason = serializers.CharField(required=False, max_length=20_000)
    chosen_reason = serializers.ChoiceField(list(reasons.CHOICES), required=False)
    dry_run = serializers.BooleanField(default=False, help_text="Say what it would do, and do nothing.")
    confirmed_count = serializers.IntegerField(
        min_value=0, required=False, help_text="The count of a dry run; more than that is refused."
    )


class ManyDecisionsSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField(allow_null=True)
    decision = serializers.CharField()
    count = serializers.IntegerField()
    total_usd = serializers.DecimalField(max_digits=12, decimal_places=2, required=False)
    held = serializers.IntegerField(required=False, help_text="How many can still be taken back.")
    undone = serializers.IntegerField(required=False, allow_null=True)


class ReviewView(RoomView):
    """What the views of the review share."""

    refusals = [
        ((review.AlreadyDecided, review.TooLate, bulk.TooLate, looks.NotYours), 409, "decided", ""),
        ((Overtaken,), 409, "overtaken", ""),
        ((reasons.UnusableReason, UnusableNote, NoSuchSpan, bulk.NotAllowed), 422, "refused", ""),
        *RoomView.refusals,
    ]

    def rows(self) -> QuerySet[Assignment]:
        mine = Assignment.objects.visible_to(self.user).order_by().values("pk")
        return Assignment.objects.filter(pk__in=mine).listed().select_related("task__project", "signal_run", "worker")

    def work(self, pk: int) -> Assignment:
        """The assignment ``pk``, if the user may decide about it. Raises Http404 or PermissionDenied."""
        assignment = get_object_or_404(self.rows(), pk=pk)
        project_or_404(self.user, assignment.task.project_id, *REVIEWERS)
        return assignment


class QueueView(ReviewView):
    """Submitted work."""

    serializer_class = ReviewSerializer
    filter_class = QueueFilter

    def narrowed(self, rows: QuerySet) -> QuerySet:
        given = QueueFilter(data=self.request.query_params)
        given.is_valid(raise_exception=True)
        asked = given.validated_data
        if "signal" in asked and Filter.of(asked).signal != asked["signal"]:
            raise ValidationError({"signal": [_("There is no such signal.")]})
        if "project" in asked:
            rows = rows.filter(task__project__slug=asked["project"])
        return queue.in_state(Filter.of(asked).narrow(rows), asked["state"])

    @extend_schema(operation_id="list_reviews", parameters=[QueueFilter], responses={200: ReviewSerializer(many=True)})
    def get(self, request: Request) -> Response:
        return self.page(self.rows())


class WorkView(ReviewView):
    """One piece of submitted work, with its questions, answers and signals."""

    serializer_class = ReviewedWorkSerializer

    @extend_schema(operation_id="read_review", responses={200: ReviewedWorkSerializer, **REFUSED})
    def get(self, request: Request, pk: int) -> Response:
        return Response(shown_work(get_object_or_404(self.rows(), pk=pk)))


def shown_work(assignment: Assignment) -> Any:
    """``assignment`` as the API shows it; its signals are worked out where they are not yet."""
    project = assignment.task.project
    if assignment.task.kind != Task.Kind.QUIZ and not hasattr(assignment, "signal_run"):
        noticing.notice(project, [assignment], ReviewRules.objects.in_force(project))
    found = evidence(assignment)
    return dict(ReviewSerializer(assignment).data) | {
        "standing": review.standing_of(assignment).sentence(),
        "signals": SaidSerializer(found.said, many=True).data,
        "questions": ReviewedQuestionSerializer(
            found.questions, many=True, context={"notes": notes.sent_about(assignment)}
        ).data,
        "note_reasons": [
            *({"code": words, "sentence": words} for words in notes.own_reasons(project)),
            *({"code": code, "sentence": str(words)} for code, words in NOTE_REASONS.items()),
        ],
    }


class DecideView(ReviewView):
    """What is decided about a piece of work."""

    serializer_class = WorkDecisionSerializer

    @extend_schema(
        operation_id="decide_review",
        description="`approve`, `drop` (pay and leave out of the data), `reject`, `undo` (while the endpoint has not "
        "been told), `look` (ask a colleague), `withdraw` (what you asked colleagues about it, question or whole), "
        "`let_on` (its worker, who waits for a first look; a decision does so too).",
        parameters=[OpenApiParameter("action", str, OpenApiParameter.PATH, enum=sorted(ACTIONS))],
        request=WorkDecisionSerializer,
        responses={200: ReviewedWorkSerializer, **REFUSED},
        examples=[OpenApiExample("A rejection", {"chosen_reason": "copied", "hold": True}, request_only=True)],
    )
    def post(self, request: Request, pk: int, action: str) -> Response:
        if action not in ACTIONS:
            raise Http404
        assignment, asked = self.work(pk), self.body(WorkDecisionSerializer)
        hold = asked["hold"]
        if action == "approve":
            review.approve(assignment, self.user, hold=hold)
        elif action == "drop":
            review.drop(assignment, self.user, hold=hold)
        elif action == "reject":
            reason = reasons.chosen_or_written(asked.get("chosen_reason", ""), asked.get("reason", ""))
            review.reject(assignment, self.user, reason, hold=hold)
        elif action == "undo":
            review.undo(assignment, self.user)
        elif action == "let_on":
            letting_on.let_on(assignment, self.user)
        elif action == "withdraw":
            mine = SecondLook.objects.waiting().filter(assignment=assignment, cause="asked", asked_by=self.user)
            for look in mine:
                looks.withdraw(look, self.user)
        else:
            looks.ask(assignment, self.user, note=asked.get("note", ""))
        return Response(shown_work(get_object_or_404(self.rows(), pk=pk)))


class QuestionView(ReviewView):
    """What is decided about one question of a piece of work."""

    serializer_class = VerdictSerializer

    @extend_schema(
        operation_id="decide_question",
        description="`keep`, `drop`, `fix` (the reviewer's own answer: `start`, `end` and `text`, the words alone "
        "where they stand once, or `unanswerable`), `look`, `note` (to the worker: `chosen_reason`, `note` or both, "
        "and the words that it is about as for a fix). `seen` is what the page showed; a later word gives 409.",
        parameters=[OpenApiParameter("action", str, OpenApiParameter.PATH, enum=sorted(QUESTION_ACTIONS))],
        request=VerdictSerializer,
        responses={200: ReviewedWorkSerializer, **REFUSED},
        examples=[
            OpenApiExample("A shorter answer", {"text": "gravity", "start": 130, "end": 137}, request_only=True),
            OpenApiExample("A note", {"chosen_reason": "shorter", "text": "gravity"}, request_only=True),
        ],
    )
    def post(self, request: Request, pk: int, question_pk: int, action: str) -> Response:
        if action not in QUESTION_ACTIONS:
            raise Http404
        assignment, asked = self.work(pk), self.body(VerdictSerializer)
        if question_pk not in looks.questions_of(assignment):
            raise Http404
        question = Question.objects.select_related("paragraph").get(pk=question_pk)
        if action == "look":
            looks.ask(assignment, self.user, question, asked.get("note", ""))
        elif action == "note":
            notes.send(
                assignment,
                question,
                self.user,
                reason=asked.get("chosen_reason", ""),
                text=asked.get("note", ""),
                words=asked.get("text", ""),
                start=asked.get("start"),
                end=asked.get("end"),
                occurrence=asked.get("occurrence"),
            )
        elif action == "fix":
            span = None
            if not asked["unanswerable"]:
                text = question.paragraph.text
                span = span_in(
                    text, asked.get("text", ""), asked.get("start"), asked.get("end"), asked.get("occurrence")
                )
            adjudicate(question, self.user, span, seen=asked.get("seen"))
        else:
            thing: Question | Answer = question
            if assignment.task.kind != Task.Kind.WRITE:
                thing = get_object_or_404(Answer, assignment=assignment, question=question)
            give_verdict(thing, action, self.user, asked.get("reason", ""), seen=asked.get("seen"))
        return Response(shown_work(assignment))


class ManyView(ReviewView):
    """A decision about many."""

    serializer_class = ManySerializer

    @extend_schema(
        operation_id="decide_many_reviews",
        description="A decision about all waiting work that a filter lets through, or that `assignments` names. It is "
        "told once the project's time to undo is over.",
        request=ManySerializer,
        responses={200: ManyDecisionsSerializer, 201: ManyDecisionsSerializer, **REFUSED},
        examples=[
            OpenApiExample(
                "All that has nothing against it",
                {"project": "mills", "decision": "approve", "signal": "none", "dry_run": True},
                request_only=True,
            )
        ],
    )
    def post(self, request: Request) -> Response:
        asked = self.body(ManySerializer)
        project = self.project(asked["project"])
        project_or_404(self.user, project.pk, *REVIEWERS)
        chosen = Filter.of(asked)
        if "signal" in asked and chosen.signal != asked["signal"]:
            raise ValidationError({"signal": [_("There is no such signal.")]})
        rows = queue.assignments_in(project, State.WAITING, chosen)
        if "assignments" in asked:
            rows = rows.filter(pk__in=asked["assignments"])
        reason = reasons.chosen_or_written(asked.get("chosen_reason", ""), asked.get("reason", ""))
        cost = review.cost_of(rows)
        paid = cost.total_usd if asked["decision"] in ("approve", "drop") else 0
        if asked["dry_run"]:
            bulk.check(asked["decision"], reason, chosen.narrowing())
            told = {"id": None, "decision": asked["decision"], "count": cost.assignments, "total_usd": paid}
            return Response(ManyDecisionsSerializer(told).data)
        if cost.assignments > asked.get("confirmed_count", cost.assignments):
            raise bulk.NotAllowed(_("More work came in since the dry run: ask again before you decide."))
        ids = list(rows.order_by("submitted_at", "pk").values_list("pk", flat=True))
        act = bulk.decide_many(project, ids, asked["decision"], self.user, reason=reason, chosen_by=chosen.narrowing())
        return Response(shown_act(act), 201)


class ManyUndoView(ReviewView):
    """Taking a decision about many back."""

    serializer_class = ManyDecisionsSerializer

    @extend_schema(operation_id="undo_many_reviews", request=None, responses={200: ManyDecisionsSerializer, **REFUSED})
    def post(self, request: Request, act_pk: int) -> Response:
        act = get_object_or_404(BulkAct.objects.visible_to(self.user), pk=act_pk)
        project_or_404(self.user, act.project_id, *REVIEWERS)
        bulk.undo(act, self.user)
        return Response(shown_act(BulkAct.objects.get(pk=act_pk)))


def shown_act(act: BulkAct) -> Any:
    """A decision about many as the API shows it."""
    return ManyDecisionsSerializer(
        {
            "id": act.pk,
            "decision": act.decision,
            "count": len(act.assignments),
            "held": bulk.standing_of(act).held,
            "undone": act.undone_count,
        }
    ).data
