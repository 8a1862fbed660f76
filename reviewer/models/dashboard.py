"""What a project's dashboard shows, as it was worked out last. Deletable, and worked out anew when it is asked for."""

from django.db import models

from annotation.models import Project


class ProjectFigures(models.Model):
    """The figures of one project as they stood at ``at``.

    ``shape`` is the form that ``figures`` are kept in: another one is worked out anew. ``mark`` is of the rows that
    they hang on, so that a page can say whether anything has come or gone since.
    """

    project = models.OneToOneField(Project, models.CASCADE, primary_key=True, related_name="figures")
    shape = models.PositiveSmallIntegerField()
    mark = models.JSONField()
    figures = models.JSONField()
    at = models.DateTimeField()

    class Meta:
        verbose_name = "figures of a project"
        verbose_name_plural = "figures of projects"

    def __str__(self) -> str:
        return f"{self.project}, {self.at:%Y-%m-%d %H:%M:%S}"
