"""The shapes of the work API, for its OpenAPI schema. Requests are read by ``services.work_body``, by hand."""

from typing import Any

from rest_framework import serializers

from annotation.services import quiz_notation, work_body


class SpanSerializer(serializers.Serializer[Any]):
    """``[start, end)`` of the paragraph's text in Unicode code points, and the text found there."""

    start = serializers.IntegerField(min_value=0)
    end = serializers.IntegerField(min_value=0)
    text = serializers.CharField(trim_whitespace=False, allow_blank=True)


class SignalsSerializer(serializers.Serializer[Any]):
    """What the page counted while the worker was at a question: evidence for reviewers, all of it optional."""

    active_seconds = serializers.IntegerField(min_value=0, max_value=work_body.MOST_COUNT, required=False)
    keys = serializers.IntegerField(min_value=0, max_value=work_body.MOST_COUNT, required=False)
    pastes = serializers.IntegerField(min_value=0, max_value=work_body.MOST_COUNT, required=False)
    untyped_characters = serializers.IntegerField(min_value=0, max_value=work_body.MOST_COUNT, required=False)
    late_edits = serializers.IntegerField(min_value=0, max_value=work_body.MOST_COUNT, required=False)


class WrittenQuestionSerializer(serializers.Serializer[Any]):
    """A question that the worker writes."""

    id = serializers.UUIDField(help_text="Made by the page; stays the same as long as the question exists.")
    text = serializers.CharField(max_length=work_body.MOST_QUESTION_CHARS, trim_whitespace=False, allow_blank=True)
    answer = SpanSerializer(allow_null=True, required=False)
    signals = SignalsSerializer(required=False)


class AnsweredQuestionSerializer(serializers.Serializer[Any]):
    """A question that the worker answers: a span, or explicitly none."""

    id = serializers.IntegerField(min_value=1, help_text="The id in the page's data.")
    answer = SpanSerializer(allow_null=True, required=False)
    unanswerable = serializers.BooleanField(default=False)
    signals = SignalsSerializer(required=False)


class WrittenParagraphSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField(min_value=1, help_text="The id in the page's data.")
    active_seconds = serializers.IntegerField(min_value=0, max_value=work_body.MOST_COUNT)
    blocked_actions = serializers.IntegerField(min_value=0, max_value=work_body.MOST_COUNT)
    focus_losses = serializers.IntegerField(min_value=0, max_value=work_body.MOST_COUNT, required=False)
    questions = WrittenQuestionSerializer(many=True)


class AnsweredParagraphSerializer(WrittenParagraphSerializer):
    questions = AnsweredQuestionSerializer(many=True)  # type: ignore[assignment]


class WritingSerializer(serializers.Serializer[Any]):
    version = serializers.IntegerField(min_value=1, help_text="One more than the last version with another content.")
    paragraphs = WrittenParagraphSerializer(many=True)


class AnsweringSerializer(serializers.Serializer[Any]):
    version = serializers.IntegerField(min_value=1, help_text="One more than the last version with another content.")
    paragraphs = AnsweredParagraphSerializer(many=True)


class QuizSerializer(serializers.Serializer[Any]):
    version = serializers.IntegerField(min_value=1, help_text="One more than the last version with another content.")
    answers = serializers.ListField(
        child=serializers.JSONField(allow_null=True),
        max_length=quiz_notation.MOST_ITEMS,
        help_text="For each item a judgement's code, a span, (none), or null for nothing yet.",
    )


class QuizItemSerializer(serializers.Serializer[Any]):
    is_right = serializers.BooleanField()
    words = serializers.CharField(help_text="A hint, or why.")


class DraftSerializer(serializers.Serializer[Any]):
    version = serializers.IntegerField(help_text="0 where nothing was saved yet.")
    paragraphs = serializers.ListField(child=serializers.DictField(), help_text="As they were sent.")


class SavedSerializer(serializers.Serializer[Any]):
    version = serializers.IntegerField()
    saved_at = serializers.DateTimeField()


class SubmitFieldsSerializer(serializers.Serializer[Any]):
    assignmentId = serializers.CharField()  # noqa: N815 - the marketplace's own name
    receipt = serializers.CharField()


class SubmitSerializer(serializers.Serializer[Any]):
    url = serializers.URLField(help_text="The page posts the fields there as an HTML form.")
    fields = SubmitFieldsSerializer()  # type: ignore[assignment]


class FinishedSerializer(serializers.Serializer[Any]):
    finished_at = serializers.DateTimeField()
    already = serializers.BooleanField(help_text="It had been finished before; nothing was changed.")
    detail = serializers.CharField(required=False, help_text="Said where a later, different request changed nothing.")
    submit = SubmitSerializer()


class QuizOutcomeSerializer(serializers.Serializer[Any]):
    left = serializers.IntegerField(help_text="Tries that are left.")
    is_over = serializers.BooleanField()
    has_passed = serializers.BooleanField()
    right = serializers.IntegerField()
    total = serializers.IntegerField()
    needed = serializers.IntegerField(help_text="Items that have to be right.")
    items = QuizItemSerializer(many=True)
    submit = SubmitSerializer(required=False)


class NotesReadSerializer(serializers.Serializer[Any]):
    read = serializers.ListField(child=serializers.IntegerField(), help_text="Ids of notes in the page's data.")


class NotesCountSerializer(serializers.Serializer[Any]):
    read = serializers.IntegerField(help_text="How many of them are the worker's own.")


class RefusalSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    detail = serializers.CharField(help_text="A sentence for the worker, in the page's language.")


class BadShapeSerializer(RefusalSerializer):
    field = serializers.CharField(help_text="Such as paragraphs[0].questions[2].text; empty for the whole request.")


class StaleSerializer(RefusalSerializer):
    version = serializers.IntegerField(required=False, help_text="The stored draft's.")
    saved_at = serializers.DateTimeField(required=False)


class ProblemSerializer(serializers.Serializer[Any]):
    paragraph = serializers.IntegerField()
    question = serializers.JSONField(allow_null=True, help_text="The question's id, or null for the paragraph.")
    message = serializers.CharField()


class IncompleteSerializer(RefusalSerializer):
    errors = ProblemSerializer(many=True)  # type: ignore[assignment]


class UnansweredItemSerializer(serializers.Serializer[Any]):
    item = serializers.IntegerField(help_text="Its place, from 0.")


class UnansweredSerializer(RefusalSerializer):
    errors = UnansweredItemSerializer(many=True)  # type: ignore[assignment]
