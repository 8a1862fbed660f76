"""Workers whom a requester no longer wants."""

from django.db import models

from .accounts import RequesterProfile, WorkerProfile


class WorkerBlock(models.Model):
    """A worker who finds, previews and accepts none of a requester's HITs; what they hold they may still submit.

    The reason is for the requester's own records and never shown to the worker.
    """

    requester = models.ForeignKey(RequesterProfile, on_delete=models.CASCADE, related_name="blocks", db_index=False)
    worker = models.ForeignKey(WorkerProfile, on_delete=models.CASCADE, related_name="blocks")
    reason = models.CharField(max_length=1024)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["requester", "worker"], name="blocked_once")]
        indexes = [models.Index(fields=["requester", "id"], name="blocks_by_requester")]

    def __str__(self) -> str:
        return f"{self.requester_id} blocks {self.worker_id}"
