"""A project's clone for a rehearsal: the same passages and questions under new ids, flagged so that it never counts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.db import models, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from annotation.models import Answer, Article, GoldQuestion, Import, Membership, Paragraph, Project, Question

from . import guides
from .projects import free_slug

CHUNK = 1000


@transaction.atomic
def clone_for_rehearsal(project: Project) -> Project:
    """Clone ``project`` with its members, passages, counting questions (as imported ones) and gold checks, so that its
    tasks get the same checks at the same places; return the clone.

    Raises ValueError for a rehearsal, which is never cloned again.
    """
    if project.is_rehearsal:
        raise ValueError(_("{project} is a rehearsal itself.").format(project=project))
    clone = Project(**_values(project, "slug", "name", "is_rehearsal", "origin"))
    clone.name = _("{project} (rehearsal)").format(project=project.name)[:200]
    clone.slug = free_slug(f"{project.slug}-rehearsal")
    clone.is_rehearsal, clone.origin = True, project
    clone.most_tasks_a_worker = None  # the players are few
    clone.tasks_before_look = None  # and nobody looks at their work while they play
    clone.save()
    guides.store(clone, guides.content_now(project), None, after=0)
    Membership.objects.bulk_create(
        [Membership(project=clone, user_id=member.user_id, role=member.role) for member in project.memberships.all()]
    )
    record = Import.objects.create(
        project=clone, file_name=project.slug, file_sha256="", report={"cloned_from": project.slug}
    )
    _clone_questions(record, project, _clone_passages(record, project))
    return clone


def _clone_passages(record: Import, project: Project) -> dict[int, Paragraph]:
    """Copies of the paragraphs, by the id of the original."""
    articles = {
        article.pk: Article(**_values(article, "project"), project_id=record.project_id)
        for article in Article.objects.in_project(project).order_by("pk")
    }
    Article.objects.bulk_create(articles.values(), CHUNK)
    paragraphs = {
        paragraph.pk: Paragraph(
            **_values(paragraph, "project", "article", "imported_from"),
            project_id=record.project_id,
            article=articles[paragraph.article_id],
            imported_from=record,
        )
        for paragraph in Paragraph.objects.in_project(project).order_by("pk")
    }
    Paragraph.objects.bulk_create(paragraphs.values(), CHUNK)
    return paragraphs


def _clone_questions(record: Import, project: Project, paragraphs: dict[int, Paragraph]) -> None:
    answers: dict[int, list[Answer]] = defaultdict(list)
    for answer in Answer.objects.in_project(project).counting().order_by("question", "position"):
        answers[answer.question_id].append(answer)
    counting = set(Question.objects.in_project(project).counting().values_list("pk", flat=True))
    checks = list(GoldQuestion.objects.in_project(project).in_use())
    wanted = Q(pk__in=counting) | Q(pk__in=[check.question_id for check in checks])
    originals = list(Question.objects.in_project(project).filter(wanted).order_by("pk"))
    copies = Question.objects.bulk_create(
        [
            Question(
                **_values(question, "project", "paragraph", "public_id", "assignment", "imported_from", "client_id"),
                project_id=record.project_id,
                paragraph=paragraphs[question.paragraph_id],
                imported_from=record,
            )
            for question in originals
        ],
        CHUNK,
    )
    Answer.objects.bulk_create(
        [
            Answer(
                question=copy,
                imported_from=record,
                start=answer.start,
                end=answer.end,
                text=answer.text,
                position=position,
                is_mid_word=answer.is_mid_word,
            )
            for original, copy in zip(originals, copies, strict=True)
            for position, answer in enumerate(answers[original.pk])
        ],
        CHUNK,
    )
    made = {original.pk: copy for original, copy in zip(originals, copies, strict=True)}
    _clone_checks(record.project, [(check, made[check.question_id], check.question_id in counting) for check in checks])


def _clone_checks(clone: Project, checks: Sequence[tuple[GoldQuestion, Question, bool]]) -> None:
    """The gold checks with what is known of them; one whose question does not count only checks."""
    GoldQuestion.objects.bulk_create(
        GoldQuestion(
            **_values(check, "project", "question", "for_checking", "added_at"),
            project=clone,
            question=copy,
            for_checking=not counts,
        )
        for check, copy, counts in checks
    )
    copies = {check.question_id: copy for check, copy, _counts in checks}
    known = Answer.objects.filter(question__in=copies, is_gold=True, adjudicated_by__isnull=False).order_by("pk")
    Answer.objects.bulk_create(Answer(**_values(row, "question"), question=copies[row.question_id]) for row in known)


def _values(row: models.Model, *but: str) -> dict[str, Any]:
    """The values of ``row``'s own fields; keys, what the database works out, and ``but`` are left out."""
    left_out = {"id", "created_at", *but}
    fields = [field for field in row._meta.fields if field.name not in left_out and not field.generated]
    return {field.attname: getattr(row, field.attname) for field in fields}
