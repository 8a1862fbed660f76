"""Deleting what was noted about how people worked, and keeping what they made."""

from typing import Any

from django.db import transaction

from annotation.models import Draft, ParagraphWork, Project, QuestionSignals


@transaction.atomic
def delete_signals(project: Project) -> int:
    """Delete the signals of all finished work in ``project``, in its drafts too, and return of how many questions.

    The seconds at work on a paragraph stay: fair pay is reckoned from them.
    """
    deleted, _by_model = QuestionSignals.objects.filter(assignment__task__project=project).delete()
    ParagraphWork.objects.filter(assignment__task__project=project).update(focus_losses=0)
    drafts = Draft.objects.filter(assignment__task__project=project, assignment__finished_at__isnull=False)
    for draft in drafts.select_for_update(of=("self",)).iterator(chunk_size=500):
        Draft.objects.filter(pk=draft.pk).update(content=_without_signals(draft.content))
    return deleted


def _without_signals(content: dict[str, Any]) -> dict[str, Any]:
    paragraphs = [
        {name: value for name, value in paragraph.items() if name != "focus_losses"}
        | {"questions": [{k: v for k, v in question.items() if k != "signals"} for question in paragraph["questions"]]}
        for paragraph in content.get("paragraphs", [])
    ]
    return content | ({"paragraphs": paragraphs} if paragraphs else {})
