"""The forms of the doors, and of the operator's pages about them."""

from datetime import datetime, time, timedelta
from typing import Any

from django import forms
from django.contrib.auth import password_validation
from django.contrib.auth.forms import UsernameField
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from .. import clock
from ..models import QualificationType, User
from ..services import accounts
from .models import Terms
from .services import invitations


class SignUpForm(forms.Form):
    """A user name and a password; an e-mail for those who want to give one."""

    username = UsernameField(
        label=gettext_lazy("User name"),
        max_length=150,
        validators=[UnicodeUsernameValidator()],
        help_text=gettext_lazy("Letters, digits and @ . + - _. Requesters do not see it."),
        widget=forms.TextInput(attrs={"spellcheck": "false"}),
    )
    password = forms.CharField(
        label=gettext_lazy("Password"),
        max_length=1000,
        strip=False,
        help_text=gettext_lazy("At least 8 characters, not only digits, and none that everybody uses."),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    password_again = forms.CharField(
        label=gettext_lazy("The password again"),
        max_length=1000,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    email = forms.EmailField(
        label=gettext_lazy("E-mail (optional)"),
        required=False,
        max_length=254,
        help_text=gettext_lazy("Only the people who run this marketplace see it."),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    agrees = forms.BooleanField(
        label=gettext_lazy("I have read this and agree"),
        error_messages={"required": gettext_lazy("To work here you have to agree to these terms.")},
    )

    def __init__(self, *args: Any, terms: Terms | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if terms is None:
            del self.fields["agrees"]
        elif self.is_bound and not terms.were_shown(self.data):
            # A tick under other terms is none under these.
            self.data = {name: value for name, value in self.data.items() if name != "agrees"}
            self.fields["agrees"].error_messages["required"] = changed_sentence()

    def clean_username(self) -> str:
        username: str = self.cleaned_data["username"]
        if accounts.is_taken(username):
            raise ValidationError(taken_sentence())
        return username

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        password, again = values.get("password"), values.get("password_again")
        if password and again and password != again:
            self.add_error("password_again", _("The two passwords are not the same."))
        elif password:
            user = User(username=values.get("username", ""), email=values.get("email", ""))
            try:
                password_validation.validate_password(password, user)
            except ValidationError as error:
                self.add_error("password", error)
        return values


def changed_sentence() -> str:
    return _("These terms have changed since you opened this page. Read them again, and agree if you do.")


def taken_sentence() -> str:
    return _("Somebody has this user name already. Choose another.")


class QualificationField(forms.ModelChoiceField):
    def label_from_instance(self, obj: Any) -> str:
        return f"{obj.requester}: {obj.name}"


class GrantsForm(forms.Form):
    """What a door gives to those who come in by it."""

    approved = forms.IntegerField(label=gettext_lazy("HITs approved"), required=False, min_value=0, max_value=2**31 - 1)
    percent = forms.IntegerField(label=gettext_lazy("Approval rate (%)"), required=False, min_value=0, max_value=100)
    country = forms.CharField(label=gettext_lazy("Country (two letters)"), required=False, max_length=2, min_length=2)
    qualification_type = QualificationField(
        label=gettext_lazy("Qualification of a requester"), required=False, queryset=QualificationType.objects.none()
    )
    qualification_value = forms.IntegerField(
        label=gettext_lazy("Its value"), required=False, min_value=-(2**31), max_value=2**31 - 1
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        custom = QualificationType.objects.requestable().with_privacy().filter(is_private=False)
        field = self.fields["qualification_type"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101  # declared so above
        field.queryset = custom.select_related("requester").order_by("requester__name", "name")

    def clean_country(self) -> str:
        country: str = self.cleaned_data["country"].upper()
        if country and not (country.isascii() and country.isalpha()):
            raise ValidationError(_("A country is two letters, such as US (ISO 3166)."))
        return country

    def standing(self) -> dict[str, object]:
        values = {name: self.cleaned_data[name] for name in ("approved", "percent", "country")}
        return {name: value for name, value in values.items() if value not in (None, "")}

    def value_of_qualification(self) -> int:
        value = self.cleaned_data["qualification_value"]
        return 1 if value is None else value


class InvitationForm(GrantsForm):
    note = forms.CharField(
        label=gettext_lazy("Note"), max_length=200, help_text=gettext_lazy("For you: who these links are for.")
    )
    links = forms.IntegerField(label=gettext_lazy("Links"), min_value=1, max_value=invitations.MAX_LINKS, initial=1)
    places = forms.IntegerField(
        label=gettext_lazy("People for each link"), min_value=1, max_value=invitations.MAX_PLACES, initial=1
    )
    last_day = forms.DateField(
        label=gettext_lazy("Last day (UTC, optional)"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
    )

    field_order = ["note", "links", "places", "last_day"]

    def clean_last_day(self) -> datetime | None:
        """The moment at which the day after begins, in UTC."""
        day = self.cleaned_data["last_day"]
        if day is None:
            return None
        try:
            end = timezone.make_aware(datetime.combine(day + timedelta(days=1), time()))
        except OverflowError:
            raise ValidationError(_("Choose an earlier day.")) from None
        if end <= clock.now():
            raise ValidationError(_("This day is over. Choose today or a later one."))
        return end

    def offer(self) -> invitations.Offer:
        values = self.cleaned_data
        return invitations.Offer(
            values["note"],
            values["places"],
            values["last_day"],
            self.standing(),
            values["qualification_type"],
            self.value_of_qualification(),
        )


class TermsForm(forms.Form):
    text = forms.CharField(
        label=gettext_lazy("Terms"),
        required=False,
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 14}),
        help_text=gettext_lazy("Plain text. Who comes in from now on agrees to it first; empty asks for nothing."),
    )
