"""Faults that tests order for a requester's calls."""

from django.db import transaction
from django.db.models import F

from ..models import Fault, RequesterProfile


@transaction.atomic
def next_for(requester: RequesterProfile, operation: str) -> Fault | None:
    """The fault that this call shall meet, used up by one; faults come in the order in which they were ordered."""
    waiting = Fault.objects.filter(requester=requester, operation__in=["*", operation], times__gt=0)
    fault = waiting.order_by("id").select_for_update().first()
    if fault is not None:
        Fault.objects.filter(pk=fault.pk).update(times=F("times") - 1)
    return fault
