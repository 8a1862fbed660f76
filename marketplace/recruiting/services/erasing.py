"""What the doors keep of a person, and its erasure."""

from django.utils.translation import gettext as _

from ...models import WorkerProfile
from ..models import Application, PanelDecision, PanelEvent, Participant
from . import bonus_batches


def erase(worker: WorkerProfile) -> None:
    """Forget who a panel's participant is there, and what an applicant wrote. Visits stay, as they say what was paid.

    A participant who comes again is somebody new: their id is not known any more.
    """
    for participant in Participant.objects.filter(worker=worker):
        sessions = list(participant.visits.exclude(session_id="").values_list("pk", "session_id"))
        ids = [participant.participant_id, *(session_id for _pk, session_id in sessions)]
        bonus_batches.forget(participant)
        PanelEvent.objects.filter(resource_id__in=ids).update(resource_id="")
        PanelDecision.objects.filter(visit__participant=participant).exclude(last_error="").update(
            last_error=_("(erased)")
        )
        for pk, _session_id in sessions:
            participant.visits.filter(pk=pk).update(session_id=f"erased-{pk}")
        Participant.objects.filter(pk=participant.pk).update(participant_id=f"erased-{participant.pk}")
    Application.objects.filter(user=worker.user_id).update(message="", reason="", source_hash="")
