"""The page on which a requester says which workers a project asks for, and sees both sides of its qualifications."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.forms import PRESET_WORDS, CountriesField
from annotation.models import Project
from annotation.permissions import REQUESTERS, project_or_404
from annotation.presets import WORKER_PRESETS

from . import endpoints, mturk
from .models import Qualification, WorkerRule
from .services import comparing, requirements
from .services.requirements import ADULT, MASTERS, NotARule

if TYPE_CHECKING:
    from .admin import BatchAdmin

BLANK_ROWS = 2
SYSTEM_TYPES = {
    requirements.PERCENT_APPROVED: gettext_lazy("approval rate, %"),
    requirements.NUMBER_HITS_APPROVED: gettext_lazy("HITs approved"),
    requirements.LOCALE: gettext_lazy("place"),
    ADULT: gettext_lazy("adult content"),
    MASTERS: gettext_lazy("Masters"),
}


class WorkersForm(forms.ModelForm):
    """What stands on the project, and the two system types that are asked for by a tick."""

    countries = CountriesField(
        label=gettext_lazy("Countries"),
        required=False,
        help_text=gettext_lazy("Two-letter codes, such as US, CA. Empty: anywhere."),
    )
    masters = forms.BooleanField(label=gettext_lazy("Masters alone"), required=False)
    adult = forms.BooleanField(label=gettext_lazy("Workers who agreed to adult content alone"), required=False)

    class Meta:
        model = Project
        fields = [
            "min_percent_approved",
            "min_hits_approved",
            "countries",
            "masters",
            "adult",
            "quiz_required",
            "most_tasks_a_worker",
            "tasks_before_look",
        ]


class RuleForm(forms.Form):
    """One rule of the requester's own; an empty row is none."""

    type_id = forms.CharField(
        label=gettext_lazy("Qualification type"),
        required=False,
        max_length=64,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    comparator = forms.ChoiceField(
        label=gettext_lazy("Comparison"), required=False, choices=[("", "–"), *WorkerRule.Comparator.choices]
    )
    values = forms.CharField(label=gettext_lazy("Values"), required=False, max_length=400)

    def clean(self) -> dict[str, Any]:
        typed: dict[str, Any] = self.cleaned_data
        if not any(typed.get(name) for name in ("type_id", "comparator", "values")):
            return {}
        try:
            rule = requirements.parse_rule(
                typed.get("type_id", ""), typed.get("comparator", ""), typed.get("values", "")
            )
        except NotARule as refusal:
            raise ValidationError(str(refusal)) from refusal
        return {**typed, "rule": rule}


RuleFormSet = forms.formset_factory(RuleForm, extra=BLANK_ROWS, max_num=requirements.MOST_REQUIREMENTS)


def urls(batches: BatchAdmin) -> list[URLPattern]:
    wrap = batches.admin_site.admin_view
    return [path("who-may-work/<int:project_pk>/", wrap(partial(editor, batches)), name="hits_qualifications")]


def editor(batches: BatchAdmin, request: HttpRequest, project_pk: int) -> HttpResponse:
    """The editor; with ``?preset=`` its fields hold that preset's values, which nothing keeps until they are saved."""
    project = project_or_404(request.user, project_pk, *REQUESTERS)
    preset = request.GET.get("preset", "")
    rules = list(project.worker_rules.order_by("position"))
    form, formset = _forms(
        project, rules, WORKER_PRESETS.get(preset, {}), request.POST if request.method == "POST" else None
    )
    problem, compared = "", []
    if request.method == "POST":
        try:
            if request.POST.get("act") == "compare":
                form, formset = _forms(project, rules, {}, None)
                compared = _compare(request, project)
            elif form.is_valid() and formset.is_valid():
                _save(project, form, formset)
                messages.success(request, _("Saved. Batches launched from now on ask for these workers."))
                return HttpResponseRedirect(reverse("admin:hits_qualifications", args=[project.pk]))
        except (NotARule, mturk.Rejected, mturk.Unavailable) as refusal:
            problem = str(refusal)
    failed = bool(problem) or form.errors or any(formset.errors if formset.is_bound else [])
    context = batches.admin_site.each_context(request) | {
        "title": _("Who may work"),
        "project": project,
        "opts": batches.opts,
        "form": form,
        "formset": formset,
        "presets": [
            (name, str(PRESET_WORDS[name]).removeprefix(f"{name}: "), name == preset) for name in WORKER_PRESETS
        ],
        "preset": preset if preset in WORKER_PRESETS else "",
        "system_types": SYSTEM_TYPES,
        "problem": problem,
        "compared": compared,
        "kept": Qualification.objects.filter(project=project).select_related("batch").order_by("endpoint", "pk"),
    }
    return TemplateResponse(request, "admin/hits/qualifications.html", context, status=422 if failed else 200)


def _forms(project: Project, rules: list[WorkerRule], preset: dict[str, Any], posted: Any) -> tuple[Any, Any]:
    chosen = [] if preset else rules
    ticked = {rule.qualification_type_id for rule in chosen}
    initial = {"masters": MASTERS in ticked, "adult": ADULT in ticked, **preset}
    rows = [
        {
            "type_id": rule.qualification_type_id,
            "comparator": rule.comparator,
            "values": ", ".join([*map(str, rule.integer_values), *rule.locale_values]),
        }
        for rule in chosen
        if not _is_ticked(rule)
    ]
    return WorkersForm(posted, instance=project, initial=initial), RuleFormSet(posted, initial=rows, prefix="rules")


def _is_ticked(rule: WorkerRule) -> bool:
    """Whether the rule is one of the two that have a box of their own."""
    return (rule.qualification_type_id, rule.comparator) in {
        (MASTERS, WorkerRule.Comparator.EXISTS),
        (ADULT, WorkerRule.Comparator.EQUAL),
    }


@transaction.atomic
def _save(project: Project, form: WorkersForm, formset: Any) -> None:
    rules = []
    if form.cleaned_data["masters"]:
        rules.append(requirements.parse_rule(MASTERS, WorkerRule.Comparator.EXISTS, ""))
    if form.cleaned_data["adult"]:
        rules.append(requirements.parse_rule(ADULT, WorkerRule.Comparator.EQUAL, "1"))
    rules += [row.cleaned_data["rule"] for row in formset if row.cleaned_data.get("rule")]
    requirements.check_number(form.instance, rules)
    form.save()
    requirements.replace_rules(project, rules)


def _compare(request: HttpRequest, project: Project) -> list[tuple[str, comparing.Difference, str]]:
    """Compare both sides at each endpoint where the project has qualifications, and mend them."""
    found: list[tuple[str, comparing.Difference, str]] = []
    rows = Qualification.objects.filter(project=project).exclude(mturk_qualification_type_id="")
    purposes = dict(Qualification.Purpose.choices)
    for key in rows.order_by("endpoint").values_list("endpoint", flat=True).distinct():
        if key not in endpoints.all_endpoints():
            continue
        differences = comparing.compare(project, key)
        told = comparing.mend(project, key, differences)
        label = endpoints.get(key).label
        found += [(key, one, str(purposes[one.purpose])) for one in differences]
        sentence = ngettext("{n} difference mended at {endpoint}.", "{n} differences mended at {endpoint}.", told)
        messages.success(request, sentence.format(n=told, endpoint=label))
    return found
