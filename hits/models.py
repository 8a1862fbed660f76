"""Batches, HITs and money. Every side effect at an endpoint is a row first, then a call, then its result on the row."""

from __future__ import annotations

import uuid
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models import Assignment, IllegalMove, LostRace, Offer, Project, Task, Worker
from annotation.querysets import InProject

from . import endpoints
from .querysets import AssignmentDecisionQuerySet, HITQuerySet, LedgerQuerySet


class Batch(models.Model):
    """One launch: tasks of one kind published at one endpoint under one hard cap."""

    class Status(models.TextChoices):
        PUBLISHING = "publishing", _("publishing")
        PAUSED = "paused", _("paused")  # by a requester, or because the endpoint said no
        OPEN = "open", _("open")
        CLOSED = "closed", _("closed")

    MOVES: dict[str, set[str]] = {
        Status.PUBLISHING: {Status.OPEN, Status.PAUSED},
        Status.PAUSED: {Status.PUBLISHING, Status.OPEN, Status.CLOSED},
        Status.OPEN: {Status.CLOSED},
        Status.CLOSED: set(),
    }

    project = models.ForeignKey(Project, models.PROTECT, related_name="batches")
    kind = models.CharField(_("kind"), max_length=10, choices=Task.Kind)
    endpoint = models.CharField(_("endpoint"), max_length=50)
    status = models.CharField(_("status"), max_length=20, choices=Status, default=Status.PUBLISHING)
    # Where the paragraphs or questions were taken from; both empty means from everywhere.
    splits = ArrayField(models.CharField(max_length=5), default=list, blank=True)
    articles = ArrayField(models.BigIntegerField(), default=list, blank=True)
    units_per_hit = models.PositiveSmallIntegerField()  # paragraphs to write for, or questions to answer
    hourly_rate_usd = models.DecimalField(_("pay per hour, USD"), max_digits=8, decimal_places=2)
    extra_answers = models.PositiveSmallIntegerField(default=0)
    cap_usd = models.DecimalField(_("cap, USD"), max_digits=10, decimal_places=2)
    problem = models.TextField(_("problem"), blank=True)
    launched_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    launched_at = models.DateTimeField(auto_now_add=True)

    objects = InProject.as_manager()

    class Meta:
        verbose_name = _("batch")
        verbose_name_plural = _("batches")
        indexes = [models.Index(fields=["project", "-launched_at"], name="batches_of_a_project")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}, batch {self.pk}"

    @property
    def endpoint_settings(self) -> endpoints.Endpoint:
        return endpoints.get(self.endpoint)

    def move_to(self, new: str, **changes: Any) -> None:
        """Move to ``new``, saving ``changes`` with it. Raises IllegalMove, or LostRace if someone moved it first."""
        _move(self, new, changes)


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
        Status.CLOSED: set(),
    }

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
    first_attempt_at = models.DateTimeField(null=True, blank=True)
    claimed_until = models.DateTimeField(null=True, blank=True)
    published_at = models.DateTimeField(null=True, blank=True)
    # As the endpoint last said: assignments submitted or decided, and decided.
    listed_count = models.PositiveIntegerField(default=0)
    decided_count = models.PositiveIntegerField(default=0)

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

    def move_to(self, new: str, **changes: Any) -> None:
        """Move to ``new``, saving ``changes`` with it. Raises IllegalMove, or LostRace if someone moved it first."""
        _move(self, new, changes)


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
    done_at = models.DateTimeField(null=True, blank=True)
    problem = models.TextField(blank=True)

    objects = AssignmentDecisionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["assignment"], condition=Q(done_at__isnull=True), name="one_decision_at_a_time"
            ),
            models.CheckConstraint(name="a_rejection_has_a_reason", condition=Q(kind="approve") | ~Q(feedback="")),
        ]
        indexes = [models.Index(fields=["id"], condition=Q(done_at__isnull=True), name="decisions_to_carry_out")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.assignment}"


class LedgerEntry(models.Model):
    """One movement of money, in whole cents. Entries are only ever added; the database refuses anything else.

    *Reserved* is the sum of reservations less releases; *spent* is the sum of rewards and fees.
    """

    class Kind(models.TextChoices):
        RESERVE = "reserve", _("reserved for a HIT")
        RELEASE = "release", _("released for an assignment")
        RELEASE_REST = "release_rest", _("released, places not filled")
        # An approval that takes a rejection back: the rejection had freed its money.
        HOLD_AGAIN = "hold_again", _("reserved again, a rejection is taken back")
        FREE_AGAIN = "free_again", _("released again")
        REWARD = "reward", _("reward")
        FEE = "fee", _("fee")

    project = models.ForeignKey(Project, models.PROTECT, related_name="ledger")
    batch = models.ForeignKey(Batch, models.PROTECT, related_name="ledger")
    hit = models.ForeignKey(HIT, models.PROTECT, related_name="ledger")
    assignment = models.ForeignKey(Assignment, models.PROTECT, null=True, blank=True, related_name="ledger")
    endpoint = models.CharField(max_length=50)
    kind = models.CharField(max_length=12, choices=Kind)
    amount_usd = models.DecimalField(max_digits=12, decimal_places=2)
    entered_at = models.DateTimeField(auto_now_add=True)

    objects = LedgerQuerySet.as_manager()

    class Meta:
        verbose_name = _("ledger entry")
        verbose_name_plural = _("ledger")
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "assignment"], condition=Q(assignment__isnull=False), name="money_moves_once"
            ),
            models.UniqueConstraint(
                fields=["kind", "hit"], condition=Q(assignment__isnull=True), name="reserved_and_released_once"
            ),
            models.CheckConstraint(name="amounts_are_positive", condition=Q(amount_usd__gte=Decimal(0))),
            models.CheckConstraint(
                name="payments_have_an_assignment",
                condition=Q(kind__in=["reserve", "release_rest"], assignment__isnull=True)
                | Q(kind__in=["release", "hold_again", "free_again", "reward", "fee"], assignment__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: ${self.amount_usd}"


def _move(row: Any, new: str, changes: dict[str, Any]) -> None:
    if new not in row.MOVES[row.status]:
        raise IllegalMove(f"{row}: {row.status} -> {new}")
    unmoved = type(row).objects.filter(pk=row.pk, status=row.status)
    if unmoved.update(status=new, **changes) != 1:
        raise LostRace(f"{row} is no longer {row.status}")
    row.status = new
    for name, value in changes.items():
        setattr(row, name, value)
