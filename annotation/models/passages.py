"""Articles and paragraphs, and the record of how they came in."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Length
from django.utils.translation import gettext_lazy as _

from annotation.querysets import ArticleQuerySet, InProject, ParagraphQuerySet

from .projects import Project


class Import(models.Model):
    """One file that was taken in: what it was and what became of each part of it."""

    project = models.ForeignKey(Project, models.PROTECT, related_name="imports")
    file_name = models.CharField(max_length=255)
    file_sha256 = models.CharField(max_length=64)
    report = models.JSONField(default=dict)
    # What the curation that made the file says of it, where its report came along; empty elsewhere.
    curation = models.JSONField(default=dict)
    imported_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, editable=False)
    imported_at = models.DateTimeField(auto_now_add=True)

    objects = InProject.as_manager()

    class Meta:
        verbose_name = _("import")
        verbose_name_plural = _("imports")

    def __str__(self) -> str:
        return self.file_name


class Article(models.Model):
    """A source document. Its split is drawn once, for the whole article (SQuAD paper, section 3.1)."""

    class Split(models.TextChoices):
        TRAIN = "train", "train"
        DEV = "dev", "dev"
        TEST = "test", "test"

    project = models.ForeignKey(Project, models.PROTECT, related_name="articles")
    title = models.CharField(_("title"), max_length=500)
    position = models.PositiveIntegerField(_("position"))
    split = models.CharField(_("split"), max_length=5, choices=Split, blank=True)
    source_url = models.URLField(_("source"), max_length=2000, blank=True)
    licence = models.CharField(_("licence"), max_length=200, blank=True)
    language = models.CharField(_("language"), max_length=35, blank=True)  # a BCP 47 tag, as the source says
    # The source's own mark of the version, and the words that its licence asks for.
    revision = models.CharField(_("revision"), max_length=200, blank=True)
    attribution = models.CharField(_("attribution"), max_length=2000, blank=True)
    topic = models.CharField(_("topic"), max_length=200, blank=True)  # where its source names one
    # Words that are frequent here and rare in the project's other articles; null until they are worked out.
    key_words = ArrayField(models.TextField(), null=True, editable=False)

    objects = ArticleQuerySet.as_manager()

    class Meta:
        verbose_name = _("article")
        verbose_name_plural = _("articles")
        constraints = [
            models.UniqueConstraint(fields=["project", "title"], name="one_article_per_title"),
            models.UniqueConstraint(fields=["project", "position"], name="one_article_per_position"),
        ]

    def __str__(self) -> str:
        return self.title.replace("_", " ")


class Paragraph(models.Model):
    """One paragraph that workers read. Offsets count Unicode code points of ``text``, exactly as stored.

    The text cannot change once the paragraph is in a task or has a question; a trigger in the database keeps that.
    ``is_excluded`` follows the latest ``ParagraphChoice``, by a trigger too, and an excluded one enters no task.
    """

    project = models.ForeignKey(Project, models.PROTECT, related_name="paragraphs")
    article = models.ForeignKey(Article, models.PROTECT, related_name="paragraphs")
    position = models.PositiveIntegerField(_("position"))
    text = models.TextField(_("text"))
    text_sha256 = models.CharField(max_length=64, editable=False)
    characters = models.GeneratedField(  # code points, as everywhere
        expression=Length("text"), output_field=models.PositiveIntegerField(), db_persist=True
    )
    # The headings that it stands under in its source, outermost first.
    section = ArrayField(models.TextField(), default=list, blank=True, editable=False)
    # Of the source, where it is not the article's: an article may come in again at a later version, with more of it.
    revision = models.CharField(max_length=200, blank=True, editable=False)
    is_excluded = models.BooleanField(_("excluded"), default=False, editable=False)
    imported_from = models.ForeignKey(Import, models.PROTECT, null=True, editable=False, related_name="paragraphs")

    objects = ParagraphQuerySet.as_manager()

    class Meta:
        verbose_name = _("paragraph")
        verbose_name_plural = _("paragraphs")
        constraints = [
            models.UniqueConstraint(fields=["article", "position"], name="one_paragraph_per_position"),
            models.UniqueConstraint(fields=["project", "text_sha256"], name="no_paragraph_twice"),
            models.CheckConstraint(name="paragraph_is_not_empty", condition=~Q(text="")),
        ]
        indexes = [models.Index(fields=["project", "characters"], name="paragraphs_by_length")]

    def __str__(self) -> str:
        return f"{self.article}, paragraph {self.position + 1}"

    @property
    def source_revision(self) -> str:
        """The source's mark of the version that the text is from, empty where nobody said one."""
        return self.revision or self.article.revision


class PassageAct(models.Model):
    """What somebody decided about a project's passages, and why. Only ever added; a trigger keeps that."""

    class Kind(models.TextChoices):
        EXCLUDE = "exclude", _("excluded")
        INCLUDE = "include", _("included again")
        UNDO = "undo", _("undone")
        SPLIT = "split", _("split drawn")

    project = models.ForeignKey(Project, models.PROTECT, related_name="passage_acts")
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    why = models.CharField(_("why"), max_length=500)
    # How the passages were chosen (``services.passages.Narrowing``), or how the split was to be drawn.
    asked = models.JSONField(default=dict)
    articles = models.PositiveIntegerField(_("articles"))
    paragraphs = models.PositiveIntegerField(_("paragraphs"))
    undoes = models.OneToOneField("self", models.PROTECT, null=True, related_name="undone_by")
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    decided_at = models.DateTimeField(auto_now_add=True)

    objects = InProject.as_manager()

    class Meta:
        verbose_name = _("decision on passages")
        verbose_name_plural = _("decisions on passages")
        constraints = [
            models.CheckConstraint(
                name="an_undo_names_what_it_undoes",
                condition=Q(kind="undo", undoes__isnull=False) | (~Q(kind="undo") & Q(undoes__isnull=True)),
            ),
            models.CheckConstraint(name="a_decision_on_passages_says_why", condition=~Q(why="")),
        ]
        indexes = [models.Index(fields=["project", "-id"], name="latest_passage_acts")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} ({self.pk})"


class ParagraphChoice(models.Model):
    """That a paragraph was left out or taken back by an act. The latest row of a paragraph stands."""

    act = models.ForeignKey(PassageAct, models.PROTECT, related_name="choices")
    paragraph = models.ForeignKey(Paragraph, models.PROTECT, related_name="choices")
    is_excluded = models.BooleanField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["paragraph", "act"], name="a_paragraph_once_in_an_act")]

    def __str__(self) -> str:
        return f"{self.paragraph}: {'excluded' if self.is_excluded else 'included'}"


class TextRepair(models.Model):
    """One change to a paragraph's text: what it was, what it became, who did it and why. Only ever added."""

    paragraph = models.ForeignKey(Paragraph, models.PROTECT, related_name="repairs")
    old_text = models.TextField()
    new_text = models.TextField()
    why = models.CharField(_("why"), max_length=500)
    repaired_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    repaired_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("text repair")
        verbose_name_plural = _("text repairs")
        constraints = [
            models.CheckConstraint(name="a_repair_changes_the_text", condition=~Q(old_text=F("new_text"))),
            models.CheckConstraint(name="a_repair_says_why", condition=~Q(why="")),
        ]

    def __str__(self) -> str:
        return f"{self.paragraph}: {self.why}"
