"""The vocabulary in which pages ask for decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from annotation.querysets import InProject

if TYPE_CHECKING:
    from annotation.models import Assignment


class ReviewQuerySet(InProject):
    project_path = "assignment__task__project"

    def about(self, assignment: Assignment) -> Self:
        """The decisions about ``assignment``, oldest first."""
        return self.filter(assignment=assignment).order_by("pk")
