"""The pages on which paragraphs are excluded and included, with a look before, the trail after, and a way back; and
one paragraph by itself, as its workers will see it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from csp.constants import SELF
from csp.decorators import csp_replace
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_POST

from annotation import passage_pages
from annotation.models import Article, Paragraph, PassageAct, Project, TextRepair
from annotation.passage_forms import WhyForm, chosen, narrowing_of
from annotation.permissions import REQUESTERS, project_or_404, signed_in
from annotation.sentences import grouped
from annotation.services import choosing
from annotation.services.choosing import NotChosen
from annotation.services.work_page import sample_offer
from annotation.views import sample_page
from annotation.visitor_language import in_visitors_language

SHOWN_REPAIRS = 50
SHOWN_CHOICES = 20
FRAMED: Any = csp_replace({"frame-src": [SELF]})
TO_BE_FRAMED: Any = csp_replace({"frame-ancestors": [SELF]})


def urls(site: AdminSite) -> list[URLPattern]:
    def wrap(view: Callable[..., HttpResponse]) -> Any:
        return site.admin_view(in_visitors_language(partial(view, site)))

    return [
        path("<int:pk>/passages/exclude/", wrap(partial(choose, PassageAct.Kind.EXCLUDE)), name="annotation_exclude"),
        path("<int:pk>/passages/include/", wrap(partial(choose, PassageAct.Kind.INCLUDE)), name="annotation_include"),
        path("<int:pk>/passages/decisions/", wrap(decisions), name="annotation_passage_decisions"),
        path(
            "<int:pk>/passages/decisions/<int:act_pk>/undo/",
            site.admin_view(in_visitors_language(require_POST(undo))),
            name="annotation_undo_choice",
        ),
        path("<int:pk>/passages/paragraphs/<int:paragraph_pk>/", wrap(paragraph), name="annotation_passage"),
        path(
            "<int:pk>/passages/paragraphs/<int:paragraph_pk>/shown/",
            site.admin_view(in_visitors_language(shown)),
            name="annotation_passage_shown",
        ),
    ]


def choose(kind: str, site: AdminSite, request: HttpRequest, pk: int) -> HttpResponse:
    """What excluding or including the paragraphs of the address would change; POSTed with a reason, it is done."""
    project = project_or_404(request.user, pk, *REQUESTERS)
    narrowed, narrowing = narrowing_of(request.GET)
    form = WhyForm(request.POST if request.method == "POST" else None)
    problem = ""
    if request.method == "POST" and narrowed.is_valid() and form.is_valid():
        try:
            act = choosing.choose(
                project, narrowing, kind, form.cleaned_data["why"], signed_in(request), **_expected(form)
            )
        except NotChosen as refusal:
            problem = str(refusal)
        else:
            messages.success(request, _done_words(act))
            return HttpResponseRedirect(reverse("admin:annotation_passage_decisions", args=[project.pk]))
    # A field that cannot be read narrows nothing on a list; here it would mean more than was asked for.
    preview = choosing.preview(project, narrowing, kind) if narrowed.is_valid() else None
    excludes = kind == PassageAct.Kind.EXCLUDE
    context = {
        "title": _("Exclude paragraphs") if excludes else _("Include paragraphs again"),
        "excludes": excludes,
        "narrowed": narrowed,
        "asked": asked_words(narrowing.as_json(), titles_in(project, [narrowing.as_json()])),
        "is_whole_article": set(narrowing.as_json()) == {"article"},
        "preview": preview,
        "form": form,
        "problem": problem,
        "back": f"{reverse('admin:annotation_passage_list', args=[project.pk])}?{urlencode(_filter_of(narrowed))}",
    }
    status = 422 if problem or form.errors or preview is None else 200
    return passage_pages.page(request, site, project, "passage_choice.html", context, status)


def _expected(form: WhyForm) -> dict[str, Any]:
    return {"expected": form.cleaned_data["expected"]}


def _filter_of(narrowed: Any) -> dict[str, Any]:
    return {name: value for name, value in chosen(narrowed).items() if name != "ids"} if narrowed.is_valid() else {}


def titles_in(project: Project, choices: Iterable[dict[str, Any]]) -> dict[int, str]:
    """The titles of the articles that ``choices`` were about, by key."""
    keys = {asked["article"] for asked in choices if "article" in asked}
    return dict(Article.objects.in_project(project).filter(pk__in=keys).values_list("pk", "title"))


def asked_words(asked: dict[str, Any], titles: Mapping[int, str]) -> list[str]:
    """How passages were chosen, in words: one for each thing that narrowed."""
    if "article" in asked:
        asked = asked | {"article": titles.get(asked["article"], asked["article"])}
    words = {
        "words": _("with “%s” in the text"),
        "title": _("in articles like “%s”"),
        "article": _("in the article “%s”"),
        "split": _("in the split %s"),
        "section": _("under the heading “%s”"),
        "topic": _("in articles on “%s”"),
        "key_word": _("in articles with the key word “%s”"),
        "least": _("of %s characters at least"),
        "most": _("of %s characters at most"),
        "imported_from": _("from import %s"),
        "state": _("of the state “%s”"),
        "seed": _("seed %s"),
        "stratify": _("balanced by %s"),
    }
    told = [words[name] % value for name, value in asked.items() if name in words and value != ""]
    if "ids" in asked:
        count = len(asked["ids"])
        told.append(ngettext("%s marked by hand", "%s marked by hand", count) % count)
    return told


def size_words(act: PassageAct) -> str:
    """How much a decision was about: "2 paragraphs of 1 article"."""
    return _("%(paragraphs)s of %(articles)s") % {
        "paragraphs": ngettext("%s paragraph", "%s paragraphs", act.paragraphs) % grouped(act.paragraphs),
        "articles": ngettext("%s article", "%s articles", act.articles) % grouped(act.articles),
    }


def _done_words(act: PassageAct) -> str:
    if act.kind == PassageAct.Kind.EXCLUDE:
        return _("Excluded: %s. No task will hold what is excluded.") % size_words(act)
    if act.kind == PassageAct.Kind.INCLUDE:
        return _("Included again: %s.") % size_words(act)
    return _("Undone for %s.") % size_words(act)


def decisions(site: AdminSite, request: HttpRequest, pk: int) -> HttpResponse:
    """The trail: every decision about the project's passages, and every text that was mended; newest first."""
    project = project_or_404(request.user, pk)
    rows = PassageAct.objects.in_project(project).select_related("decided_by", "undone_by", "undoes").order_by("-pk")
    acts, leaf = passage_pages.leafed(request, rows)
    repairs = TextRepair.objects.filter(paragraph__project=project).select_related("paragraph__article", "repaired_by")
    titles = titles_in(project, [act.asked for act in acts])
    context = {
        "title": _("Decisions"),
        "acts": [
            {
                "act": act,
                "size": size_words(act),
                "asked": asked_words(act.asked, titles),
                "may_undo": may_undo(act),
            }
            for act in acts
        ],
        "leaf": leaf,
        "repairs": repairs.order_by("-pk")[:SHOWN_REPAIRS],
    }
    return passage_pages.page(request, site, project, "passage_decisions.html", context)


def may_undo(act: PassageAct) -> bool:
    return act.kind != PassageAct.Kind.SPLIT and not hasattr(act, "undone_by")


def undo(request: HttpRequest, pk: int, act_pk: int) -> HttpResponse:
    """Take a decision back."""
    project = project_or_404(request.user, pk, *REQUESTERS)
    acts = PassageAct.objects.in_project(project).exclude(kind=PassageAct.Kind.SPLIT).select_related("project")
    act = get_object_or_404(acts, pk=act_pk)
    try:
        undone = choosing.undo(act, request.POST.get("why", ""), signed_in(request))
    except NotChosen as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _done_words(undone))
    return HttpResponseRedirect(reverse("admin:annotation_passage_decisions", args=[project.pk]))


@FRAMED
def paragraph(site: AdminSite, request: HttpRequest, pk: int, paragraph_pk: int) -> HttpResponse:
    """One paragraph: where it is from, what was decided about it, and the page that its workers will see."""
    project, row = _paragraph(request, pk, paragraph_pk)
    context = {
        "title": str(row),
        "paragraph": row,
        "section": " › ".join(row.section),
        "is_in_work": choosing.is_in_work(row),
        "choices": row.choices.select_related("act__decided_by").order_by("-pk")[:SHOWN_CHOICES],
        "repairs": row.repairs.select_related("repaired_by").order_by("-pk")[:SHOWN_CHOICES],
    }
    return passage_pages.page(request, site, project, "passage.html", context)


@xframe_options_sameorigin
@TO_BE_FRAMED
def shown(request: HttpRequest, pk: int, paragraph_pk: int) -> HttpResponse:
    """The worker's page for a task of this one paragraph, as a preview that nobody can send."""
    project, row = _paragraph(request, pk, paragraph_pk)
    return HttpResponse(sample_page(sample_offer(project), [row]))


def _paragraph(request: HttpRequest, pk: int, paragraph_pk: int) -> tuple[Project, Paragraph]:
    project = project_or_404(request.user, pk)
    rows = Paragraph.objects.in_project(project).select_related("article", "imported_from")
    return project, get_object_or_404(rows, pk=paragraph_pk)
