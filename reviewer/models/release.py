"""What was released. Rows are only ever added; the database refuses anything else."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models import Project
from annotation.querysets import InProject


class Release(models.Model):
    """A frozen, numbered version of a project's dataset. Its files stand in a folder (``services.releases``); nothing
    in it refers to live rows, so that later decisions and erasures change the next release and never this one.

    ``content_sha256`` is of what was released, whatever its number and time; ``manifest`` is a copy of the file's.
    """

    project = models.ForeignKey(Project, models.PROTECT, related_name="releases")
    number = models.PositiveIntegerField(_("number"))
    holds_back_test = models.BooleanField(_("test answers held back"), default=False)
    content_sha256 = models.CharField(max_length=64)
    manifest = models.JSONField()
    released_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    released_at = models.DateTimeField()

    objects = InProject.as_manager()

    class Meta:
        verbose_name = _("release")
        verbose_name_plural = _("releases")
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="a_release_number_once_per_project"),
            models.CheckConstraint(name="releases_are_numbered_from_one", condition=Q(number__gte=1)),
        ]

    def __str__(self) -> str:
        return f"{self.project}, release {self.number}"
