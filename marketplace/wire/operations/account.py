"""The requester's account."""

from typing import Any

from ...models import RequesterProfile
from ...services.money import SANDBOX_BALANCE
from .call import Call


def balance(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    if call.requester.pays_nobody:
        return {"AvailableBalance": SANDBOX_BALANCE}
    # Read again: settling may just have released money.
    requester = RequesterProfile.objects.get(pk=call.requester.pk)
    return {"AvailableBalance": requester.available_usd, "OnHoldBalance": requester.held_usd}
