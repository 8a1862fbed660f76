"""The pages on which a project's passages are looked at: how many, how long, where from, what was left out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib.admin import AdminSite
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from annotation.models import Project
from annotation.passage_forms import ArticlesForm, chosen, narrowing_of
from annotation.permissions import REQUESTERS, has_role, project_or_404, signed_in
from annotation.services import key_words, overview, passages, topics
from annotation.services.import_reports import left_out
from annotation.services.passage_plot import histogram
from annotation.visitor_language import in_visitors_language

PAGE = 50
# Beyond so many pages nobody leafs; a number above is somebody's program or slip.
LAST_PAGE = 10_000
BEGINNING_CHARS = 160


def urls(site: AdminSite) -> list[URLPattern]:
    """The addresses of these pages, below those of a project."""

    def wrap(view: Callable[..., HttpResponse]) -> Any:
        return site.admin_view(in_visitors_language(partial(view, site)))

    return [
        path("<int:pk>/passages/", wrap(overall), name="annotation_passages"),
        path("<int:pk>/passages/articles/", wrap(articles), name="annotation_passage_articles"),
        path("<int:pk>/passages/paragraphs/", wrap(paragraphs), name="annotation_passage_list"),
    ]


def overall(site: AdminSite, request: HttpRequest, pk: int) -> HttpResponse:
    """A project's passages at a glance."""
    project = project_or_404(request.user, pk)
    lengths = passages.lengths(project)
    context = {
        "title": _("Passages"),
        "lengths": lengths,
        "plot": histogram(lengths.bins) if lengths.bins else "",
        "bins": [{"bin": one, "most": one.end - 1 if one.end else None} for one in lengths.bins],
        "splits": overview.split_sizes(project),
        "sections": passages.sections(project),
        "stated_topics": topics.stated_topics(project, passages.KEY_WORDS_SHOWN),
        "topics": key_words.topics(project, passages.KEY_WORDS_SHOWN),
        "left_out": left_out(project),
    }
    return page(request, site, project, "passages.html", context)


def articles(site: AdminSite, request: HttpRequest, pk: int) -> HttpResponse:
    """The articles of a project with what they hold."""
    project = project_or_404(request.user, pk)
    form = ArticlesForm(request.GET)
    form.is_valid()
    asked = {name: form.cleaned_data.get(name, "") for name in form.fields}
    rows, leaf = leafed(request, passages.listed_articles(project, **asked))
    context = {
        "title": _("Articles"),
        "form": form,
        "articles": rows,
        "leaf": leaf,
        "query": urlencode(chosen(form), doseq=True),
    }
    return page(request, site, project, "passage_articles.html", context)


def paragraphs(site: AdminSite, request: HttpRequest, pk: int) -> HttpResponse:
    """The paragraphs of a project, narrowed and ordered by the address."""
    project = project_or_404(request.user, pk)
    form, narrowing = narrowing_of(request.GET)
    rows, leaf = leafed(request, passages.listed(project, narrowing, form.cleaned_data.get("order", "")))
    context = {
        "title": _("Paragraphs"),
        "form": form,
        "paragraphs": [
            {
                "row": row,
                "beginning": row.text[:BEGINNING_CHARS] + ("…" if row.characters > BEGINNING_CHARS else ""),
                "section": " › ".join(row.section),
            }
            for row in rows
        ],
        "leaf": leaf,
        "query": urlencode(chosen(form), doseq=True),
    }
    return page(request, site, project, "passage_list.html", context)


def leafed(request: HttpRequest, rows: QuerySet) -> tuple[list[Any], dict[str, int]]:
    """The rows of the page that the address asks for, and which pages stand before and after it (0: none). One more
    row is read than shown, so that nothing need be counted."""
    asked = request.GET.get("page", "")
    number = min(int(asked), LAST_PAGE) if asked.isdecimal() and asked.isascii() and len(asked) < 7 else 1
    number = max(1, number)
    first = (number - 1) * PAGE
    found = list(rows[first : first + PAGE + 1])
    leaf = {
        "number": number,
        "before": number - 1,
        "after": number + 1 if len(found) > PAGE and number < LAST_PAGE else 0,
        "first": first + 1,
        "last": first + min(len(found), PAGE),
    }
    return found[:PAGE], leaf


def page(
    request: HttpRequest, site: AdminSite, project: Project, template: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    """A page of ``project`` about its passages."""
    user = signed_in(request)
    shared = {
        **site.each_context(request),
        "project": project,
        "may_manage": user is not None and has_role(user, project, *REQUESTERS),
    }
    request.current_app = site.name
    return TemplateResponse(request, f"admin/annotation/{template}", {**shared, **context}, status=status)
