"""Publishing through the real marketplace: each HIT once, whatever goes wrong."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from annotation.models import LostRace
from hits import mturk
from hits.models import HIT, Batch, LedgerEntry
from hits.services import publishing, syncing
from tests.crowd import Crowd

from .conftest import forget_claims, launch

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def annotations(crowd) -> list[str]:
    return sorted(hit["RequesterAnnotation"] for hit in crowd.hits())


def ours(batch) -> list[str]:
    return sorted(hit.annotation for hit in batch.hits.all())


def test_each_hit_of_a_batch_goes_live_once_even_if_its_job_runs_twice(project, crowd):
    batch = launch(project)
    assert publishing.publish(batch) == 5
    assert publishing.publish(batch) == 0
    assert annotations(crowd) == ours(batch)
    batch.refresh_from_db()
    assert batch.status == Batch.Status.OPEN


@pytest.mark.parametrize("fault", ["timeout_after", "drop_after", "error_500_after"])
def test_an_answer_lost_on_the_way_back_makes_no_second_hit(project, crowd, fault, monkeypatch):
    monkeypatch.setattr(mturk, "CALLS", mturk.CALLS.merge(mturk.Config(read_timeout=1)))
    mturk.client.cache_clear()
    batch = launch(project)
    crowd.faults({"operation": "CreateHITWithHITType", "fault": fault, "seconds": 3, "times": 1})
    with pytest.raises(mturk.Unavailable):
        publishing.publish(batch)
    forget_claims(batch)
    publishing.publish(batch)
    assert annotations(crowd) == ours(batch)
    assert {hit["HITId"] for hit in crowd.hits()} == set(batch.hits.values_list("mturk_hit_id", flat=True))


def test_a_hit_whose_token_is_forgotten_is_found_by_its_annotation(project, crowd):
    batch = launch(project)
    publishing.publish(batch)
    # The process died between the call and its result, a week ago.
    hit = batch.hits.get(pk=batch.hits.earliest("pk").pk)
    week_ago = timezone.now() - timedelta(days=7)
    HIT.objects.filter(pk=hit.pk).update(status="publishing", mturk_hit_id="", first_attempt_at=week_ago)
    Batch.objects.filter(pk=batch.pk).update(status="publishing")
    with crowd.later(7 * 24 * 60 * 60 - 60):  # still within its lifetime, and the token is long gone
        publishing.publish(Batch.objects.get(pk=batch.pk))
    assert annotations(crowd) == ours(batch)
    assert batch.hits.get(pk=hit.pk).mturk_hit_id == hit.mturk_hit_id


def test_wrong_credentials_pause_the_batch_with_a_sentence(project, crowd, settings):
    crowd.become_endpoint(settings, secret_key="not-the-secret")
    batch = launch(project)
    publishing.publish(batch)
    batch.refresh_from_db()
    assert batch.status == Batch.Status.PAUSED
    assert batch.problem == "Test marketplace does not accept our access key. Check the key pair in its settings."
    # ... and with the right ones the same rows go out.
    crowd.become_endpoint(settings)
    publishing.resume(batch)
    publishing.publish(batch)
    assert annotations(crowd) == ours(batch)


def test_an_endpoint_that_is_not_there_leaves_everything_to_be_done(project, crowd, settings):
    crowd.become_endpoint(settings, url="http://127.0.0.1:9", worker_origins=("http://127.0.0.1:9",))
    batch = launch(project)
    with pytest.raises(mturk.Unavailable, match=r"does not answer at http://127\.0\.0\.1:9"):
        publishing.publish(batch)
    assert batch.hits.filter(status=HIT.Status.DRAFT).count() == 5


def test_a_revoked_key_in_mid_batch_pauses_it_and_a_new_one_goes_on_without_a_double(project, crowd, settings):
    batch = launch(project)
    crowd.faults({"operation": "CreateHITWithHITType", "fault": "drop_after", "times": 1})
    with pytest.raises(mturk.Unavailable):
        publishing.publish(batch)
    forget_claims(batch)
    crowd.become_endpoint(settings, secret_key="revoked")
    publishing.publish(batch)
    batch.refresh_from_db()
    assert (batch.status, batch.waits_for) == (Batch.Status.PAUSED, Batch.Lack.ACCESS)
    # The HIT whose answer was lost may be there: nobody may give it up, and its money stays reserved.
    assert batch.hits.filter(status=HIT.Status.PUBLISHING).count() == 1
    with pytest.raises(LostRace):
        publishing.close(batch)
    assert publishing.resume_what_can_go_on() == 0
    crowd.become_endpoint(settings)
    assert publishing.resume_what_can_go_on() == 1
    publishing.publish(Batch.objects.get(pk=batch.pk))
    assert annotations(crowd) == ours(batch)


def test_a_paused_batch_learns_from_the_list_that_a_hit_in_doubt_is_there(project, crowd):
    batch = launch(project)
    crowd.faults({"operation": "CreateHITWithHITType", "fault": "drop_after", "times": 1})
    with pytest.raises(mturk.Unavailable):
        publishing.publish(batch)
    batch.refresh_from_db()
    publishing.pause(batch)
    syncing.sync("marketplace")
    (there,) = crowd.hits()
    assert batch.hits.get(status=HIT.Status.OPEN).mturk_hit_id == there["HITId"]
    publishing.close(batch)
    assert LedgerEntry.objects.filter(batch=batch).reserved_usd() == Decimal("0.72")


def test_a_hit_in_doubt_that_no_list_shows_is_a_draft_again_after_ten_minutes(project, crowd):
    batch = launch(project)
    crowd.faults({"operation": "CreateHITWithHITType", "fault": "error_500_before", "times": 1})
    with pytest.raises(mturk.Unavailable):
        publishing.publish(batch)
    batch.refresh_from_db()
    publishing.pause(batch)
    in_doubt = batch.hits.filter(status=HIT.Status.PUBLISHING)
    syncing.sync("marketplace")
    assert in_doubt.count() == 1, "lists may be late"
    in_doubt.update(first_attempt_at=timezone.now() - timedelta(minutes=11), claimed_until=None)
    syncing.sync("marketplace")
    assert in_doubt.count() == 0
    publishing.close(batch)
    assert LedgerEntry.objects.filter(batch=batch).reserved_usd() == 0


def test_an_exhausted_balance_pauses_with_what_is_missing_and_funds_let_it_go_on(project, marketplace_site, settings):
    crowd = Crowd(marketplace_site.url, funds="2.00")
    crowd.become_endpoint(settings)
    batch = launch(project)
    publishing.publish(batch)
    batch.refresh_from_db()
    # Five HITs of $0.60 and a fee of $0.12; two of them fit into $2.00.
    assert (batch.status, batch.problem) == (
        Batch.Status.PAUSED,
        "The account at Test marketplace holds $0.56; what is still to be published needs $2.16. Add $1.60: "
        "publishing then goes on by itself.",
    )
    crowd.hook("funds", access_key=crowd.access_key, amount="1.59")
    assert publishing.resume_what_can_go_on() == 0
    crowd.hook("funds", access_key=crowd.access_key, amount="0.01")
    assert publishing.resume_what_can_go_on() == 1
    publishing.publish(Batch.objects.get(pk=batch.pk))
    assert annotations(crowd) == ours(batch)
    batch.refresh_from_db()
    assert (batch.status, batch.problem) == (Batch.Status.OPEN, "")
    crowd.reset()


def test_a_first_attempt_by_a_clock_that_was_hours_ahead_is_looked_for(project, crowd):
    batch = launch(project)
    publishing.publish(batch)
    hit = batch.hits.earliest("pk")
    ahead = timezone.now() + timedelta(hours=5)
    HIT.objects.filter(pk=hit.pk).update(
        status="publishing", mturk_hit_id="", first_attempt_at=ahead, claimed_until=ahead
    )
    Batch.objects.filter(pk=batch.pk).update(status="publishing")
    with crowd.later(25 * 60 * 60):  # the token is forgotten by then
        publishing.publish(Batch.objects.get(pk=batch.pk))
    assert annotations(crowd) == ours(batch)
    assert batch.hits.get(pk=hit.pk).mturk_hit_id == hit.mturk_hit_id


def test_several_connections_make_each_hit_once(project, crowd):
    batch = launch(project)
    assert publishing.publish(batch, connections=4) == 5
    assert annotations(crowd) == ours(batch)


def test_a_signature_from_a_wrong_clock_is_told_as_that(project, crowd, monkeypatch):
    hours_ago = datetime.now(UTC).replace(tzinfo=None) - timedelta(hours=3)
    monkeypatch.setattr("botocore.auth.get_current_datetime", lambda remove_tzinfo=True: hours_ago)
    monkeypatch.setattr("hits.mturk.timezone.now", lambda: hours_ago.replace(tzinfo=UTC))
    with pytest.raises(mturk.NoAccess, match="because the clocks differ by 180 min"):
        mturk.account_balance("marketplace")
