"""Comparing the ledger with what the endpoints say was paid, to the cent. Reads alone; mending is ``mending``.

What can be compared is what the API tells: approved assignments times their reward, and the list of bonuses. It tells
no fees, and of a HIT that is deleted only some endpoints tell anything; such a HIT is named and not compared.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from annotation.models import Project
from hits import mturk
from hits.models import HIT, Bonus, LedgerEntry
from hits.models.reconciling import Reconciliation

from .bonuses import amount_of, is_payment_of

NOTHING = Decimal("0.00")
# Seconds to wait before asking an endpoint again that did not answer.
PAUSES = (1.0, 5.0, 15.0)


class Kind:
    """What a difference is; those in ``MENDS`` can be adopted into the ledger, by a deliberate act."""

    APPROVED_UNRECORDED = "approved_unrecorded"
    PAID_UNKNOWN = "paid_unknown"
    REWARD_DIFFERS = "reward_differs"
    BONUS_UNRECORDED = "bonus_unrecorded"
    BONUS_UNSETTLED = "bonus_unsettled"
    BONUS_MISSING = "bonus_missing"

    MENDS = frozenset({APPROVED_UNRECORDED, BONUS_UNRECORDED, BONUS_UNSETTLED})


@dataclass(frozen=True)
class Difference:
    """One thing on which the two sides differ. Amounts are USD; keys are ours, ``mturk_`` ids the endpoint's."""

    kind: str
    endpoint: str
    batch: int
    hit: int
    mturk_hit_id: str
    mturk_assignment_id: str
    assignment: int | None
    bonus: int | None
    ours_usd: Decimal
    theirs_usd: Decimal

    @property
    def mendable(self) -> bool:
        return self.kind in Kind.MENDS

    @property
    def sentence(self) -> str:
        return sentences()[self.kind]

    def as_json(self) -> dict[str, Any]:
        texts = {"ours_usd": str(self.ours_usd), "theirs_usd": str(self.theirs_usd)}
        return asdict(self) | texts | {"sentence": self.sentence, "mendable": self.mendable}


def sentences() -> dict[str, str]:
    """What each kind of difference is, and what can be done about it."""
    return {
        Kind.APPROVED_UNRECORDED: _(
            "The endpoint has approved and paid this work; the ledger does not say so. It can be recorded."
        ),
        Kind.PAID_UNKNOWN: _(
            "The ledger has paid for this work; the endpoint does not hold it for approved. Nothing here can mend "
            "that: ask the endpoint's operator."
        ),
        Kind.REWARD_DIFFERS: _(
            "The HIT pays another reward at the endpoint than here: its HIT type was changed behind our back."
        ),
        Kind.BONUS_UNRECORDED: _(
            "The endpoint has paid this bonus; nobody asked for it here. It can be adopted into the ledger."
        ),
        Kind.BONUS_UNSETTLED: _(
            "The endpoint has paid this bonus, and it still stands as unpaid here. It can be recorded as paid."
        ),
        Kind.BONUS_MISSING: _(
            "The ledger has paid this bonus; the endpoint does not list it. Nothing here can mend that: ask the "
            "endpoint's operator."
        ),
    }


@dataclass
class Report:
    """What was compared and found."""

    project: str
    hits: int = 0
    assignments: int = 0
    bonuses: int = 0
    ours_usd: Decimal = NOTHING
    theirs_usd: Decimal = NOTHING
    differences: list[Difference] = field(default_factory=list)
    # HITs that the endpoint tells nothing of any more, with what the ledger has paid for them.
    not_compared: list[dict[str, Any]] = field(default_factory=list)
    # Balances of whole accounts, to look at: other programs may use them too.
    balances: list[dict[str, Any]] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        values = asdict(self) | {"ours_usd": str(self.ours_usd), "theirs_usd": str(self.theirs_usd)}
        return values | {"differences": [difference.as_json() for difference in self.differences]}


@dataclass(frozen=True)
class Sides:
    """Both sides of one HIT. Rewards are by the endpoint's assignment id; bonuses are rows and their payments."""

    ours: dict[str, tuple[int, Decimal]]  # our assignment's key and its reward in the ledger
    theirs: dict[str, Decimal]
    rows: list[Bonus]
    entered: dict[int, Decimal]  # bonus entries of the ledger, by the bonus's key
    payments: list[dict[str, Any]]


def reconcile(projects: Iterable[Project], told: Callable[[int, int], None] = lambda done, total: None) -> list[Report]:
    """Compare each of ``projects``; ``told`` hears how many HITs are done, of how many.

    One call for a hundred HITs, and two or three for each HIT that somebody has worked on. Raises mturk.Unavailable.
    """
    work = [(project, _published(project)) for project in projects]
    total, done = sum(hits.count() for _project, hits in work), 0
    reports = []
    listed: dict[str, dict[str, Any]] = {}
    for project, hits in work:
        report = Report(project.slug)
        for hit in hits.iterator(500):
            endpoint = hit.batch.endpoint
            if endpoint not in listed:
                listed[endpoint] = patiently(_list, endpoint)
            known = listed[endpoint].get(hit.mturk_hit_id)
            patiently(_compare, hit, known, report)
            report.hits += 1
            done += 1
            told(done, total)
        report.balances = patiently(_balances, hits)
        reports.append(report)
    return reports


def patiently(ask: Callable[..., Any], *arguments: Any) -> Any:
    """What ``ask`` returns, asked again after a while where the endpoint does not answer: a long comparison is not to
    be lost over one call. It only reads, so asking again changes nothing. Raises mturk.Unavailable in the end."""
    for pause in PAUSES:
        try:
            return ask(*arguments)
        except mturk.Unavailable:
            time.sleep(pause)
    return ask(*arguments)


def _list(endpoint: str) -> dict[str, dict[str, Any]]:
    return {known["HITId"]: known for known in mturk.list_hits(endpoint)}


def _published(project: Project) -> QuerySet[HIT]:
    hits = HIT.objects.in_project(project).exclude(mturk_hit_id="")
    return hits.select_related("batch", "hit_type", "offer").order_by("pk")


def _compare(hit: HIT, known: dict[str, Any] | None, report: Report) -> None:
    if known is not None and _is_untouched(known) and not LedgerEntry.objects.filter(hit=hit).paid_usd():
        return
    sides = look(hit, known)
    if sides is None:
        paid = LedgerEntry.objects.filter(hit=hit).paid_usd()
        report.ours_usd += paid
        report.theirs_usd += paid
        report.not_compared.append({"hit": hit.pk, "mturk_hit_id": hit.mturk_hit_id, "ours_usd": str(paid)})
        return
    found = differences_of(hit, sides)
    if found and (again := look(hit)) is not None:
        # A decision or a bonus may have been under way between the two looks.
        sides, found = again, differences_of(hit, again)
    report.assignments += len(sides.ours.keys() | sides.theirs.keys())
    report.bonuses += max(len(sides.payments), len(sides.entered))
    report.ours_usd += sum((usd for _key, usd in sides.ours.values()), NOTHING) + sum(sides.entered.values(), NOTHING)
    report.theirs_usd += sum(sides.theirs.values(), NOTHING)
    report.theirs_usd += sum((amount_of(payment) for payment in sides.payments), NOTHING)
    report.differences += found


def _is_untouched(known: dict[str, Any]) -> bool:
    """Whether nobody has submitted anything on this HIT, by the endpoint's counters: then nothing was paid for it."""
    places = known["NumberOfAssignmentsAvailable"] + known["NumberOfAssignmentsPending"]
    return bool(places == known["MaxAssignments"] and not known["NumberOfAssignmentsCompleted"])


def look(hit: HIT, known: dict[str, Any] | None = None) -> Sides | None:
    """Both sides of ``hit`` as they are now; None where the endpoint does not know it any more.

    ``known`` is the HIT as the endpoint's list had it, where somebody has asked already.
    """
    endpoint = hit.batch.endpoint
    try:
        reward = Decimal((known or mturk.get_hit(endpoint, hit.mturk_hit_id))["Reward"])
        listed = list(mturk.list_assignments(endpoint, hit.mturk_hit_id))
        payments = list(mturk.list_bonuses_of_hit(endpoint, hit.mturk_hit_id)) if listed else []
    except mturk.Rejected as refusal:
        if not refusal.code.endswith("DoesNotExist"):
            raise
        return None
    entries = LedgerEntry.objects.filter(hit=hit, kind__in=["reward", "bonus"])
    rewards, entered = {}, {}
    for entry in entries.select_related("assignment"):
        if entry.bonus_id is not None:
            entered[entry.bonus_id] = entry.amount_usd
        elif entry.assignment is not None:
            rewards[entry.assignment.mturk_assignment_id] = (entry.assignment.pk, entry.amount_usd)
    return Sides(
        rewards,
        {one["AssignmentId"]: reward for one in listed if one["AssignmentStatus"] == "Approved"},
        list(Bonus.objects.filter(assignment__offer=hit.offer_id).standing().select_related("assignment")),
        entered,
        payments,
    )


def differences_of(hit: HIT, sides: Sides) -> list[Difference]:
    """Everything on which the two sides of ``hit`` differ."""
    return [*_in_rewards(hit, sides), *_in_bonuses(hit, sides)]


def _difference(hit: HIT, kind: str, mturk_assignment_id: str, **values: Any) -> Difference:
    where: dict[str, Any] = {
        "endpoint": hit.batch.endpoint,
        "batch": hit.batch_id,
        "hit": hit.pk,
        "mturk_hit_id": hit.mturk_hit_id,
    }
    usual: dict[str, Any] = {"assignment": None, "bonus": None, "ours_usd": NOTHING, "theirs_usd": NOTHING}
    return Difference(kind=kind, mturk_assignment_id=mturk_assignment_id, **(where | usual | values))


def _in_rewards(hit: HIT, sides: Sides) -> Iterable[Difference]:
    for mturk_id in sorted(sides.ours.keys() | sides.theirs.keys()):
        key, ours = sides.ours.get(mturk_id, (None, NOTHING))
        theirs = sides.theirs.get(mturk_id, NOTHING)
        if ours == theirs and (key is not None) == (mturk_id in sides.theirs):
            continue
        kind = Kind.REWARD_DIFFERS
        if key is None:
            kind = Kind.APPROVED_UNRECORDED
        elif mturk_id not in sides.theirs:
            kind = Kind.PAID_UNKNOWN
        yield _difference(hit, kind, mturk_id, assignment=key, ours_usd=ours, theirs_usd=theirs)


def _in_bonuses(hit: HIT, sides: Sides) -> Iterable[Difference]:
    left = defaultdict(list)
    for listed in sides.payments:
        left[listed["AssignmentId"]].append(listed)
    paid = [row for row in sides.rows if row.pk in sides.entered]
    # Those whose payment is known by its time take theirs first, so that of two equal ones neither takes the other's.
    paid.sort(key=lambda row: row.granted_at is None)
    for row in [*paid, *(row for row in sides.rows if row.pk not in sides.entered)]:
        mturk_id = row.assignment.mturk_assignment_id
        payment = _payment_of(row, left[mturk_id])
        ours = sides.entered.get(row.pk)
        if payment is not None:
            left[mturk_id].remove(payment)
        values = {"assignment": row.assignment_id, "bonus": row.pk}
        if payment is None and ours is not None:
            yield _difference(hit, Kind.BONUS_MISSING, mturk_id, ours_usd=ours, **values)
        elif payment is not None and ours is None:
            yield _difference(hit, Kind.BONUS_UNSETTLED, mturk_id, theirs_usd=row.amount_usd, **values)
    for mturk_id, payments in left.items():
        for unknown in payments:
            theirs = amount_of(unknown)
            yield _difference(hit, Kind.BONUS_UNRECORDED, mturk_id, theirs_usd=theirs)


def _payment_of(row: Bonus, payments: list[dict[str, Any]]) -> dict[str, Any] | None:
    alike = [payment for payment in payments if is_payment_of(row, payment)]
    if row.granted_at is not None:
        alike.sort(key=lambda payment: payment["GrantTime"] != row.granted_at)
    return alike[0] if alike else None


def _balances(hits: QuerySet[HIT]) -> list[dict[str, Any]]:
    balances = []
    for endpoint in hits.order_by().values_list("batch__endpoint", flat=True).distinct():
        available, on_hold = mturk.balances(endpoint)
        reserved = LedgerEntry.objects.filter(endpoint=endpoint).reserved_usd()
        told = {"endpoint": endpoint, "available_usd": available, "on_hold_usd": on_hold}
        balances.append(told | {"reserved_here_usd": str(reserved)})
    return balances


@transaction.atomic
def ask(project: Project, user: User | None) -> Reconciliation:
    """A comparison of ``project`` that a job makes; the one that runs, where one does."""
    from hits import tasks

    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    running = Reconciliation.objects.filter(project=project, finished_at__isnull=True).first()
    if running is not None:
        if running.is_running:
            return running
        problem = _("It stopped half way; its job has died.")
        Reconciliation.objects.filter(pk=running.pk).update(finished_at=timezone.now(), problem=problem)
    asked = Reconciliation.objects.create(project=project, asked_by=user)
    transaction.on_commit(lambda: tasks.reconcile.delay(asked.pk))
    return asked


def run(reconciliation: Reconciliation) -> None:
    """Make the comparison and keep its report. One that is finished is left alone."""
    row = Reconciliation.objects.filter(pk=reconciliation.pk, finished_at__isnull=True)

    def told(done: int, total: int) -> None:
        if done % 20 == 0 or done == total:
            row.update(hits_done=done, hits_total=total, stepped_at=timezone.now())

    try:
        [report] = reconcile([reconciliation.project], told)
    except (mturk.Unavailable, mturk.Rejected) as error:
        row.update(finished_at=timezone.now(), problem=str(error))
    else:
        row.update(finished_at=timezone.now(), report=report.as_json(), problem="")
