"""The page on which a project's splits are drawn: looked at first, then applied, until a launch freezes them."""

from __future__ import annotations

from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation import passage_pages
from annotation.models import PassageAct
from annotation.permissions import REQUESTERS, project_or_404, signed_in
from annotation.services import split_drawing
from annotation.services.choosing import MOST_WHY_CHARS
from annotation.services.split_drawing import BY_LENGTH, BY_TOPIC, MOST_SEED, NotDrawn, SplitRequest
from annotation.visitor_language import in_visitors_language

# A project may have hundreds of topics; the largest tell whether the draw is balanced.
GROUPS_SHOWN = 30


class SplitForm(forms.Form):
    """How to draw, and why; the reason is needed only to apply."""

    train_percent = forms.IntegerField(label=gettext_lazy("Articles in train, %"), min_value=0, max_value=100)
    dev_percent = forms.IntegerField(label=gettext_lazy("Articles in dev, %"), min_value=0, max_value=100)
    test_percent = forms.IntegerField(label=gettext_lazy("Articles in test, %"), min_value=0, max_value=100)
    seed = forms.IntegerField(label=gettext_lazy("Seed"), min_value=0, max_value=MOST_SEED)
    stratify = forms.ChoiceField(
        label=gettext_lazy("Balance by"),
        choices=[
            ("", gettext_lazy("nothing")),
            (BY_LENGTH, gettext_lazy("length of articles")),
            (BY_TOPIC, gettext_lazy("topic of articles")),
        ],
        required=False,
    )
    why = forms.CharField(label=gettext_lazy("Why? (to apply it)"), max_length=MOST_WHY_CHARS, required=False)

    def asked(self) -> SplitRequest:
        typed = self.cleaned_data
        return SplitRequest(**{name: typed[name] for name in SplitRequest.__dataclass_fields__})


def urls(site: AdminSite) -> list[URLPattern]:
    return [
        path(
            "<int:pk>/passages/split/",
            site.admin_view(in_visitors_language(partial(split, site))),
            name="annotation_split",
        ),
    ]


def split(site: AdminSite, request: HttpRequest, pk: int) -> HttpResponse:
    """The splits as the address would draw them beside how they are; POSTed with a reason, they are drawn."""
    project = project_or_404(request.user, pk, *REQUESTERS)
    now = SplitRequest.of(project)
    first = {name: getattr(now, name) for name in SplitRequest.__dataclass_fields__}
    data: Any = request.POST if request.method == "POST" else {**first, **request.GET.dict()}
    form, problem, sizes, groups = SplitForm(data), "", None, []
    frozen = split_drawing.frozen_because(project)
    if form.is_valid():
        try:
            if request.method == "POST" and "apply" in request.POST:
                split_drawing.apply(project, form.asked(), form.cleaned_data["why"], signed_in(request))
                messages.success(request, _("The splits are drawn."))
                return HttpResponseRedirect(reverse("admin:annotation_passages", args=[project.pk]))
            sizes = split_drawing.preview(project, form.asked())
            groups = split_drawing.groups(project, form.asked())
        except NotDrawn as refusal:
            problem = str(refusal)
            form.add_error(None, problem)
    drawn = PassageAct.objects.in_project(project).filter(kind=PassageAct.Kind.SPLIT).select_related("decided_by")
    context = {
        "title": _("Split by article"),
        "form": form,
        "sizes": sizes,
        "groups": groups[:GROUPS_SHOWN],
        "more_groups": max(0, len(groups) - GROUPS_SHOWN),
        "frozen": frozen,
        "last": drawn.order_by("-pk").first(),
    }
    status = 422 if form.errors and request.method == "POST" else 200
    return passage_pages.page(request, site, project, "passage_split.html", context, status)
