"""The guides of a project: what ships with its preset, the version in force, and new ones."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.translation import get_language_info
from django.utils.translation import gettext as _

from accounts.models import User
from annotation.models import Guide, Project, Task
from annotation.services import guide_notation, quiz_notation

FOLDER = Path(__file__).parents[1] / "guides"
KINDS: tuple[str, ...] = (Task.Kind.WRITE, Task.Kind.ANSWER)
# Presets without a guide of their own, and whose they take.
TAKEN_FROM = {"glue-like": "squad-v1"}


@dataclass(frozen=True)
class Content:
    """What a version says: the fields of ``Guide`` that a requester writes."""

    texts: dict[str, dict[str, Any]]
    quiz: dict[str, Any] | None = None
    pass_percent: int = 80
    quiz_tries: int = 2

    @classmethod
    def of(cls, guide: Guide) -> Content:
        return cls(guide.texts, guide.quiz, guide.pass_percent, guide.quiz_tries)


class Overtaken(Exception):
    """Somebody else stored a newer version while this one was being written."""

    def __init__(self) -> None:
        super().__init__(
            _("Somebody else has changed the guide meanwhile. Copy what you typed, load the page anew, and put it in.")
        )


def shipped_content(preset: str) -> Content:
    """What ships with ``preset``, its quiz included."""
    file = FOLDER / f"{TAKEN_FROM.get(preset, preset)}.quiz.en.txt"
    return Content(shipped(preset), quiz_notation.parse(file.read_text("utf-8")) if file.exists() else None)


@cache
def shipped(preset: str) -> dict[str, dict[str, Any]]:
    """The texts that ship with ``preset``, in the form of ``Guide.texts``."""
    stem = TAKEN_FROM.get(preset, preset)
    texts: dict[str, dict[str, Any]] = {}
    for kind in KINDS:
        files = sorted(FOLDER.glob(f"{stem}.{kind}.*.txt")) or sorted(FOLDER.glob(f"own-crowd.{kind}.*.txt"))
        for file in files:
            language = file.name.split(".")[2]
            texts.setdefault(language, {})[kind] = guide_notation.parse(file.read_text("utf-8"))
    return texts


def current(project: Project) -> Guide | None:
    """The newest version, if the project has any yet."""
    return Guide.objects.in_project(project).order_by("-number").first()


def content_now(project: Project) -> Content:
    """What the newest version says, or what ships where there is none yet."""
    return content_of(project, current(project))


def content_of(project: Project, guide: Guide | None) -> Content:
    """What ``guide`` of ``project`` says, or what ships where there is none yet."""
    return Content.of(guide) if guide else shipped_content(project.preset)


@transaction.atomic
def in_force(project: Project) -> Guide:
    """The version for tasks that are made now; the first one is what ships with the preset."""
    return current(project) or store(project, shipped_content(project.preset), None, after=0)


@transaction.atomic
def store(project: Project, content: Content, user: User | None, *, after: int) -> Guide:
    """Make ``content`` the next version, or return the newest one where it says the same already.

    ``after`` is the version that ``content`` was made from. Raises Overtaken where there is a newer one.
    """
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)  # one writer at a time
    newest = current(project)
    if newest is not None and Content.of(newest) == content:
        return newest
    number = newest.number if newest else 0
    if number != after:
        raise Overtaken
    return Guide.objects.create(project=project, number=number + 1, written_by=user, **vars(content))


def texts_of(guide: Guide | None, preset: str, kind: str, language: str) -> tuple[str, list[dict[str, Any]]]:
    """What workers at ``kind`` of work are told, in the language nearest to ``language``; and which that is.

    Without a guide (a task from before projects had one), what ships with ``preset``. A quiz is about both kinds.
    """
    texts = guide.texts if guide else shipped(preset)
    found = nearest(list(texts), language)
    kinds = [kind] if kind in KINDS else KINDS
    return found, [texts[found][one] for one in kinds if one in texts[found]]


def nearest(languages: list[str], asked: str) -> str:
    """The one of ``languages`` (not none) that is nearest to ``asked``: itself, its language in another region or
    script, the site's own, or the first."""
    stem = asked.partition("-")[0].lower()
    by_nearness = [
        lambda tag: tag.lower() == asked.lower(),
        lambda tag: tag.partition("-")[0].lower() == stem,
        lambda tag: tag == settings.LANGUAGE_CODE,
    ]
    for is_near in by_nearness:
        for tag in languages:
            if is_near(tag):
                return tag
    return languages[0]


def direction(language: str) -> str:
    """``rtl`` or ``ltr``."""
    try:
        return "rtl" if get_language_info(language)["bidi"] else "ltr"
    except KeyError:
        return "ltr"
