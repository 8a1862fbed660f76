"""Forms of the pages about money."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Assignment

from .models import Batch, LedgerEntry
from .models.bonuses import REASON_CHARS
from .services.bonuses import DECIDED, MOST_USD
from .services.fair_pay import USUAL_TIMES

CENT = Decimal("0.01")
MOST_KEY = 2**63 - 1


class CapForm(forms.Form):
    """A higher cap for a batch, and why."""

    to_usd = forms.DecimalField(label=_("New cap, USD"), min_value=CENT, max_digits=10, decimal_places=2)
    why = forms.CharField(label=_("Why"), max_length=500)


class BonusForm(forms.Form):
    """A bonus for one assignment of ``batch``."""

    assignment = forms.IntegerField(
        label=_("Assignment"),
        min_value=1,
        max_value=MOST_KEY,
        help_text=_("Its number here, as review shows it. It must be approved or rejected."),
    )
    amount_usd = forms.DecimalField(
        label=_("Bonus, USD"), min_value=CENT, max_value=MOST_USD, max_digits=8, decimal_places=2
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=REASON_CHARS,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("The worker reads it."),
    )
    confirmed_total_usd = forms.DecimalField(
        label=_("Type the total with its fee to pay"),
        required=False,
        max_digits=10,
        decimal_places=2,
        help_text=_("This endpoint pays people: so that nobody spends by accident."),
    )

    def __init__(self, *args: Any, batch: Batch, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._batch = batch
        if not batch.endpoint_settings.pays_people:
            del self.fields["confirmed_total_usd"]

    def clean_assignment(self) -> Assignment:
        found = Assignment.objects.filter(pk=self.cleaned_data["assignment"], offer__hit__batch=self._batch)
        assignment = found.filter(status__in=DECIDED).first()
        if assignment is None:
            raise forms.ValidationError(_("This batch has no approved or rejected assignment of that number."))
        return assignment


class TimesForm(forms.Form):
    """How much measured time counts at most."""

    times = forms.DecimalField(
        label=_("Count at most so many times the paid time of a HIT"),
        min_value=1,
        max_value=100,
        max_digits=4,
        decimal_places=1,
        initial=USUAL_TIMES,
        help_text=_("Bounds time in which somebody left the page open, and numbers that cannot be right."),
    )


class PayForm(TimesForm):
    """The proposal as it was shown, and the total where the endpoint pays people."""

    shown_total_usd = forms.DecimalField(max_digits=12, decimal_places=2, widget=forms.HiddenInput)
    confirmed_total_usd = forms.DecimalField(
        label=_("Type the total to pay"), required=False, max_digits=12, decimal_places=2
    )


class LedgerFilter(forms.Form):
    """Which entries of a project's ledger to show."""

    batch = forms.ModelChoiceField(label=_("Batch"), queryset=Batch.objects.none(), required=False)
    kind = forms.MultipleChoiceField(
        label=_("Kinds"),
        choices=LedgerEntry.Kind.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("All of them, where none is ticked."),
    )
    endpoint = forms.ChoiceField(label=_("Endpoint"), required=False)

    def __init__(self, *args: Any, project: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        batch, endpoint = self.fields["batch"], self.fields["endpoint"]
        assert isinstance(batch, forms.ModelChoiceField)  # noqa: S101 - tells the type checker
        assert isinstance(endpoint, forms.ChoiceField)  # noqa: S101 - tells the type checker
        batch.queryset = Batch.objects.in_project(project).order_by("-pk")
        batch.empty_label = str(_("every batch"))
        used = LedgerEntry.objects.in_project(project).order_by("endpoint").values_list("endpoint", flat=True)
        endpoint.choices = [("", _("every endpoint")), *((key, key) for key in used.distinct())]

    def narrow(self, entries: Any) -> Any:
        """``entries`` as chosen."""
        chosen = self.cleaned_data
        if chosen["batch"]:
            entries = entries.filter(batch=chosen["batch"])
        if chosen["kind"]:
            entries = entries.filter(kind__in=chosen["kind"])
        if chosen["endpoint"]:
            entries = entries.filter(endpoint=chosen["endpoint"])
        return entries
