"""How long a HIT group takes those who do it."""

from django.db import models

from .work import HITType


class Pace(models.Model):
    """The measured time of a HIT type's approved submissions, from acceptance to submission. Rewritten now and then.

    ``median_seconds`` is null while ``submissions`` or ``workers`` are too few to say (see ``services.pace``).
    """

    hit_type = models.OneToOneField(HITType, on_delete=models.CASCADE, related_name="pace")
    median_seconds = models.PositiveIntegerField(null=True)
    submissions = models.PositiveIntegerField()  # that were measured, the latest ones
    workers = models.PositiveIntegerField()  # who made them
    measured_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.hit_type_id}: {self.median_seconds} s"
