"""The terms under which people work here, and who agreed to them."""

from collections.abc import Mapping
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from ...models import User


class Terms(models.Model):
    """What newcomers agree to. The newest row is in force, none if its text is empty; rows are only ever added."""

    text = models.TextField(_("text"), max_length=20_000, blank=True)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "terms"

    def __str__(self) -> str:
        return self.text[:50]

    def were_shown(self, form: Mapping[str, Any]) -> bool:
        """Whether the page that ``form`` came from showed these terms, by its field ``terms``."""
        return form.get("terms") == str(self.pk)

    @classmethod
    def in_force(cls) -> "Terms | None":
        newest = cls.objects.order_by("-id").first()
        return newest if newest is not None and newest.text else None


class Consent(models.Model):
    """Somebody agreed to these terms."""

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="consents", db_index=False)
    terms = models.ForeignKey(Terms, on_delete=models.PROTECT, related_name="consents")
    agreed_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "terms"], name="consent_once")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.terms_id}"
