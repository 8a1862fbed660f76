"""The part of the launch form that says when HITs come out, and how often one worker may come back."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from .services.releasing import DAY_SECONDS, HOUR_SECONDS, Release

MOST = 1_000_000


class UTCDateTimeField(forms.DateTimeField):
    """A moment typed in UTC, as the admin's pages show it."""

    def to_python(self, value: Any) -> datetime | None:
        moment = super().to_python(value)
        return moment if moment is None else moment.replace(tzinfo=UTC)


class ReleaseForm(forms.Form):
    starts_at = UTCDateTimeField(
        label=_("Publish nothing before, UTC"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M"],
    )
    pilot_hits = forms.IntegerField(
        label=_("HITs of a pilot"),
        required=False,
        min_value=1,
        max_value=MOST,
        help_text=_("So many first; the rest when you release it. Empty: no pilot."),
    )
    hits_a_period = forms.IntegerField(
        label=_("At most so many HITs"),
        required=False,
        min_value=1,
        max_value=MOST,
        help_text=_("Empty: all at once."),
    )
    period = forms.TypedChoiceField(
        label=_("in each"),
        choices=[(HOUR_SECONDS, _("hour")), (DAY_SECONDS, _("day"))],
        coerce=int,
        required=False,
        empty_value=None,
    )
    most_open = forms.IntegerField(
        label=_("Never more HITs open at a time than"), required=False, min_value=1, max_value=MOST
    )
    most_tasks_a_worker = forms.IntegerField(
        label=_("HITs of this batch for one worker, at most"),
        required=False,
        min_value=1,
        max_value=MOST,
        help_text=_("Empty: as many as they like. The project may have a bound of its own."),
    )

    @property
    def has_release_choices(self) -> bool:
        """Whether anything of this was chosen, so that the page shows it unfolded."""
        names = ["starts_at", "pilot_hits", "hits_a_period", "most_open", "most_tasks_a_worker"]
        return self.is_bound and any(self.data.get(name) or name in self.errors for name in names)

    def release(self) -> Release:
        chosen = self.cleaned_data
        return Release(
            starts_at=chosen["starts_at"],
            pilot_hits=chosen["pilot_hits"] or 0,
            hits_a_period=chosen["hits_a_period"] or 0,
            period_seconds=chosen["period"] or HOUR_SECONDS,
            most_open=chosen["most_open"] or 0,
        )
