"""A row that only tests use: the clock's offset. Read under MARKETPLACE_TEST_HOOKS alone."""

from django.db import models
from django.db.models import Q


class ClockOffset(models.Model):
    """By how many seconds the marketplace's time runs ahead. One row at most."""

    id = models.SmallIntegerField(primary_key=True, default=1)
    seconds = models.BigIntegerField(default=0)

    class Meta:
        constraints = [models.CheckConstraint(name="one_clock", condition=Q(id=1))]

    def __str__(self) -> str:
        return f"{self.seconds:+d} s"
