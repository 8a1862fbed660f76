"""Jobs. Each takes ids, does one thing, and runs safely twice; what is due is read from the rows, never the broker."""

import logging
from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from annotation.models import Project

from . import mturk
from .models import (
    HIT,
    Act,
    AssignmentDecision,
    Batch,
    Bonus,
    EndpointStanding,
    Qualification,
    Reconciliation,
    RehearsalRun,
    WorkerBlock,
)

logger = logging.getLogger(__name__)
# A job works this long and then queues itself again, so that others have their turn.
TURN_SECONDS = 20.0
SYNC_TURN_SECONDS = 60.0
# How long a sync that died keeps others from beginning.
SYNC_CLAIM = timedelta(minutes=5)
CONNECTIONS = 4  # over which a batch is published
AGAIN = {"autoretry_for": (mturk.Unavailable,), "retry_backoff": True, "retry_backoff_max": 60, "max_retries": 5}


@shared_task(**AGAIN)
def publish_batch(batch_id: int) -> None:
    """Publish what is left of a batch."""
    from .services import publishing

    batch = Batch.objects.select_related("project").get(pk=batch_id)
    if publishing.publish(batch, connections=CONNECTIONS, seconds=TURN_SECONDS) and publishing.is_unfinished(batch):
        publish_batch.delay(batch_id)  # after whatever else waits


@shared_task(**AGAIN)
def carry_out_decisions() -> None:
    """Approve and reject what was asked for."""
    from .services import deciding

    if deciding.carry_out(seconds=TURN_SECONDS) and AssignmentDecision.objects.due(timezone.now()).exists():
        carry_out_decisions.delay()


@shared_task(**AGAIN)
def send_bonuses() -> None:
    """Pay the bonuses that were asked for."""
    from .services import bonuses

    if bonuses.send(seconds=TURN_SECONDS) and Bonus.objects.to_send().unclaimed(timezone.now()).exists():
        send_bonuses.delay()


@shared_task(**AGAIN)
def carry_out_acts() -> None:
    """Do at the endpoints what was asked to be done to HITs."""
    from .services import acting

    if acting.carry_out(seconds=TURN_SECONDS) and Act.objects.to_carry_out().unclaimed(timezone.now()).exists():
        carry_out_acts.delay()


@shared_task(**AGAIN)
def tell_standing(project_id: int, endpoint: str) -> None:
    """Tell an endpoint who is kept out of a project and who is let in, by qualifications and blocks."""
    from .services import blocking, qualifications

    blocking.carry_out()
    if Qualification.objects.filter(project=project_id, endpoint=endpoint).exists():
        qualifications.grant_wanted(Project.objects.get(pk=project_id), endpoint)


@shared_task
def reconcile(reconciliation_id: int) -> None:
    """Compare a project's ledger with what its endpoints say was paid."""
    from .services import reconciling

    reconciling.run(Reconciliation.objects.select_related("project").get(pk=reconciliation_id))


@shared_task
def rehearse(run_id: int) -> None:
    """Run a rehearsal that was asked for from a page."""
    from .services import rehearsing

    rehearsing.run(RehearsalRun.objects.select_related("project", "asked_by").get(pk=run_id))


@shared_task
def sweep() -> None:
    """Queue again whatever is not final and nobody is working on: killed workers leave such rows behind."""
    from .services import publishing, rehearsing, releasing

    publishing.resume_what_can_go_on()
    releasing.release_all_due()
    rehearsing.give_up_silent()
    now = timezone.now()
    for batch_id in HIT.objects.to_publish().unclaimed(now).order_by().values_list("batch", flat=True).distinct():
        publish_batch.delay(batch_id)
    if AssignmentDecision.objects.due(now).unclaimed(now).exists():
        carry_out_decisions.delay()
    if Bonus.objects.to_send().unclaimed(now).exists():
        send_bonuses.delay()
    if Act.objects.to_carry_out().unclaimed(now).exists():
        carry_out_acts.delay()
    for block in WorkerBlock.objects.to_carry_out().unclaimed(now).select_related("worker"):
        tell_standing.delay(block.project_id, block.worker.endpoint)


@shared_task
def sync() -> None:
    """Ask each endpoint in use what came in."""
    from .services import syncing

    for endpoint in syncing.endpoints_in_use():
        sync_endpoint.delay(endpoint)


@shared_task
def sync_endpoint(endpoint: str) -> None:
    """Ask one endpoint what came in, unless somebody else is asking."""
    from .services import syncing

    if not EndpointStanding.claim_sync(endpoint, timezone.now(), SYNC_CLAIM):
        return
    try:
        syncing.sync(endpoint, seconds=SYNC_TURN_SECONDS)
    except (mturk.Unavailable, mturk.Rejected) as error:
        logger.warning("Sync with %s: %s", endpoint, error)
    except Exception:  # one endpoint's trouble is not the others'
        logger.exception("Sync with %s failed", endpoint)
    finally:
        EndpointStanding.end_sync(endpoint)


@shared_task
def receive_events() -> None:
    """Handle the events that wait in the endpoints' queues."""
    from . import queues
    from .services import events

    listening = events.endpoints_with_queues()
    for endpoint in listening:
        try:
            events.receive(endpoint, TURN_SECONDS)
        except (queues.Unavailable, mturk.Unavailable, mturk.Rejected) as error:
            logger.warning("Events of %s: %s", endpoint.key, error)
        except Exception:  # one endpoint's trouble is not the others', and polling goes on
            logger.exception("Events of %s could not be handled", endpoint.key)
    if listening:
        events.forget()
