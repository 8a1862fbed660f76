"""What was released. Rows are only ever added; the database refuses anything else."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models import Project
from annotation.querysets import InProject
from scoring.release_files import MANIFEST

NOTE_CHARS = 500


class Release(models.Model):
    """A frozen, numbered version of a project's dataset. Its files stand in a folder (``services.releases``); nothing
    in it refers to live rows, so that later decisions and erasures change the next release and never this one.

    ``content_sha256`` is of what was released, whatever its number and time; ``manifest`` is a copy of the file's.
    ``salt`` makes workers' names in it and leaves the platform in no way: with it, they could be looked up.
    """

    class Workers(models.TextChoices):
        LEFT_OUT = "left_out", _("left out")
        PSEUDONYMS = "pseudonyms", _("under pseudonyms of this release")

    project = models.ForeignKey(Project, models.PROTECT, related_name="releases")
    number = models.PositiveIntegerField(_("number"))
    holds_back_test = models.BooleanField(_("test answers held back"), default=False)
    workers = models.CharField(_("workers"), max_length=10, choices=Workers, default=Workers.LEFT_OUT)
    salt = models.CharField(max_length=64, blank=True, editable=False)
    note = models.CharField(_("note"), max_length=NOTE_CHARS, blank=True)
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
            models.CheckConstraint(
                name="pseudonyms_have_a_salt",
                condition=Q(workers="left_out", salt="") | (Q(workers="pseudonyms") & ~Q(salt="")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.project}, release {self.number}"

    @property
    def names_workers(self) -> bool:
        return self.workers == self.Workers.PSEUDONYMS

    @property
    def file_names(self) -> list[str]:
        """The public files, as paths below the release's folder."""
        return [*(file["path"] for file in self.manifest["files"]), MANIFEST]


class KeyDownload(models.Model):
    """Somebody fetched the held-back answers of a release. Rows are only ever added."""

    release = models.ForeignKey(Release, models.PROTECT, related_name="key_downloads")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("download of held-back answers")
        verbose_name_plural = _("downloads of held-back answers")

    def __str__(self) -> str:
        return f"{self.user}: {self.release}"
