"""Searching, filtering and ordering the list of HIT groups, and what a card says of time and requester."""

import re
from datetime import timedelta
from urllib.parse import unquote

import pytest
from django.utils import timezone

from marketplace.models import HIT, Assignment, HITType, Rating
from marketplace.services import board, pace

pytestmark = pytest.mark.slow

DAY = 86400
NOVICES_OFF = [{"QualificationTypeId": "00000000000000000040", "Comparator": "GreaterThan", "IntegerValues": [100]}]


def group(requester, reward="0.10", minutes=10, hits=1, **changes) -> str:
    """The HITTypeId of a new group with so many HITs."""
    hit_type = requester.hit_type(Reward=reward, AssignmentDurationInSeconds=minutes * 60, **changes)
    for _ in range(hits):
        requester.hit(hit_type, MaxAssignments=9)
    return hit_type


def done(requester, workers, hit_type: str, seconds: list[int]) -> None:
    """Approved submissions of ``hit_type`` that took so long, by ``workers`` in turn."""
    row = HITType.objects.get(type_id=hit_type)
    for index, taken in enumerate(seconds):
        hit = requester.hit(hit_type)
        HIT.objects.filter(hit_id=hit["HITId"]).update(open_places=0)
        now = timezone.now()
        Assignment.objects.create(
            hit=HIT.objects.get(hit_id=hit["HITId"], hit_type=row),
            worker=workers[index % len(workers)].profile,
            status="approved",
            accepted_at=now - timedelta(seconds=taken),
            deadline=now,
            submitted_at=now,
            auto_approve_at=now,
            approved_at=now,
        )


def test_the_list_is_ordered_as_asked(requester, worker):
    cheap = group(requester, "0.10", minutes=1)
    dear = group(requester, "2.00", minutes=60, hits=3)
    between = group(requester, "1.00", minutes=5, hits=2)
    assert worker.groups() == worker.groups(sort="newest") == [between, dear, cheap]
    assert worker.groups(sort="reward") == [dear, between, cheap]
    assert worker.groups(sort="hourly") == [between, dear, cheap], "none is measured: the newest first"
    assert worker.groups(sort="left") == [dear, between, cheap]


@pytest.mark.parametrize("sort", ["newest", "reward", "hourly", "left"])
def test_every_order_goes_through_all_pages_once(requester, worker, monkeypatch, sort):
    monkeypatch.setattr(board, "PAGE_SIZE", 2)
    made = {
        group(requester, reward, hits=hits) for reward, hits in (("1.00", 1), ("0.50", 2), ("1.00", 2), ("0.05", 1))
    }
    made |= {group(requester, "1.00")}
    seen, address = [], f"/projects/?sort={sort}&qualified=1"
    while address:
        page = worker.client.get(address).content.decode()
        seen += re.findall(r'data-hit-type-id="(\w+)"', page)
        further = re.search(r'rel="next" href="([^"]+)"', page)
        address = further and "/projects/" + unquote(further[1]).replace("&amp;", "&")
    assert (len(seen), set(seen)) == (5, made)


def test_groups_are_left_out_that_pay_less_than_wanted(requester, worker):
    slow = group(requester, "1.00", minutes=60)
    quick = group(requester, "0.99", minutes=6)
    assert worker.groups(reward="1.00") == [slow]
    assert worker.groups(reward="0.99") == [quick, slow]
    assert worker.groups(hourly="0.01") == [], "nothing is measured yet"


def test_only_what_the_worker_may_accept_is_shown_if_they_want_that(requester, worker, new_worker):
    closed = group(requester, QualificationRequirements=NOVICES_OFF)
    opened = group(requester)
    assert worker.groups() == [opened, closed]
    assert worker.groups(qualified="1") == [opened]
    assert new_worker(approved=5000).groups(qualified="1") == [opened, closed]


def test_many_groups_for_others_are_passed_by_without_end_or_loss(requester, worker, monkeypatch):
    monkeypatch.setattr(board, "PAGE_SIZE", 1)
    monkeypatch.setattr(board, "ROUNDS", 2)
    mine = group(requester)
    for _ in range(7):
        group(requester, QualificationRequirements=NOVICES_OFF)
    address, pages = "/projects/?qualified=1", 0
    while address:
        page = worker.client.get(address).content.decode()
        pages += 1
        if found := re.findall(r'data-hit-type-id="(\w+)"', page):
            break
        assert "there is more to look through" in page
        address = "/projects/" + re.search(r'rel="next" href="([^"]+)"', page)[1].replace("&amp;", "&")
    assert (found, pages) == ([mine], 2)


def test_one_requesters_groups_alone(requester, new_requester, worker):
    mine = group(requester)
    other = new_requester(name="Lab of Rivers")
    theirs = group(other)
    page = worker.client.get("/projects/", {"requester": other.customer_id}).content.decode()
    assert re.findall(r'data-hit-type-id="(\w+)"', page) == [theirs]
    assert "Only work by Lab of Rivers." in page
    assert worker.groups() == [theirs, mine]
    assert worker.groups(requester="A" + "0" * 13) == []


@pytest.mark.parametrize(
    "query",
    [
        "reward=x",
        "reward=-1",
        "reward=1e9",
        "reward=NaN",
        "reward=" + "9" * 400,
        "hourly=%00",
        "sort=best",
        "requester=%27",
        "q=%00",
        "before=1-",
        "before=9.99-3",
        "sort=left&before=999999999999999999-1",
    ],
)
def test_what_cannot_be_looked_for_is_left_out(requester, worker, query):
    hit_type = group(requester)
    page = worker.client.get(f"/projects/?{query}")
    assert page.status_code == 200
    if "before" not in query:
        assert hit_type in page.content.decode()
    if query == "reward=x":
        assert "Write an amount such as 7.50." in page.content.decode()


def test_the_way_back_from_a_preview_is_the_list_as_it_was(requester, worker):
    group(requester, "1.00")
    page = worker.client.get("/projects/?sort=reward&reward=0.50&before=x&evil=1").content.decode()
    address = re.search(r'<h2[^>]*><a href="([^"]+)"', page)[1].replace("&amp;", "&")
    assert address.endswith("?reward=0.50&sort=reward")
    preview = worker.client.get(address).content.decode()
    assert 'href="/projects/?reward=0.50&amp;sort=reward"' in preview


def test_returning_a_hit_leads_to_the_list_as_it_was(requester, worker):
    group(requester, "1.00")
    found_by = {"reward": "0.50", "sort": "reward"}
    card = worker.client.get("/projects/", found_by).content.decode()
    preview = worker.client.get(re.search(r'<h2[^>]*><a href="([^"]+)"', card)[1].replace("&amp;", "&"))
    for page in (card, preview.content.decode()):
        form = re.search(r'<form method="post" action="([^"]+)" data-action="accept">(.*?)</form>', page, re.S)
        fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form[2]))
        assert {name: fields.get(name) for name in found_by} == found_by
        working = worker.client.post(form[1], fields).url
        assert worker.client.get(working).status_code == 200
        assert worker.give_back(working).url == "/projects/?reward=0.50&sort=reward"
    plain = worker.client.post(form[1], {"sort": "nonsense"}).url
    assert worker.give_back(plain).url == "/projects/"


def test_the_hourly_pay_is_measured_where_enough_have_done_the_work(requester, new_worker, pass_time):
    workers = [new_worker() for _ in range(3)]
    hit_type = group(requester, "1.00", minutes=60)
    done(requester, workers, hit_type, [100] * 4 + [240] + [900] * 4)
    page = lambda: workers[0].client.get("/projects/").content.decode()  # noqa: E731
    assert "up to 1 h" in page()
    assert "data-hourly" not in page(), "the time allowed makes no rate"
    done(requester, workers, hit_type, [240])
    assert "data-hourly" not in page(), "not measured anew with every look"
    pass_time(601)
    assert "$15.00 an hour" in page()  # 240 s
    assert "median of 10 approved, by 3 workers" in page()
    assert "Time allowed" not in page()


def test_one_quick_worker_is_no_measure(requester, worker):
    hit_type = group(requester, "1.00", minutes=60)
    done(requester, [worker], hit_type, [10] * pace.ENOUGH_SUBMISSIONS)
    assert "data-hourly" not in worker.client.get("/projects/").content.decode()


def test_measured_pay_orders_and_filters(requester, new_worker):
    workers = [new_worker() for _ in range(3)]
    measured = group(requester, "1.00", minutes=60)
    allotted = group(requester, "1.00", minutes=10)
    assert workers[0].groups(sort="hourly") == [allotted, measured]  # the newest first
    done(requester, workers, measured, [60] * 10)
    hook_later = timedelta(minutes=11)
    pace.measure_stale(timezone.now() + hook_later)
    assert workers[0].groups(sort="hourly") == [measured, allotted]
    assert workers[0].groups(hourly="59") == [measured]
    assert workers[0].groups(hourly="61") == []


def test_a_requesters_marks_show_when_enough_workers_gave_them_and_the_day_is_over(requester, new_worker, pass_time):
    workers = [new_worker() for _ in range(4)]
    hit_type = requester.hit_type()
    hits = [requester.hit(hit_type, MaxAssignments=5) for _ in range(2)]
    for person, pay in zip(workers[:3], (1, 2, 5), strict=True):
        assignment = Assignment.objects.get(assignment_id=person.do(hits[0]))
        Rating.objects.create(
            assignment=assignment,
            worker=person.profile,
            hit_type=HITType.objects.get(),
            requester=HITType.objects.get().requester,
            pay=pay,
            clarity=4,
            created_at=timezone.now(),
            changed_at=timezone.now(),
        )
    page = lambda: workers[3].client.get("/projects/").content.decode()  # noqa: E731
    assert "not rated by enough workers yet" in page()
    pass_time(DAY)
    requester.hit(hit_type)
    assert "3 workers rate the pay 2.7 of 5, the instructions 4.0" in page()
    Rating.objects.order_by("id").first().delete()
    assert "not rated by enough workers yet" in page()


def test_the_list_takes_as_many_queries_for_many_groups_as_for_one(
    requester, worker, django_assert_max_num_queries, settings
):
    for number in range(12):
        kind = requester.mturk.create_qualification_type(
            Name=f"Kind {number}", Description="x", QualificationTypeStatus="Active"
        )["QualificationType"]["QualificationTypeId"]
        group(
            requester, QualificationRequirements=[*NOVICES_OFF, {"QualificationTypeId": kind, "Comparator": "Exists"}]
        )
    worker.client.get("/projects/")
    settings.MARKETPLACE_TEST_HOOKS = False  # so without the query for the tests' clock
    # The session, the worker, the groups and whom they are kept for; their grants, their history and the types' names.
    for query in ("", "?sort=left&qualified=1", "?sort=reward&reward=0.01&q=write"):
        with django_assert_max_num_queries(7):
            worker.client.get(f"/projects/{query}")
    with django_assert_max_num_queries(8):  # and whether anything is to be measured
        worker.client.get("/projects/?sort=hourly")
