"""Publishing through the real marketplace: each HIT once, whatever goes wrong."""

from datetime import timedelta

import pytest
from django.utils import timezone

from hits import mturk
from hits.models import HIT, Batch
from hits.services import publishing

from .conftest import forget_claims, launch

pytestmark = pytest.mark.django_db(transaction=True)


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


def test_a_throttled_batch_goes_on_where_it_stopped(project, crowd):
    batch = launch(project)
    crowd.faults({"operation": "CreateHITWithHITType", "fault": "throttle", "times": 1})
    with pytest.raises(mturk.Unavailable):
        publishing.publish(batch)
    forget_claims(batch)
    publishing.publish(batch)
    assert annotations(crowd) == ours(batch)


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
