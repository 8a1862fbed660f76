"""What people asked to be done to a batch or to one of its HITs, and what came of it."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ..querysets import ActQuerySet
from .batches import Batch
from .work import HIT


class Act(models.Model):
    """One act: asked for by a row, then carried out, then closed with its result. Rows are never deleted.

    Acts on a HIT are calls to the endpoint. Acts on the whole batch are done in the transaction that asks for them;
    they stand here so that the page can say who did what.
    """

    class Kind(models.TextChoices):
        # On a HIT, at the endpoint.
        EXPIRE = "expire", _("expire now")
        EXTEND = "extend", _("more time")
        ADD = "add", _("more places")
        DELETE = "delete", _("delete")
        # On the batch, here.
        PAUSE = "pause", _("paused publishing")
        RESUME = "resume", _("resumed publishing")
        CLOSE = "close", _("gave up what was not published")
        TOP_UP = "top_up", _("asked for more workers")
        MORE_TIME = "more_time", _("gave more time")
        END = "end", _("ended it")
        REMOVE = "remove", _("asked for its deletion")
        REPUBLISH = "republish", _("published again")
        RELEASE = "release", _("released the rest after the pilot")

    ON_A_HIT = (Kind.EXPIRE, Kind.EXTEND, Kind.ADD, Kind.DELETE)

    batch = models.ForeignKey(Batch, models.PROTECT, related_name="acts")
    hit = models.ForeignKey(HIT, models.PROTECT, null=True, blank=True, related_name="acts")
    kind = models.CharField(max_length=10, choices=Kind)
    # Of a HIT's act, the UniqueRequestToken; of a batch's, what the page that asked was given, so that it asks once.
    token = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    places = models.PositiveIntegerField(default=0)  # to be added, for each HIT
    until = models.DateTimeField(null=True, blank=True)  # when the HIT is to expire
    hits = models.PositiveIntegerField(default=0)  # how many HITs an act on the batch touched
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    asked_at = models.DateTimeField(auto_now_add=True)
    first_attempt_at = models.DateTimeField(null=True, blank=True)
    claimed_until = models.DateTimeField(null=True, blank=True)
    done_at = models.DateTimeField(null=True, blank=True)
    # Why it was not done; with ``done_at`` it never will be, without it is tried again.
    problem = models.TextField(blank=True)

    objects = ActQuerySet.as_manager()

    class Meta:
        verbose_name = _("act")
        verbose_name_plural = _("acts")
        constraints = [
            models.UniqueConstraint(
                fields=["hit", "kind"],
                condition=Q(done_at__isnull=True, hit__isnull=False),
                name="one_act_of_a_kind_at_a_time",
            ),
            models.CheckConstraint(
                name="endpoint_acts_have_a_hit",
                condition=Q(kind__in=["expire", "extend", "add", "delete"], hit__isnull=False)
                | (~Q(kind__in=["expire", "extend", "add", "delete"]) & Q(hit__isnull=True, done_at__isnull=False)),
            ),
            models.CheckConstraint(name="more_places_are_some", condition=~Q(kind="add") | Q(places__gte=1)),
            models.CheckConstraint(name="more_time_has_its_end", condition=~Q(kind="extend") | Q(until__isnull=False)),
        ]
        indexes = [
            models.Index(fields=["id"], condition=Q(done_at__isnull=True), name="acts_to_carry_out"),
            models.Index(fields=["batch", "-id"], name="acts_of_a_batch"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.hit or self.batch}"

    @property
    def was_refused(self) -> bool:
        return self.done_at is not None and bool(self.problem)
