"""The vocabulary in which views, jobs and services ask for rows. Permission is asked for here too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from django.db import models
from django.db.models import Count, Exists, OuterRef, Q

if TYPE_CHECKING:
    from accounts.models import User
    from annotation.models import Article, Project


class ProjectQuerySet(models.QuerySet["Project"]):
    def visible_to(self, user: User) -> Self:
        """Projects in which ``user`` holds any role; all of them for a superuser."""
        return self if user.is_superuser else self.filter(memberships__user=user).distinct()

    def with_role(self, user: User, *roles: str) -> Self:
        """Projects in which ``user`` holds one of ``roles``; all of them for a superuser."""
        if user.is_superuser:
            return self
        return self.filter(memberships__user=user, memberships__role__in=roles).distinct()


class InProject(models.QuerySet):
    """Rows that reach a project along ``project_path``."""

    project_path = "project"

    def in_project(self, project: Project) -> Self:
        return self.filter(**{self.project_path: project})

    def visible_to(self, user: User) -> Self:
        """Rows of the projects in which ``user`` holds any role; all of them for a superuser."""
        if user.is_superuser:
            return self
        return self.filter(**{f"{self.project_path}__memberships__user": user}).distinct()

    def in_projects_where(self, user: User, *roles: str) -> Self:
        """Rows of the projects in which ``user`` holds one of ``roles``; all of them for a superuser."""
        if user.is_superuser:
            return self
        path = f"{self.project_path}__memberships"
        return self.filter(**{f"{path}__user": user, f"{path}__role__in": roles}).distinct()


class ArticleQuerySet(InProject):
    def in_splits(self, splits: list[str]) -> Self:
        return self.filter(split__in=splits)


class ParagraphQuerySet(InProject):
    def in_article(self, article: Article) -> Self:
        return self.filter(article=article)

    def needing_writers(self, project: Project) -> Self:
        """Paragraphs of ``project`` with fewer approved writers than it wants, or with no question left that counts
        (where it wants one at least), but for excluded ones. ``writers`` says how many were approved."""
        from annotation.models import Question

        approved = Q(
            task_paragraphs__task__kind="write",
            task_paragraphs__task__assignments__status="approved",
            task_paragraphs__task__assignments__repeat_of__isnull=True,
        )
        lacking = Q(writers__lt=project.writers_per_paragraph)
        if project.min_questions:
            lacking |= Q(~Exists(Question.objects.counting().filter(paragraph=OuterRef("pk"))))
        writers = Count("task_paragraphs__task__assignments", filter=approved, distinct=True)
        return self.in_project(project).filter(is_excluded=False).annotate(writers=writers).filter(lacking)


class AssignmentQuerySet(InProject):
    project_path = "task__project"

    def listed(self) -> Self:
        """Assignments that the endpoint has listed as submitted, whatever was decided since."""
        from annotation.models import Assignment

        return self.filter(status__in=Assignment.LISTED)


class QuestionQuerySet(InProject):
    def counting(self) -> Self:
        """Questions that count: imported or from an approved assignment, with no standing drop, and not written just to
        check workers."""
        from annotation.models import GoldQuestion

        approved = Q(imported_from__isnull=False) | Q(assignment__status="approved", assignment__repeat_of__isnull=True)
        checks = GoldQuestion.objects.filter(for_checking=True)
        return self.filter(approved).exclude(pk__in=_dropped("question")).exclude(pk__in=checks.values("question"))

    def kept(self) -> Self:
        """Questions that count or may still: imported, or from work that was submitted or approved; not dropped."""
        listed = Q(assignment__status__in=["submitted", "approved"], assignment__repeat_of__isnull=True)
        return self.filter(Q(imported_from__isnull=False) | listed).exclude(pk__in=_dropped("question"))

    def dropped(self) -> Self:
        """Questions with a standing drop, whatever became of their assignment."""
        return self.filter(pk__in=_dropped("question"))

    def in_article(self, article: Article) -> Self:
        return self.filter(paragraph__article=article)

    def needing_answers(self, wanted: int) -> Self:
        """Counting questions with fewer than ``wanted`` extra answers that count, but for those on excluded paragraphs;
        ``extra_answers`` says how many.

        An extra answer is one that is not the question's author's own.
        """
        extra = Count("answers", filter=Q(answers__position__gt=0, answers__adjudicated_by__isnull=True))
        rows = self.counting().filter(paragraph__is_excluded=False)
        return rows.annotate(extra_answers=extra).filter(extra_answers__lt=wanted)


class AnswerQuerySet(InProject):
    project_path = "question__project"

    def counting(self) -> Self:
        """Answers that count: they have a position (imported, or approved) and no standing drop."""
        return self.filter(position__isnull=False).exclude(pk__in=_dropped("answer"))

    def for_export(self) -> Self:
        """Answers that count, and reviewers' adjudications, with no standing drop."""
        chosen = Q(position__isnull=False) | Q(adjudicated_by__isnull=False)
        return self.filter(chosen, is_gold=False).exclude(pk__in=_dropped("answer"))

    def dropped(self) -> Self:
        """Answers with a standing drop."""
        return self.filter(pk__in=_dropped("answer"))


class GoldQuestionQuerySet(InProject):
    def in_use(self) -> Self:
        """Gold questions that tasks may still get, in the order in which they were added."""
        return self.filter(retired_at__isnull=True).order_by("pk")


class NoteQuerySet(InProject):
    def unread(self) -> Self:
        """Notes that their worker has not seen yet."""
        return self.filter(reading__isnull=True)


class ExclusionQuerySet(InProject):
    def standing(self) -> Self:
        """Exclusions that hold: the latest of their reason, and not a lifting."""
        from annotation.models import Exclusion

        later = Exclusion.objects.filter(
            project=OuterRef("project"), worker=OuterRef("worker"), reason=OuterRef("reason"), pk__gt=OuterRef("pk")
        )
        return self.filter(~Exists(later), is_lifted=False)


def _dropped(what: str) -> models.QuerySet:
    """Ids of the questions or answers whose latest verdict is *drop*."""
    from annotation.models import Verdict

    later = Verdict.objects.filter(**{what: OuterRef(what)}, pk__gt=OuterRef("pk"))
    standing = Verdict.objects.filter(~Exists(later), decision=Verdict.Decision.DROP, **{f"{what}__isnull": False})
    return standing.values(what)
