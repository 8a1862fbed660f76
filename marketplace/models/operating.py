"""What operators do to accounts and money. Rows are only ever added."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from .accounts import RequesterProfile, User, WorkerProfile


class OperatorAction(models.Model):
    """Who did what to whom, when and why. ``detail`` says what changed, and never repeats what a person is called."""

    class Action(models.TextChoices):
        SET_STANDING = "set_standing", _("set a worker's standing")
        DEACTIVATE_WORKER = "deactivate_worker", _("deactivated a worker")
        REACTIVATE_WORKER = "reactivate_worker", _("reactivated a worker")
        ERASE_WORKER = "erase_worker", _("erased a worker's personal data")
        CREATE_REQUESTER = "create_requester", _("made a requester")
        RENAME_REQUESTER = "rename_requester", _("renamed a requester")
        ADD_FUNDS = "add_funds", _("put in funds")
        ADD_KEY = "add_key", _("made an access key")
        REVOKE_KEY = "revoke_key", _("revoked an access key")
        SET_RATE = "set_rate", _("set a requester's rate")
        ORDER_FAULT = "order_fault", _("switched a fault on")
        STOP_FAULT = "stop_fault", _("switched a fault off")
        MAKE_PAYOUT = "make_payout", _("made a payout")
        PAY_PAYOUT = "pay_payout", _("marked a payout paid")
        DOWNLOAD_PAYOUT = "download_payout", _("downloaded a payout")
        CANCEL_PAYOUT = "cancel_payout", _("cancelled a payout")
        SETTLE_REPORT = "settle_report", _("saw to a report")
        SIGN_IN_LINK = "sign_in_link", _("made a sign-in link")
        RECRUIT = "recruit", _("changed how workers come in")

    operator = models.ForeignKey(User, on_delete=models.PROTECT, related_name="actions")
    action = models.CharField(max_length=20)  # an Action, without choices: a new one needs no migration
    worker = models.ForeignKey(WorkerProfile, on_delete=models.PROTECT, null=True, related_name="operator_actions")
    requester = models.ForeignKey(
        RequesterProfile, on_delete=models.PROTECT, null=True, related_name="operator_actions"
    )
    detail = models.CharField(max_length=500, blank=True)
    reason = models.CharField(max_length=500, blank=True)
    token = models.UUIDField(null=True, unique=True)  # of the form that was sent: it is carried out once
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.action} {self.detail}"

    @property
    def words(self) -> str:
        """The action as a person reads it."""
        return str(self.Action(self.action).label)

    def save(self, *args: object, **kwargs: object) -> None:
        if self.pk is not None:
            raise TypeError("What an operator did is never changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: object, **kwargs: object) -> tuple[int, dict[str, int]]:
        raise TypeError("What an operator did is never deleted.")
