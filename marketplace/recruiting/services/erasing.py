"""What the doors keep of a person, and its erasure."""

from ...models import WorkerProfile
from ..models import Application, Participant


def erase(worker: WorkerProfile) -> None:
    """Forget who a panel's participant is there, and what an applicant wrote. Visits stay, as they say what was paid.

    A participant who comes again is somebody new: their id is not known any more.
    """
    for participant in Participant.objects.filter(worker=worker):
        Participant.objects.filter(pk=participant.pk).update(participant_id=f"erased-{participant.pk}")
        for visit in participant.visits.exclude(session_id=""):
            participant.visits.filter(pk=visit.pk).update(session_id=f"erased-{visit.pk}")
    Application.objects.filter(user=worker.user_id).update(message="", reason="", source_hash="")
