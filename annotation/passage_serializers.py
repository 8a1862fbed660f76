"""The shapes of the API about passages: lists, decisions, repairs, splits and curations."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.models import Article, CurationRun, Paragraph, ParagraphChoice, PassageAct, TextRepair
from annotation.passage_forms import MOST_CHARACTERS, MOST_KEY
from annotation.services.choosing import MOST_WHY_CHARS
from annotation.services.passage_intake import MAX_PARAGRAPH_CHARS
from annotation.services.passages import STATES
from annotation.services.split_drawing import MOST_SEED, STRATA

MOST_IDS = 5_000
# Of one paragraph, the latest decisions and repairs.
MOST_SHOWN = 100
CHOICES = [PassageAct.Kind.EXCLUDE.value, PassageAct.Kind.INCLUDE.value]


class NarrowingSerializer(serializers.Serializer[Any]):
    """Which paragraphs are meant; what is left out narrows nothing."""

    words = serializers.CharField(max_length=200, required=False, help_text="They stand in the text.")
    title = serializers.CharField(max_length=200, required=False, help_text="They stand in the article's title.")
    section = serializers.CharField(max_length=300, required=False, help_text="A heading above it, at any depth.")
    key_word = serializers.CharField(max_length=100, required=False)
    topic = serializers.CharField(max_length=200, required=False)
    least = serializers.IntegerField(min_value=0, max_value=MOST_CHARACTERS, required=False, help_text="Characters.")
    most = serializers.IntegerField(min_value=0, max_value=MOST_CHARACTERS, required=False, help_text="Characters.")
    split = serializers.ChoiceField(choices=Article.Split.values, required=False)
    state = serializers.ChoiceField(choices=STATES[1:], required=False)
    article = serializers.IntegerField(min_value=1, max_value=MOST_KEY, required=False, help_text="By its id.")
    imported_from = serializers.IntegerField(min_value=1, max_value=MOST_KEY, required=False, help_text="By its id.")


class WhySerializer(serializers.Serializer[Any]):
    why = serializers.CharField(max_length=MOST_WHY_CHARS, required=False, default="", allow_blank=True)
    dry_run = serializers.BooleanField(default=False, help_text="Say what would change, and change nothing.")


class DecideSerializer(NarrowingSerializer, WhySerializer):
    """What is to be excluded or included, and why."""

    kind = serializers.ChoiceField(choices=CHOICES)
    ids = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MOST_KEY), max_length=MOST_IDS, required=False
    )
    all = serializers.BooleanField(default=False, help_text="Needed where nothing narrows: the whole project.")
    expected = serializers.IntegerField(
        min_value=0,
        max_value=MOST_CHARACTERS,
        required=False,
        help_text="How many paragraphs a dry run named; refused where it is another number by now.",
    )


class UndoSerializer(WhySerializer):
    pass


class RepairSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(max_length=MAX_PARAGRAPH_CHARS, trim_whitespace=False, help_text="Line ends are LF.")
    why = serializers.CharField(max_length=MOST_WHY_CHARS)


class DrawSerializer(WhySerializer):
    """How to draw; what is left out is as the project has it."""

    train_percent = serializers.IntegerField(min_value=0, max_value=100, required=False)
    dev_percent = serializers.IntegerField(min_value=0, max_value=100, required=False)
    test_percent = serializers.IntegerField(min_value=0, max_value=100, required=False)
    seed = serializers.IntegerField(min_value=0, max_value=MOST_SEED, required=False)
    stratify = serializers.ChoiceField(choices=STRATA, required=False, default="", allow_blank=True)


class CountsSerializer(serializers.Serializer[Any]):
    """What a decision would change."""

    paragraphs = serializers.IntegerField()
    articles = serializers.IntegerField()
    in_tasks = serializers.IntegerField(required=False, help_text="They stay in their tasks.")
    with_questions = serializers.IntegerField(required=False, help_text="Their questions stay.")


class ShareSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    count = serializers.IntegerField()


class BinSerializer(serializers.Serializer[Any]):
    start = serializers.IntegerField()
    end = serializers.IntegerField(allow_null=True, help_text="Exclusive; null: and more.")
    included = serializers.IntegerField()
    excluded = serializers.IntegerField()


class LengthsSerializer(serializers.Serializer[Any]):
    included = serializers.IntegerField()
    excluded = serializers.IntegerField()
    shortest = serializers.IntegerField()
    longest = serializers.IntegerField()
    mean = serializers.IntegerField()
    bins = BinSerializer(many=True)


class DroppedSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField()
    count = serializers.IntegerField()
    example = serializers.CharField()


class LeftOutSerializer(serializers.Serializer[Any]):
    imported_from = serializers.IntegerField(source="record.pk")
    file_name = serializers.CharField(source="record.file_name")
    by_curation = DroppedSerializer(many=True)
    by_import = DroppedSerializer(many=True)


class GlanceSerializer(serializers.Serializer[Any]):
    """A project's passages at a glance; lengths in characters."""

    lengths = LengthsSerializer()
    topics = ShareSerializer(many=True, help_text="As files name them, by articles.")
    key_words = ShareSerializer(many=True, help_text="By articles.")
    sections = ShareSerializer(many=True, help_text="The outermost headings, by paragraphs.")
    left_out = LeftOutSerializer(many=True)


class ArticleSerializer(serializers.ModelSerializer[Article]):
    paragraphs = serializers.IntegerField(source="paragraphs_held")
    excluded = serializers.IntegerField(source="paragraphs_excluded")
    characters = serializers.IntegerField(source="characters_held", allow_null=True)

    class Meta:
        model = Article
        fields = [
            *("id", "title", "split", "topic", "key_words", "source_url", "licence", "language", "revision"),
            *("attribution", "paragraphs", "excluded", "characters"),
        ]


class ParagraphSerializer(serializers.ModelSerializer[Paragraph]):
    article = serializers.IntegerField(source="article_id")
    title = serializers.CharField(source="article.title")
    split = serializers.CharField(source="article.split")
    revision = serializers.CharField(source="source_revision")
    is_in_tasks = serializers.BooleanField()
    has_questions = serializers.BooleanField()

    class Meta:
        model = Paragraph
        fields = [
            *("id", "article", "title", "split", "position", "section", "revision", "characters", "text"),
            *("is_excluded", "is_in_tasks", "has_questions", "imported_from"),
        ]


class ChoiceSerializer(serializers.ModelSerializer[ParagraphChoice]):
    decision = serializers.IntegerField(source="act_id")
    why = serializers.CharField(source="act.why")
    decided_at = serializers.DateTimeField(source="act.decided_at")

    class Meta:
        model = ParagraphChoice
        fields = ["decision", "is_excluded", "why", "decided_at"]


class RepairedSerializer(serializers.ModelSerializer[TextRepair]):
    repaired_by: Any = serializers.SlugRelatedField(slug_field="username", read_only=True)

    class Meta:
        model = TextRepair
        fields = ["id", "paragraph", "old_text", "new_text", "why", "repaired_by", "repaired_at"]


class ParagraphDetailSerializer(ParagraphSerializer):
    """A paragraph with what was decided about it and how its text was mended, newest first."""

    decisions = serializers.SerializerMethodField()
    repairs = serializers.SerializerMethodField()

    class Meta(ParagraphSerializer.Meta):
        fields = [*ParagraphSerializer.Meta.fields, "decisions", "repairs"]

    @extend_schema_field(ChoiceSerializer(many=True))
    def get_decisions(self, paragraph: Paragraph) -> Any:
        rows = paragraph.choices.select_related("act").order_by("-pk")[:MOST_SHOWN]
        return ChoiceSerializer(rows, many=True).data

    @extend_schema_field(RepairedSerializer(many=True))
    def get_repairs(self, paragraph: Paragraph) -> Any:
        rows = paragraph.repairs.select_related("repaired_by").order_by("-pk")[:MOST_SHOWN]
        return RepairedSerializer(rows, many=True).data


class DecisionSerializer(serializers.ModelSerializer[PassageAct]):
    decided_by: Any = serializers.SlugRelatedField(slug_field="username", read_only=True)
    undone_by = serializers.SerializerMethodField(help_text="The decision that took this one back.")

    class Meta:
        model = PassageAct
        fields = [
            *("id", "kind", "why", "asked", "articles", "paragraphs", "undoes", "undone_by"),
            *("decided_by", "decided_at"),
        ]

    def get_undone_by(self, act: PassageAct) -> int | None:
        return act.undone_by.pk if hasattr(act, "undone_by") else None


class DrawnSplitSerializer(serializers.Serializer[Any]):
    """One split as it would be, or is. Expected questions are the project's fewest and most a paragraph, from all its
    writers."""

    name = serializers.CharField()
    wanted = serializers.IntegerField(help_text="Percent of the articles.")
    share = serializers.FloatField(help_text="Percent of the articles.")
    articles = serializers.IntegerField()
    paragraphs = serializers.IntegerField()
    characters = serializers.IntegerField()
    fewest_questions = serializers.IntegerField(required=False)
    most_questions = serializers.IntegerField(required=False)
    moved = serializers.IntegerField(required=False, help_text="Articles that are in another split now.")


class GroupSerializer(serializers.Serializer[Any]):
    """What is balanced."""

    topic = serializers.CharField()
    shortest = serializers.IntegerField(help_text="Characters an article.")
    longest = serializers.IntegerField(help_text="Characters an article.")
    articles = serializers.IntegerField()
    by_split = serializers.DictField(child=serializers.IntegerField())


class SplitsSerializer(serializers.Serializer[Any]):
    """The splits, and whether they can still change."""

    splits = DrawnSplitSerializer(many=True)
    groups = GroupSerializer(many=True, required=False)
    frozen = serializers.CharField(help_text="Why they can no longer change; empty while they can.")
    decision = serializers.IntegerField(required=False, help_text="The decision that drew them just now.")


class CurationSerializer(serializers.ModelSerializer[CurationRun]):
    """A curation and how far it is."""

    project: Any = serializers.SlugRelatedField(slug_field="slug", read_only=True)
    asked_by: Any = serializers.SlugRelatedField(slug_field="username", read_only=True)
    percent_read = serializers.IntegerField(allow_null=True, help_text="Of the source; null where nobody knows.")
    options = serializers.DictField(source="asked")

    class Meta:
        model = CurationRun
        fields = [
            *("id", "project", "status", "place", "source_name", "titles_name", "options", "problem", "percent_read"),
            *("articles_read", "articles_kept", "paragraphs_kept", "imported_as", "asked_by"),
            *("asked_at", "begun_at", "ended_at"),
        ]


class CurationDetailSerializer(CurationSerializer):
    """A curation with its report, once it is done."""

    report = serializers.DictField()

    class Meta(CurationSerializer.Meta):
        fields = [*CurationSerializer.Meta.fields, "report"]


class CurationRequestSerializer(serializers.Serializer[Any]):
    """A source on the server, or files as ``multipart/form-data``; the other options as ``manage.py curate`` has them,
    and like it where they are left out."""

    files = serializers.ListField(child=serializers.FileField(), required=False)
    server_source = serializers.CharField(required=False, help_text="One of the server's folder of sources.")
    wiki = serializers.CharField(required=False, help_text="Of the wikis that may be read live, by its API's address.")
    titles = serializers.FileField(required=False)
    server_titles = serializers.CharField(required=False)
    server_index = serializers.CharField(required=False)
    views_of = serializers.CharField(required=False)
    top = serializers.IntegerField(required=False)
    sample = serializers.IntegerField(required=False)
    seed = serializers.IntegerField(required=False)
    min_chars = serializers.IntegerField(required=False)
    max_chars = serializers.IntegerField(required=False)
    min_sentences = serializers.IntegerField(required=False)
    language = serializers.CharField(required=False)
    licence = serializers.CharField(required=False)
    attribution = serializers.CharField(required=False)
    source_url = serializers.URLField(required=False)
    max_digits = serializers.FloatField(required=False)
    max_markup = serializers.FloatField(required=False)
    max_foreign_script = serializers.FloatField(required=False)
    duplicates = serializers.FloatField(required=False)
    keep_duplicates = serializers.BooleanField(required=False)
    keep_boilerplate = serializers.BooleanField(required=False)
    any_language = serializers.BooleanField(required=False)
    sentences = serializers.ChoiceField(choices=["auto", "rules", "stanza"], required=False)
    lists = serializers.ChoiceField(choices=["leave_out", "keep"], required=False)
    min_article_chars = serializers.IntegerField(required=False)
    text_field = serializers.CharField(required=False)
    title_field = serializers.CharField(required=False)


class PassageRefusalSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    detail = serializers.CharField(help_text="A sentence.")
    errors = serializers.DictField(  # type: ignore[assignment]  # a field, not the attribute
        required=False, help_text="By field, where something sent cannot be used."
    )
