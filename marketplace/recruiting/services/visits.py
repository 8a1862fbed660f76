"""A participant's visit to a study: begin, go on, end. What has to be counted is counted under a lock."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Count, Q, Sum
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from ... import ids
from ...doors import Take, Taken
from ...models import HIT, Assignment, HITType, User, WorkerProfile
from ...querysets import AssignmentQuerySet
from ...services import assignments, board, overdue
from ..models import PanelStudy, Participant, StudyHITType, Terms, Visit, VisitAssignment
from . import newcomers
from .links import Arrival


class NoVisit(Exception):
    """No visit can be begun; the message is a sentence for the participant."""


class Full(Exception):
    """The study takes nobody and keeps no further rows: the answer is quota full."""


def begin(
    study: PanelStudy,
    arrival: Arrival,
    now: datetime,
    *,
    terms: Terms | None = None,
    begun_here: int | None = None,
) -> Visit:
    """The visit of ``arrival``: the one that this session began before, or a new one.

    ``begun_here`` is the visit that the browser began, which alone lets it back in where ids can be guessed.

    Raises NoVisit where the parameters do not fit what is known, Full where nothing more is kept.
    """
    overdue.settle(now)
    settle(now, study)
    with transaction.atomic():
        # One arrival of a study at a time, so that nobody counts places that another is about to take.
        locked = PanelStudy.objects.select_for_update(of=("self",)).select_related("panel").get(pk=study.pk)
        visit = _known(locked, arrival)
        if visit is not None:
            if locked.panel.ids_can_be_guessed and visit.pk != begun_here:
                raise NoVisit(
                    _(
                        "This study was begun in another browser. Go on in that one; what was submitted there is kept. "
                        "If you cannot, or if it was not you who began, write to the researchers of the study: they "
                        "see what was submitted and can give you credit for it."
                    )
                )
            newcomers.agree(visit.participant.worker.user, terms, now)
            return visit
        if not locked.is_open or locked.visits.count() >= locked.visits_kept:
            raise Full
        participant = _find_or_make(locked, arrival.participant_id, now)
        newcomers.agree(participant.worker.user, terms, now)
        _refuse_one_too_many(locked, participant)
        newcomers.grant(participant.worker, locked, now)
        status = _first_status(locked, participant.worker, now)
        return Visit.objects.create(
            study=locked,
            participant=participant,
            session_id=arrival.session_id,
            status=status,
            started_at=now,
            ends_at=now + timedelta(minutes=locked.minutes),
            ended_at=None if status == Visit.Status.WORKING else now,
        )


def _known(study: PanelStudy, arrival: Arrival) -> Visit | None:
    """The visit that this session began. Raises NoVisit where the session is another participant's."""
    rows = study.visits.select_related("participant__worker__user", "study__panel").filter(
        session_id=arrival.session_id
    )
    if arrival.session_id:
        visit = rows.first()
        if visit is not None and visit.participant.participant_id != arrival.participant_id:
            raise NoVisit(_("This session belongs to somebody else. Open the study again from the panel's own page."))
        return visit
    return rows.filter(participant__participant_id=arrival.participant_id).first()


def _find_or_make(study: PanelStudy, participant_id: str, now: datetime) -> Participant:
    rows = Participant.objects.select_related("worker__user", "panel")
    found = rows.filter(panel=study.panel, participant_id=participant_id).first()
    if found is not None:
        if not found.worker.user.is_active:
            raise NoVisit(_("This account is closed."))
        return found
    # Their name here says nothing of who they are there. Without a password, the panel's link is the only way in.
    user = User.objects.create_user(f"participant-{ids.random_text(10).lower()}")
    worker = WorkerProfile.objects.create(user=user, created_at=now)
    # Two studies of one panel do not wait for each other; the constraint refuses one of two who are made at once.
    made, is_new = Participant.objects.get_or_create(
        panel=study.panel, participant_id=participant_id, defaults={"worker": worker, "created_at": now}
    )
    if not is_new:
        worker.delete()
        user.delete()
    return made


def _refuse_one_too_many(study: PanelStudy, participant: Participant) -> None:
    visits = study.visits.filter(participant=participant)
    if visits.filter(status=Visit.Status.WORKING).exists():
        raise NoVisit(_("You have begun this study already. Go on in the window or by the link that you began with."))
    if visits.count() >= study.visits_per_participant:
        raise NoVisit(_("You have taken part in this study already. Return it on the panel's page."))


def _first_status(study: PanelStudy, worker: WorkerProfile, now: datetime) -> Visit.Status:
    types = list(study.hit_types.select_related("requester"))
    open_to_them = [hit_type for hit_type in types if board.group_for(worker, hit_type, now).may_accept]
    if types and not open_to_them:
        return Visit.Status.SCREENED_OUT
    counted = study.visits.filter(status__in=[Visit.Status.WORKING, Visit.Status.COMPLETE]).count()
    if study.places is not None and counted >= study.places:
        return Visit.Status.QUOTA_FULL
    return Visit.Status.WORKING if _is_enough_left(study, worker, open_to_them, now) else Visit.Status.QUOTA_FULL


def _is_enough_left(study: PanelStudy, worker: WorkerProfile, types: list[HITType], now: datetime) -> bool:
    """Whether so many HITs are open that nobody at work in the study has to run short if one more begins."""
    hits = HIT.objects.filter(hit_type__in=types, open_places__gt=0, expires_at__gt=now)
    done = Assignment.objects.of_worker(worker).filter(status__in=Assignment.LIVE).values("hit_id")
    if hits.exclude(pk__in=done).count() < study.hits_wanted:
        return False
    open_places = hits.aggregate(sum=Sum("open_places", default=0))["sum"]
    at_work = study.visits.filter(status=Visit.Status.WORKING)
    counted = Q(taken__assignment__status__in=Assignment.LIVE)
    taken = at_work.aggregate(count=Count("taken", filter=counted))["count"]
    promised = max(0, at_work.count() * study.hits_wanted - taken)
    return bool(open_places - promised >= study.hits_wanted)


def settle(now: datetime, study: PanelStudy | None = None) -> None:
    """End the visits whose time is over, and give back what they hold."""
    due = Visit.objects.filter(status=Visit.Status.WORKING, ends_at__lte=now).select_related(
        "study", "participant__worker"
    )
    for visit in due if study is None else due.filter(study=study):
        refresh(visit, now)


@dataclass(frozen=True)
class Progress:
    """How far a visit is."""

    visit: Visit
    submitted: int
    held: list[Assignment]
    groups: list[board.Group]  # what the participant can take next; empty once nothing more is to be taken

    @cached_property
    def is_over(self) -> bool:
        return self.visit.status != Visit.Status.WORKING


def refresh(visit: Visit, now: datetime) -> Progress:
    """Move ``visit`` on to where it is by now, and say how far that is."""
    overdue.settle(now)
    held = list(_taken(visit, [Assignment.Status.HELD]).select_related("hit__hit_type__requester").order_by("deadline"))
    submitted = _taken(visit, Assignment.LISTED).count()
    groups: list[board.Group] = []
    status = Visit.Status
    if visit.status in (status.WORKING, status.LEFT) and submitted >= visit.study.hits_wanted:
        visit.move_to(status.COMPLETE, now)
    elif visit.status == status.WORKING and visit.ends_at <= now:
        visit.move_to(status.LEFT, now)
    elif visit.status == status.WORKING:
        groups = _open_groups(visit, now) if submitted + len(held) < visit.study.hits_wanted else []
        if not groups and not held:
            visit.move_to(status.QUOTA_FULL, now)
    if visit.status != status.WORKING:
        for assignment in held:
            _give_back(visit, assignment, now)
        held = []
    return Progress(visit, submitted, held, groups)


def _taken(visit: Visit, statuses: Iterable[str]) -> AssignmentQuerySet:
    return Assignment.objects.filter(pk__in=visit.taken.values("assignment"), status__in=statuses)


def _open_groups(visit: Visit, now: datetime) -> list[board.Group]:
    worker = visit.participant.worker
    types = visit.study.hit_types.select_related("requester").order_by("id")
    left = [hit_type for hit_type in types if board.is_anything_left(worker, hit_type, now)]
    groups = [board.group_for(worker, hit_type, now) for hit_type in left]
    return [group for group in groups if group.may_accept]


def _give_back(visit: Visit, assignment: Assignment, now: datetime) -> None:
    try:
        assignments.give_back(visit.participant.worker, assignment.assignment_id, now)
    except assignments.NotYours:
        return  # submitted or run out in this moment


def reserved(hit_type_ids: Iterable[int]) -> set[int]:
    """Those of the HIT types that an open study keeps for its participants."""
    rows = StudyHITType.objects.filter(hit_type__in=hit_type_ids, study__is_open=True, study__is_reserved=True)
    return set(rows.values_list("hit_type_id", flat=True))


def take(worker: WorkerProfile, hit_type: HITType, now: datetime, take_one: Take) -> Taken:
    """Let a participant take a HIT: of a study they are visiting, and no more of them than it wants.

    Workers who are no participants take as ever, but for what is reserved for a study. Raises NoPlace.
    """
    participant = Participant.objects.filter(worker=worker).first()
    if participant is None:
        if reserved([hit_type.pk]):
            raise assignments.NoPlace(assignments.NoPlace.Reason.NOTHING_LEFT)
        return take_one()
    with transaction.atomic():
        # Two of a participant's tabs wait for each other here, so that neither counts what the other is taking.
        Participant.objects.select_for_update().get(pk=participant.pk)
        visit = _visit_with_room(participant, hit_type, now)
        if visit is None:
            raise assignments.NoPlace(assignments.NoPlace.Reason.NOTHING_LEFT)
        hit_id, assignment_id = take_one()
        assignment = Assignment.objects.get(assignment_id=assignment_id)
        VisitAssignment.objects.create(visit=visit, assignment=assignment)
        return hit_id, assignment_id


def _visit_with_room(participant: Participant, hit_type: HITType, now: datetime) -> Visit | None:
    visits = participant.visits.filter(status=Visit.Status.WORKING, ends_at__gt=now)
    of_the_group = visits.filter(study__in=StudyHITType.objects.filter(hit_type=hit_type).values("study"))
    for visit in of_the_group.select_related("study").order_by("-id"):
        if _taken(visit, Assignment.LIVE).count() < visit.study.hits_wanted:
            return visit
    return None
