"""Articles and paragraphs, and the record of how they came in."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.querysets import ArticleQuerySet, InProject, ParagraphQuerySet

from .projects import Project


class Import(models.Model):
    """One file that was taken in: what it was and what became of each part of it."""

    project = models.ForeignKey(Project, models.PROTECT, related_name="imports")
    file_name = models.CharField(max_length=255)
    file_sha256 = models.CharField(max_length=64)
    report = models.JSONField(default=dict)
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

    The text cannot change once a question exists on it; a trigger in the database keeps that.
    """

    project = models.ForeignKey(Project, models.PROTECT, related_name="paragraphs")
    article = models.ForeignKey(Article, models.PROTECT, related_name="paragraphs")
    position = models.PositiveIntegerField(_("position"))
    text = models.TextField(_("text"))
    text_sha256 = models.CharField(max_length=64, editable=False)
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

    def __str__(self) -> str:
        return f"{self.article}, paragraph {self.position + 1}"
