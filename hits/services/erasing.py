"""Erasing a worker, as far as this room knows them. Called by the room that asks all others, and by nobody else.

Amounts stay, and so do the qualifications that the endpoint says they hold: whoever comes again under the same id is
kept from their own questions, or from the project, as before, and only the endpoint knows that it is the same person.
"""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Worker
from annotation.services.erasing import ERASED, numbers
from hits.models import AssignmentDecision, Bonus, WorkerBlock

# A refused one may still be sent again; only giving it up says that it is not owed.
UNPAID = (Bonus.Status.WAITING, Bonus.Status.SENDING, Bonus.Status.REFUSED)


def in_the_way(worker: Worker) -> list[str]:
    """Why ``worker`` cannot be erased now, as sentences; empty where no money, decision or block is open."""
    sentences = []
    decisions = AssignmentDecision.objects.to_carry_out().filter(assignment__worker=worker).order_by("pk")
    if undone := list(decisions.values_list("assignment", flat=True)):
        sentence = ngettext(
            "{n} decision is on its way to the endpoint (assignment {which}): try again in a few minutes.",
            "{n} decisions are on their way to the endpoint (assignments {which}): try again in a few minutes.",
            len(undone),
        )
        sentences.append(sentence.format(n=len(undone), which=numbers(undone)))
    bonuses = list(Bonus.objects.filter(worker=worker, status__in=UNPAID).order_by("pk"))
    if bonuses:
        sentence = ngettext(
            "{n} bonus is not paid yet (number {which}; ${sum} in all): see it paid, or give it up, first.",
            "{n} bonuses are not paid yet (numbers {which}; ${sum} in all): see them paid, or give them up, first.",
            len(bonuses),
        )
        told = numbers([bonus.pk for bonus in bonuses])
        sentences.append(sentence.format(n=len(bonuses), which=told, sum=sum(bonus.amount_usd for bonus in bonuses)))
    if WorkerBlock.objects.to_carry_out().filter(worker=worker).exists():
        sentences.append(_("The endpoint is being told to block the worker, or not to: try again in a few minutes."))
    return sentences


def erase(worker: Worker) -> None:
    """Overwrite what was said of ``worker``. They are locked, and nothing is ``in_the_way``."""
    WorkerBlock.objects.filter(worker=worker).exclude(words="").update(words=ERASED)
