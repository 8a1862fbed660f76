"""The pages in the admin on which a project's guide is written, seen as workers see it, and looked up by version."""

from __future__ import annotations

from functools import partial
from typing import Any

from csp.constants import SELF
from csp.decorators import csp_replace
from django import forms
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_POST
from unfold.widgets import UnfoldAdminIntegerFieldWidget, UnfoldAdminTextareaWidget

from annotation.framing import rendered
from annotation.guide_views import shown
from annotation.models import Guide, Project
from annotation.permissions import REQUESTERS, project_or_404, signed_in
from annotation.services import guide_notation, guides, quiz_notation, standing

LANGUAGE_TAG = RegexValidator(r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$")
MOST_LANGUAGE_CHARS = 35
LABELS = {"write": gettext_lazy("For writing questions"), "answer": gettext_lazy("For answering questions")}
FRAMED: Any = csp_replace({"frame-src": [SELF]})
TO_BE_FRAMED: Any = csp_replace({"frame-ancestors": [SELF]})
SHOWN_VERSIONS = 20


class GuideField(forms.CharField):
    """A guide in the notation; cleaned, it is the structure."""

    def __init__(self, **kwargs: Any) -> None:
        widget = UnfoldAdminTextareaWidget(attrs={"rows": 22, "spellcheck": "true", "dir": "auto"})
        super().__init__(max_length=guide_notation.MOST_CHARS, widget=widget, **kwargs)

    def clean(self, value: Any) -> Any:
        try:
            return guide_notation.parse(super().clean(value))
        except guide_notation.NotAGuide as refusal:
            raise ValidationError(str(refusal)) from refusal


class QuizField(GuideField):
    """A quiz in its notation; cleaned, it is the structure, or None where there is nothing."""

    def clean(self, value: Any) -> Any:
        typed = forms.CharField.clean(self, value)
        try:
            return quiz_notation.parse(typed) if typed.strip() else None
        except guide_notation.NotAGuide as refusal:
            raise ValidationError(str(refusal)) from refusal


class GuideForm(forms.Form):
    """The texts of one language. ``after`` is the version that they were made from."""

    write = GuideField(label=LABELS["write"])
    answer = GuideField(label=LABELS["answer"])
    quiz = QuizField(label=gettext_lazy("Quiz"), required=False)
    pass_percent = forms.IntegerField(
        label=gettext_lazy("Right items to pass the quiz, at least %"),
        min_value=1,
        max_value=100,
        widget=UnfoldAdminIntegerFieldWidget,
    )
    quiz_tries = forms.IntegerField(
        label=gettext_lazy("Tries at the quiz"), min_value=2, max_value=10, widget=UnfoldAdminIntegerFieldWidget
    )
    after = forms.IntegerField(min_value=0, max_value=2**31 - 1, widget=forms.HiddenInput)

    @property
    def texts(self) -> dict[str, Any]:
        return {kind: self.cleaned_data[kind] for kind in guides.KINDS}

    def content(self, texts: dict[str, Any], language: str) -> guides.Content:
        """What is to be stored: ``texts`` with those of the form for ``language``, and the quiz."""
        typed = self.cleaned_data
        return guides.Content(
            {**texts, language: self.texts}, typed["quiz"], typed["pass_percent"], typed["quiz_tries"]
        )


def urls(site: AdminSite) -> list[URLPattern]:
    wrap = site.admin_view
    return [
        path("<int:pk>/guide/", wrap(partial(editor, site)), name="annotation_guide"),
        path("<int:pk>/guide/preview/", wrap(require_POST(preview)), name="annotation_guide_preview"),
        path("<int:pk>/guide/<int:number>/", wrap(version), name="annotation_guide_version"),
    ]


@FRAMED
def editor(site: AdminSite, request: HttpRequest, pk: int) -> HttpResponse:
    """The guide of a project in one language (``?language=``), with the page that workers will see beside it."""
    project = project_or_404(request.user, pk, *REQUESTERS)
    newest = guides.current(project)
    content = guides.content_of(project, newest)
    texts = content.texts
    language = _language(request, list(texts))
    form = GuideForm(request.POST if request.method == "POST" else None, initial=_initial(content, language, newest))
    if form.is_valid():
        changed = form.content(texts, language)
        try:
            stored = guides.store(project, changed, signed_in(request), after=form.cleaned_data["after"])
        except guides.Overtaken as refusal:
            form.add_error(None, str(refusal))
        else:
            sentence = _("Saved as version %(number)s. Batches launched from now on show it.")
            messages.success(request, sentence % {"number": stored.number})
            return HttpResponseRedirect(f"{reverse('admin:annotation_guide', args=[project.pk])}?language={language}")
    context = site.each_context(request) | {
        "title": _("Guide"),
        "project": project,
        "form": form,
        "language": language,
        "languages": sorted({*texts, language}),
        "newest": newest,
        "shown_number": newest.number if newest else 0,
        "judgements": ", ".join(quiz_notation.JUDGEMENTS),
        "versions": Guide.objects.in_project(project).select_related("written_by").order_by("-number")[:SHOWN_VERSIONS],
        "preview_url": reverse("admin:annotation_guide_preview", args=[project.pk]),
    }
    request.current_app = site.name
    return TemplateResponse(request, "admin/annotation/guide.html", context, status=422 if form.errors else 200)


def _language(request: HttpRequest, known: list[str]) -> str:
    asked = request.GET.get("language", "")
    try:
        LANGUAGE_TAG(asked)
    except ValidationError:
        return guides.nearest(known, "")
    return asked if len(asked) <= MOST_LANGUAGE_CHARS else guides.nearest(known, "")


def _initial(content: guides.Content, language: str, newest: Guide | None) -> dict[str, Any]:
    """What the form begins with; a language that has no text yet begins with the nearest one's, to be translated."""
    chosen = content.texts[guides.nearest(list(content.texts), language)]
    initial = {kind: guide_notation.written(chosen[kind]) for kind in guides.KINDS if kind in chosen}
    return {
        **initial,
        "quiz": quiz_notation.written(content.quiz) if content.quiz else "",
        "pass_percent": content.pass_percent,
        "quiz_tries": content.quiz_tries,
        "after": newest.number if newest else 0,
    }


@xframe_options_sameorigin
@TO_BE_FRAMED
def preview(request: HttpRequest, pk: int) -> HttpResponse:
    """The workers' page for what the editor holds right now; nothing is stored."""
    project_or_404(request.user, pk, *REQUESTERS)
    language = _language(request, ["en"])
    form = GuideForm(request.POST)
    if not form.is_valid():
        problems = [f"{form[name].label}: {error}" for name in form.fields for error in form[name].errors]
        context: dict[str, Any] = {"title": _("Not a guide yet"), "text": " ".join(problems)}
        return HttpResponse(rendered("annotation/message.html", context))
    context = shown(language, list(form.texts.values())) | shown_quiz(form.cleaned_data["quiz"])
    return HttpResponse(rendered("annotation/guide.html", context))


def shown_quiz(quiz: dict[str, Any] | None) -> dict[str, Any]:
    """The quiz with what is right, for the eyes of the project's members."""
    if quiz is None:
        return {}
    items = [
        {
            **item,
            "solution": str(quiz_notation.JUDGEMENTS[item["right"]])
            if item["kind"] == quiz_notation.JUDGE
            else " / ".join(item["right"]) or _("cannot be answered from this paragraph"),
        }
        for item in quiz["items"]
    ]
    return {"quiz": quiz, "quiz_items": items}


@xframe_options_sameorigin
@TO_BE_FRAMED
def version(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """One version as its workers see it; 0 is what ships with the preset."""
    project = project_or_404(request.user, pk)
    kept = get_object_or_404(Guide, project=project, number=number) if number else None
    language = _language(request, ["en"])
    context = shown(*guides.texts_of(kept, project.preset, "", language))
    context |= shown_quiz(kept.quiz if kept else guides.shipped_content(project.preset).quiz)
    return HttpResponse(rendered("annotation/guide.html", context))


def panel_context(project: Project, user: Any) -> dict[str, Any]:
    newest = guides.current(project)
    content = guides.content_now(project)
    return {
        "guide": newest,
        "guide_number": newest.number if newest else 0,
        "guide_languages": sorted(content.texts),
        "quiz_items": len(content.quiz["items"]) if content.quiz else 0,
        "quiz_content": content,
        "quiz_passed": standing.passed_workers(project).count(),
    }
