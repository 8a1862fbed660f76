"""What requesters and workers write to each other."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .accounts import RequesterProfile, WorkerProfile


class Message(models.Model):
    """One message between a requester and a worker, perhaps about a HIT type or an assignment of theirs.

    Neither side learns more of the other than name and worker id.
    """

    class Direction(models.TextChoices):
        TO_WORKER = "to_worker", _("to the worker")
        TO_REQUESTER = "to_requester", _("to the requester")

    requester = models.ForeignKey(RequesterProfile, on_delete=models.PROTECT, related_name="messages", db_index=False)
    worker = models.ForeignKey(WorkerProfile, on_delete=models.PROTECT, related_name="messages", db_index=False)
    direction = models.CharField(max_length=12, choices=Direction)
    subject = models.CharField(_("subject"), max_length=200)
    text = models.CharField(_("message"), max_length=4096)
    hit_type = models.ForeignKey("HITType", on_delete=models.PROTECT, null=True, related_name="messages")
    assignment = models.ForeignKey("Assignment", on_delete=models.PROTECT, null=True, related_name="messages")
    sent_at = models.DateTimeField()
    read_at = models.DateTimeField(null=True)  # by the side that it is for

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="message_goes_one_way", condition=Q(direction__in=["to_worker", "to_requester"])
            ),
            models.CheckConstraint(name="message_not_empty", condition=~Q(subject="") & ~Q(text="")),
        ]
        indexes = [
            models.Index(fields=["worker", "-id"], name="messages_of_a_worker"),
            models.Index(fields=["requester", "-id"], name="messages_of_a_requester"),
            # Counted for the bar of every page.
            models.Index(
                fields=["worker"], name="unread_by_a_worker", condition=Q(direction="to_worker", read_at=None)
            ),
            models.Index(
                fields=["requester"], name="unread_by_a_requester", condition=Q(direction="to_requester", read_at=None)
            ),
        ]

    def __str__(self) -> str:
        return self.subject
