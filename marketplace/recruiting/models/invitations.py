"""Invitation links."""

from datetime import datetime

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from ...models import User, WorkerProfile
from .grants import Granting


class Invitation(Granting):
    """A link by which up to ``places`` people make themselves workers' accounts.

    The link's token is known to those alone who have the link: its SHA-256 stands here. The token is 192 random bits,
    so a slow or salted hash would protect nothing more.
    """

    class State(models.TextChoices):
        OPEN = "open", _("open")
        FULL = "full", _("all places taken")
        OVER = "over", _("over")
        REVOKED = "revoked", _("revoked")

    token_hash = models.CharField(max_length=64, unique=True)
    link_end = models.CharField(max_length=4, blank=True)  # the token's last characters, to know the link again by
    note = models.CharField(_("note"), max_length=200, blank=True)
    places = models.PositiveIntegerField(_("places"), default=1)
    places_taken = models.PositiveIntegerField(default=0)
    expires_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")  # null: by a command
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(name="invitation_has_places", condition=Q(places__gte=1)),
            models.CheckConstraint(name="invitation_not_overbooked", condition=Q(places_taken__lte=F("places"))),
        ]

    def __str__(self) -> str:
        return self.note or f"invitation {self.pk}"

    def state(self, now: datetime) -> "Invitation.State":
        if self.revoked_at is not None:
            return self.State.REVOKED
        if self.places_taken >= self.places:
            return self.State.FULL
        if self.expires_at is not None and self.expires_at <= now:
            return self.State.OVER
        return self.State.OPEN


class InvitationUse(models.Model):
    """One worker who came in by an invitation, or who had an account and took what it grants."""

    invitation = models.ForeignKey(Invitation, on_delete=models.PROTECT, related_name="uses", db_index=False)
    worker = models.ForeignKey(WorkerProfile, on_delete=models.PROTECT, related_name="invitations_used")
    used_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["invitation", "worker"], name="invitation_used_once_by_a_worker"),
        ]

    def __str__(self) -> str:
        return f"{self.invitation_id}: {self.worker_id}"
