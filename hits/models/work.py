"""HIT types, HITs and the decisions on their assignments."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models import Assignment, Offer
from annotation.models.moves import move

from ..querysets import AssignmentDecisionQuerySet, HITQuerySet
from .batches import Batch


class HITType(models.Model):
    """What the HITs of a batch that pay the same share. Immutable, at the endpoint and here."""

    batch = models.ForeignKey(Batch, models.PROTECT, related_name="hit_types")
    reward_usd = models.DecimalField(max_digits=8, decimal_places=2)
    paid_seconds = models.PositiveIntegerField()
    allowed_seconds = models.PositiveIntegerField()
    auto_approval_seconds = models.PositiveIntegerField()
    title = models.CharField(max_length=128)
    description = models.CharField(max_length=2000)
    keywords = models.CharField(max_length=1000)
    requirements = models.JSONField(default=list)  # QualificationRequirements as sent; filled in when it is created
    mturk_hit_type_id = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["batch", "paid_seconds"], name="one_hit_type_per_pay")]

    def __str__(self) -> str:
        return self.title


class HIT(models.Model):
    """One HIT, intended or real. ``token`` and ``annotation`` are fixed here before the endpoint hears of it."""

    class Status(models.TextChoices):
        DRAFT = "draft", _("waiting to be published")
        PUBLISHING = "publishing", _("being published")  # claimed; the endpoint may or may not have it yet
        OPEN = "open", _("open")
        REVIEWABLE = "reviewable", _("nothing more comes")
        CLOSED = "closed", _("closed")

    MOVES: dict[str, set[str]] = {
        Status.DRAFT: {Status.PUBLISHING, Status.CLOSED},
        Status.PUBLISHING: {Status.OPEN, Status.DRAFT},  # DRAFT again when the endpoint said no
        Status.OPEN: {Status.REVIEWABLE, Status.CLOSED},
        Status.REVIEWABLE: {Status.OPEN, Status.CLOSED},  # OPEN again when extended
        Status.CLOSED: {Status.OPEN},  # somebody extended it behind our back, or work turned up late
    }
    # Its places may still be filled.
    RUNNING = (Status.DRAFT, Status.PUBLISHING, Status.OPEN)

    batch = models.ForeignKey(Batch, models.PROTECT, related_name="hits")
    hit_type = models.ForeignKey(HITType, models.PROTECT, related_name="hits")
    offer = models.OneToOneField(Offer, models.PROTECT, related_name="hit")
    status = models.CharField(max_length=20, choices=Status, default=Status.DRAFT)
    max_assignments = models.PositiveIntegerField()
    # For one assignment, by the endpoint's schedule at launch.
    fee_usd = models.DecimalField(max_digits=8, decimal_places=2, default=Decimal(0))
    lifetime_seconds = models.PositiveIntegerField()
    # UniqueRequestToken: guards against a second HIT for 24 hours; then the annotation finds the first.
    token = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    mturk_hit_id = models.CharField(max_length=64, blank=True)
    # Set while it is not known whether the endpoint has it: the first attempt whose answer did not come.
    first_attempt_at = models.DateTimeField(null=True, blank=True)
    claimed_until = models.DateTimeField(null=True, blank=True)
    # Drafts are published once they are released: at launch, or by the batch's release plan.
    released_at = models.DateTimeField(null=True, blank=True)
    published_at = models.DateTimeField(null=True, blank=True)
    # When it ends or ended at the endpoint, by what we asked for.
    expires_at = models.DateTimeField(null=True, blank=True)
    # The HIT whose rejected or unfilled places this one offers again, or whose number of workers it adds to.
    sister_of = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="sisters")
    replaces_places = models.PositiveIntegerField(default=0)  # of ``sister_of``
    # As the endpoint last said: assignments submitted or decided, and decided.
    listed_count = models.PositiveIntegerField(default=0)
    decided_count = models.PositiveIntegerField(default=0)
    # Its state and counters at the endpoint when its assignments were last fetched, and when that was.
    seen = models.CharField(max_length=200, blank=True)
    listed_at = models.DateTimeField(null=True, blank=True)

    objects = HITQuerySet.as_manager()

    class Meta:
        verbose_name = _("HIT")
        verbose_name_plural = _("HITs")
        constraints = [
            models.UniqueConstraint(
                fields=["mturk_hit_id", "batch"], condition=~Q(mturk_hit_id=""), name="one_row_per_hit"
            ),
            models.CheckConstraint(
                name="a_live_hit_has_its_id",
                condition=Q(status__in=["draft", "publishing", "closed"]) | ~Q(mturk_hit_id=""),
            ),
        ]
        indexes = [
            models.Index(
                fields=["batch", "id"], condition=Q(status__in=["draft", "publishing"]), name="hits_to_publish"
            ),
            models.Index(fields=["batch", "status"], name="hits_by_status"),
        ]

    def __str__(self) -> str:
        return f"HIT {self.pk}"

    @property
    def annotation(self) -> str:
        """RequesterAnnotation: finds this HIT again in the endpoint's list (255 ASCII characters at most)."""
        return f"spanwright:{self.token}"

    @property
    def ends_at(self) -> datetime | None:
        """When the HIT expires, or did; None before it is published."""
        if self.expires_at is None and self.published_at is not None:
            return self.published_at + timedelta(seconds=self.lifetime_seconds)
        return self.expires_at

    def move_to(self, new: str, **changes: Any) -> None:
        """Move to ``new``, saving ``changes`` with it. Raises IllegalMove, or LostRace if someone moved it first."""
        move(self, new, changes)


class AssignmentDecision(models.Model):
    """That an assignment is to be approved or rejected at its endpoint, who asked, and what came of it."""

    class Kind(models.TextChoices):
        APPROVE = "approve", _("approve")
        REJECT = "reject", _("reject")

    assignment = models.ForeignKey(Assignment, models.PROTECT, related_name="decisions")
    kind = models.CharField(max_length=10, choices=Kind)
    feedback = models.CharField(max_length=1024, blank=True)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    asked_at = models.DateTimeField(auto_now_add=True)
    claimed_until = models.DateTimeField(null=True, blank=True)
    # The endpoint is told from then on; until then it can be taken back.
    held_until = models.DateTimeField(null=True, blank=True)
    done_at = models.DateTimeField(null=True, blank=True)
    # Who took it back before the endpoint heard of it.
    withdrawn_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    problem = models.TextField(blank=True)

    objects = AssignmentDecisionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="what_was_taken_back_is_done", condition=Q(withdrawn_by__isnull=True) | Q(done_at__isnull=False)
            ),
            models.UniqueConstraint(
                fields=["assignment"], condition=Q(done_at__isnull=True), name="one_decision_at_a_time"
            ),
            models.CheckConstraint(name="a_rejection_has_a_reason", condition=Q(kind="approve") | ~Q(feedback="")),
        ]
        indexes = [models.Index(fields=["id"], condition=Q(done_at__isnull=True), name="decisions_to_carry_out")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.assignment}"
