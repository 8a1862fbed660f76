"""The qualifications that a project keeps at an endpoint, and who is to hold them."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models import Project, Worker
from annotation.querysets import InProject

from ..querysets import QualificationGrantQuerySet
from .batches import Batch


class Qualification(models.Model):
    """A bookkeeping qualification type of a project at an endpoint, by what holding it means."""

    class Purpose(models.TextChoices):
        WROTE = "wrote", _("has written questions in this project")
        HELD = "held", _("is kept from further work in this project")
        QUOTA = "quota", _("has done as many HITs of a batch as one worker may")
        QUIZ = "quiz", _("has passed the quiz of this project")
        PLAYER = "player", _("is a scripted player of a rehearsal")

    project = models.ForeignKey(Project, models.PROTECT, related_name="qualifications")
    endpoint = models.CharField(max_length=50)
    purpose = models.CharField(max_length=10, choices=Purpose)
    batch = models.ForeignKey(Batch, models.PROTECT, null=True, blank=True, related_name="qualifications")
    # Names are unique for each requester account; the key keeps two installations on one account apart.
    key = models.CharField(max_length=12, default="", editable=False)
    mturk_qualification_type_id = models.CharField(max_length=64, blank=True)

    objects = InProject.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "endpoint", "purpose", "batch"],
                nulls_distinct=False,
                name="one_qualification_per_purpose",
            ),
            models.CheckConstraint(
                name="a_quota_is_of_a_batch",
                condition=Q(purpose="quota", batch__isnull=False) | (~Q(purpose="quota") & Q(batch__isnull=True)),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        batch = f" {self.batch_id}" if self.batch_id else ""
        return f"{self.project.slug} {self.purpose}{batch} {self.key}"


class QualificationGrant(models.Model):
    """That a worker is to hold a qualification, or no more, and since when the endpoint says that they do."""

    qualification = models.ForeignKey(Qualification, models.PROTECT, related_name="grants")
    worker = models.ForeignKey(Worker, models.PROTECT, related_name="grants")
    asked_at = models.DateTimeField(auto_now_add=True)
    is_wanted = models.BooleanField(default=True)
    granted_at = models.DateTimeField(null=True, blank=True)  # null: the endpoint says they do not hold it

    objects = QualificationGrantQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["qualification", "worker"], name="one_grant_per_worker")]
        indexes = [
            models.Index(
                fields=["qualification"],
                condition=Q(is_wanted=True, granted_at__isnull=True) | Q(is_wanted=False, granted_at__isnull=False),
                name="grants_still_to_do",
            )
        ]

    def __str__(self) -> str:
        return f"{self.qualification}: {self.worker}"
