"""Whatever goes wrong, in whatever order: nothing is lost, nothing is there twice, and the ledger is what was paid."""

import os

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from hits import endpoints, mturk, pace
from tests.crowd import Crowd

from .survival import Survival

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

# How many runs, and how many steps in each; SURVIVAL_EXAMPLES=500 is for a long night.
EXAMPLES = int(os.environ.get("SURVIVAL_EXAMPLES", "10"))
STEPS = 40
WORKERS = 4


def test_whatever_happens_everything_is_done_once_and_the_ledger_is_what_was_paid(
    marketplace_site, settings, monkeypatch
):
    monkeypatch.setattr(mturk, "CALLS", mturk.CALLS.merge(mturk.Config(connect_timeout=2, read_timeout=1)))
    # A refusal slows down for seconds; here it may for tenths.
    monkeypatch.setattr(pace, "FIRST", 50.0)
    monkeypatch.setattr(pace, "LEAST", 50.0)
    mturk.client.cache_clear()
    crowd = Crowd(marketplace_site.url)
    Survival.site, Survival.configuration = marketplace_site.url, settings
    Survival.workers = [crowd.worker() for _ in range(WORKERS)]
    try:
        run_state_machine_as_test(Survival, settings=plan())
    finally:
        endpoints.all_endpoints.cache_clear()
        mturk.client.cache_clear()
        crowd.hook("clock", reset=True)


def plan():
    return settings(
        max_examples=EXAMPLES,
        stateful_step_count=STEPS,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate,),  # processes that race never fail twice the same way: there is nothing to shrink
        derandomize=EXAMPLES <= 10,
        database=None,
        print_blob=True,
    )
