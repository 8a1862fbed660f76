"""A project's dashboard on paper: one HTML file that needs nothing else, or a PDF."""

from __future__ import annotations

from pathlib import Path

from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

from annotation.models import Project
from reviewer.services.dashboard import Shown
from reviewer.services.dashboard_sections import sections_of

STYLES = ("platform.css", "reviewer/dashboard.css")


def html_of(project: Project, shown: Shown) -> str:
    """The figures in ``shown``, which there are, as a page that stands alone."""
    found = [finders.find(name) for name in STYLES]
    style = "\n".join(Path(path).read_text(encoding="utf-8") for path in found if isinstance(path, str))
    context = {
        "project": project,
        "shown": shown,
        "sections": sections_of(project, shown.figures or {}),
        "style": mark_safe(style),  # noqa: S308 - our own files
        "is_report": True,
    }
    return render_to_string("reviewer/dashboard_report.html", context)


def file_name(project: Project, shown: Shown, kind: str) -> str:
    """What a report is called on a disk: the project, the day, and ``kind`` (html or pdf)."""
    return f"{project.slug}-{shown.at:%Y-%m-%d}.{kind}"
