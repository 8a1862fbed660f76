"""The two caps that bound what is spent: a batch's own and its project's."""

from __future__ import annotations

from decimal import Decimal

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from annotation.models import Project
from hits.models import Batch, CapRaise, LedgerEntry

from . import ledger

NOTHING = Decimal("0.00")


class OverCap(Exception):
    """What is asked for would go over a cap; the message says which, by how much, and what to do."""


class NotRaisable(Exception):
    """A cap that cannot be set as asked; the message says why."""


def lock(batch: Batch) -> Batch:
    """``batch`` with its project, both locked in that order: whoever spends at the same time waits. In a transaction.

    Locks for no key update, so that rows which only refer to them can be written meanwhile.
    """
    project = Project.objects.select_for_update(no_key=True).get(pk=batch.project_id)
    locked = Batch.objects.select_for_update(no_key=True).get(pk=batch.pk)
    locked.project = project
    return locked


def require(batch: Batch, cost_usd: Decimal) -> None:
    """Refuse ``cost_usd`` more of ``batch`` where that is over a cap. The caller holds :func:`lock`. Raises OverCap."""
    of_project = batch.project.spending_cap_usd - ledger.committed_usd(batch.project)
    of_batch = left_of_batch(batch)
    if cost_usd > of_batch:
        sentence = _("This costs ${cost}; ${left} is left of the batch's cap of ${cap}. Raise the batch's cap first.")
        raise OverCap(sentence.format(cost=cost_usd, left=max(of_batch, NOTHING), cap=batch.cap_usd))
    if cost_usd > of_project:
        sentence = _(
            "This costs ${cost}; ${left} is left of the project's cap of ${cap}. Raise the project's cap first."
        )
        cap = batch.project.spending_cap_usd
        raise OverCap(sentence.format(cost=cost_usd, left=max(of_project, NOTHING), cap=cap))


def left_of_batch(batch: Batch) -> Decimal:
    """What is neither spent nor reserved of the batch's cap."""
    reserved, spent = LedgerEntry.objects.filter(batch=batch).balance_usd()
    return batch.cap_usd - reserved - spent


def left_for_bonuses(batch: Batch) -> Decimal:
    """What bonuses of ``batch`` may cost: its bonus reserve, and what is left of the smaller cap."""
    fund = LedgerEntry.objects.filter(batch=batch).fund_left_usd()
    of_project = batch.project.spending_cap_usd - ledger.committed_usd(batch.project)
    return max(NOTHING, fund + min(left_of_batch(batch), of_project))


@transaction.atomic
def raise_cap(batch: Batch, to_usd: Decimal, why: str, user: User | None) -> CapRaise:
    """Raise the hard cap of ``batch``, with a row that says who, when and why. Raises NotRaisable."""
    locked = lock(batch)
    why = why.strip()
    if not why:
        raise NotRaisable(_("Say why the cap is raised: the reason is kept with it."))
    if to_usd <= locked.cap_usd:
        sentence = _("The batch's cap is ${cap} already; a cap is only ever raised.")
        raise NotRaisable(sentence.format(cap=locked.cap_usd))
    if to_usd > locked.project.spending_cap_usd:
        sentence = _("The project's cap is ${cap}: a batch's cap cannot be above it. Raise the project's cap first.")
        raise NotRaisable(sentence.format(cap=locked.project.spending_cap_usd))
    raised = CapRaise.objects.create(batch=batch, from_usd=locked.cap_usd, to_usd=to_usd, why=why, raised_by=user)
    Batch.objects.filter(pk=batch.pk).update(cap_usd=to_usd)
    batch.cap_usd = to_usd
    return raised
