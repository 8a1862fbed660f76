"""What a panel is asked to pay to its participants, beside the reward of its study."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ...models import Bonus, IllegalMove, User
from .panels import PanelStudy, Visit


class BonusBatch(models.Model):
    """Bonuses that go to the panel together, by a file or by its API. What is in a batch is never in another."""

    class Status(models.TextChoices):
        FILE = "file", _("given out as a file")
        WANTED = "wanted", _("waits")
        SET_UP = "set_up", _("set up, not paid")
        PAYING = "paying", _("asked to pay; not yet seen paid")
        PAID = "paid", _("paid")
        STOPPED = "stopped", _("needs a look")

    MOVES: ClassVar[dict[str, set[str]]] = {
        Status.WANTED: {Status.SET_UP, Status.STOPPED, Status.FILE},  # a file, where somebody takes it into their hands
        Status.SET_UP: {Status.PAYING},
        # Back only where the panel said no: an answer that was lost is never followed by a second request.
        Status.PAYING: {Status.SET_UP, Status.PAID, Status.STOPPED},
        Status.STOPPED: {Status.FILE, Status.PAID},  # a person found out what became of it
        Status.FILE: set(),
        Status.PAID: set(),
    }

    study = models.ForeignKey(PanelStudy, on_delete=models.PROTECT, related_name="bonus_batches")
    status = models.CharField(max_length=7, choices=Status)
    setup_id = models.CharField(max_length=100, blank=True)  # the panel's, kept before anything is paid
    # How many bonuses the panel showed for each submission before this batch, by submission id.
    seen_before = models.JSONField(default=dict, blank=True)
    # The panel said that it will pay. Without its answer, only what is certainly this batch's own payment settles it.
    is_accepted = models.BooleanField(default=False)
    try_at = models.DateTimeField(null=True)
    last_error = models.TextField(blank=True)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField()
    moved_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "bonus batches"
        constraints = [
            models.CheckConstraint(
                name="paid_only_what_was_set_up", condition=~Q(status__in=["set_up", "paying"]) | ~Q(setup_id="")
            ),
            models.UniqueConstraint(fields=["setup_id"], condition=~Q(setup_id=""), name="a_setup_is_one_batch"),
        ]

    def __str__(self) -> str:
        return f"{self.study_id}: {self.pk}"

    def move_to(self, new: "BonusBatch.Status", **changes: object) -> bool:
        """Move to ``new``, saving ``changes`` with it; False if somebody else moved it first. Raises IllegalMove."""
        if new not in self.MOVES[self.status]:
            raise IllegalMove(f"bonus batch {self.pk}: {self.status} -> {new}")
        moved = BonusBatch.objects.filter(pk=self.pk, status=self.status).update(status=new, **changes)
        self.refresh_from_db()
        return bool(moved)


class PanelBonus(models.Model):
    """One bonus that a requester gave a participant, in the panel's currency as it goes to the panel."""

    batch = models.ForeignKey(BonusBatch, on_delete=models.PROTECT, related_name="bonuses")
    bonus = models.OneToOneField(Bonus, on_delete=models.PROTECT, related_name="+")
    visit = models.ForeignKey(Visit, on_delete=models.PROTECT, related_name="bonuses")
    amount = models.DecimalField(max_digits=18, decimal_places=2)

    class Meta:
        verbose_name_plural = "panel bonuses"
        constraints = [models.CheckConstraint(name="panel_bonus_positive", condition=Q(amount__gt=0))]

    def __str__(self) -> str:
        return f"{self.visit_id}: {self.amount}"
