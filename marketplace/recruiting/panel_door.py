"""What a panel's participant sees: the study that they came for, and nothing else."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from ..doors import Door, Take, Taken
from ..models import Assignment, HITType, WorkerProfile
from .models import Consent, InvitationUse, Participant, StudyHITType, Visit
from .services import visits

VISIT = "recruiting_visit"  # in the session: the visit that this browser is in

# Pages about one HIT or one assignment, which participants may see as other workers do. Everything else leads to the
# visit: lists of earlier work would tell whoever forged a link what somebody else has done.
OF_ONE_GROUP = {"preview", "accept", "work", "answer", "report"}


class PanelDoor(Door):
    def answer(self, request: HttpRequest, worker: WorkerProfile) -> HttpResponse | None:
        visit_id = request.session.get(VISIT)
        if visit_id is None or request.resolver_match is None:
            return None
        if request.resolver_match.url_name not in OF_ONE_GROUP:
            return HttpResponseRedirect(reverse("visit"))
        visit = Visit.objects.filter(pk=visit_id, participant__worker=worker).first()
        group_id = request.resolver_match.kwargs.get("group_id", "")
        hit_type = HITType.objects.by_address(group_id).first()
        in_study = StudyHITType.objects.filter(study=visit.study_id, hit_type=hit_type) if visit and hit_type else None
        if in_study is None or not in_study.exists():
            raise Http404
        request.is_guest = True  # type: ignore[attr-defined]
        if request.resolver_match.url_name == "work" and request.method != "POST" and self._is_over(request, worker):
            auto = "?auto=1" if request.GET.get("auto") else ""
            return HttpResponseRedirect(f"{reverse('visit')}{auto}")
        return None

    @staticmethod
    def _is_over(request: HttpRequest, worker: WorkerProfile) -> bool:
        """Whether the assignment of the working page is done with, so that the visit's page says what comes next."""
        assignment_id = request.GET.get("assignment_id", "").replace("\0", "")
        mine = Assignment.objects.of_worker(worker).filter(assignment_id=assignment_id)
        return mine.filter(status__in=Assignment.LISTED).exists()

    def take(self, worker: WorkerProfile, hit_type: HITType, now: datetime, take: Take) -> Taken:
        return visits.take(worker, hit_type, now, take)

    def reserved(self, worker: WorkerProfile, hit_type_ids: Iterable[int]) -> set[int]:
        found = visits.reserved(hit_type_ids)
        # Participants see their study alone in any case.
        return set() if not found or Participant.objects.filter(worker=worker).exists() else found

    def paid_elsewhere(self, worker_ids: Iterable[int]) -> set[int]:
        return set(Participant.objects.filter(worker__in=worker_ids).values_list("worker_id", flat=True))

    def own_data(self, worker: WorkerProfile) -> Iterator[tuple[str, Any]]:
        yield "consents", list(Consent.objects.filter(user=worker.user).values("agreed_at", "terms__text"))
        yield "invitations", list(InvitationUse.objects.filter(worker=worker).values("used_at"))
        participants = Participant.objects.filter(worker=worker)
        yield "participants", list(participants.values("panel__name", "participant_id", "created_at"))
        visits = Visit.objects.filter(participant__worker=worker)
        yield "visits", list(visits.values("study__name", "session_id", "status", "started_at", "ended_at"))
