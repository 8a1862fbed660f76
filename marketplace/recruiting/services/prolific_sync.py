"""Carry over to Prolific what was decided and given here, and learn what became of the submissions there.

Every step may be repeated: it looks at the row and at Prolific before it does anything.
"""

from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from ...models import Assignment
from .. import prolific
from ..models import PanelDecision, PanelEvent, PanelStudy, ProlificStudy, Visit
from . import payments, prolific_bonuses, prolific_studies, visits
from .payments import Verdict
from .prolific_bonuses import Submissions

FIRST_WAIT = timedelta(minutes=1)
LONGEST_WAIT = timedelta(hours=6)
TRIES = 8
# Statuses of submissions by which a participant is done with the study there.
GONE = {"RETURNED", "TIMED OUT"}


def sync_all(client: prolific.Client, now: datetime) -> dict[str, int]:
    """Sync every study that Prolific has; what fails with one does not stop the others. Returns counts."""
    counts = {"studies": 0, "decisions": 0, "bonus_batches": 0, "failed": 0}
    started = PanelEvent.objects.filter(done_at=None).order_by("-id").values_list("id", flat=True).first() or 0
    for row in ProlificStudy.objects.select_related("study__panel").order_by("id"):
        try:
            done = sync(row, client, now)
        except (prolific.Unavailable, prolific.Refused) as error:
            ProlificStudy.objects.filter(pk=row.pk).update(last_error=str(error))
            counts["failed"] += 1
            continue
        counts["studies"] += 1
        for name, count in done.items():
            counts[name] += count
        ProlificStudy.objects.filter(pk=row.pk).update(last_error="", synced_at=now)
    if not counts["failed"]:
        # Every study was looked at since, which is all that a notification asks for.
        PanelEvent.objects.filter(done_at=None, pk__lte=started).update(done_at=now, resource_id="")
    return counts


def sync(row: ProlificStudy, client: prolific.Client, now: datetime) -> dict[str, int]:
    """Bring one study up to date. Raises Unavailable or Refused where the study itself cannot be reached."""
    if not prolific_studies.make_draft(row, client, now) or row.status != ProlificStudy.Status.PUBLISHED:
        return {}
    prolific_studies.push_places(row, client)
    study = row.study
    visits.settle(now, study)
    for visit in study.visits.filter(status=Visit.Status.WORKING).select_related("study", "participant__worker"):
        visits.refresh(visit, now)
    submissions = {str(seen["id"]): seen for seen in client.submissions(study.external_id)}
    _note_statuses(study, submissions, now)
    plan_decisions(row, now)
    decisions = [
        carry_over(decision, row, client, submissions, now)
        for decision in PanelDecision.objects.filter(
            visit__study=study, status=PanelDecision.Status.WANTED, try_at__lte=now
        ).select_related("visit__participant__worker")
    ]
    return {"decisions": sum(decisions), "bonus_batches": prolific_bonuses.settle(study, client, submissions, now)}


def _note_statuses(study: PanelStudy, submissions: Submissions, now: datetime) -> None:
    """Write down what Prolific calls each visit, and end those that were returned or ran out of time there."""
    for visit in study.visits.select_related("study", "participant__worker"):
        seen = submissions.get(visit.session_id)
        if seen is None or not prolific_bonuses.is_of(seen, visit):
            continue
        status = prolific.plain_status(seen.get("status"))
        if status != visit.panel_status:
            Visit.objects.filter(pk=visit.pk).update(panel_status=status)
        if status in GONE and visit.status == Visit.Status.WORKING:
            Visit.objects.filter(pk=visit.pk, status=visit.status, ends_at__gt=now).update(ends_at=now)
            visit.refresh_from_db()
            visits.refresh(visit, now)


def plan_decisions(row: ProlificStudy, now: datetime) -> None:
    """Write down what is to be decided at Prolific, by what was decided here."""
    kinds = {Verdict.APPROVE: PanelDecision.Kind.APPROVE}
    if row.carries_rejections:
        kinds[Verdict.REJECT] = PanelDecision.Kind.REJECT
    known = {decision.visit_id: decision for decision in PanelDecision.objects.filter(visit__study=row.study)}
    for found in payments.rows_of(row.study.visits.all()):
        kind = kinds.get(found.verdict)
        decision = known.get(found.visit.pk)
        if decision is None and kind is not None:
            PanelDecision.objects.get_or_create(visit=found.visit, defaults={"kind": kind, "try_at": now})
        elif decision is not None and kind != decision.kind:
            _change_mind(decision, kind)


def _change_mind(decision: PanelDecision, kind: PanelDecision.Kind | None) -> None:
    """A requester turned a rejection round after it was planned, or after it was carried over."""
    rows = PanelDecision.objects.filter(pk=decision.pk)
    if decision.status != PanelDecision.Status.DONE and kind is not None:
        rows.exclude(status=PanelDecision.Status.DONE).update(kind=kind, status=PanelDecision.Status.WANTED)
        return
    sentence = _("It was decided otherwise here since. Change it at Prolific, if Prolific lets you.")
    rows.update(status=PanelDecision.Status.LOOK, last_error=sentence)


def carry_over(
    decision: PanelDecision, row: ProlificStudy, client: prolific.Client, submissions: Submissions, now: datetime
) -> bool:
    """Approve or reject at Prolific, unless that is done; True if it is now."""
    if decision.visit.participant.worker.erased_at is not None:
        return _look(decision, _("This person was erased here since. Prolific approves by itself after 21 days."))
    seen = submissions.get(decision.visit.session_id)
    if seen is None or not prolific_bonuses.is_of(seen, decision.visit):
        return _look(decision, _("Prolific shows no such session of this participant: was the link forged?"))
    status = prolific.plain_status(seen.get("status"))
    is_approval = decision.kind == PanelDecision.Kind.APPROVE
    if status in ({"APPROVED", "PARTIALLY APPROVED"} if is_approval else {"REJECTED"}):
        return _done(decision, now)
    if status in prolific_studies.AT_WORK or status == "PROCESSING":
        return _later(decision, _("Prolific waits for the participant's code ({status}).").format(status=status), now)
    if status != "AWAITING REVIEW":
        return _look(decision, _("At Prolific the submission is {status}.").format(status=status))
    try:
        if is_approval:
            client.approve(decision.visit.session_id)
        else:
            client.reject(decision.visit.session_id, rejection_message(decision.visit), row.rejection_category)
    except prolific.Unavailable as error:
        return _later(decision, str(error), now)
    except prolific.Refused as error:
        # Perhaps only too early; who is refused again and again wants a person.
        return _look(decision, str(error)) if decision.attempts >= TRIES else _later(decision, str(error), now)
    return _done(decision, now)


def _done(decision: PanelDecision, now: datetime) -> bool:
    changes = {"status": PanelDecision.Status.DONE, "done_at": now, "last_error": ""}
    return bool(PanelDecision.objects.filter(pk=decision.pk, kind=decision.kind).update(**changes))


def _look(decision: PanelDecision, sentence: str) -> bool:
    PanelDecision.objects.filter(pk=decision.pk).update(status=PanelDecision.Status.LOOK, last_error=sentence)
    return False


def _later(decision: PanelDecision, sentence: str, now: datetime) -> bool:
    wait = min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(decision.attempts, 12))
    PanelDecision.objects.filter(pk=decision.pk).update(
        attempts=decision.attempts + 1, try_at=now + wait, last_error=sentence
    )
    return False


def rejection_message(visit: Visit) -> str:
    """What the participant reads: the requesters' reasons, in the 100 characters or more that Prolific wants."""
    taken = visit.taken.filter(assignment__status=Assignment.Status.REJECTED)
    reasons = [text for text in taken.order_by("id").values_list("assignment__feedback", flat=True) if text]
    said = " / ".join(dict.fromkeys(reasons))[:1500] or _("no further reason was given")
    message = _(
        "The researchers looked at what you submitted and could not accept it. Their reason: “{reason}”. "
        "If you think that this is a mistake, write to them here and ask them to look again."
    )
    return message.format(reason=said).ljust(prolific.MESSAGE_LENGTH)
