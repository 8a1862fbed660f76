"""What whoever makes a release chooses."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Article
from reviewer.models import Release
from reviewer.models.release import NOTE_CHARS
from reviewer.services.release_reading import MOST_LEAST_ANSWERS, ReleaseSpec


class ReleaseForm(forms.Form):
    note = forms.CharField(
        label=_("What is to be said of this version"),
        max_length=NOTE_CHARS,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    splits = forms.MultipleChoiceField(
        label=_("Splits"),
        choices=Article.Split.choices,
        initial=Article.Split.values,
        widget=forms.CheckboxSelectMultiple,
    )
    least_answers = forms.IntegerField(
        label=_("Least answers of a question in dev and test"),
        help_text=_("Questions with fewer are left out and named."),
        min_value=1,
        max_value=MOST_LEAST_ANSWERS,
        initial=1,
    )
    with_impossible = forms.BooleanField(label=_("Questions that cannot be answered too"), required=False, initial=True)
    workers = forms.ChoiceField(
        label=_("Workers"),
        choices=Release.Workers.choices,
        initial=Release.Workers.LEFT_OUT,
        widget=forms.RadioSelect,
    )
    hold_back_test = forms.BooleanField(
        label=_("Hold the answers of test back"),
        help_text=_("They go into a file of their own, which requesters alone can fetch."),
        required=False,
    )

    def spec(self) -> ReleaseSpec:
        """What was chosen, once the form is valid."""
        chosen = self.cleaned_data
        return ReleaseSpec(
            note=chosen["note"],
            holds_back_test=chosen["hold_back_test"],
            workers=chosen["workers"],
            splits=tuple(chosen["splits"]),
            least_answers=chosen["least_answers"],
            with_impossible=chosen["with_impossible"],
        )
