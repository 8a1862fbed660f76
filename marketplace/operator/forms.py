"""The forms of the operator's area."""

import uuid
from decimal import Decimal
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ..models import Fault, RequesterProfile, WorkerProfile
from ..services import accounts, faults, workers
from ..wire.operations import OPERATIONS

MOST_FUNDS = Decimal("1000000.00")  # US dollars in one go; a slip of the finger beyond it is likelier than a budget


class OperatorForm(forms.Form):
    """A form whose fields have ids of their own on a page of several."""

    name = ""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": f"{self.name}-%s", "label_suffix": ""} | kwargs)


class ReasonForm(OperatorForm):
    """Why, for the log."""

    name = "reason"
    reason = forms.CharField(
        label=gettext_lazy("Why"), max_length=500, help_text=gettext_lazy("For the log, where other operators read it.")
    )


class OnceForm(OperatorForm):
    """A form that is carried out once, however often it is sent."""

    token = forms.UUIDField(widget=forms.HiddenInput, initial=uuid.uuid4)


class ForgottenForm(ReasonForm, OnceForm):
    name = "forgotten"
    reason = forms.CharField(
        label=gettext_lazy("Who asked, and how you know"),
        max_length=500,
        help_text=gettext_lazy("For the log, where other operators read it."),
    )


class DeactivateForm(ReasonForm):
    name = "deactivate"


class ReactivateForm(ReasonForm):
    name = "reactivate"


class SettleForm(ReasonForm):
    name = "settle"
    reason = forms.CharField(label=gettext_lazy("What you did about it"), max_length=500)


class StandingForm(ReasonForm):
    """System qualification values; an empty field leaves one to the worker's history."""

    name = "standing"
    field_order = ("approved", "percent", "country", "subdivision", "masters", "adult", "reason")
    approved = forms.IntegerField(label=gettext_lazy("HITs approved"), min_value=0, max_value=2**31 - 1, required=False)
    percent = forms.IntegerField(label=gettext_lazy("Approval rate (%)"), min_value=0, max_value=100, required=False)
    country = forms.CharField(
        label=gettext_lazy("Country"), max_length=2, required=False, help_text=gettext_lazy("Two letters, as in US.")
    )
    subdivision = forms.CharField(
        label=gettext_lazy("Subdivision"),
        max_length=2,
        required=False,
        help_text=gettext_lazy("Of the country, as PA in US-PA."),
    )
    masters = forms.BooleanField(label=gettext_lazy("Masters"), required=False)
    adult = forms.BooleanField(label=gettext_lazy("Adult content agreed to"), required=False)

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        given = {
            name: values[name]
            for name in ("approved", "percent", "country", "subdivision", "masters", "adult")
            if values.get(name) not in (None, "", False)
        }
        try:
            values["standing"] = accounts.Standing.from_values(given)
        except ValueError as error:
            raise ValidationError(str(error)) from None
        return values

    @classmethod
    def of(cls, standing: accounts.Standing) -> "StandingForm":
        """The form filled in with what operators have set."""
        return cls(initial={name: getattr(standing, name) for name in (*workers.SYSTEM_TYPES, "subdivision")})


class EraseForm(ReasonForm):
    """Typed, because it cannot be taken back."""

    name = "erase"
    field_order = ("worker_id", "reason")
    worker_id = forms.CharField(
        label=gettext_lazy("Type the worker id"),
        max_length=64,
        help_text=gettext_lazy("To be sure that it is this worker."),
    )

    def __init__(self, *args: Any, worker: WorkerProfile, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.worker = worker

    def clean_worker_id(self) -> str:
        typed: str = self.cleaned_data["worker_id"]
        if typed.strip().upper() != self.worker.worker_id:
            raise ValidationError(_("This is not the id of the worker on this page. Nothing was erased."))
        return typed


class NewRequesterForm(OnceForm):
    name = "requester"
    field_order = ("requester_name", "pays_nobody")
    requester_name = forms.CharField(
        label=gettext_lazy("Name"), max_length=150, help_text=gettext_lazy("Workers see it on every HIT.")
    )
    pays_nobody = forms.BooleanField(
        label=gettext_lazy("Pays nobody, as in Mechanical Turk's sandbox"),
        required=False,
        help_text=gettext_lazy("For rehearsals and tests. It cannot be changed later."),
    )


class FundsForm(ReasonForm, OnceForm):
    name = "funds"
    field_order = ("amount_usd", "reason")
    amount_usd = forms.DecimalField(
        label=gettext_lazy("Amount in US dollars"),
        min_value=Decimal("0.01"),
        max_value=MOST_FUNDS,
        decimal_places=2,
        help_text=gettext_lazy("What you have received from the requester, such as 250.00."),
    )


class NewKeyForm(OnceForm):
    name = "key"


class PayoutForm(OnceForm):
    name = "payout"


class PaidForm(ReasonForm):
    name = "paid"
    reason = forms.CharField(
        label=gettext_lazy("How it was paid"),
        max_length=500,
        help_text=gettext_lazy("Such as the bank's number of the transfer. For the log."),
    )


class CancelForm(ReasonForm):
    name = "cancel"


class RevokeKeyForm(ReasonForm):
    name = "revoke"


class RenameForm(ReasonForm):
    name = "rename"
    field_order = ("requester_name", "reason")
    requester_name = forms.CharField(label=gettext_lazy("Name"), max_length=150)


class RateForm(OperatorForm):
    name = "rate"
    requests_per_second = forms.FloatField(
        label=gettext_lazy("Calls a second"),
        min_value=0,
        max_value=accounts.MAX_RATE,
        required=False,
        help_text=gettext_lazy("0 is as many as it likes; empty is what the marketplace's settings say."),
    )


class FaultForm(OperatorForm):
    """What shall go wrong, for whom and how often."""

    name = "fault"
    requester = forms.ModelChoiceField(
        RequesterProfile.objects.none(),
        label=gettext_lazy("For"),
        to_field_name="customer_id",
        required=False,
        empty_label=gettext_lazy("every requester"),
    )
    fault = forms.ChoiceField(label=gettext_lazy("What goes wrong"), choices=Fault.Kind)
    operation = forms.ChoiceField(
        label=gettext_lazy("In calls of"),
        choices=[("*", gettext_lazy("any operation")), *((name, name) for name in sorted(OPERATIONS))],
    )
    seconds = forms.FloatField(
        label=gettext_lazy("Seconds"),
        min_value=0,
        max_value=Fault.MAX_SECONDS,
        initial=2,
        help_text=gettext_lazy("How long a slow call waits, a late answer takes, or something new stays hidden."),
    )
    times = forms.IntegerField(
        label=gettext_lazy("How many times"),
        min_value=1,
        max_value=2**31 - 1,
        required=False,
        initial=1,
        help_text=gettext_lazy("Empty: until it is switched off."),
    )
    percent = forms.FloatField(label=gettext_lazy("Of so many calls (%)"), min_value=0.001, max_value=100, initial=100)
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"),
        min_value=0,
        max_value=2**62 - 1,
        required=False,
        help_text=gettext_lazy("The same seed gives the same calls again. Empty: one is drawn."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        allowed = RequesterProfile.objects.order_by("name", "id")
        choice = self.fields["requester"]
        assert isinstance(choice, forms.ModelChoiceField)  # noqa: S101  # for mypy
        choice.queryset = allowed if settings.MARKETPLACE_FAULTS else allowed.filter(pays_nobody=True)

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if self.errors:
            return values
        order = {name: values[name] for name in ("fault", "operation", "seconds", "times", "seed")}
        try:
            values["order"] = faults.fault_from(order | {"probability": values["percent"] / 100})
        except ValueError as error:
            raise ValidationError(str(error)) from None
        if values["fault"] in Fault.OF_DELIVERIES and values["operation"] != "*":
            self.add_error("operation", _("Notifications belong to no operation: choose any."))
        return values
