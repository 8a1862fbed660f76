"""A study at Prolific: draft, publish, places, pause, stop. Rows first, then calls, so that nothing is made twice."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext as _

from .. import prolific
from ..models import Panel, PanelStudy, ProlificStudy
from . import amounts, checks
from .links import Arrival, BadLink, link_of

CLAIM = timedelta(minutes=2)
# Of a submission whose participant may be at work.
AT_WORK = {"RESERVED", "ACTIVE"}


class CannotDo(Exception):
    """The study cannot be brought to Prolific, or cannot make this step; the message says why."""


@transaction.atomic
def plan(study: PanelStudy, now: datetime, **values: Any) -> ProlificStudy:
    """Write down that ``study`` shall be made at Prolific. Raises CannotDo."""
    if study.panel.kind != Panel.Kind.PROLIFIC:
        raise CannotDo(_("This is a study of another panel."))
    if study.external_id:
        raise CannotDo(_("The study has an id at Prolific already: it was made there by hand."))
    if not study.complete_code:
        raise CannotDo(_("Prolific needs a code for those who complete the study. Give the study one first."))
    amounts.minor_units(values["reward"])
    row, is_new = ProlificStudy.objects.get_or_create(study=study, defaults={"created_at": now, **values})
    if not is_new and row.status == ProlificStudy.Status.WANTED:
        ProlificStudy.objects.filter(pk=row.pk, status=row.status).update(**values)
        row.refresh_from_db()
    return row


def draft_of(row: ProlificStudy) -> dict[str, Any]:
    """The body of the call that makes the draft."""
    study = row.study
    # A code that serves two outcomes is sent once.
    types = {study.quota_full_code: "OTHER", study.screened_out_code: "OTHER", study.complete_code: "COMPLETED"}
    codes = [
        {
            "code": code,
            "code_type": code_type,
            "actor": "participant",
            # Codes are shown to participants and so prove nothing: what was submitted here decides.
            "actions": [{"action": "MANUALLY_REVIEW"}],
        }
        for code, code_type in reversed(types.items())
        if code
    ]
    return {
        "name": study.name,
        "internal_name": row.internal_name,
        "description": row.description,
        "external_study_url": link_of(study),
        "prolific_id_option": "url_parameters",
        "completion_codes": codes,
        "total_available_places": row.places_wanted,
        "estimated_completion_time": row.estimated_minutes,
        "maximum_allowed_time": study.minutes,
        "reward": amounts.minor_units(row.reward),
        "device_compatibility": ["desktop", "tablet", "mobile"],
        "peripheral_requirements": [],
        "filters": [],
        "submissions_config": {"max_submissions_per_participant": study.visits_per_participant},
    }


def make_draft(row: ProlificStudy, client: prolific.Client, now: datetime) -> bool:
    """Make the draft, unless an earlier call made it; False while another does so. Raises Unavailable or Refused."""
    if row.status != ProlificStudy.Status.WANTED:
        return True
    free = Q(claimed_until=None) | Q(claimed_until__lte=now)
    unclaimed = ProlificStudy.objects.filter(free, pk=row.pk, status=ProlificStudy.Status.WANTED)
    if not unclaimed.update(claimed_until=now + CLAIM):
        return False
    # There is no request token at Prolific: what an earlier call made is found by the name that holds our key.
    made = client.find_study(row.internal_name) or client.create_study(draft_of(row))
    PanelStudy.objects.filter(pk=row.study_id).update(external_id=str(made["id"]))
    row.study.refresh_from_db()
    row.move_to(ProlificStudy.Status.DRAFT, panel_status=prolific.plain_status(made.get("status")), claimed_until=None)
    return True


def cost_of(row: ProlificStudy) -> Decimal:
    """What the participants are paid if every place is taken, without Prolific's fee and taxes."""
    return row.reward * row.places_wanted


def publish(row: ProlificStudy, client: prolific.Client) -> None:
    """Publish the draft, once. Raises CannotDo, Unavailable or Refused."""
    if row.status == ProlificStudy.Status.WANTED:
        raise CannotDo(_("There is no draft yet."))
    if row.status == ProlificStudy.Status.DRAFT:
        # A call whose answer was lost shows in the study's status.
        if prolific.plain_status(client.get_study(row.study.external_id).get("status")) == "UNPUBLISHED":
            client.move_study(row.study.external_id, "PUBLISH")
        row.move_to(ProlificStudy.Status.PUBLISHED)


def move(row: ProlificStudy, client: prolific.Client, action: str) -> None:
    """PAUSE, START or STOP a published study. Raises CannotDo, Unavailable or Refused."""
    if row.status != ProlificStudy.Status.PUBLISHED:
        raise CannotDo(_("The study is not published."))
    answer = client.move_study(row.study.external_id, action)
    status = prolific.plain_status(answer.get("status"))
    ProlificStudy.objects.filter(pk=row.pk).update(panel_status=status or row.panel_status)


def want_places(row: ProlificStudy, more: int) -> None:
    """Write down that ``more`` people shall take part; ``push_places`` tells Prolific."""
    ProlificStudy.objects.filter(pk=row.pk).update(places_wanted=F("places_wanted") + more)
    PanelStudy.objects.filter(pk=row.study_id, places__isnull=False).update(places=F("places") + more)
    row.refresh_from_db()


def push_places(row: ProlificStudy, client: prolific.Client) -> None:
    """Bring Prolific's number of places to the one wanted, if that is more. May be repeated; what is sent is the whole
    number and not the difference, so that two who do it at once do not add twice."""
    if row.status != ProlificStudy.Status.PUBLISHED:
        return
    seen = client.get_study(row.study.external_id)
    status = prolific.plain_status(seen.get("status"))
    ProlificStudy.objects.filter(pk=row.pk).update(panel_status=status)
    row.refresh_from_db()
    if int(seen.get("total_available_places") or 0) < row.places_wanted:
        client.set_places(row.study.external_id, row.places_wanted)


def confirm(study: PanelStudy, arrival: Arrival) -> None:
    """Ask Prolific whether the session is of that participant and study, and open. Raises BadLink or Unavailable."""
    if not study.external_id:
        # Otherwise a session of any study of the same account would open this one.
        raise BadLink(_("This study cannot be opened yet: its id at Prolific is not known here."))
    try:
        # Somebody waits for the page.
        seen = prolific.client(attempts=2, timeout_seconds=5.0).get_submission(arrival.session_id)
    except prolific.Refused as refusal:
        if refusal.status == 404:
            raise BadLink(_("Prolific knows of no such session. Open the study again from Prolific.")) from None
        raise checks.Unavailable from None
    except (prolific.Unavailable, prolific.NotConfigured):
        raise checks.Unavailable from None
    participant = seen.get("participant_id") or seen.get("participant")
    if isinstance(participant, dict):
        participant = participant.get("id")
    said = (participant, seen.get("study_id"))
    if said != (arrival.participant_id, study.external_id) or prolific.plain_status(seen.get("status")) not in (
        AT_WORK | {"AWAITING REVIEW"}
    ):
        raise BadLink(_("Prolific says that this session is over or not yours. Open the study again from Prolific."))


checks.CHECKS[Panel.Kind.PROLIFIC] = confirm
