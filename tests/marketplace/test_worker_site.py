"""The workers' pages, as forms and links (what a browser adds is in test_browser.py)."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.sessions.models import Session
from django.core.exceptions import PermissionDenied
from django.test import Client

from marketplace.models import Assignment
from marketplace.services import assignments, board

from .conftest import hook, id_in, question, submit

pytestmark = pytest.mark.slow


def frame_in(page: str) -> str:
    return re.search(r'<iframe[^>]*data-frame[^>]* src="([^"]+)"', page)[1].replace("&amp;", "&")


def parameters(address: str) -> dict:
    return {name: value for name, [value] in parse_qs(urlsplit(address).query, keep_blank_values=True).items()}


@pytest.mark.parametrize("address", ["/projects/", "/projects/3X/tasks", "/tasks/", "/earnings/"])
def test_pages_are_for_signed_in_workers(client, requester, worker, address):
    response = client.get(address)
    assert (response.status_code, response.url) == (302, f"/signin/?next={address}")
    assert worker.client.get(address).status_code in (200, 404)


def test_signing_in_leads_to_where_one_wanted_to_go(client, requester):
    account = hook("worker", username="Ada", password="correct horse")
    wrong = client.post("/signin/", {"username": "Ada", "password": "wrong"})
    assert wrong.status_code == 200
    assert "do not belong together" in wrong.content.decode()
    right = client.post(
        "/signin/?next=/earnings/", {"username": "ada", "password": account["password"], "next": "/earnings/"}
    )
    assert right.url == "/earnings/"
    assert client.get("/earnings/").status_code == 200
    client.post("/signout/")
    assert client.get("/earnings/").status_code == 302


def test_signing_in_never_leads_elsewhere(client, requester):
    account = hook("worker")
    values = {"username": account["username"], "password": account["password"], "next": "https://evil.example/"}
    assert client.post("/signin/", values).url == "/projects/"


def test_forms_need_their_token(worker, requester):
    hit = requester.hit()
    stranger = Client(enforce_csrf_checks=True)
    stranger.force_login(worker.profile.user)
    assert stranger.post(f"/projects/{hit['HITGroupId']}/tasks/accept_random").status_code == 403
    assert not Assignment.objects.exists()


def test_a_group_says_what_it_pays_and_what_is_left(requester, worker):
    hit_type = requester.hit_type(
        Title="Ask about <b>rivers</b>", Reward="1.50", AssignmentDurationInSeconds=1800, Keywords="rivers"
    )
    for _ in range(3):
        requester.hit(hit_type)
    page = worker.client.get("/projects/").content.decode()
    assert "Ask about &lt;b&gt;rivers&lt;/b&gt;" in page
    assert "$1.50" in page
    assert "30 min" in page
    assert "an hour" not in page.partition("<article")[2]  # nothing is measured yet
    assert 'data-left="3"' in page
    assert worker.groups(q="RIVERS") == [hit_type]
    assert worker.groups(q="lakes") == worker.groups(q="%") == []


def test_what_is_left_is_counted_to_a_cap(requester, worker, monkeypatch):
    monkeypatch.setattr(board, "LEFT_CAP", 2)
    hit_type = requester.hit_type()
    for _ in range(2):
        requester.hit(hit_type)
    assert "more than" not in worker.client.get("/projects/").content.decode()
    requester.hit(hit_type)
    assert "more than 2" in worker.client.get("/projects/").content.decode()


def test_a_worker_far_into_a_group_still_finds_what_is_left(requester, worker, monkeypatch):
    """Where others' places stay open on all that this worker did, the list and the pick look beyond it."""
    monkeypatch.setattr(board, "LEFT_CAP", 2)
    hit_type = requester.hit_type()
    hits = [requester.hit(hit_type, MaxAssignments=2) for _ in range(6)]
    for _ in range(4):
        worker.do(hits[0])
    assert worker.groups() == [hit_type]
    address = f"/projects/{hits[0]['HITGroupId']}/tasks"
    assert parameters(frame_in(worker.client.get(address).content.decode()))["hitId"] == hits[4]["HITId"]
    held = worker.accept(hits[0])
    worker.do(hits[0])
    assert worker.groups() == []
    worker.give_back(held)  # now the only one left lies before the last one taken
    assert worker.groups() == [hit_type]
    assert parameters(frame_in(worker.client.get(address).content.decode()))["hitId"] == hits[4]["HITId"]
    assert f"/tasks/{hits[4]['HITId']}?" in worker.accept(hits[0])


def test_groups_come_in_pages(requester, worker, monkeypatch):
    monkeypatch.setattr(board, "PAGE_SIZE", 2)
    made = [requester.hit()["HITTypeId"] for _ in range(5)]
    seen, query = [], ""
    while query is not None:
        page = worker.client.get(f"/projects/{query}").content.decode()
        seen += re.findall(r'data-hit-type-id="(\w+)"', page)
        older = re.search(r'rel="next" href="([^"]+)"', page)
        query = older and older[1]
    assert seen == made[::-1]


def test_a_group_is_listed_while_something_is_left_for_this_worker(requester, worker, new_worker, pass_time):
    hit = requester.hit(MaxAssignments=2)
    other = new_worker()
    worker.do(hit)
    assert (worker.groups(), other.groups()) == ([], [hit["HITTypeId"]])
    held = other.accept(hit)
    third = new_worker()
    assert third.groups() == []
    other.give_back(held)
    assert third.groups() == [hit["HITTypeId"]]
    other.accept(hit)
    pass_time(600)  # the other's time runs out, and nobody has looked since
    assert third.groups() == [hit["HITTypeId"]]
    pass_time(3600)
    assert third.groups() == []


def test_a_preview_shows_the_task_and_takes_nothing(requester, worker):
    hit = requester.hit(Question=question("http://requester.example/task?batch=7&kind=write#start"))
    page = worker.client.get(f"/projects/{hit['HITGroupId']}/tasks").content.decode()
    address = frame_in(page)
    assert address.endswith("#start")
    assert parameters(address) == {
        "batch": "7",
        "kind": "write",
        "assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE",
        "hitId": hit["HITId"],
    }
    assert requester.counters(hit) == ("Assignable", 1, 0, 0)
    assert worker.client.get(f"/projects/{hit['HITTypeId']}/tasks").status_code == 200
    refused = submit("ASSIGNMENT_ID_NOT_AVAILABLE", q="a")
    assert (refused.status_code, "This was a preview" in refused.content.decode()) == (403, True)
    assert not Assignment.objects.exists()


@pytest.mark.parametrize(
    ("url", "joined"),
    [
        ("http://r.example/t", "http://r.example/t?assignmentId="),
        ("http://r.example/t?", "http://r.example/t?assignmentId="),
        ("http://r.example/t?a=%20b&", "http://r.example/t?a=%20b&assignmentId="),
    ],
)
def test_parameters_are_appended_so_that_others_survive(requester, worker, url, joined):
    hit = requester.hit(Question=question(url))
    assert frame_in(worker.client.get(worker.accept(hit)).content.decode()).startswith(joined)


def test_an_accepted_hit_is_worked_on_in_a_sandboxed_frame(requester, worker, settings):
    hit = requester.hit(Question=question(height=777))
    address = worker.accept(hit)
    assert address.startswith(f"/projects/{hit['HITGroupId']}/tasks/{hit['HITId']}?assignment_id=")
    response = worker.client.get(address)
    page = response.content.decode()
    assert parameters(frame_in(page)) == {
        "batch": "7",
        "kind": "write",
        "assignmentId": id_in(address),
        "hitId": hit["HITId"],
        "workerId": worker.worker_id,
        "turkSubmitTo": settings.MARKETPLACE_URL,
    }
    assert 'sandbox="allow-scripts allow-forms allow-same-origin"' in page
    assert 'data-height="777"' in page
    assert 595 <= int(re.search(r'data-seconds-left="(\d+)"', page)[1]) <= 600
    assert "frame-ancestors 'none'" in response.headers["Content-Security-Policy"]
    settings.MARKETPLACE_FRAME_SANDBOX = "allow-scripts allow-forms"
    assert 'sandbox="allow-scripts allow-forms"' in worker.client.get(address).content.decode()


def test_a_working_page_is_its_workers_alone(requester, worker, new_worker):
    address = worker.accept(requester.hit())
    stranger = new_worker()
    assert stranger.client.get(address).status_code == 404
    assert stranger.give_back(address).status_code == 404
    assert worker.client.get(address.partition("?")[0]).status_code == 404
    assert worker.client.get(address).status_code == 200


def test_a_returned_hit_can_be_taken_again_but_not_returned_twice(requester, worker):
    hit = requester.hit()
    address = worker.accept(hit)
    page = worker.client.post(address, follow=True).content.decode()
    assert "Returned. Another worker can take it now" in page
    assert requester.counters(hit) == ("Assignable", 1, 0, 0)
    page = worker.client.post(address, follow=True).content.decode()
    assert "not in your hands any more" in page
    assert requester.counters(hit) == ("Assignable", 1, 0, 0)
    assert id_in(worker.accept(hit)) != id_in(address)


@pytest.mark.parametrize(("seconds", "is_open"), [(599, True), (600, False), (601, False)])
def test_the_working_page_ends_at_the_deadline(requester, worker, pass_time, seconds, is_open):
    address = worker.accept(requester.hit())
    Assignment.objects.all()
    pass_time(seconds - 1 if is_open else seconds)
    page = worker.client.get(address).content.decode()
    assert ("data-frame" in page) is is_open
    assert ("The time for this HIT is over" in page) is not is_open


def test_a_worker_does_a_hit_once(requester, worker):
    hit = requester.hit(MaxAssignments=5)
    worker.accept(hit)
    refused = worker.try_accept(hit)
    assert (refused.status_code, "Nothing is left in this group" in refused.content.decode()) == (409, True)
    assert requester.counters(hit) == ("Assignable", 4, 1, 0)


def test_a_worker_who_holds_what_is_left_is_led_to_it(requester, worker, new_worker):
    hit = requester.hit()
    address = worker.accept(hit)
    refused = worker.try_accept(hit).content.decode()
    assert "in your own hands" in refused
    assert f'class="button primary" href="{address}"' in refused
    refused = new_worker().try_accept(hit).content.decode()
    assert "in your own hands" not in refused
    assert 'class="button primary" href="/projects/"' in refused


def test_the_next_hit_is_offered_while_there_is_one(requester, worker, new_worker, pass_time):
    hit_type = requester.hit_type()
    hits = [requester.hit(hit_type) for _ in range(2)]
    first, second = (worker.accept(hits[0]) for _ in range(2))
    submit(id_in(first), q="a")
    page = worker.client.get(f"{first}&auto=1").content.decode()
    assert ("accept_random" in page, "next.js" in page) == (False, False)
    assert 'class="button primary" href="/projects/"' in page
    worker.give_back(second)
    page = worker.client.get(f"{first}&auto=1").content.decode()
    assert ("accept_random" in page, "next.js" in page) == (True, True)
    assert 'class="button primary" href="/projects/"' not in page
    new_worker().accept(hits[0])
    assert "accept_random" not in worker.client.get(first).content.decode()
    pass_time(601)  # the other worker's time is over, and nobody has looked since
    assert "accept_random" in worker.client.get(first).content.decode()


def test_the_next_hit_is_offered_to_workers_who_may_accept_it_alone(requester, worker):
    kind = requester.mturk.create_qualification_type(
        Name="Done enough", Description="x", QualificationTypeStatus="Active"
    )
    kind_id = kind["QualificationType"]["QualificationTypeId"]
    rules = [{"QualificationTypeId": kind_id, "Comparator": "DoesNotExist", "ActionsGuarded": "Accept"}]
    hit_type = requester.hit_type(QualificationRequirements=rules)
    hits = [requester.hit(hit_type) for _ in range(2)]
    address = worker.accept(hits[0])
    submit(id_in(address), q="a")
    assert "accept_random" in worker.client.get(address).content.decode()
    requester.mturk.associate_qualification_with_worker(QualificationTypeId=kind_id, WorkerId=worker.worker_id)
    assert "accept_random" not in worker.client.get(address).content.decode()


def test_a_worker_holds_so_many_hits_and_no_more(requester, worker, monkeypatch):
    monkeypatch.setattr(assignments, "MAX_HELD", 2)
    hit_type = requester.hit_type()
    hits = [requester.hit(hit_type) for _ in range(3)]
    addresses = [worker.accept(hits[0]) for _ in range(2)]
    refused = worker.try_accept(hits[0])
    assert (refused.status_code, "You hold as many HITs as you may" in refused.content.decode()) == (409, True)
    worker.give_back(addresses[0])
    worker.accept(hits[0])


def test_your_work_shows_what_is_held_and_what_became_of_the_rest(requester, worker):
    hit_type = requester.hit_type()
    hits = [requester.hit(hit_type) for _ in range(4)]
    approved, rejected, waiting = (worker.do(hits[0]) for _ in range(3))
    held = worker.accept(hits[0])
    requester.mturk.approve_assignment(AssignmentId=approved, RequesterFeedback="Lovely & clear")
    requester.mturk.reject_assignment(AssignmentId=rejected, RequesterFeedback="Left <empty>")
    page = worker.client.get("/tasks/").content.decode()
    rows = dict(re.findall(r'data-assignment-id="(\w+)" data-status="(\w+)"', page))
    assert rows == {id_in(held): "held", approved: "approved", rejected: "rejected", waiting: "submitted"}
    assert held.replace("&", "&amp;") in page
    assert "Lovely &amp; clear" in page
    assert "Left &lt;empty&gt;" in page
    assert "Ask the requester to look again" in page


def test_earnings_add_up(requester, worker, new_worker, pass_time):
    cents = [requester.hit(requester.hit_type(Reward=reward)) for reward in ("0.10", "0.25", "1.00")]
    approved, waiting, rejected = (worker.do(hit) for hit in cents)
    requester.mturk.approve_assignment(AssignmentId=approved)
    requester.mturk.reject_assignment(AssignmentId=rejected, RequesterFeedback="No")
    totals = lambda who: dict(  # noqa: E731
        re.findall(
            r'data-total="(approved|pending)" data-usd="([\d.]+)"', who.client.get("/earnings/").content.decode()
        )
    )
    assert totals(worker) == {"approved": "0.10", "pending": "0.25"}
    assert totals(new_worker()) == {"approved": "0.00", "pending": "0.00"}
    requester.mturk.approve_assignment(AssignmentId=waiting)
    assert totals(worker) == {"approved": "0.35", "pending": "0.00"}


def test_a_requesters_login_is_no_workers(client, requester, worker):
    from marketplace.models import RequesterProfile

    client.force_login(RequesterProfile.objects.get().user)
    assert client.get("/projects/").status_code == 403


@pytest.mark.parametrize("address", ["/projects/3NOSUCHGROUP/tasks", "/projects/3NOSUCHGROUP/tasks/3X", "/nowhere/"])
def test_unknown_addresses_are_not_found(worker, address):
    response = worker.client.get(address)
    assert response.status_code == 404
    page = response.content.decode()
    assert "There is nothing at this address" in page
    assert 'href="/projects/"' in page
    assert address not in page


def test_a_form_without_its_token_is_answered_by_a_page_of_ours(worker, requester):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(worker.profile.user)
    response = strict.post("/signout/")
    assert response.status_code == 403
    page = response.content.decode()
    assert "Nothing was changed." in page
    assert 'href="/projects/"' in page
    assert "CSRF" not in page


@pytest.mark.parametrize(("error", "status"), [(RuntimeError, 500), (PermissionDenied, 403)])
def test_a_failure_is_answered_by_a_page_that_tells_no_details(worker, requester, monkeypatch, error, status):
    def fail(*args, **kwargs):
        raise error("the secret reason")

    monkeypatch.setattr(board, "find", fail)
    worker.client.raise_request_exception = False
    response = worker.client.get("/projects/")
    assert response.status_code == status
    page = response.content.decode()
    assert 'href="/projects/"' in page
    assert "marketplace.css" in page
    assert ("Sign in" in page, "secret reason" in page, "RuntimeError" in page) == (False, False, False)


@pytest.mark.parametrize(
    "query", ["q=%00", "before=-1", "before=9999999999999999999999", "before=x", "q=" + "x" * 5000]
)
def test_nonsense_in_an_address_is_left_alone(requester, worker, query):
    requester.hit()
    assert worker.client.get(f"/projects/?{query}").status_code == 200
    assert worker.client.get(f"/tasks/?{query}").status_code == 200


def test_the_worker_round_takes_few_queries(requester, worker, django_assert_max_num_queries, settings):
    rules = [{"QualificationTypeId": "00000000000000000040", "Comparator": "LessThan", "IntegerValues": [5]}]
    plain = requester.hit(requester.hit_type(Title="plain"))
    ruled = requester.hit(requester.hit_type(Title="ruled", QualificationRequirements=rules))
    worker.client.get("/projects/")
    settings.MARKETPLACE_TEST_HOOKS = False  # so without the query for the tests' clock
    with django_assert_max_num_queries(4):
        worker.client.get("/projects/?q=plain")
    with django_assert_max_num_queries(6):
        worker.client.get("/projects/?q=ruled")
    with django_assert_max_num_queries(6):
        address = worker.accept(plain)
    with django_assert_max_num_queries(8):
        worker.accept(ruled)
    with django_assert_max_num_queries(3):
        worker.client.get(address)
    with django_assert_max_num_queries(1):
        submit(id_in(address), q="a")


def test_the_frames_submit_needs_no_session(requester, worker):
    """Case S19: the login ends while the frame is open; the work arrives all the same."""
    hit = requester.hit()
    address = worker.accept(hit)
    Session.objects.all().delete()
    assert worker.client.get(address).status_code == 302
    assert submit(id_in(address), q1="Who?").status_code == 200
    assert requester.submitted(hit)[0]["WorkerId"] == worker.worker_id


@pytest.mark.parametrize("bad", ["%00", "3X%00", "%FF", "3x", "3" * 65])
def test_what_cannot_be_an_id_is_no_address(requester, worker, bad):
    hit = requester.hit()
    group = f"/projects/{hit['HITGroupId']}/tasks"
    assert worker.client.get(group).status_code == 200
    assert worker.client.get(f"/projects/{bad}/tasks").status_code == 404
    assert worker.client.get(f"{group}/{bad}?assignment_id=3X").status_code == 404
    assert worker.client.post(f"/projects/{bad}/tasks/accept_random").status_code == 404
    assert worker.client.post(f"{group}/accept_random").status_code == 302
