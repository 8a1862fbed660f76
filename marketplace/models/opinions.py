"""What workers think of the work: ratings, which its requester sees in sum, and reports, which the operator reads."""

from datetime import datetime

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ..querysets import RatingQuerySet
from .accounts import RequesterProfile, WorkerProfile
from .work import Assignment, HITType

STARS = (MinValueValidator(1), MaxValueValidator(5))


class Rating(models.Model):
    """A worker's word on one submission's task, each mark from 1 (bad) to 5 (good).

    Worker, HIT type and requester follow from the assignment; they stand here so that the marks of a requester or a
    group are found without reading through all assignments.
    """

    assignment = models.OneToOneField(Assignment, on_delete=models.PROTECT, related_name="rating")
    worker = models.ForeignKey(WorkerProfile, on_delete=models.PROTECT, related_name="ratings")
    hit_type = models.ForeignKey(HITType, on_delete=models.PROTECT, related_name="ratings", db_index=False)
    requester = models.ForeignKey(RequesterProfile, on_delete=models.PROTECT, related_name="ratings", db_index=False)
    pay = models.PositiveSmallIntegerField(_("pay for the time"), validators=STARS)
    clarity = models.PositiveSmallIntegerField(_("clear instructions"), validators=STARS)
    fairness = models.PositiveSmallIntegerField(_("fair decisions"), validators=STARS, null=True, blank=True)
    comment = models.CharField(_("comment"), max_length=1000, blank=True)
    created_at = models.DateTimeField()
    changed_at = models.DateTimeField()
    # What others are told until the day of the last change is over; only read on that day.
    earlier_pay = models.PositiveSmallIntegerField(null=True, blank=True, validators=STARS)
    earlier_clarity = models.PositiveSmallIntegerField(null=True, blank=True, validators=STARS)
    earlier_fairness = models.PositiveSmallIntegerField(null=True, blank=True, validators=STARS)
    earlier_comment = models.CharField(max_length=1000, blank=True)

    objects = RatingQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="marks_are_one_to_five",
                condition=Q(pay__range=(1, 5), clarity__range=(1, 5))
                & (Q(fairness__isnull=True) | Q(fairness__range=(1, 5))),
            ),
        ]
        indexes = [
            models.Index(fields=["requester", "-id"], name="ratings_of_a_requester"),
            models.Index(fields=["hit_type", "-id"], name="ratings_of_a_group"),
        ]

    def __str__(self) -> str:
        return f"{self.pay}/{self.clarity}/{self.fairness or '-'}"


class Report(models.Model):
    """A worker tells the operator that something is wrong with a HIT group. One of each kind per worker and group."""

    class Kind(models.TextChoices):
        BROKEN = "broken", _("It does not work: an error, an empty page, no way to submit")
        PERSONAL = "personal", _("It asks for personal data, such as a name, a password or a phone number")
        PAY = "pay", _("It pays too little for the time that it takes")
        OFFENSIVE = "offensive", _("It is offensive or disturbing, and did not say so")
        OTHER = "other", _("Something else")

    worker = models.ForeignKey(WorkerProfile, on_delete=models.PROTECT, related_name="reports", db_index=False)
    hit_type = models.ForeignKey(HITType, on_delete=models.PROTECT, related_name="reports")
    kind = models.CharField(_("what is wrong"), max_length=9, choices=Kind)
    text = models.CharField(_("in your own words"), max_length=2000, blank=True)
    created_at = models.DateTimeField()
    changed_at = models.DateTimeField()
    # The words before the last change, and since when they stood: told to the requester until the new ones are due.
    earlier_text = models.CharField(max_length=2000, blank=True)
    earlier_at = models.DateTimeField(null=True, blank=True)
    settled_at = models.DateTimeField(null=True, blank=True)  # when an operator had seen to it

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["worker", "hit_type", "kind"], name="reported_once"),
            models.CheckConstraint(name="another_report_says_what", condition=~Q(kind="other") | ~Q(text="")),
        ]
        indexes = [models.Index(fields=["worker", "created_at"], name="reports_by_worker")]

    def __str__(self) -> str:
        return f"{self.hit_type_id}: {self.kind}"

    def words(self, before: datetime) -> str:
        """The latest words that stood since ``before``; empty where there were none yet."""
        if self.changed_at < before:
            return self.text
        return self.earlier_text if self.earlier_at is not None and self.earlier_at < before else ""
