"""Many workers at one moment: the database settles who gets what."""

import threading
from collections.abc import Callable

import pytest
from django.db import connection, transaction

from marketplace import clock
from marketplace.models import HIT, Assignment, HITType
from marketplace.services import assignments, overdue

from .conftest import id_in, submit
from .test_money import check_books

pytestmark = pytest.mark.slow

SECONDS = 20  # no thread may wait longer


def at_once(*acts: Callable[[], object]) -> list:
    """Run ``acts`` in threads that start together; return what each returned or raised."""
    results: list = [None] * len(acts)
    start = threading.Barrier(len(acts))

    def run(index: int) -> None:
        try:
            start.wait(SECONDS)
            results[index] = acts[index]()
        except Exception as error:  # the test looks at it
            results[index] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[index]) for index in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS)
        assert not thread.is_alive()
    return results


def test_of_two_workers_one_gets_the_last_place_in_each_of_20_rounds(requester, new_worker):
    workers = [new_worker(), new_worker()]
    for _ in range(20):
        hit = requester.hit()
        answers = at_once(*(lambda worker=worker, hit=hit: worker.try_accept(hit) for worker in workers))
        assert sorted(answer.status_code for answer in answers) == [302, 409]
        assert Assignment.objects.filter(hit__hit_id=hit["HITId"]).count() == 1
        for assignment in Assignment.objects.held():
            submit(assignment.assignment_id, q="a")


def test_of_two_workers_each_gets_a_place_while_there_are_two(requester, new_worker):
    workers = [new_worker(), new_worker()]
    hit_type = requester.hit_type()
    for places in ({"MaxAssignments": 2}, {}) * 5:
        for _ in range(1 if places else 2):
            hit = requester.hit(hit_type, **places)
        answers = at_once(*(lambda worker=worker, hit=hit: worker.try_accept(hit) for worker in workers))
        assert [answer.status_code for answer in answers] == [302, 302]
        for assignment in Assignment.objects.held():
            submit(assignment.assignment_id, q="a")


def test_a_place_is_waited_for_while_its_hit_is_locked(requester, worker):
    """Skipping locked HITs must not tell a worker that nothing is left when there are places enough."""
    hit = requester.hit(MaxAssignments=2)
    is_locked, may_end = threading.Event(), threading.Event()

    def hold():
        with transaction.atomic():
            HIT.objects.select_for_update().get(hit_id=hit["HITId"])
            is_locked.set()
            return may_end.wait(SECONDS)

    def take():
        assert is_locked.wait(SECONDS)
        return worker.try_accept(hit).status_code

    def end_when_somebody_waits():
        waiting = (
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        with connection.cursor() as cursor:
            while not may_end.is_set():
                cursor.execute(waiting)
                if cursor.fetchone()[0]:
                    may_end.set()
                may_end.wait(0.02)

    assert at_once(hold, take, end_when_somebody_waits) == [True, 302, None]


def test_eight_workers_save_to_different_hits_at_once(requester, new_worker):
    hit_type = requester.hit_type()
    workers = [new_worker() for _ in range(8)]
    hits = [requester.hit(hit_type) for _ in workers]
    hit = hits[0]  # any of the group: the site picks
    answers = at_once(*(lambda worker=worker, hit=hit: worker.try_accept(hit) for worker in workers))
    assert {answer.status_code for answer in answers} == {302}
    ids = [id_in(answer.url) for answer in answers]
    sent = at_once(*(lambda assignment_id=assignment_id: submit(assignment_id, q="a") for assignment_id in ids))
    assert {answer.status_code for answer in sent} == {200}
    assert Assignment.objects.filter(status="submitted").values("hit").distinct().count() == 8


def test_16_workers_at_5_places_fill_exactly_5(requester, new_worker):
    hit = requester.hit(MaxAssignments=5)
    workers = [new_worker() for _ in range(16)]
    answers = at_once(*(lambda worker=worker, hit=hit: worker.try_accept(hit) for worker in workers))
    assert sorted(answer.status_code for answer in answers) == [302] * 5 + [409] * 11
    assert requester.counters(hit) == ("Unassignable", 0, 5, 0)


def test_one_worker_in_four_tabs_gets_four_hits_or_less_and_none_twice(requester, worker):
    hit_type = requester.hit_type()
    hits = [requester.hit(hit_type, MaxAssignments=3) for _ in range(3)]
    row = HITType.objects.get(type_id=hit_type)
    take = lambda: assignments.accept(worker.profile, row, clock.now())  # noqa: E731
    results = at_once(*[take] * 4)
    taken = [result[0] for result in results if isinstance(result, tuple)]
    refused = [result for result in results if not isinstance(result, tuple)]
    assert len(taken) == len(set(taken)) == 3
    assert [refusal.reason.value for refusal in refused] == ["nothing_left"]
    assert {requester.counters(hit)[1:3] for hit in hits} == {(2, 1)}


def test_a_submit_and_a_return_at_once_have_one_winner(requester, worker):
    hit_type = requester.hit_type()
    for _ in range(10):
        hit = requester.hit(hit_type)
        address = worker.accept(hit)
        sent, returned = at_once(
            lambda address=address: submit(id_in(address), q="a"), lambda address=address: worker.give_back(address)
        )
        assert returned.status_code == 302
        row = Assignment.objects.get(assignment_id=id_in(address))
        assert (sent.status_code, row.status) in {(200, "submitted"), (410, "returned")}
        assert HIT.objects.get(pk=row.hit_id).open_places == (1 if row.status == "returned" else 0)
        HIT.objects.filter(pk=row.hit_id).update(open_places=0)


def test_decisions_at_once_pay_once(new_requester, new_worker):
    requester = new_requester(funds="10.00")
    hit = requester.hit(MaxAssignments=5)
    for _ in range(5):
        assignment_id = new_worker().do(hit)
        decide = {"AssignmentId": assignment_id}
        results = at_once(
            *[lambda decide=decide: requester.mturk.approve_assignment(**decide)] * 3,
            *[lambda decide=decide: requester.mturk.reject_assignment(**decide, RequesterFeedback="No")] * 3,
        )
        assert sum(isinstance(result, dict) for result in results) == 1
    check_books()


def test_four_sweeps_at_once_settle_each_row_once(new_requester, new_worker, pass_time):
    requester = new_requester(funds="10.00")
    hit = requester.hit(requester.hit_type(AutoApprovalDelayInSeconds=60), MaxAssignments=8, LifetimeInSeconds=300)
    for _ in range(3):
        new_worker().do(hit)
    for _ in range(3):
        new_worker().accept(hit)
    pass_time(700)
    now = clock.now()
    assert at_once(*[lambda: overdue.settle(now)] * 4) == [None] * 4
    assert requester.counters(hit) == ("Reviewable", 0, 0, 3)
    assert requester.balance() == ("9.64", "0.00")
    check_books()


def test_taking_and_expiring_at_once_never_leave_places_on_an_expired_hit(new_requester, new_worker):
    requester = new_requester(funds="100.00")
    hit_type = requester.hit_type()
    workers = [new_worker() for _ in range(3)]
    for _ in range(8):
        hit = requester.hit(hit_type, MaxAssignments=3)
        expire = lambda hit=hit: requester.mturk.update_expiration_for_hit(HITId=hit["HITId"], ExpireAt=0)  # noqa: E731
        at_once(expire, *(lambda worker=worker, hit=hit: worker.try_accept(hit) for worker in workers))
        row = HIT.objects.get(hit_id=hit["HITId"])
        assert row.open_places == 0
        for assignment in Assignment.objects.held():
            submit(assignment.assignment_id, q="a")
            requester.mturk.approve_assignment(AssignmentId=assignment.assignment_id)
    check_books()
    assert requester.balance()[1] == "0.00"
