"""Long lists come in pages, none of which is lost or given twice."""

from datetime import timedelta

import pytest
from django.utils import timezone

from marketplace.models import HIT, Assignment, User, WorkerProfile

from .conftest import id_in, submit, turk_code

pytestmark = pytest.mark.slow


def submit_many(hit: dict, number: int) -> None:
    users = User.objects.bulk_create(User(username=f"many-{index}") for index in range(number))
    workers = WorkerProfile.objects.bulk_create(WorkerProfile(user=user) for user in users)
    row = HIT.objects.get(hit_id=hit["HITId"])
    now = timezone.now()
    # Two by two at the same moment, so that the order has ties to break.
    times = [now + timedelta(seconds=index // 2) for index in range(number)]
    Assignment.objects.bulk_create(
        Assignment(
            hit=row,
            worker=worker,
            status="submitted",
            accepted_at=now,
            deadline=now,
            submitted_at=when,
            auto_approve_at=when + timedelta(days=30),
        )
        for worker, when in zip(workers, times, strict=True)
    )
    HIT.objects.filter(pk=row.pk).update(open_places=row.max_assignments - number)


def test_261_submissions_are_all_fetched_and_once(requester):
    hit = requester.hit(MaxAssignments=300)
    submit_many(hit, 261)
    pages = requester.mturk.get_paginator("list_assignments_for_hit").paginate(
        HITId=hit["HITId"], PaginationConfig={"PageSize": 100}
    )
    sizes, ids = [], []
    for page in pages:
        sizes.append(page["NumResults"])
        ids += [row["AssignmentId"] for row in page["Assignments"]]
    assert sizes == [100, 100, 61]
    assert len(ids) == len(set(ids)) == 261


@pytest.mark.parametrize("number", [9, 10, 11])
def test_a_page_has_10_rows_unless_asked_and_the_last_has_no_token(requester, number):
    hit_type = requester.hit_type()
    for _ in range(number):
        requester.hit(hit_type)
    first = requester.mturk.list_hits()
    assert first["NumResults"] == len(first["HITs"]) == min(number, 10)
    assert ("NextToken" in first) == (number > 10)


def test_hits_come_newest_first_through_all_pages(requester):
    hit_type = requester.hit_type()
    made = [requester.hit(hit_type)["HITId"] for _ in range(7)]
    pages = requester.mturk.get_paginator("list_hits").paginate(PaginationConfig={"PageSize": 3})
    assert [hit["HITId"] for page in pages for hit in page["HITs"]] == made[::-1]


def test_what_is_submitted_while_paging_is_not_lost(requester, new_worker):
    hit = requester.hit(MaxAssignments=4)
    slow = new_worker()
    held = slow.accept(hit)
    done = [new_worker().do(hit) for _ in range(2)]
    page = requester.mturk.list_assignments_for_hit(HITId=hit["HITId"], MaxResults=1)
    submit(id_in(held), q="accepted first, submitted last")
    seen = [page["Assignments"][0]["AssignmentId"]]
    while token := page.get("NextToken"):
        page = requester.mturk.list_assignments_for_hit(HITId=hit["HITId"], MaxResults=1, NextToken=token)
        seen += [row["AssignmentId"] for row in page["Assignments"]]
    assert seen == [*done, id_in(held)]


def test_a_token_is_good_for_its_own_list_alone(requester, new_requester):
    hit_type = requester.hit_type()
    for _ in range(3):
        requester.hit(hit_type)
    token = requester.mturk.list_hits(MaxResults=1)["NextToken"]
    assert requester.mturk.list_hits(MaxResults=1, NextToken=token)["NumResults"] == 1
    forged = token[:-2] + ("AA" if token[-2:] != "AA" else "BB")
    for call in (
        lambda: requester.refusal("list_hits", NextToken=forged),
        lambda: requester.refusal("list_hits", NextToken="x"),
        lambda: requester.refusal("list_hits", NextToken="é" * 30),
        lambda: requester.refusal("list_hits", NextToken="t" * 256),
        lambda: requester.refusal("list_reviewable_hits", NextToken=token),
        lambda: new_requester().refusal("list_hits", NextToken=token),
    ):
        assert turk_code(call()) == "InvalidParameterValue"


def test_tokens_fit_their_255_characters(requester):
    hit = requester.hit(MaxAssignments=5)
    submit_many(hit, 2)
    token = requester.mturk.list_assignments_for_hit(HITId=hit["HITId"], MaxResults=1)["NextToken"]
    assert len(token) <= 255


def test_lists_show_only_what_is_the_callers(requester, new_requester):
    requester.hit()
    assert new_requester().mturk.list_hits()["HITs"] == []
