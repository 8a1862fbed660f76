"""The operator's forms about panels and their studies."""

import re
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ..models import HITType
from .forms import GrantsForm
from .models import Panel, PanelStudy, ProlificStudy
from .services.presets import NEEDED, PRESETS, missing

PARAMETER = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,49}", re.ASCII)


class PanelForm(forms.ModelForm):
    class Meta:
        model = Panel
        fields = [
            "kind",
            "name",
            "key",
            "participant_parameter",
            "study_parameter",
            "session_parameter",
            "check_by",
            "currency",
            "per_usd",
        ]
        labels = {"key": gettext_lazy("Short name")}
        help_texts = {
            "key": gettext_lazy("Letters, digits, - and _; PANEL_SECRETS in the environment knows the panel by it."),
            "participant_parameter": gettext_lazy(
                "Left empty, the three parameters are those that the panel is known for."
            ),
            "session_parameter": gettext_lazy("Without one, a participant has one visit to each study."),
            "per_usd": gettext_lazy("Bonuses are given in US dollars. 1 where the panel pays in them."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["participant_parameter"].required = False
        self.fields["per_usd"].required = False

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        preset = PRESETS.get(values.get("kind", ""))
        parameters = ("participant_parameter", "study_parameter", "session_parameter")
        if preset is not None and not any(values.get(name) for name in parameters):
            given = (preset.participant, preset.study, preset.session)
            values |= dict(zip(parameters, given, strict=True))
        names = [values[name] for name in parameters if values.get(name)]
        if not values.get("participant_parameter"):
            self.add_error("participant_parameter", _("Which parameter says who comes?"))
        if len(set(names)) != len(names) or not all(PARAMETER.fullmatch(name) for name in names):
            self.add_error("participant_parameter", _("Parameters are different names of letters, digits and . _ -"))
        if values.get("check_by") == Panel.Check.API and values.get("kind") != Panel.Kind.PROLIFIC:
            self.add_error("check_by", _("Only Prolific can be asked by its API."))
        if values.get("per_usd") is None:
            values["per_usd"] = 1
            if values.get("currency", "USD") != "USD":
                self.add_error("per_usd", _("Say how much of this currency one US dollar is."))
        return values


class HITTypesField(forms.ModelMultipleChoiceField):
    def label_from_instance(self, obj: Any) -> str:
        return f"{obj.requester}: {obj.title} (${obj.reward_usd})"


class StudyForm(GrantsForm):
    """A study of a panel: which groups, how many HITs, how it ends."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=120, help_text=gettext_lazy("Participants see it."))
    hit_types = HITTypesField(
        label=gettext_lazy("HIT groups"),
        queryset=HITType.objects.none(),
        help_text=gettext_lazy("The newest hundred. Participants see these and no others."),
    )
    hits_wanted = forms.IntegerField(
        label=gettext_lazy("HITs for a participant"),
        min_value=1,
        max_value=1000,
        initial=1,
        help_text=gettext_lazy("Who has submitted so many is complete."),
    )
    minutes = forms.IntegerField(
        label=gettext_lazy("Minutes for a visit"), min_value=1, max_value=60 * 24 * 30, initial=60
    )
    places = forms.IntegerField(
        label=gettext_lazy("Places (empty: as many as there is work)"), required=False, min_value=1, max_value=1_000_000
    )
    visits_per_participant = forms.IntegerField(
        label=gettext_lazy("Visits of one participant"), min_value=1, max_value=1000, initial=1
    )
    external_id = forms.RegexField(
        label=gettext_lazy("The panel's study id (if you have it)"),
        regex=r"^[A-Za-z0-9][A-Za-z0-9._:@+~-]*$",
        required=False,
        max_length=100,
        help_text=gettext_lazy("Links with another study id are refused."),
    )
    is_reserved = forms.BooleanField(
        label=gettext_lazy("Only for this study"),
        required=False,
        initial=True,
        help_text=gettext_lazy(
            "While the study is open, other workers of the marketplace neither find nor take these groups. Without it "
            "they are open to everybody who meets what they ask for."
        ),
    )
    complete_code = forms.CharField(label=gettext_lazy("Code: complete"), required=False, max_length=100)
    screened_out_code = forms.CharField(label=gettext_lazy("Code: screened out"), required=False, max_length=100)
    quota_full_code = forms.CharField(label=gettext_lazy("Code: quota full"), required=False, max_length=100)
    complete_url = forms.CharField(
        label=gettext_lazy("Address to go back to: complete"),
        required=False,
        max_length=1000,
        help_text=gettext_lazy("May hold {code}, {participant}, {study}, {session}. Prolific's is known."),
    )
    screened_out_url = forms.CharField(label=gettext_lazy("Address: screened out"), required=False, max_length=1000)
    quota_full_url = forms.CharField(label=gettext_lazy("Address: quota full"), required=False, max_length=1000)

    field_order = [
        *(
            "name",
            "hit_types",
            "is_reserved",
            "hits_wanted",
            "minutes",
            "places",
            "visits_per_participant",
            "external_id",
        ),
        *("complete_code", "screened_out_code", "quota_full_code"),
        *("complete_url", "screened_out_url", "quota_full_url"),
    ]

    def __init__(self, *args: Any, panel: Panel, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.panel = panel
        for name in {name for names in NEEDED[panel.kind] for name in names}:
            self.fields[name].label = _("{label} (needed)").format(label=self.fields[name].label)
        for names in NEEDED[panel.kind]:
            if len(names) > 1:
                self.fields[names[0]].help_text = _("Needed: this code, or the address below.")
        newest = HITType.objects.order_by("-id").values("pk")[:100]
        field = self.fields["hit_types"]
        assert isinstance(field, HITTypesField)  # noqa: S101  # declared so above
        field.queryset = HITType.objects.filter(pk__in=newest).select_related("requester").order_by("-id")

    def clean_external_id(self) -> str:
        external_id: str = self.cleaned_data["external_id"]
        if external_id and PanelStudy.objects.filter(panel=self.panel, external_id=external_id).exists():
            raise ValidationError(_("Another study here has this id already."))
        return external_id

    def clean_complete_url(self) -> str:
        return self._address("complete_url")

    def clean_screened_out_url(self) -> str:
        return self._address("screened_out_url")

    def clean_quota_full_url(self) -> str:
        return self._address("quota_full_url")

    def _address(self, name: str) -> str:
        url: str = self.cleaned_data[name]
        schemes = ("https", "http") if settings.PLAIN_HTTP else ("https",)
        try:
            parts = urlsplit(url)
            is_usable = parts.scheme in schemes and bool(parts.hostname) and "{" not in parts.netloc
        except ValueError:
            is_usable = False
        if url and not is_usable:
            raise ValidationError(_("This must be an https address."))
        return url

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        for names in missing(self.panel.kind, values):
            if not any(name in self.errors for name in names):
                self.add_error(names[0], self._needed(names))
        return values

    def _needed(self, names: tuple[str, ...]) -> str:
        if len(names) > 1:
            return _("Whoever is complete goes back with a code or by an address: give one of them.")
        if names[0] == "complete_url":
            return _("Whoever is complete goes back by the completion address that the panel shows you: copy it here.")
        if names[0] == "complete_code" and self.panel.kind == Panel.Kind.PROLIFIC:
            return _("Prolific pays who comes back with this code, which you make up here or copy from there.")
        return _("The address has {code} in it, so this code is needed.")

    def values(self) -> dict[str, Any]:
        """The columns of the study."""
        names = [field.name for field in PanelStudy._meta.fields if field.name in self.cleaned_data]
        columns = {name: self.cleaned_data[name] for name in names}
        return columns | {"standing": self.standing(), "qualification_value": self.value_of_qualification()}


class ProlificForm(forms.Form):
    """What Prolific needs to know of a study beyond what the study says itself."""

    description = forms.CharField(
        label=gettext_lazy("Description"),
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=gettext_lazy("Prolific's participants read it."),
    )
    reward = forms.DecimalField(
        label=gettext_lazy("Reward for a participant"), min_value=Decimal("0.01"), max_value=10_000, decimal_places=2
    )
    estimated_minutes = forms.IntegerField(label=gettext_lazy("Minutes it takes"), min_value=1, max_value=10_000)
    places_wanted = forms.IntegerField(label=gettext_lazy("Places"), min_value=1, max_value=100_000)
    carries_rejections = forms.BooleanField(
        label=gettext_lazy("Carry rejections over, and not only approvals"), required=False, initial=True
    )
    rejection_category = forms.ChoiceField(
        label=gettext_lazy("Category of rejections"),
        choices=ProlificStudy.Category,
        initial=ProlificStudy.Category.OTHER,
    )
