"""One run of a project through everything that can go wrong, as a hypothesis state machine.

Steps are what requesters, workers, operators, jobs and the endpoint do; after them the faults end, everything settles,
and the books must be right. The marketplace is a real process, and the client is the product's own.
"""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from contextlib import suppress
from datetime import timedelta
from decimal import Decimal
from itertools import count
from typing import Any

from botocore.exceptions import ClientError
from django.db import connections
from django.db.models import F
from django.utils import timezone
from hypothesis import note
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from annotation.models import Assignment, Draft, LostRace, Paragraph, Worker
from hits import endpoints, mturk
from hits.models import HIT, Act, AssignmentDecision, Batch, Bonus, EndpointStanding, LedgerEntry
from hits.services import acting, bonuses, caps, deciding, ending, launching, publishing, syncing, topping_up
from hits.services.batch_life import NotDone
from hits.services.planning import NotLaunchable
from tests.annotation.factories import make_article, make_paragraph, make_project
from tests.crowd import Crowd

from .conftest import writing
from .test_at_once import at_once

FAULTS = ("timeout_after", "drop_after", "error_500_after", "error_500_before", "throttle", "slow")
OPERATIONS = (
    "*",
    "CreateHITType",
    "CreateHITWithHITType",
    "ListHITs",
    "GetHIT",
    "ListAssignmentsForHIT",
    "ApproveAssignment",
    "RejectAssignment",
    "GetAssignment",
    "SendBonus",
    "ListBonusPayments",
    "UpdateExpirationForHIT",
    "CreateAdditionalAssignmentsForHIT",
    "AssociateQualificationWithWorker",
    "CreateQualificationType",
    "GetAccountBalance",
)
# What jobs meet while things go wrong; Celery would log it and come back.
TROUBLE = (mturk.Unavailable, mturk.Rejected, LostRace)
HOUR = 3600
SETTLING_ROUNDS = 40
ONE_ANSWER = {"start": 22, "end": 26, "text": "1742"}
numbers = count(1)
run = os.getpid()


class Survival(RuleBasedStateMachine):
    """``site`` is the marketplace's address, ``configuration`` pytest-django's settings, ``workers`` signed-in ones."""

    site: str
    configuration: Any
    workers: list

    @initialize(paragraphs=st.integers(1, 4), writers=st.integers(1, 2), funds=st.sampled_from(["0.80", "4.00", "90"]))
    def begin(self, paragraphs, writers, funds):
        quiesce()
        self.key = f"crowd-{run}-{next(numbers)}"
        self.crowd = Crowd(self.site, funds=funds)
        self.put_in = Decimal(funds)
        self.crowd.become_endpoint(self.configuration)
        self.configuration.CROWD_ENDPOINTS = {self.key: self.configuration.CROWD_ENDPOINTS["marketplace"]}
        endpoints.all_endpoints.cache_clear()
        self.project = make_project(spending_cap_usd=500, writers_per_paragraph=writers)
        article = make_article(self.project)
        for _ in range(paragraphs):
            make_paragraph(article=article)
        self.held: list[tuple] = []
        self.submitted: set[str] = set()
        self.exact = True  # nobody asked for more than the project wants, nor let more in behind our back

    # What the requester does.

    @rule(units=st.integers(1, 2))
    def launch(self, units):
        with suppress(NotLaunchable):
            launching.launch(self.project, writing(endpoint=self.key, units_per_hit=units), user=None)

    @rule(data=st.data(), kind=st.sampled_from(["approve", "approve", "reject"]))
    def decide(self, data, kind):
        waiting = self.assignments().filter(status__in=["submitted", "rejected"])
        if chosen := pick(data, waiting):
            with suppress(deciding.OverCap):
                deciding.decide([chosen], kind, None, "None of the answers is in the text.")

    @rule(data=st.data(), places=st.integers(1, 2))
    def add_places(self, data, places):
        if batch := pick(data, self.batches()):
            with suppress(NotDone, caps.OverCap, caps.NotRaisable):
                topping_up.add_places(batch, None, places)
                self.exact = False

    @rule(data=st.data())
    def add_time(self, data):
        if batch := pick(data, self.batches()):
            with suppress(NotDone, caps.OverCap, caps.NotRaisable):
                topping_up.add_time(batch, None, 24)
                self.exact = False  # while a place is lost and not yet seen to be, another batch may replace it

    @rule(data=st.data())
    def end(self, data):
        if batch := pick(data, self.batches()):
            with suppress(NotDone, LostRace):
                ending.end(batch, None)

    @rule(data=st.data(), cents=st.integers(1, 300))
    def ask_for_bonus(self, data, cents):
        if chosen := pick(data, self.assignments().filter(status__in=["approved", "rejected"])):
            wish = bonuses.Wish(chosen, Decimal(cents) / 100, f"Thank you, for the {cents}th time.")
            batch = Batch.objects.get(hits__offer=chosen.offer_id)
            with suppress(bonuses.NotPayable, caps.OverCap):
                caps.raise_cap(batch, batch.cap_usd + 5, "For bonuses.", None)
                bonuses.ask(batch, [wish], None)

    @rule(data=st.data())
    def pause(self, data):
        if batch := pick(data, self.batches().filter(status="publishing")):
            publishing.pause(batch)

    @rule(data=st.data())
    def resume(self, data):
        if batch := pick(data, self.batches().filter(status="paused")):
            publishing.resume(batch)

    # What the jobs do.

    @rule(connections=st.sampled_from([1, 3]))
    def publish(self, connections):
        for batch in self.batches():
            with suppress(*TROUBLE):
                publishing.publish(batch, connections=connections)

    @rule()
    def publish_twice_at_once(self):
        for batch in self.batches().filter(status="publishing"):
            self.all_at_once(*[lambda batch=batch: publishing.publish(batch)] * 2)

    @rule(milliseconds=st.integers(0, 250))
    def publish_and_be_killed(self, milliseconds):
        batch = self.batches().filter(status="publishing").first()
        if batch is not None:
            killed(lambda: publishing.publish(batch), milliseconds)

    @rule(milliseconds=st.integers(0, 150))
    def decide_and_be_killed(self, milliseconds):
        if AssignmentDecision.objects.to_carry_out().exists():
            killed(deciding.carry_out, milliseconds)

    @rule()
    def sync(self):
        with suppress(*TROUBLE):
            syncing.sync(self.key)

    @rule()
    def everything_at_once(self):
        jobs = [lambda batch=batch: publishing.publish(batch) for batch in self.batches().filter(status="publishing")]
        jobs += [lambda: syncing.sync(self.key)] * 2 + [deciding.carry_out] * 2 + [acting.carry_out, bonuses.send]
        self.all_at_once(*jobs)

    @rule()
    def claims_run_out(self):
        forget_claims()

    # What workers do.

    @rule(worker=st.integers(0, 3), then=st.sampled_from(["submit", "submit", "hold"]), pages=st.booleans())
    def accept(self, worker, then, pages):
        if held := self.take(self.workers[worker], has_page=pages):
            if then == "submit":
                self.submit(held)
            else:
                self.held.append(held)

    @precondition(lambda self: self.held)
    @rule(number=st.integers(0, 9), submits=st.booleans())
    def end_what_is_held(self, number, submits):
        held = self.held.pop(number % len(self.held))
        if submits:
            self.submit(held)
        else:
            held[0].give_back(held[2])

    # What happens to the endpoint, and behind our back.

    @rule(
        operation=st.sampled_from(OPERATIONS),
        faults=st.lists(st.sampled_from(FAULTS), max_size=3),
        times=st.integers(1, 3),
    )
    def faults(self, operation, faults, times):
        self.order(*[{"operation": operation, "fault": kind, "seconds": 1.3, "times": times} for kind in faults])

    @rule(active=st.booleans())
    def revoke_or_restore_the_key(self, active):
        self.crowd.hook("key", access_key=self.crowd.access_key, active=active)

    @rule()
    def add_funds(self):
        self.pay_in("3.00")

    @rule(data=st.data())
    def expire_behind_our_back(self, data):
        if hit := pick(data, self.published()):
            self.behind("update_expiration_for_hit", HITId=hit.mturk_hit_id, ExpireAt=0)

    @rule(data=st.data())
    def extend_behind_our_back(self, data):
        if hit := pick(data, self.published()):
            until = timezone.now() + timedelta(days=30)
            if self.behind("update_expiration_for_hit", HITId=hit.mturk_hit_id, ExpireAt=until):
                self.exact = False

    @rule(data=st.data())
    def add_places_behind_our_back(self, data):
        if hit := pick(data, self.published()):
            more = {"HITId": hit.mturk_hit_id, "NumberOfAdditionalAssignments": 1}
            if self.behind("create_additional_assignments_for_hit", **more):
                self.exact = False

    @rule(data=st.data())
    def delete_behind_our_back(self, data):
        if hit := pick(data, self.published()):
            # Decisions of which we had not heard when they went with their HIT cannot be learned from any call.
            with suppress(*TROUBLE):
                self.order()
                deciding.carry_out()
                bonuses.send()
                syncing.sync(self.key)
                self.behind("update_expiration_for_hit", HITId=hit.mturk_hit_id, ExpireAt=0)
                if self.knows_everything_of(hit):
                    self.behind("delete_hit", HITId=hit.mturk_hit_id)

    @rule(data=st.data(), what=st.sampled_from(["approve", "reject", "override"]))
    def decide_behind_our_back(self, data, what):
        if chosen := pick(data, self.assignments().filter(status__in=["submitted", "rejected"])):
            if what == "reject":
                self.behind("reject_assignment", AssignmentId=chosen.mturk_assignment_id, RequesterFeedback="No.")
            else:
                override = what == "override"
                self.behind("approve_assignment", AssignmentId=chosen.mturk_assignment_id, OverrideRejection=override)

    @rule(hours=st.sampled_from([-11, 1, 11]))
    def the_clocks_differ(self, hours):
        self.crowd.hook("clock", advance_seconds=hours * HOUR)

    @rule(hours=st.sampled_from([2, 26, 24 * 8]))
    def time_passes(self, hours):
        pass_time(self.crowd, timedelta(hours=hours))

    # In the end.

    def teardown(self):
        if not hasattr(self, "crowd"):
            return
        self.settle()
        self.check()
        self.crowd.hook("clock", reset=True)

    def settle(self):
        """No more faults: the jobs run, workers do what is on offer, and lost places are published again."""
        self.order()
        self.crowd.hook("key", access_key=self.crowd.access_key, active=True)
        self.pay_in("400.00")
        for held in self.held:
            self.submit(held)
        for number in range(SETTLING_ROUNDS):
            self.work_off()
            done = [self.submit(held) for worker in self.workers if (held := self.take(worker, has_page=True))]
            waiting = list(self.assignments().filter(status="submitted"))
            deciding.decide(waiting, "approve", None)
            if done or waiting or AssignmentDecision.objects.to_carry_out().exists():
                continue
            lacking = Paragraph.objects.needing_writers(self.project)
            if not lacking.exists() and not self.batches().exclude(status="closed").exists():
                note(f"settled after {number} rounds")
                return
            if lacking.exists():
                with suppress(NotLaunchable):
                    launching.launch(self.project, writing(endpoint=self.key), user=None)
            elif number > SETTLING_ROUNDS // 2:  # places beyond what is wanted, that these four workers may not take
                pass_time(self.crowd, timedelta(days=8))
        raise AssertionError(f"not settled: {self.standing()}")

    def work_off(self):
        forget_claims()
        a_while_passes()
        publishing.resume_what_can_go_on()
        for batch in self.batches().filter(status="paused"):
            publishing.resume(batch)
        for batch in self.batches().filter(status="publishing"):
            publishing.publish(batch)
        deciding.carry_out()
        acting.carry_out()
        bonuses.send()
        syncing.sync(self.key)

    def check(self):
        ledger = LedgerEntry.objects.filter(project=self.project)
        balance = self.crowd.mturk.get_account_balance()
        paid = self.put_in - Decimal(balance["AvailableBalance"]) - Decimal(balance["OnHoldBalance"])
        assert (ledger.reserved_usd(), Decimal(balance["OnHoldBalance"])) == (0, 0), self.standing()
        assert ledger.spent_usd() == paid, f"{ledger.spent_usd()} in the ledger, {paid} paid: {self.standing()}"
        for batch in self.batches():
            entries = LedgerEntry.objects.filter(batch=batch)
            assert entries.reserved_usd() == 0, f"batch {batch.pk}: {self.standing()}"
        annotations = Counter(hit["RequesterAnnotation"] for hit in self.crowd.hits())
        assert set(annotations.values()) <= {1}, f"more than one HIT of an annotation: {annotations}"
        assert set(annotations) <= {hit.annotation for hit in self.hits()}
        kept = set(
            self.assignments().filter(status__in=Assignment.LISTED).values_list("mturk_assignment_id", flat=True)
        )
        assert self.submitted == kept, f"missing {self.submitted - kept}, unknown {kept - self.submitted}"
        for paragraph in self.project.paragraphs.all():
            of_it = self.assignments().filter(task__task_paragraphs__paragraph=paragraph, status="approved")
            writers = of_it.filter(repeat_of=None)
            # Work that left no question, as its page was never open, is replaced by another writer's.
            useful = writers.filter(questions__paragraph=paragraph).distinct().count()
            wanted = self.project.writers_per_paragraph
            assert writers.count() >= wanted, f"{writers.count()} of {wanted}: {self.standing()}"
            assert useful <= wanted or not self.exact, f"{useful} useful of {wanted}: {self.standing()}"

    # Ways and means.

    def assignments(self):
        return Assignment.objects.filter(task__project=self.project).order_by("pk")

    def batches(self):
        return Batch.objects.filter(project=self.project).select_related("project").order_by("pk")

    def hits(self):
        return HIT.objects.filter(batch__project=self.project).order_by("pk")

    def published(self):
        return self.hits().exclude(mturk_hit_id="")

    def take(self, worker, *, has_page):
        """Accept the next HIT of this account; with the work page open, or without it ever having been."""
        types = set(self.batches().values_list("hit_types__mturk_hit_type_id", flat=True)) - {"", None}
        site, worker_id = worker
        for group in site.groups():
            if group.hit_type_id in types and group.may_accept and (held := site.accept(group.group_id)):
                if has_page:
                    open_page(self.key, held.frame_parameters, worker_id)
                return site, worker_id, held
        return None

    def submit(self, held):
        site, _, hit = held
        if site.submit(hit, {"receipt": "r"}):
            self.submitted.add(hit.frame_parameters["assignmentId"])
            return True
        return False

    def order(self, *faults):
        self.crowd.faults(*faults)

    def pay_in(self, amount):
        self.crowd.hook("funds", access_key=self.crowd.access_key, amount=amount)
        self.put_in += Decimal(amount)

    def behind(self, operation, **parameters):
        """Call as another program of the same account would, without faults; whether the endpoint did it."""
        self.order()
        with suppress(ClientError):
            getattr(self.crowd.mturk, operation)(**parameters)
            return True
        return False

    def knows_everything_of(self, hit):
        """Whether our rows say of ``hit`` what the endpoint does, and nothing is on its way about it."""
        with suppress(ClientError):
            listed = self.crowd.mturk.list_assignments_for_hit(HITId=hit.mturk_hit_id)["Assignments"]
            theirs = {one["AssignmentId"]: one["AssignmentStatus"].lower() for one in listed}
            rows = Assignment.objects.filter(offer=hit.offer_id)
            ours = dict(rows.values_list("mturk_assignment_id", "status"))
            waits = rows.filter(decisions__done_at__isnull=True, decisions__isnull=False).exists()
            pays = Bonus.objects.to_send().filter(assignment__in=rows).exists()
            return all(ours.get(pk) == status for pk, status in theirs.items()) and not (waits or pays)
        return False

    def all_at_once(self, *jobs):
        for outcome in at_once(*jobs):
            if isinstance(outcome, Exception) and not isinstance(outcome, TROUBLE):
                raise outcome

    def standing(self):
        return {
            "batches": list(self.batches().values_list("pk", "status", "problem")),
            "hits": list(self.hits().values_list("pk", "status", "mturk_hit_id", "max_assignments", "seen")),
            "work": list(self.assignments().values_list("mturk_assignment_id", "status", "offer__hit")),
            "acts": list(Act.objects.filter(batch__project=self.project).values_list("kind", "hit", "problem")),
            "ledger": list(
                LedgerEntry.objects.filter(project=self.project)
                .order_by("pk")
                .values_list("kind", "hit", "assignment", "amount_usd")
            ),
            "there": [
                {name: hit[name] for name in hit if name.startswith(("HITId", "HITStatus", "Max", "Number"))}
                for hit in self.crowd.hits()
            ],
        }


def pick(data, rows):
    found = list(rows[:20])
    return data.draw(st.sampled_from(found), label="which") if found else None


def open_page(endpoint, parameters, worker_id):
    """What the work page leaves here while a worker writes: the row, and a draft with a question."""
    hit = HIT.objects.filter(mturk_hit_id=parameters["hitId"]).select_related("offer__task").first()
    if hit is None:
        return  # its answer was lost: the page asks them to wait
    worker, _ = Worker.objects.get_or_create(endpoint=endpoint, mturk_worker_id=worker_id)
    assignment = Assignment.objects.create(
        offer=hit.offer, task=hit.offer.task, worker=worker, mturk_assignment_id=parameters["assignmentId"]
    )
    paragraphs = [
        {
            "id": paragraph.pk,
            "active_seconds": 60,
            "blocked_actions": 0,
            "questions": [
                {
                    "id": f"00000000-0000-4000-8000-{assignment.pk:06x}{paragraph.pk:06x}",
                    "text": "When was it built?",
                    "answer": ONE_ANSWER,
                }
            ],
        }
        for paragraph in hit.offer.task.task_paragraphs.all()
    ]
    Draft.objects.create(assignment=assignment, version=1, content={"paragraphs": paragraphs})


def killed(job, milliseconds):
    """Run ``job`` in a process of its own and kill that after so long, wherever it is by then."""
    connections.close_all()  # nothing may be shared with the child
    mturk.client.cache_clear()
    child = os.fork()
    if child == 0:
        with suppress(Exception):
            job()
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(milliseconds / 1000)
    with suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def forget_claims():
    """As if the minute that a claim lasts had passed."""
    for model in (HIT, AssignmentDecision, Act, Bonus):
        rows = model.objects.filter(done_at=None) if model is Act else model.objects  # what is done is never changed
        rows.exclude(claimed_until=None).update(claimed_until=None)


def a_while_passes():
    """On our side alone, as far as it decides what is looked at again."""
    hour = timedelta(hours=1, minutes=1)
    EndpointStanding.objects.update(looked_back_at=F("looked_back_at") - hour)
    HIT.objects.update(published_at=F("published_at") - hour, listed_at=F("listed_at") - hour)


def pass_time(crowd, span):
    """For both sides: the endpoint's clock goes on, and what we noted down is that much longer ago."""
    crowd.hook("clock", advance_seconds=int(span.total_seconds()))
    EndpointStanding.objects.update(looked_back_at=F("looked_back_at") - span)
    HIT.objects.update(
        first_attempt_at=F("first_attempt_at") - span,
        published_at=F("published_at") - span,
        expires_at=F("expires_at") - span,
        listed_at=F("listed_at") - span,
    )
    for rows in (Act.objects.filter(done_at=None), Bonus.objects.all()):
        rows.update(first_attempt_at=F("first_attempt_at") - span)
    forget_claims()


def quiesce():
    """What an earlier run left unfinished, because it failed, is no job of the next."""
    now = timezone.now()
    AssignmentDecision.objects.filter(done_at=None).update(done_at=now)
    Act.objects.filter(done_at=None).update(done_at=now)
    Bonus.objects.to_send().update(status="given_up")
    Batch.objects.update(waits_for="")
