"""Panels: other people's pools of participants, who come to do a study here and go back with a code."""

import secrets
from datetime import datetime
from decimal import Decimal
from typing import ClassVar

from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ...models import Assignment, HITType, IllegalMove, WorkerProfile
from .grants import Granting


def new_key() -> str:
    return secrets.token_hex(8)


class Panel(models.Model):
    """One pool of participants, and how its links and its payments look."""

    class Kind(models.TextChoices):
        PROLIFIC = "prolific", _("Prolific")
        CLOUDRESEARCH = "cloudresearch", _("CloudResearch")
        SONA = "sona", _("SONA")
        OTHER = "other", _("another panel or a list of one's own")

    class Check(models.TextChoices):
        """What is asked before somebody is believed to be who the link says."""

        NONE = "none", _("nothing: the parameters are believed")
        SIGNATURE = "signature", _("a signature, made with a secret that the panel shares")
        API = "api", _("the panel itself, by its API")

    key = models.SlugField(max_length=50, unique=True)
    name = models.CharField(_("name"), max_length=100)
    kind = models.CharField(_("kind"), max_length=13, choices=Kind)
    participant_parameter = models.CharField(_("participant's parameter"), max_length=50)
    study_parameter = models.CharField(_("study's parameter"), max_length=50, blank=True)
    session_parameter = models.CharField(_("session's parameter"), max_length=50, blank=True)
    check_by = models.CharField(_("checked by"), max_length=9, choices=Check, default=Check.NONE)
    currency = models.CharField(
        _("currency"), max_length=3, default="USD", validators=[RegexValidator("^[A-Z]{3}$", _("Three capitals."))]
    )
    # How much of the panel's currency one US dollar is, as bonuses here are in US dollars.
    per_usd = models.DecimalField(_("units for one US dollar"), max_digits=12, decimal_places=6, default=Decimal(1))
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(name="panel_rate_positive", condition=Q(per_usd__gt=0))]

    def __str__(self) -> str:
        return self.name

    @property
    def ids_can_be_guessed(self) -> bool:
        """Whether a link holds nothing that is as good as secret: no session, and nobody is asked about it."""
        return not self.session_parameter and self.check_by == Panel.Check.NONE


class PanelStudy(Granting):
    """HIT groups that a panel's participants come for: one link, one number of HITs, a code for each outcome.

    ``minutes`` is how long a visit may take. ``places`` counts the participants who are at it or have completed it.
    An address for an outcome may hold {code}, {participant}, {study} and {session}.
    """

    panel = models.ForeignKey(Panel, on_delete=models.PROTECT, related_name="studies")
    key = models.CharField(max_length=32, unique=True, default=new_key)
    name = models.CharField(_("name"), max_length=120)
    external_id = models.CharField(_("the panel's study id"), max_length=100, blank=True)
    hit_types = models.ManyToManyField(HITType, through="StudyHITType", related_name="+")
    hits_wanted = models.PositiveIntegerField(_("HITs for a participant"), default=1)
    places = models.PositiveIntegerField(_("places"), null=True, blank=True)
    visits_per_participant = models.PositiveSmallIntegerField(_("visits of one participant"), default=1)
    minutes = models.PositiveIntegerField(_("minutes for a visit"), default=60)
    is_open = models.BooleanField(_("takes participants"), default=True)
    # Whether workers from other doors are kept from the study's HIT groups while it is open.
    is_reserved = models.BooleanField(_("groups only for this study"), default=False)
    complete_code = models.CharField(_("code: complete"), max_length=100, blank=True)
    complete_url = models.CharField(_("address: complete"), max_length=1000, blank=True)
    screened_out_code = models.CharField(_("code: screened out"), max_length=100, blank=True)
    screened_out_url = models.CharField(_("address: screened out"), max_length=1000, blank=True)
    quota_full_code = models.CharField(_("code: quota full"), max_length=100, blank=True)
    quota_full_url = models.CharField(_("address: quota full"), max_length=1000, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "panel studies"
        constraints = [
            models.CheckConstraint(
                name="study_wants_something",
                condition=Q(hits_wanted__gte=1, minutes__gte=1, visits_per_participant__gte=1),
            ),
            models.UniqueConstraint(
                fields=["panel", "external_id"], condition=~Q(external_id=""), name="one_study_per_panel_study"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def visits_kept(self) -> int:
        """Visits of which rows are kept; a study link that is flooded with invented participants stops there."""
        return 10_000 if self.places is None else 10 * self.places + 100


class StudyHITType(models.Model):
    """A HIT group that belongs to a study."""

    study = models.ForeignKey(PanelStudy, on_delete=models.PROTECT, db_index=False)
    hit_type = models.ForeignKey(HITType, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "hit_type"], name="group_once_in_a_study")]

    def __str__(self) -> str:
        return f"{self.study_id}: {self.hit_type_id}"


class Participant(models.Model):
    """A panel's participant and the worker that they are here. Their id at the panel stands in this row alone."""

    panel = models.ForeignKey(Panel, on_delete=models.PROTECT, related_name="participants", db_index=False)
    participant_id = models.CharField(max_length=100)
    worker = models.OneToOneField(WorkerProfile, on_delete=models.PROTECT, related_name="participant")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["panel", "participant_id"], name="one_account_per_participant")]

    def __str__(self) -> str:
        return f"{self.panel_id}: {self.pk}"


class Visit(models.Model):
    """One go of a participant at a study: the panel's session or, where it has none, the participant's one visit."""

    class Status(models.TextChoices):
        WORKING = "working", _("at work")
        COMPLETE = "complete", _("complete")
        SCREENED_OUT = "screened_out", _("screened out")
        QUOTA_FULL = "quota_full", _("quota full")
        LEFT = "left", _("ran out of time")

    MOVES: ClassVar[dict[str, set[str]]] = {
        Status.WORKING: {Status.COMPLETE, Status.QUOTA_FULL, Status.LEFT},
        Status.LEFT: {Status.COMPLETE},  # the last submission came in time, and was seen late
        Status.COMPLETE: set(),
        Status.SCREENED_OUT: set(),
        Status.QUOTA_FULL: set(),
    }

    study = models.ForeignKey(PanelStudy, on_delete=models.PROTECT, related_name="visits", db_index=False)
    participant = models.ForeignKey(Participant, on_delete=models.PROTECT, related_name="visits")
    session_id = models.CharField(max_length=100, blank=True)
    status = models.CharField(max_length=12, choices=Status, default=Status.WORKING)
    started_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    panel_status = models.CharField(max_length=20, blank=True)  # what the panel last called this submission

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["study", "session_id"], condition=~Q(session_id=""), name="a_session_is_one_visit"
            ),
            models.UniqueConstraint(
                fields=["study", "participant"], condition=Q(session_id=""), name="one_visit_without_a_session"
            ),
            models.UniqueConstraint(
                fields=["study", "participant"], condition=Q(status="working"), name="one_visit_at_a_time"
            ),
        ]
        indexes = [
            models.Index(fields=["study", "status"], name="visits_of_a_study"),
            models.Index(fields=["ends_at"], name="visits_under_way", condition=Q(status="working")),
        ]

    def __str__(self) -> str:
        return f"{self.study_id}: {self.pk}"

    def move_to(self, new: "Visit.Status", now: datetime) -> bool:
        """Move to ``new``; False if somebody else moved it first. Raises IllegalMove."""
        if new not in self.MOVES[self.status]:
            raise IllegalMove(f"visit {self.pk}: {self.status} -> {new}")
        moved = Visit.objects.filter(pk=self.pk, status=self.status).update(status=new, ended_at=now)
        self.refresh_from_db()
        return bool(moved)


class VisitAssignment(models.Model):
    """An assignment that was taken in a visit."""

    visit = models.ForeignKey(Visit, on_delete=models.PROTECT, related_name="taken")
    assignment = models.OneToOneField(Assignment, on_delete=models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return f"{self.visit_id}: {self.assignment_id}"
