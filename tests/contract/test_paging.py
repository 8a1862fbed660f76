"""Long lists in pages."""

import pytest

from .facts import DOCS, INFERRED, MODEL, OURS, SEEN, WIRE, cites

FACTS = "Pagination"


@cites("ListHITs", "boto3's paginator ends where NextToken is absent; NumResults counts the page", WIRE)
@cites("ListHITs", "newest first", OURS)
def test_all_hits_come_once_each_newest_first(requester):
    hit_type = requester.hit_type()
    made = [requester.hit(hit_type)["HITId"] for _ in range(5)]
    pages = requester.mturk.get_paginator("list_hits").paginate(PaginationConfig={"PageSize": 2, "MaxItems": 5})
    seen = [hit["HITId"] for page in pages for hit in page["HITs"]]
    assert seen == made[::-1]
    first = requester.mturk.list_hits(MaxResults=2)
    assert (first["NumResults"], len(first["HITs"])) == (2, 2)


@cites("ListHITs", "a page has 10 results where MaxResults is not given", SEEN)
def test_a_page_has_ten_where_nothing_is_said(requester):
    hit_type = requester.hit_type()
    for _ in range(11):
        requester.hit(hit_type)
    page = requester.mturk.list_hits()
    assert page["NumResults"] == 10
    assert page["NextToken"]


@cites("ListAssignmentsForHIT", "a list that ends with a full page has no further token", INFERRED)
def test_a_list_that_ends_with_a_full_page_has_no_token(requester):
    hit_type = requester.hit_type()
    for _ in range(2):
        requester.expire(requester.hit(hit_type))
    page = requester.mturk.list_reviewable_hits(HITTypeId=hit_type, MaxResults=2)
    assert page["NumResults"] == 2
    assert "NextToken" not in page


@cites("ListHITs", "what comes while a list is read makes nothing appear twice or go missing", OURS)
def test_a_list_that_grows_while_it_is_read_stays_whole(requester):
    hit_type = requester.hit_type()
    made = [requester.hit(hit_type)["HITId"] for _ in range(4)]
    first = requester.mturk.list_hits(MaxResults=2)
    requester.hit(hit_type)
    second = requester.mturk.list_hits(MaxResults=2, NextToken=first["NextToken"])
    assert [hit["HITId"] for page in (first, second) for hit in page["HITs"]] == made[::-1]


@pytest.mark.parametrize("token", ["nonsense", "x" * 255], ids=["nonsense", "255"])
@cites("ListHITs", "a token has 1 to 255 characters", MODEL)
@cites("ListHITs", "one that the list did not give is refused", INFERRED)
def test_a_token_of_nowhere_is_refused(requester, token):
    assert requester.refused("list_hits", NextToken=token) == "InvalidParameterValue"
    assert requester.refused("list_hits", NextToken="x" * 256) == "InvalidParameterValue"


@cites("ListHITs", "a token is good for the list and the account that gave it", INFERRED)
def test_a_token_is_of_one_list_and_one_account(requester, stranger):
    hit_type = requester.hit_type()
    for _ in range(2):
        requester.expire(requester.hit(hit_type))
    token = requester.mturk.list_hits(MaxResults=1)["NextToken"]
    assert requester.refused("list_reviewable_hits", NextToken=token) == "InvalidParameterValue"
    assert stranger.refused("list_hits", NextToken=token) == "InvalidParameterValue"
    assert requester.mturk.list_hits(MaxResults=1, NextToken=token)["NumResults"] == 1


PAGED = [
    "list_assignments_for_hit",
    "list_bonus_payments",
    "list_hits",
    "list_hits_for_qualification_type",
    "list_qualification_requests",
    "list_qualification_types",
    "list_reviewable_hits",
    "list_worker_blocks",
    "list_workers_with_qualification_type",
]


@pytest.mark.parametrize("operation", PAGED)
@cites("Operations", "the lists for which boto3 has a paginator", MODEL)
def test_an_empty_list_is_an_empty_page(requester, operation):
    hit, own = requester.hit()["HITId"], requester.qualification_type()
    asks_for = {
        "list_assignments_for_hit": {"HITId": hit},
        "list_bonus_payments": {"HITId": hit},
        "list_hits_for_qualification_type": {"QualificationTypeId": own},
        "list_qualification_requests": {"QualificationTypeId": own},
        "list_qualification_types": {"MustBeRequestable": True, "MustBeOwnedByCaller": True, "Query": "no such"},
        "list_reviewable_hits": {"HITTypeId": requester.hit_type()},
        "list_workers_with_qualification_type": {"QualificationTypeId": own},
    }
    pages = list(requester.mturk.get_paginator(operation).paginate(**asks_for.get(operation, {})))
    assert pages[0]["NumResults"] == len(next(rows for rows in pages[0].values() if isinstance(rows, list)))
    assert "NextToken" not in pages[-1]


@cites("ListQualificationTypes", "the system's own types are listed too, unless MustBeOwnedByCaller", DOCS)
def test_qualification_types_are_listed_in_pages(requester):
    for _ in range(3):
        requester.qualification_type()
    owned = {"MustBeRequestable": False, "MustBeOwnedByCaller": True}
    pages = list(requester.mturk.get_paginator("list_qualification_types").paginate(**owned, MaxResults=2))
    ids = [row["QualificationTypeId"] for page in pages for row in page["QualificationTypes"]]
    assert len(ids) == len(set(ids)) >= 3
