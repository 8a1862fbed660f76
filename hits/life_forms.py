"""What the pages of a batch's life ask for."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from .models import HIT, Batch
from .services.topping_up import MOST_HOURS, MOST_PLACES


class ActForm(forms.Form):
    """What an act on ``batch`` asks for; by itself nothing."""

    def __init__(self, *args: Any, batch: Batch, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.batch = batch

    def asked(self) -> dict[str, Any]:
        """What the service takes."""
        return dict(self.cleaned_data)


class OneOrAll(ActForm):
    """Whether an act is for the whole batch or for one HIT of it."""

    hit = forms.ModelChoiceField(
        label=_("Which HITs"),
        queryset=HIT.objects.none(),
        required=False,
        empty_label=_("All of the batch"),
        widget=forms.NumberInput(attrs={"min": 1}),
        help_text=_("The number of one HIT of this batch; empty for all of them."),
        error_messages={"invalid_choice": _("This batch has no HIT of that number.")},
    )

    def __init__(self, *args: Any, batch: Batch, **kwargs: Any) -> None:
        super().__init__(*args, batch=batch, **kwargs)
        hit = self.fields["hit"]
        assert isinstance(hit, forms.ModelChoiceField)  # noqa: S101 - tells the type checker
        hit.queryset = HIT.objects.filter(batch=batch)

    def asked(self) -> dict[str, Any]:
        values = super().asked()
        hit = values.pop("hit")
        return values | {"hit_id": hit.pk if hit else None}


class PlacesForm(OneOrAll):
    places = forms.IntegerField(label=_("More workers for each HIT"), min_value=1, max_value=MOST_PLACES, initial=1)


class TimeForm(OneOrAll):
    hours = forms.IntegerField(label=_("Hours more"), min_value=1, max_value=MOST_HOURS, initial=24)


class ConfirmForm(forms.Form):
    """What comes with the button: which page it was on, and the total that was shown and, where it is money, typed."""

    token = forms.UUIDField(widget=forms.HiddenInput)
    shown_usd = forms.DecimalField(widget=forms.HiddenInput, max_digits=12, decimal_places=2)
    confirmed_usd = forms.DecimalField(
        label=_("Type the total to go on"),
        required=False,
        max_digits=12,
        decimal_places=2,
        help_text=_("This endpoint pays people: so that nobody spends by accident."),
    )
