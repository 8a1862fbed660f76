"""A worker's own record: what became of their work, week by week, as files; and the account."""

import csv
import io
import json
import re
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from marketplace import clock
from marketplace.models import Assignment
from marketplace.services import history, own_data, threads

from .conftest import hook

pytestmark = pytest.mark.slow

WEEK = 7 * 86400


def body(response) -> str:
    return b"".join(response.streaming_content).decode()


@pytest.fixture
def decided(requester, worker):
    """One submission of the worker's in each state, by state."""
    hit_type = requester.hit_type(Title="=Name the river")
    hits = [requester.hit(hit_type) for _ in range(3)]
    done = dict(zip(("approved", "rejected", "submitted"), (worker.do(hits[0]) for _ in range(3)), strict=True))
    requester.mturk.approve_assignment(AssignmentId=done["approved"], RequesterFeedback="Lovely, thanks")
    requester.mturk.reject_assignment(AssignmentId=done["rejected"], RequesterFeedback="@empty")
    return done


def test_work_is_shown_by_state(worker, decided, new_worker):
    for state, assignment_id in decided.items():
        page = worker.client.get(f"/tasks/?state={state}").content.decode()
        assert re.findall(r'data-assignment-id="(\w+)"', page) == [assignment_id]
        assert re.findall(r'aria-current="page" data-state="(\w+)"', page) == [state]
    for odd in ("held", "x", "%00", ""):
        page = worker.client.get(f"/tasks/?state={odd}").content.decode()
        assert len(re.findall(r"data-assignment-id", page)) == 3
    assert "data-assignment-id" not in new_worker().client.get("/tasks/").content.decode()


def test_pages_keep_the_state(requester, worker, monkeypatch):
    monkeypatch.setattr(history, "PAGE_SIZE", 1)
    hit_type = requester.hit_type()
    hits = [requester.hit(hit_type) for _ in range(3)]
    done = [worker.do(hits[0]) for _ in range(3)]
    requester.mturk.approve_assignment(AssignmentId=done[1])
    page = worker.client.get("/tasks/?state=submitted").content.decode()
    assert done[2] in page
    older = re.search(r'rel="next" href="([^"]+)"', page)[1].replace("&amp;", "&")
    page = worker.client.get(f"/tasks/{older}").content.decode()
    assert (done[0] in page, done[1] in page, 'rel="next"' in page) == (True, False, False)


def test_a_held_hit_is_returned_from_the_queue(requester, worker):
    address = worker.accept(requester.hit())
    page = worker.client.get("/tasks/").content.decode()
    action = re.search(r'<form method="post" action="([^"]+assignment_id[^"]+)"', page)[1].replace("&amp;", "&")
    assert action == address
    assert worker.client.post(action).status_code == 302
    assert Assignment.objects.get().status == "returned"


def test_the_record_as_csv_holds_all_and_no_formula(worker, decided, new_worker, monkeypatch):
    monkeypatch.setattr(history, "EXPORTED_AT_ONCE", 2)
    response = worker.client.get("/tasks/record.csv")
    assert response["Content-Disposition"] == 'attachment; filename="my-work.csv"'
    rows = list(csv.DictReader(io.StringIO(body(response))))
    assert {row["state"]: row["assignment_id"] for row in rows} == decided
    by_state = {row["state"]: row for row in rows}
    assert by_state["approved"]["feedback"] == "Lovely, thanks"
    assert by_state["rejected"]["feedback"] == "'@empty"
    assert {row["title"] for row in rows} == {"'=Name the river"}
    assert by_state["submitted"]["decided_at"] == ""
    assert list(csv.DictReader(io.StringIO(body(new_worker().client.get("/tasks/record.csv"))))) == []


def test_ones_data_is_all_there_and_ones_own(requester, worker, decided, new_worker, monkeypatch):
    monkeypatch.setattr(own_data, "READ_AT_ONCE", 2)
    other = new_worker()
    other.do(requester.hit())
    lab = Assignment.objects.first().hit.requester
    threads.write_to_requester(worker.profile, lab, "A question", "How long? ü", clock.now())
    threads.write_to_requester(other.profile, lab, "Another's", "secret", clock.now())
    worker.client.post(f"/tasks/{decided['approved']}/rate", {"pay": 4, "clarity": 5, "comment": "Good"})
    text = body(worker.client.get("/account/data.json"))
    keys = []
    found = json.loads(text, object_pairs_hook=lambda pairs: keys.append([key for key, _ in pairs]) or dict(pairs))
    assert all(len(names) == len(set(names)) for names in keys)
    assert found["account"]["user_name"] == worker.profile.user.username
    assert {row["status"]: row["assignment_id"] for row in found["assignments"]} == decided
    assert "<QuestionFormAnswers" in found["assignments"][0]["answer"]
    assert [row["text"] for row in found["messages"]] == ["How long? ü"]
    assert [row["comment"] for row in found["ratings"]] == ["Good"]
    assert (found["bonuses"], found["reports"], found["visits"], found["applications"]) == ([], [], [], [])
    assert other.worker_id not in text
    assert "secret" not in text


def test_bonuses_and_rewards_make_up_a_week(new_requester, worker, pass_time):
    hook("clock", reset=True)
    monday = clock.now().replace(hour=0, minute=0) - timedelta(days=clock.now().weekday())
    pass_time(int((monday + timedelta(weeks=1, days=1) - clock.now()).total_seconds()))  # a Tuesday
    requester = new_requester(funds="100.00")
    hit_type = requester.hit_type(Reward="1.00", AutoApprovalDelayInSeconds=0)
    hits = [requester.hit(hit_type, LifetimeInSeconds=3 * WEEK) for _ in range(2)]
    first = worker.do(hits[0])
    requester.mturk.send_bonus(
        WorkerId=worker.worker_id, AssignmentId=first, BonusAmount="0.50", Reason="Thorough", UniqueRequestToken="t"
    )
    pass_time(WEEK)
    worker.do(hits[0])
    page = worker.client.get("/earnings/").content.decode()
    weeks = re.findall(r'data-week="([\d-]+)">.*?</tr>', page, re.S)
    assert weeks == [f"{monday + timedelta(weeks=2):%Y-%m-%d}", f"{monday + timedelta(weeks=1):%Y-%m-%d}"]
    assert "the highest bar is $1.50" in page
    heights = [int(height) for height in re.findall(r'class="rewards" x="\d+" y="\d+" width="34" height="(\d+)"', page)]
    more = [int(height) for height in re.findall(r'class="more" x="\d+" y="\d+" width="34" height="(\d+)"', page)]
    assert (heights[-2:], more[-2:]) == ([80, 80], [40, 0])
    assert (sum(heights[:-2]), sum(more[:-2])) == (0, 0)
    assert "practice" not in page


def test_the_plot_has_twelve_weeks_with_a_gap_where_nothing_came_in():
    now = datetime(2026, 3, 4, 12, tzinfo=UTC)  # a Wednesday
    plot = history.plot_of([history.Week(datetime(2026, 2, 16, tzinfo=UTC), 1, history.Decimal("2.00"))], now)
    assert [bar.height for bar in plot.bars] == [0] * 9 + [120, 0, 0]
    assert history.plot_of([history.Week(datetime(2025, 2, 17, tzinfo=UTC), 1, history.Decimal("2.00"))], now) is None
    assert history.plot_of([], now) is None


def test_what_nobody_pays_is_called_practice(requester, worker, decided):
    assert "$0.10 of it is practice, which nobody pays" in worker.client.get("/earnings/").content.decode()


def test_the_password_is_changed_with_the_old_one_and_other_devices_are_signed_out(worker):
    other_device = Client()
    other_device.force_login(worker.profile.user)
    change = lambda **changes: worker.client.post(  # noqa: E731
        "/account/password/",
        {"old_password": "pass word", "new_password1": "a longer one 9", "new_password2": "a longer one 9"} | changes,
    )
    for wrong, problem in (
        ({"old_password": "guess"}, "That is not your password now."),
        ({"new_password2": "a longer one 8"}, "The two new passwords are not the same."),
        ({"new_password1": "short", "new_password2": "short"}, "too short"),
        ({"old_password": ""}, "This field is required"),
    ):
        response = change(**wrong)
        assert (response.status_code, problem in response.content.decode()) == (400, True)
    assert change().status_code == 302
    assert worker.client.get("/account/").status_code == 200
    assert other_device.get("/account/").status_code == 302
    assert Client().login(username=worker.profile.user.username, password="a longer one 9")
    assert not Client().login(username=worker.profile.user.username, password="pass word")


def test_the_account_page_says_who_sees_what(worker):
    page = worker.client.get("/account/").content.decode()
    assert worker.worker_id in page
    assert "Requesters know you by your worker id alone." in page
