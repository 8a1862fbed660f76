"""Any order of what workers, requesters and time can do leaves counters and money right."""

from collections import Counter
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import connection
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from marketplace.errors import Refused
from marketplace.models import HIT, Assignment, Decision, Event, HITType, NotificationSetting, RequesterProfile
from marketplace.querysets import Counts
from marketplace.services import accounts, assignments, events, money, overdue, publishing, review

from .conftest import clean_up, question
from .test_money import check_books

STATUS = Assignment.Status
START = 4  # workers
DURATION, DELAY, LIFETIME = 600, 5000, 3000  # seconds


class Lifecycle(RuleBasedStateMachine):
    """One HIT or more of one type, four workers, a requester with little money, and a clock."""

    @initialize(places=st.sampled_from([1, 2, 3, 9, 10]), funds=st.sampled_from(["2.00", "5.00"]))
    def begin(self, places, funds):
        with connection.cursor() as cursor:
            cursor.execute(clean_up())
        from django.utils import timezone

        self.now = timezone.now()
        self.funds = Decimal(funds)
        self.requester = accounts.create_requester("R", self.now, funds_usd=self.funds).requester
        self.workers = [accounts.create_worker(f"w{number}", self.now) for number in range(START)]
        self.hit_type = publishing.hit_type_for(
            self.requester,
            self.now,
            title="T",
            description="D",
            keywords="",
            reward_usd=Decimal("0.10"),
            assignment_duration_seconds=DURATION,
            auto_approval_delay_seconds=DELAY,
            requirements=[],
        )
        # Nothing is sent in this test; what is to be sent is written down.
        NotificationSetting.objects.create(
            hit_type=self.hit_type,
            transport="SQS",
            destination="a queue",
            event_types=[event.value for event in events.EventType],
            updated_at=self.now,
        )
        self.reviewable: dict[int, tuple[bool, int]] = {}  # by HIT: whether it was, and how often that was noted
        self.hits = [self.create(places)]
        self.paid = Decimal(0)

    def create(self, places):
        return publishing.create_hit(
            HITType.objects.select_related("requester").get(pk=self.hit_type.pk),
            self.now,
            question=question(),
            max_assignments=places,
            lifetime_seconds=LIFETIME,
            annotation="",
            token=None,
        )

    def try_to(self, act, *args, **kwargs):
        """Do as a call of the API does: settle, act, and take a refusal for an answer."""
        overdue.settle(self.now)
        try:
            return act(*args, **kwargs)
        except Refused:
            return None

    def some(self, number, status):
        rows = list(Assignment.objects.filter(status=status).order_by("id"))
        return rows[number % len(rows)] if rows else None

    @rule(seconds=st.sampled_from([1, 300, 600, 3000, 6000]))
    def pass_time(self, seconds):
        self.now += timedelta(seconds=seconds)

    @rule(places=st.integers(1, 3))
    def publish(self, places):
        if made := self.try_to(self.create, places):
            self.hits.append(made)

    @rule(who=st.integers(0, START - 1))
    def accept(self, who):
        try:
            assignments.accept(self.workers[who], self.hit_type, self.now)
        except assignments.NoPlace:
            open_to_me = HIT.objects.filter(open_places__gt=0, expires_at__gt=self.now)
            mine = Assignment.objects.of_worker(self.workers[who]).filter(status__in=Assignment.LIVE)
            assert not open_to_me.exclude(pk__in=mine.values("hit")).exists()

    @rule(which=st.integers(0, 9))
    def submit(self, which):
        if assignment := self.some(which, STATUS.HELD):
            is_kept = assignments.submit(assignment.assignment_id, "<a/>", self.now)
            assert is_kept == (assignment.deadline > self.now)

    @rule(which=st.integers(0, 9))
    def give_back(self, which):
        if assignment := self.some(which, STATUS.HELD):
            try:
                assignments.give_back(assignment.worker, assignment.assignment_id, self.now)
            except assignments.NotYours:
                assert assignment.deadline <= self.now

    @rule(which=st.integers(0, 9), override=st.booleans())
    def approve(self, which, override):
        if assignment := self.some(which, STATUS.REJECTED if override else STATUS.SUBMITTED):
            self.try_to(review.approve, self.requester, assignment.assignment_id, self.now, override=override)

    @rule(which=st.integers(0, 9))
    def reject(self, which):
        if assignment := self.some(which, STATUS.SUBMITTED):
            self.try_to(review.reject, self.requester, assignment.assignment_id, self.now, feedback="No")

    @rule(which=st.integers(0, 9), number=st.integers(1, 2))
    def add(self, which, number):
        hit = self.hits[which % len(self.hits)]
        self.try_to(publishing.add_assignments, self.requester, hit.hit_id, number, None, self.now)

    @rule(which=st.integers(0, 9), seconds=st.sampled_from([-1, 0, 100, 4000]))
    def move_expiration(self, which, seconds):
        hit = self.hits[which % len(self.hits)]
        expires_at = self.now + timedelta(seconds=seconds)
        self.try_to(publishing.update_expiration, self.requester, hit.hit_id, expires_at, self.now)

    @rule(which=st.integers(0, 9))
    def delete(self, which):
        hit = self.hits[which % len(self.hits)]
        self.try_to(publishing.dispose, self.requester, hit.hit_id, self.now)

    @invariant()
    def everything_is_right(self):
        """Both looks share what they read, as most of the time goes into queries."""
        overdue.settle(self.now)
        hits = list(HIT.objects.select_related("hit_type").defer("question"))
        assert len(hits) == len(self.hits)
        counts = Assignment.objects.counts(hits)
        self.counters_and_money_are_right(hits, counts)
        self.every_event_is_noted_once(hits, counts)

    def counters_and_money_are_right(self, hits, counts):
        check_books()
        requester = RequesterProfile.objects.get(pk=self.requester.pk)
        held = Decimal(0)
        for hit in hits:
            count = counts.get(hit.pk, Counts())
            assert hit.open_places + count.live <= hit.max_assignments
            if hit.is_expired(self.now) or hit.stage != HIT.Stage.LIVE:
                assert hit.open_places == 0
            else:
                assert hit.open_places + count.live == hit.max_assignments
            held += (hit.open_places + count.pending + count.submitted) * money.cost_per_assignment(hit)
        cost = {hit.pk: money.cost_per_assignment(hit) for hit in hits}
        approved = Assignment.objects.filter(status=STATUS.APPROVED).values_list("hit", flat=True)
        paid = sum((cost[hit] for hit in approved), Decimal(0))
        assert requester.held_usd == held
        assert requester.available_usd == self.funds - held - paid
        assert paid >= self.paid  # approval is final
        self.paid = paid
        assert not Assignment.objects.past_deadline(self.now).exists()

    def every_event_is_noted_once(self, hits, counts):
        events_of = Counter(Event.objects.values_list("event_type", "hit_id"))
        noted = Counter(event_type for event_type, _hit_id in events_of.elements())
        status = Counter(Assignment.objects.values_list("status", flat=True))
        decided = Counter(Decision.objects.values_list("to_status", flat=True))
        assert noted["AssignmentAccepted"] == Assignment.objects.count()
        assert noted["AssignmentSubmitted"] == sum(status[listed] for listed in Assignment.LISTED)
        assert noted["AssignmentReturned"] == status[STATUS.RETURNED]
        assert noted["AssignmentAbandoned"] == status[STATUS.ABANDONED]
        assert noted["AssignmentApproved"] == decided[STATUS.APPROVED]
        assert noted["AssignmentRejected"] == decided[STATUS.REJECTED]
        assert noted["HITCreated"] == len(hits)
        assert noted["HITDisposed"] == sum(hit.stage == HIT.Stage.DISPOSED for hit in hits)
        for hit in hits:
            is_reviewable = hit.status(counts.get(hit.pk, Counts()).pending) == HIT.Status.REVIEWABLE
            times = events_of["HITReviewable", hit.hit_id]
            was_reviewable, before = self.reviewable.get(hit.pk, (False, 0))
            if is_reviewable:
                assert times == before if was_reviewable else times == before + 1
            self.reviewable[hit.pk] = (is_reviewable, times)


@pytest.mark.slow
def test_counters_and_money_stay_right_whatever_happens():
    run_state_machine_as_test(
        Lifecycle,
        settings=settings(
            max_examples=40, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
