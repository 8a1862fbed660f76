"""The forms of the workers' site."""

from decimal import Decimal
from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, SetPasswordForm
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _

from .models import Rating, Report
from .services.board import Order, Wanted
from .services.messages import SUBJECT, TEXT


class SignInForm(AuthenticationForm):
    error_messages = {
        "invalid_login": _("That user name and password do not belong together. Check both and try again."),
        "inactive": _("This account is closed."),
    }


class NewPasswordForm(PasswordChangeForm):
    """The old password once, the new one twice. Messages go under each field; the page says what is asked of it."""

    error_messages = {
        **PasswordChangeForm.error_messages,
        "password_incorrect": _("That is not your password now."),
        "password_mismatch": _("The two new passwords are not the same."),
    }


class ChosenPasswordForm(SetPasswordForm):
    """A new password, twice, for somebody who came by a link."""

    error_messages = {
        **SetPasswordForm.error_messages,
        "password_mismatch": _("The two new passwords are not the same."),
    }


class GrantForm(forms.Form):
    """The value that a requester grants a qualification with."""

    value = forms.IntegerField(
        min_value=-(2**31),
        max_value=2**31 - 1,
        error_messages={"required": _("Give the value, a whole number."), "invalid": _("The value is a whole number.")},
    )


class DeclineForm(forms.Form):
    """Why a requester declines; the worker reads it."""

    reason = forms.CharField(max_length=1024, error_messages={"required": _("Give a reason: the worker reads it.")})


class FindForm(forms.Form):
    """What a worker looks for on the list. A field that cannot be read is told of and otherwise left out."""

    q = forms.CharField(label=_("Search titles, keywords and requesters"), required=False)
    reward = forms.DecimalField(
        label=_("Pays at least ($)"), required=False, min_value=0, max_digits=8, decimal_places=2
    )
    hourly = forms.DecimalField(
        label=_("An hour at least ($), of what is measured"),
        required=False,
        min_value=0,
        max_digits=8,
        decimal_places=2,
    )
    sort = forms.ChoiceField(label=_("Order"), required=False, choices=Order.choices)
    qualified = forms.BooleanField(label=_("Only what I may accept"), required=False)
    requester = forms.RegexField(r"^A[A-Z0-9]{1,63}$", required=False, widget=forms.HiddenInput)

    def clean_q(self) -> str:
        return self.cleaned_data["q"].strip()[:100]

    @property
    def wanted(self) -> Wanted:
        self.is_valid()
        values: dict[str, Any] = self.cleaned_data
        return Wanted(
            search=values.get("q", ""),
            least_reward_usd=_above_zero(values.get("reward")),
            least_hourly_usd=_above_zero(values.get("hourly")),
            is_open_to_me=values.get("qualified", False),
            requester=values.get("requester", ""),
            order=Order(values.get("sort") or Order.NEWEST),
        )

    @property
    def amounts(self) -> list[forms.BoundField]:
        return [self["reward"], self["hourly"]]

    @property
    def is_filtering(self) -> bool:
        """Whether any of the fields is filled that are folded away otherwise, rightly or not."""
        return any(self.data.get(name) for name in ("reward", "hourly", "qualified"))

    @property
    def query(self) -> str:
        """The address's part after the question mark, with what was understood alone."""
        return urlencode(self.understood)

    @property
    def understood(self) -> dict[str, str]:
        self.is_valid()
        return {name: self.data[name] for name, value in self.cleaned_data.items() if value}


def _above_zero(amount: Decimal | None) -> Decimal | None:
    return amount or None


class MessageForm(forms.Form):
    subject = forms.CharField(label=_("Subject"), max_length=SUBJECT)
    text = forms.CharField(label=_("Message"), max_length=TEXT, widget=forms.Textarea(attrs={"rows": 6}))


class ReportForm(forms.ModelForm):
    kind = forms.ChoiceField(
        label=_("What is wrong?"), choices=Report.Kind.choices, widget=forms.RadioSelect, initial=Report.Kind.BROKEN
    )

    class Meta:
        model = Report
        fields = ("kind", "text")
        widgets = {"text": forms.Textarea(attrs={"rows": 5})}

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        if values.get("kind") == Report.Kind.OTHER and not values.get("text"):
            self.add_error("text", _("Say in a sentence what is wrong."))
        return values


MARKS = [(5, _("5, very good")), (4, _("4, good")), (3, _("3, so-so")), (2, _("2, bad")), (1, _("1, very bad"))]


class RatingForm(forms.ModelForm):
    pay = forms.TypedChoiceField(label=_("Pay, for the time that it took"), choices=[("", "–"), *MARKS], coerce=int)
    clarity = forms.TypedChoiceField(
        label=_("Instructions: clear, and the page worked"), choices=[("", "–"), *MARKS], coerce=int
    )
    fairness = forms.TypedChoiceField(
        label=_("Decisions: fair and in time"),
        choices=[("", _("– I cannot say yet")), *MARKS],
        coerce=int,
        empty_value=None,
        required=False,
    )

    class Meta:
        model = Rating
        fields = ("pay", "clarity", "fairness", "comment")
        widgets = {"comment": forms.Textarea(attrs={"rows": 3})}
