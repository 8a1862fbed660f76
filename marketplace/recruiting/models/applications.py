"""Open sign-up: people who ask for a worker's account, and whether they may."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ...models import IllegalMove, User


class OpenSignUp(models.Model):
    """Whether people may apply. One row at most; without it they may not."""

    id = models.SmallIntegerField(primary_key=True, default=1)
    is_on = models.BooleanField(default=False)

    class Meta:
        verbose_name_plural = "open sign-up"
        constraints = [models.CheckConstraint(name="one_open_sign_up", condition=Q(id=1))]

    def __str__(self) -> str:
        return "on" if self.is_on else "off"


class Application(models.Model):
    """Somebody made themselves a login and waits to become a worker."""

    class Status(models.TextChoices):
        WAITING = "waiting", _("waits")
        APPROVED = "approved", _("approved")
        DECLINED = "declined", _("declined")

    MOVES: ClassVar[dict[str, set[str]]] = {
        Status.WAITING: {Status.APPROVED, Status.DECLINED},
        Status.DECLINED: {Status.APPROVED},  # an operator thinks again
        Status.APPROVED: set(),
    }

    user = models.OneToOneField(User, on_delete=models.PROTECT, related_name="application")
    message = models.CharField(max_length=1000, blank=True)
    status = models.CharField(max_length=8, choices=Status, default=Status.WAITING)
    reason = models.CharField(max_length=500, blank=True)
    # Of the address that it came from, with the site's secret key; emptied a day later.
    source_hash = models.CharField(max_length=64, blank=True)
    applied_at = models.DateTimeField()
    decided_at = models.DateTimeField(null=True)
    decided_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        indexes = [
            models.Index(fields=["applied_at"], name="applications_by_time"),
            models.Index(fields=["id"], name="applications_that_wait", condition=Q(status="waiting")),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.status}"

    def move_to(self, new: "Application.Status", **changes: object) -> bool:
        """Move to ``new``, saving ``changes`` with it; False if somebody else moved it first. Raises IllegalMove."""
        if new not in self.MOVES[self.status]:
            raise IllegalMove(f"application {self.pk}: {self.status} -> {new}")
        moved = Application.objects.filter(pk=self.pk, status=self.status).update(status=new, **changes)
        self.refresh_from_db()
        return bool(moved)
