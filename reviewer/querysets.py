"""The vocabulary in which pages ask for decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self, cast

from django.db.models import OuterRef, Q, Subquery
from django.db.models.fields.json import KT

from annotation.querysets import InProject

if TYPE_CHECKING:
    from annotation.models import Assignment, Project
    from reviewer.models import ReviewRules


class ReviewQuerySet(InProject):
    project_path = "assignment__task__project"

    def about(self, assignment: Assignment) -> Self:
        """The decisions about ``assignment``, oldest first."""
        return self.filter(assignment=assignment).order_by("pk")


class ReviewRulesQuerySet(InProject):
    def in_force(self, project: Project) -> ReviewRules:
        """The latest rules of ``project``; the defaults, unsaved, where nobody has set any."""
        latest: Any = self.filter(project=project).order_by("-pk").first()
        return cast("ReviewRules", latest or self.model(project=project))


class SecondLookQuerySet(InProject):
    project_path = "assignment__task__project"

    def waiting(self) -> Self:
        """Looks that nobody has taken or withdrawn yet."""
        return self.standing().filter(opinion__isnull=True, withdrawal__isnull=True)

    def standing(self) -> Self:
        """All but those that were drawn for a decision which was taken back, and not made again by the same reviewer:
        there is no first review to compare them with."""
        from reviewer.models import Review

        rows = Review.objects.filter(assignment=OuterRef("assignment"))
        latest = rows.filter(Q(reviewer=OuterRef("asked_by")) | Q(decision=Review.Decision.UNDO)).order_by("-pk")
        found = self.alias(latest_decision=Subquery(latest.values("decision")[:1]))
        return found.filter(~Q(cause="drawn") | Q(latest_decision=KT("first__assignment")))
