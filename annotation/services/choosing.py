"""Leaving paragraphs out and taking them back, with who, when and why; and mending a text before anybody relies on it.

A choice is never changed: a later one stands. Tasks that hold a paragraph already keep it, and its questions stay.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from annotation.models import Paragraph, ParagraphChoice, PassageAct, Project, TextRepair
from annotation.sentences import grouped
from annotation.services.bulk_copy import copy_rows
from annotation.services.passage_intake import MAX_PARAGRAPH_CHARS, reason_to_drop, text_digest
from annotation.services.passages import Narrowing, in_tasks, with_questions

Kind = PassageAct.Kind
EXAMPLES = 5
MOST_WHY_CHARS = 500


class NotChosen(Exception):
    """A choice or a repair that cannot be made; the message says why and what to do."""


@dataclass(frozen=True)
class Preview:
    """What a choice would change: paragraphs that stand otherwise now, in how many articles, and how many of them are
    in tasks or have questions, which stay as they are. ``examples`` are the first few."""

    paragraphs: int
    articles: int
    in_tasks: int
    with_questions: int
    examples: list[Paragraph]


def preview(project: Project, narrowing: Narrowing, kind: str) -> Preview:
    """What excluding or including the paragraphs that ``narrowing`` means would change."""
    rows = _to_change(project, narrowing, kind)
    return Preview(
        paragraphs=rows.count(),
        articles=rows.values("article").distinct().count(),
        in_tasks=rows.filter(Exists(in_tasks())).count(),
        with_questions=rows.filter(Exists(with_questions())).count(),
        examples=list(rows.select_related("article").order_by("article__position", "position")[:EXAMPLES]),
    )


def _to_change(project: Project, narrowing: Narrowing, kind: str) -> QuerySet[Paragraph]:
    if kind not in (Kind.EXCLUDE, Kind.INCLUDE):
        raise NotChosen(_("Paragraphs are excluded or included."))
    return narrowing.rows(project).filter(is_excluded=kind == Kind.INCLUDE)


@transaction.atomic
def choose(
    project: Project, narrowing: Narrowing, kind: str, why: str, user: User | None, expected: int | None = None
) -> PassageAct:
    """Exclude or include (``kind``) the paragraphs that ``narrowing`` means and that stand otherwise.

    ``expected`` is how many the preview named. Raises NotChosen where it is another number by now, where there is
    none, or where ``why`` says nothing.
    """
    _lock(project)
    rows = _to_change(project, narrowing, kind)
    found = list(rows.order_by("pk").values_list("pk", "article"))
    if expected is not None and len(found) != expected:
        sentence = _("Paragraphs a moment ago: %(expected)s; now: %(found)s. Look again, then confirm.")
        raise NotChosen(sentence % {"expected": grouped(expected), "found": grouped(len(found))})
    if not found:
        raise NotChosen(_("No paragraph would change: there is none like that, or all of them stand so already."))
    act = PassageAct(project=project, kind=kind, why=reason(why), asked=narrowing.as_json(), decided_by=user)
    return _store(act, found, is_excluded=kind == Kind.EXCLUDE)


@transaction.atomic
def undo(act: PassageAct, why: str, user: User | None) -> PassageAct:
    """Take ``act`` back for those of its paragraphs that nobody chose about since.

    Raises NotChosen where that is none of them, or where it was taken back before.
    """
    _lock(act.project)
    back = _standing(act)
    found = [(paragraph, article) for paragraph, article, _excluded in back]
    undone = PassageAct(project=act.project, kind=Kind.UNDO, why=reason(why), undoes=act, decided_by=user)
    return _store(undone, found, is_excluded=not back[0][2])


def undo_preview(act: PassageAct) -> tuple[int, int]:
    """How many paragraphs of how many articles taking ``act`` back would change. Raises NotChosen as ``undo`` does."""
    back = _standing(act)
    return len(back), len({article for _paragraph, article, _excluded in back})


def _standing(act: PassageAct) -> list[tuple[int, int, bool]]:
    """What of ``act`` nobody chose about since: paragraphs with their articles and what was chosen."""
    if PassageAct.objects.filter(undoes=act).exists():
        raise NotChosen(_("This was undone before."))
    later = ParagraphChoice.objects.filter(paragraph=OuterRef("paragraph"), act__gt=act.pk)
    standing = act.choices.filter(~Exists(later)).order_by("paragraph")
    back = list(standing.values_list("paragraph", "paragraph__article", "is_excluded"))
    if not back:
        raise NotChosen(_("Nothing of this stands any more: later decisions were about the same paragraphs."))
    return back


def _lock(project: Project) -> None:
    """One decision or launch of a project at a time, so that a launch sees either all of a choice or nothing."""
    Project.objects.select_for_update().get(pk=project.pk)


def reason(words: str) -> str:
    """``words`` as they are kept with a decision. Raises NotChosen where they say nothing."""
    why = " ".join(words.replace("\0", "").split())
    if not why:
        raise NotChosen(_("Say why in a few words: they stay with the decision."))
    return why[:MOST_WHY_CHARS]


def _store(act: PassageAct, found: Iterable[tuple[int, int]], *, is_excluded: bool) -> PassageAct:
    """Store ``act`` about the paragraphs ``found`` (keys with their articles'); a trigger makes it hold."""
    found = list(found)
    act.paragraphs, act.articles = len(found), len({article for _paragraph, article in found})
    act.save()
    copy_rows(ParagraphChoice, ("act", "paragraph", "is_excluded"), ((act.pk, pk, is_excluded) for pk, _ in found))
    return act


def is_in_work(paragraph: Paragraph) -> bool:
    """Whether somebody may already rely on the paragraph's text: it is in a task, or has a question."""
    return paragraph.task_paragraphs.exists() or paragraph.questions.exists()


@transaction.atomic
def repair_text(paragraph: Paragraph, text: str, why: str, user: User | None) -> TextRepair | None:
    """Give ``paragraph`` another text, and keep the old one with the reason; None where it is the same.

    Raises NotChosen where somebody relies on the text, or where the project cannot hold the new one.
    """
    _lock(paragraph.project)
    paragraph = Paragraph.objects.select_related("project").get(pk=paragraph.pk)
    if text == paragraph.text:
        return None
    if is_in_work(paragraph):
        raise NotChosen(_("The text was not changed: it is in a task or has questions, which count its characters."))
    if problem := problem_of(paragraph, text):
        raise NotChosen(problem)
    row = TextRepair(paragraph=paragraph, old_text=paragraph.text, new_text=text, why=reason(why), repaired_by=user)
    row.save()
    paragraph.text, paragraph.text_sha256 = text, text_digest(text)
    paragraph.save(update_fields=["text", "text_sha256"])
    return row


def problem_of(paragraph: Paragraph, text: str) -> str:
    """Why ``paragraph`` cannot have ``text``, in a sentence; empty where it can."""
    project = paragraph.project
    if "\0" in text or reason_to_drop(text, project):
        return _("A paragraph of this project has %(least)s to %(most)s characters, not all of them blank.") % {
            "least": project.min_paragraph_chars,
            "most": grouped(MAX_PARAGRAPH_CHARS),
        }
    twin = Paragraph.objects.in_project(project).filter(text_sha256=text_digest(text))
    if twin.exclude(pk=paragraph.pk).exists():
        return _("Another paragraph of the project has this text already.")
    return ""
