"""What is done at Prolific for a study: a row first, then the call, then its result on the row."""

from decimal import Decimal
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ...models import IllegalMove
from .panels import PanelStudy, Visit


class ProlificStudy(models.Model):
    """A study that is kept at Prolific through its API. Its id there is the panel study's ``external_id``."""

    class Status(models.TextChoices):
        WANTED = "wanted", _("to be made")
        DRAFT = "draft", _("draft at Prolific")
        PUBLISHED = "published", _("published")

    class Category(models.TextChoices):
        """Prolific's reasons for a rejection, from its own command-line client."""

        TOO_QUICKLY = "TOO_QUICKLY", _("too quickly")
        TOO_SLOWLY = "TOO_SLOWLY", _("too slowly")
        FAILED_INSTRUCTIONS = "FAILED_INSTRUCTIONS", _("did not follow the instructions")
        FAILED_CHECK = "FAILED_CHECK", _("failed checks")
        LOW_EFFORT = "LOW_EFFORT", _("little effort")
        NO_DATA = "NO_DATA", _("no data")
        OTHER = "OTHER", _("other")

    MOVES: ClassVar[dict[str, set[str]]] = {
        Status.WANTED: {Status.DRAFT},
        Status.DRAFT: {Status.PUBLISHED},
        Status.PUBLISHED: set(),
    }

    study = models.OneToOneField(PanelStudy, on_delete=models.PROTECT, related_name="prolific")
    status = models.CharField(max_length=9, choices=Status, default=Status.WANTED)
    description = models.TextField(_("description"), max_length=5000)
    reward = models.DecimalField(max_digits=10, decimal_places=2)  # for a participant, in the panel's currency
    estimated_minutes = models.PositiveIntegerField()
    places_wanted = models.PositiveIntegerField()
    carries_rejections = models.BooleanField(default=True)
    rejection_category = models.CharField(max_length=20, choices=Category, default=Category.OTHER)
    # Bonuses go out by themselves until they come to this; beyond it an operator confirms them.
    bonus_budget_usd = models.DecimalField(max_digits=12, decimal_places=2, default=Decimal(0))
    claimed_until = models.DateTimeField(null=True)  # while somebody makes the draft
    panel_status = models.CharField(max_length=30, blank=True)
    last_error = models.TextField(blank=True)
    synced_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "Prolific studies"
        constraints = [
            models.CheckConstraint(
                name="prolific_study_pays", condition=Q(reward__gt=0, estimated_minutes__gte=1, places_wanted__gte=1)
            ),
            models.CheckConstraint(name="bonus_budget_not_negative", condition=Q(bonus_budget_usd__gte=0)),
        ]

    def __str__(self) -> str:
        return str(self.study)

    @property
    def internal_name(self) -> str:
        """The private title at Prolific, by which a study that was made is found again."""
        return f"spanwright {self.study.key}"

    def move_to(self, new: "ProlificStudy.Status", **changes: object) -> bool:
        """Move to ``new``, saving ``changes`` with it; False if somebody else moved it first. Raises IllegalMove."""
        if new not in self.MOVES[self.status]:
            raise IllegalMove(f"Prolific study {self.pk}: {self.status} -> {new}")
        moved = ProlificStudy.objects.filter(pk=self.pk, status=self.status).update(status=new, **changes)
        self.refresh_from_db()
        return bool(moved)


class PanelDecision(models.Model):
    """A visit is to be approved or rejected at the panel, as the requesters decided here."""

    class Kind(models.TextChoices):
        APPROVE = "approve", _("approve")
        REJECT = "reject", _("reject")

    class Status(models.TextChoices):
        WANTED = "wanted", _("waits")
        DONE = "done", _("done")
        LOOK = "look", _("needs a look")

    visit = models.OneToOneField(Visit, on_delete=models.PROTECT, related_name="decision")
    kind = models.CharField(max_length=7, choices=Kind)
    status = models.CharField(max_length=6, choices=Status, default=Status.WANTED)
    attempts = models.PositiveIntegerField(default=0)
    try_at = models.DateTimeField()
    last_error = models.TextField(blank=True)
    done_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["try_at"], name="decisions_to_carry_over", condition=Q(status="wanted"))]

    def __str__(self) -> str:
        return f"{self.kind} {self.visit_id}"


class PanelEvent(models.Model):
    """A notification of the panel's, kept once however often it comes. It says what to look at, not how it is."""

    event_id = models.CharField(max_length=100, unique=True)
    event_type = models.CharField(max_length=100)
    resource_id = models.CharField(max_length=100)
    received_at = models.DateTimeField()
    done_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["id"], name="events_to_look_at", condition=Q(done_at=None))]

    def __str__(self) -> str:
        return f"{self.event_type} {self.resource_id}"
