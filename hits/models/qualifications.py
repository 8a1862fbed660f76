"""The qualifications that a project keeps at an endpoint, and who is to hold them."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models import Project, Worker
from annotation.querysets import InProject


class Qualification(models.Model):
    """A bookkeeping qualification type of a project at an endpoint, by what holding it means."""

    class Purpose(models.TextChoices):
        WROTE = "wrote", _("has written questions in this project")
        HELD = "held", _("is kept from further work in this project")
        PLAYER = "player", _("is a scripted player of a rehearsal")

    project = models.ForeignKey(Project, models.PROTECT, related_name="qualifications")
    endpoint = models.CharField(max_length=50)
    purpose = models.CharField(max_length=10, choices=Purpose)
    # Names are unique for each requester account; the key keeps two installations on one account apart.
    key = models.CharField(max_length=12, default="", editable=False)
    mturk_qualification_type_id = models.CharField(max_length=64, blank=True)

    objects = InProject.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "endpoint", "purpose"], name="one_qualification_per_purpose")
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        return f"{self.project.slug} {self.purpose} {self.key}"


class QualificationGrant(models.Model):
    """That a worker is to hold a qualification, and since when the endpoint says so too."""

    qualification = models.ForeignKey(Qualification, models.PROTECT, related_name="grants")
    worker = models.ForeignKey(Worker, models.PROTECT, related_name="grants")
    asked_at = models.DateTimeField(auto_now_add=True)
    granted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["qualification", "worker"], name="one_grant_per_worker")]
        indexes = [
            models.Index(fields=["qualification"], condition=Q(granted_at__isnull=True), name="grants_still_to_do")
        ]

    def __str__(self) -> str:
        return f"{self.qualification}: {self.worker}"
