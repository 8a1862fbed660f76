"""Which reasoning questions ask for (SQuAD paper, section 4 and Table 3): samples of questions, and what reviewers say
of each. Rows are only ever added; of one person's labels for a question the latest stand."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models import Article, Project, Question
from annotation.querysets import InProject


class Reasoning(models.TextChoices):
    """The paper's five categories, in the order of its table."""

    SYNONYMY = "lexical_variation_synonymy", _("Lexical variation (synonymy)")
    WORLD_KNOWLEDGE = "lexical_variation_world_knowledge", _("Lexical variation (world knowledge)")
    SYNTACTIC = "syntactic_variation", _("Syntactic variation")
    MULTIPLE_SENTENCE = "multiple_sentence_reasoning", _("Multiple sentence reasoning")
    AMBIGUOUS = "ambiguous", _("Ambiguous")


class ReasoningSample(models.Model):
    """``per_article`` questions from each article of ``split``, drawn by ``seed``."""

    project = models.ForeignKey(Project, models.PROTECT, related_name="reasoning_samples")
    split = models.CharField(_("split"), max_length=5, choices=Article.Split)
    per_article = models.PositiveSmallIntegerField(_("questions from each article"))
    seed = models.PositiveBigIntegerField(_("seed"))
    drawn_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    drawn_at = models.DateTimeField(auto_now_add=True)

    objects = InProject.as_manager()

    class Meta:
        verbose_name = _("sample for reasoning labels")
        verbose_name_plural = _("samples for reasoning labels")
        constraints = [
            models.CheckConstraint(name="a_sample_takes_one_question_at_least", condition=Q(per_article__gte=1))
        ]

    def __str__(self) -> str:
        return f"{self.split}, {self.per_article} × {self.seed}"


class SampledQuestion(models.Model):
    """One question of a sample, at its place."""

    sample = models.ForeignKey(ReasoningSample, models.PROTECT, related_name="sampled")
    question = models.ForeignKey(Question, models.PROTECT, related_name="+")
    position = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["sample", "question"], name="a_question_once_in_a_sample"),
            models.UniqueConstraint(fields=["sample", "position"], name="one_sampled_question_per_position"),
        ]

    def __str__(self) -> str:
        return f"{self.sample}: {self.position + 1}"


class ReasoningLabel(models.Model):
    """What one person says of one sampled question. ``evidence`` are the words it rests on: ``["question" or
    "paragraph", start, end]`` each, in code points."""

    sampled = models.ForeignKey(SampledQuestion, models.PROTECT, related_name="labels")
    labels = ArrayField(models.CharField(max_length=40, choices=Reasoning))
    evidence = models.JSONField(default=list)
    labelled_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    labelled_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.CheckConstraint(name="a_reasoning_label_says_something", condition=Q(labels__len__gte=1))]
        indexes = [models.Index(fields=["sampled", "labelled_by", "-id"], name="latest_reasoning_labels")]

    def __str__(self) -> str:
        return f"{self.sampled}: {', '.join(self.labels)}"
