"""The form of a round of further answers."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Article, Project
from hits import endpoints

from .services.more_answers import MOST, SPLITS, USUAL_LIMIT, Asked


class MoreForm(forms.Form):
    """What a requester asks for; ``asked()`` is it in the words of the service."""

    splits = forms.MultipleChoiceField(
        label=_("Splits"), choices=Article.Split.choices, widget=forms.CheckboxSelectMultiple
    )
    limit = forms.IntegerField(
        label=_("At most so many answers a question, its author's among them"), min_value=3, max_value=MOST
    )
    units_per_hit = forms.IntegerField(label=_("Questions in a HIT"), min_value=1, max_value=100)
    hourly_rate_usd = forms.DecimalField(
        label=_("Pay per hour, USD"), min_value=0, max_value=1000, max_digits=8, decimal_places=2
    )
    endpoint = forms.ChoiceField(label=_("Endpoint"))

    def __init__(self, given: Any, *, project: Project) -> None:
        known = {
            key: one for key, one in endpoints.all_endpoints().items() if one.is_for_rehearsal == project.is_rehearsal
        }
        usual = {
            "splits": list(SPLITS),
            "limit": USUAL_LIMIT,
            "units_per_hit": project.questions_per_answer_task,
            "hourly_rate_usd": project.hourly_rate_usd,
            "endpoint": next(iter(known), ""),
        }
        if hasattr(given, "getlist"):
            given = {name: given.getlist(name) if name == "splits" else given[name] for name in given}
        super().__init__(usual | dict(given))
        field = self.fields["endpoint"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - tells the type checker
        field.choices = [(key, one.label) for key, one in known.items()]

    def asked(self) -> Asked:
        chosen = self.cleaned_data
        return Asked(
            tuple(chosen["splits"]),
            chosen["limit"],
            chosen["endpoint"],
            chosen["units_per_hit"],
            chosen["hourly_rate_usd"],
        )
