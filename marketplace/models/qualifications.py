"""What a worker must hold to take a HIT, and who holds it."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .. import ids
from .accounts import RequesterProfile, WorkerProfile


class QualificationType(models.Model):
    """Something that can be asked of workers. The system's own types have fixed ids and no requester."""

    class Status(models.TextChoices):
        ACTIVE = "Active", _("active")
        INACTIVE = "Inactive", _("inactive")

    # Fixed by Mechanical Turk; programs carry them as constants.
    PERCENT_APPROVED = "000000000000000000L0"
    NUMBER_APPROVED = "00000000000000000040"
    LOCALE = "00000000000000000071"
    ADULT = "00000000000000000060"
    MASTERS = "2F1QJWKUDD8XADTFD2Q0G6UTO95ALH"
    MASTERS_SANDBOX = "2ARFPLSP75KLA8M8DH1HTEQVJT3SY6"

    type_id = models.CharField(max_length=64, unique=True, default=ids.new_entity_id)
    requester = models.ForeignKey(
        RequesterProfile, on_delete=models.PROTECT, null=True, related_name="qualification_types"
    )
    name = models.CharField(max_length=200)
    description = models.CharField(max_length=2000)
    keywords = models.CharField(max_length=1000, blank=True)
    status = models.CharField(max_length=8, choices=Status, default=Status.ACTIVE)
    retry_delay_seconds = models.BigIntegerField(null=True)
    auto_granted = models.BooleanField(default=False)
    auto_granted_value = models.IntegerField(null=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["requester", "name"], name="qualification_name_once_per_requester"),
        ]

    def __str__(self) -> str:
        return self.name


class QualificationGrant(models.Model):
    """A worker's value of a qualification type: an integer, or for the locale a country and perhaps a subdivision.

    A grant of a system type is an operator's word and stands before what the worker's history would say.
    """

    class Status(models.TextChoices):
        GRANTED = "Granted", _("granted")
        REVOKED = "Revoked", _("revoked")

    qualification_type = models.ForeignKey(
        QualificationType, on_delete=models.PROTECT, related_name="grants", db_index=False
    )
    worker = models.ForeignKey(WorkerProfile, on_delete=models.PROTECT, related_name="grants", db_index=False)
    status = models.CharField(max_length=8, choices=Status, default=Status.GRANTED)
    integer_value = models.IntegerField(null=True)
    country = models.CharField(max_length=2, blank=True)
    subdivision = models.CharField(max_length=2, blank=True)
    granted_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["qualification_type", "id"], name="grants_by_type")]
        constraints = [
            models.UniqueConstraint(fields=["worker", "qualification_type"], name="one_grant_per_worker"),
            models.CheckConstraint(
                name="grant_has_one_kind_of_value",
                condition=Q(integer_value__isnull=False, country="", subdivision="")
                | Q(integer_value__isnull=True) & ~Q(country=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.worker_id}: {self.qualification_type_id}"
