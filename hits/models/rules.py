"""Which workers a project asks for, beyond the few numbers that stand on the project itself."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.history import Changes
from annotation.models import Project
from annotation.querysets import InProject


class WorkerRule(models.Model):
    """One QualificationRequirement of the requester's own: a system type, or a type that they made elsewhere."""

    class Comparator(models.TextChoices):
        EXISTS = "Exists", _("is held")
        DOES_NOT_EXIST = "DoesNotExist", _("is not held")
        AT_LEAST = "GreaterThanOrEqualTo", _("is at least")
        MORE = "GreaterThan", _("is more than")
        AT_MOST = "LessThanOrEqualTo", _("is at most")
        LESS = "LessThan", _("is less than")
        EQUAL = "EqualTo", _("is")
        NOT_EQUAL = "NotEqualTo", _("is not")
        IN = "In", _("is one of")
        NOT_IN = "NotIn", _("is none of")

    project = models.ForeignKey(Project, models.CASCADE, related_name="worker_rules")
    position = models.PositiveSmallIntegerField()
    qualification_type_id = models.CharField(_("qualification type"), max_length=64)
    comparator = models.CharField(_("comparator"), max_length=20, choices=Comparator)
    integer_values = ArrayField(models.IntegerField(), default=list, blank=True)
    # ISO 3166: "US", or "US-PA" for a subdivision.
    locale_values = ArrayField(models.CharField(max_length=8), default=list, blank=True)

    objects = InProject.as_manager()
    history = Changes()

    class Meta:
        verbose_name = _("rule about workers")
        verbose_name_plural = _("rules about workers")
        constraints = [models.UniqueConstraint(fields=["project", "position"], name="one_rule_per_position")]

    def __str__(self) -> str:
        values = ", ".join([*map(str, self.integer_values), *self.locale_values])
        return f"{self.qualification_type_id} {self.get_comparator_display()} {values}".strip()
