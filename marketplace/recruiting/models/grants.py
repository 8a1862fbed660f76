"""What a door gives to those who come in by it, so that a new crowd is not locked out."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from ...models import QualificationType


class Granting(models.Model):
    """System qualification values and one custom qualification, given to each worker who comes in."""

    # As ``services.accounts.Standing.from_values`` reads it: {"approved": 5000, "percent": 99, "country": "US"}.
    standing = models.JSONField(_("standing"), default=dict, blank=True)
    qualification_type = models.ForeignKey(
        QualificationType, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    qualification_value = models.IntegerField(_("value of the qualification"), default=1)

    class Meta:
        abstract = True
