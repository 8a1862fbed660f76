"""Who is looking at which work right now, so that two reviewers do not do the same. Settles nothing by itself."""

from django.conf import settings
from django.db import models

from annotation.models import Assignment


class ReviewClaim(models.Model):
    """That ``reviewer`` has ``assignment`` open; others are led past it until ``until``."""

    assignment = models.OneToOneField(Assignment, models.CASCADE, primary_key=True, related_name="review_claim")
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    until = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["until"], name="claims_that_run_out")]

    def __str__(self) -> str:
        return f"{self.reviewer}: {self.assignment}"
