"""HITs for ten workers or more are published in parts that save the surcharge; a worker does the task once."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from annotation.models import Assignment, Membership
from hits.fees import NO_FEES, FeeSchedule
from hits.models import HIT, LedgerEntry
from hits.services import launching, ledger, planning, publishing, syncing
from hits.services.planning import NotLaunchable
from tests.annotation import work
from tests.annotation.factories import make_member

from .conftest import launch, published, writing
from .test_syncing import approve

pytestmark = pytest.mark.slow

MTURK = FeeSchedule()
rewards = st.decimals("0.01", 1000, places=2)


@given(rewards, st.integers(1, 500))
def test_parts_bring_every_worker_and_never_cost_more_than_one_hit(reward, workers):
    parts = MTURK.parts(reward, workers)
    assert sum(parts) == workers
    assert max(parts) - min(parts) <= 1
    in_parts = sum(size * MTURK.fee_usd(reward, size) for size in parts)
    whole = workers * MTURK.fee_usd(reward, workers)
    assert in_parts <= whole
    assert len(parts) == 1 or in_parts < whole


@given(rewards, st.integers(1, 500))
def test_where_there_is_no_surcharge_nothing_is_split(reward, workers):
    assert NO_FEES.parts(reward, workers) == (workers,)


@pytest.mark.parametrize(
    ("reward", "workers", "parts"),
    [
        ("0.60", 9, (9,)),
        ("0.60", 10, (5, 5)),
        ("0.60", 12, (6, 6)),
        ("0.60", 19, (7, 6, 6)),
        ("0.01", 12, (12,)),  # the smallest fee is a cent either way
    ],
)
def test_parts_by_hand(reward, workers, parts):
    assert MTURK.parts(Decimal(reward), workers) == parts


@pytest.fixture
def twelve(project):
    """Each of the five paragraphs wants twelve writers."""
    project.writers_per_paragraph = 12
    project.save()
    return project


@pytest.mark.django_db(transaction=True)
class TestBatch:
    def test_the_receipt_shows_the_parts_and_the_saving(self, twelve, crowd, client):
        client.force_login(make_member(twelve, Membership.Role.REQUESTER))
        page = client.get(reverse("admin:hits_batch_launch", args=[twelve.pk])).content.decode()
        assert "6 + 6" in page
        # 60 assignments at $0.60: a fee of 12 cents each instead of 24.
        assert 'data-saving="7.20"' in page
        assert 'data-total="43.20"' in page

    def test_each_task_is_published_as_sisters_that_share_its_type(self, twelve, crowd):
        batch = published(twelve)
        assert batch.cap_usd == Decimal("43.20")
        assert sorted(hit["MaxAssignments"] for hit in crowd.hits()) == [6] * 10
        assert len({hit["HITTypeId"] for hit in crowd.hits()}) == 1
        sisters = HIT.objects.filter(batch=batch, sister_of__isnull=False)
        assert sisters.count() == 5
        assert all(hit.offer.task_id == hit.sister_of.offer.task_id for hit in sisters)
        assert LedgerEntry.objects.filter(batch=batch).reserved_usd() == Decimal("43.20")

    def test_what_fits_is_counted_in_paragraphs_and_not_in_hits(self, twelve, crowd):
        twelve.spending_cap_usd = Decimal("17.28")
        twelve.save()
        with pytest.raises(NotLaunchable, match="Lower the number of paragraphs to 2, or raise"):
            launch(twelve)

    def test_a_worker_who_has_just_done_one_is_told_before_they_do_its_sister(self, twelve, crowd, settings):
        batch = published(twelve)
        first, sister = HIT.objects.filter(batch=batch).order_by("offer__task", "pk")[:2]
        assert (sister.sister_of, sister.offer.task) == (first, first.offer.task)
        here = {"turkSubmitTo": crowd.url}
        page = work.data_of(work.frame(first.offer, "A1", "W1", **here))
        assert work.finish(page, work.whole(page)).status_code == 200
        refused = work.frame(sister.offer, "A2", "W1", **here)
        assert (refused.status_code, "You already did this one" in refused.content.decode()) == (409, True)
        assert work.frame(sister.offer, "A3", "W2", **here).status_code == 200
        # What never arrived at the endpoint must not keep them out for ever.
        Assignment.objects.filter(mturk_assignment_id="A1").update(
            finished_at=Assignment.objects.get(mturk_assignment_id="A1").finished_at - timedelta(minutes=11)
        )
        assert work.frame(sister.offer, "A2", "W1", **here).status_code == 200

    def test_a_worker_who_did_both_all_the_same_is_paid_for_both_and_counts_once(self, twelve, crowd):
        batch = published(twelve)
        site, _worker_id = crowd.worker()
        for _ in range(10):  # every HIT of the batch, sisters included
            assert site.submit(crowd.accept(site), {"receipt": "r"})
        syncing.sync("marketplace")
        approve(Assignment.objects.filter(status="submitted"))
        assert Assignment.objects.filter(status="approved").count() == 10
        assert Assignment.objects.filter(repeat_of__isnull=False).count() == 5
        assert LedgerEntry.objects.filter(batch=batch).paid_usd() == 10 * Decimal("0.60")


@pytest.mark.django_db(transaction=True)
class TestBonusReserve:
    def test_it_is_in_the_total_in_the_cap_and_in_what_is_reserved(self, project, crowd):
        spec = writing(bonus_reserve_percent=Decimal("10"))
        estimate = planning.estimate(project, spec)
        # 10 % of $3.00, and a fee of 20 % on it.
        assert (estimate.bonus_reserve_usd, estimate.total_usd) == (Decimal("0.36"), Decimal("3.96"))
        batch = launching.launch(project, spec, None)
        entries = LedgerEntry.objects.filter(batch=batch)
        assert (batch.cap_usd, entries.reserved_usd(), entries.fund_left_usd()) == (
            Decimal("3.96"),
            Decimal("3.96"),
            Decimal("0.36"),
        )
        assert ledger.release_fund(batch) == Decimal("0.36")
        assert ledger.release_fund(batch) == 0
        assert entries.reserved_usd() == Decimal("3.60")

    def test_a_bonus_draws_on_it_and_gives_back_what_it_did_not_need(self, project, crowd):
        from hits.services import bonuses
        from hits.services.bonuses import Wish

        from .test_syncing import submit_one

        batch = launching.launch(project, writing(bonus_reserve_percent=Decimal("10")), None)
        publishing.publish(batch)
        submit_one(crowd)
        syncing.sync("marketplace")
        approve(Assignment.objects.all())
        entries = LedgerEntry.objects.filter(batch=batch)
        before = entries.reserved_usd()
        [bonus] = bonuses.ask(batch, [Wish(Assignment.objects.get(), Decimal("0.30"), "Thank you.")], None)
        assert (entries.reserved_usd(), entries.fund_left_usd()) == (before, 0)
        bonuses.give_up(bonus)
        assert (entries.reserved_usd(), entries.fund_left_usd()) == (before, Decimal("0.36"))

    @given(
        st.decimals(0, 100, places=1),
        st.decimals("0.01", 200, places=2),
        st.decimals("0.01", 50, places=2),
        st.integers(1, 30),
        st.integers(1, 40),
    )
    def test_what_fits_by_the_advice_does_fit(self, percent, cap, rate, workers, tasks):
        estimate = estimate_of(percent, cap, rate, workers, tasks)
        fits = estimate.affordable_units
        assert fits <= tasks
        if fits:
            assert estimate_of(percent, cap, rate, workers, fits).total_usd <= cap


def estimate_of(percent, cap, rate, workers, tasks):
    """An estimate of ``tasks`` tasks of a minute each, without a database."""
    from hits import fees

    reward = fees.reward_usd(rate, 60)
    parts = MTURK.parts(reward, workers)
    whole = MTURK.fee_usd(reward, workers)
    line = planning.Line("answer", 1, 1, workers, tasks, parts, 60, reward, MTURK.fee_usd(reward, max(parts)), whole)
    return planning.Estimate(writing(bonus_reserve_percent=percent), (), (line,), MTURK, cap, Decimal(0))
