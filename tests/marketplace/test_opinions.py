"""Workers rate what they did and report what is wrong; the requester sees it in sum, and never whose it is."""

import re

import pytest

from marketplace.models import Rating, Report
from marketplace.services import reports

from .conftest import id_in
from .test_inbox import requester_client

DAY = 86400
MARKS = {"pay": "4", "clarity": "5", "fairness": "", "comment": ""}


def rate(person, assignment_id: str, **changes):
    return person.client.post(f"/tasks/{assignment_id}/rate", MARKS | changes)


def test_a_task_is_rated_once_it_is_submitted(requester, worker):
    hits = [requester.hit(requester.hit_type()) for _ in range(2)]
    held = id_in(worker.accept(hits[0]))
    assert rate(worker, held).status_code == 404
    done_page = worker.client.get(worker.accept(hits[1])).content.decode()
    assert "Rate this task" not in done_page
    done = worker.do(requester.hit())
    assert rate(worker, done, comment="Clear and <quick>").status_code == 302
    rating = Rating.objects.get()
    assert (rating.pay, rating.clarity, rating.fairness, rating.comment) == (4, 5, None, "Clear and <quick>")
    assert rating.assignment.assignment_id == done


def test_a_submission_has_one_rating_that_can_be_changed_for_a_week(requester, worker, pass_time):
    done = worker.do(requester.hit())
    rate(worker, done)
    pass_time(7 * DAY - 60)
    assert rate(worker, done, pay="1", fairness="2").status_code == 302
    assert (Rating.objects.get().pay, Rating.objects.get().fairness) == (1, 2)
    pass_time(120)
    refused = rate(worker, done, pay="5")
    assert (refused.status_code, "cannot be changed any more" in refused.content.decode()) == (409, True)
    assert Rating.objects.get().pay == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"pay": ""},
        {"pay": "0"},
        {"pay": "6"},
        {"clarity": "x"},
        {"fairness": "-1"},
        {"comment": "x" * 1001},
        {"comment": "\0"},
    ],
)
def test_marks_are_one_to_five(requester, worker, changes):
    done = worker.do(requester.hit())
    assert rate(worker, done, **changes).status_code == 400
    assert not Rating.objects.exists()


def test_nobody_rates_or_sees_anothers_submission(requester, worker, new_worker):
    done = worker.do(requester.hit())
    rate(worker, done, comment="Mine")
    other = new_worker()
    assert other.client.get(f"/tasks/{done}/rate").status_code == 404
    assert rate(other, done).status_code == 404
    assert "Mine" in worker.client.get(f"/tasks/{done}/rate").content.decode()


def test_marks_are_told_once_three_workers_gave_them_and_the_day_is_over(requester, new_worker, pass_time):
    hit = requester.hit(MaxAssignments=9)
    workers = [new_worker() for _ in range(3)]
    done = [person.do(hit) for person in workers]
    see = lambda: requester_client(requester).get("/requester/opinions/").content.decode()  # noqa: E731
    for person, assignment_id, pay in zip(workers[:2], done[:2], "12", strict=True):
        rate(person, assignment_id, pay=pay, comment=f"Pays {pay}")
    pass_time(DAY)
    assert "Pays 1" not in see(), "two could be told apart"
    rate(workers[2], done[2], pay="5", comment="Pays 5")
    assert "Pays 1" not in see(), "whoever submitted a minute ago would be known"
    pass_time(DAY)
    page = see()
    assert re.findall(r"“(Pays \d)”", page) == ["Pays 1", "Pays 2", "Pays 5"]
    assert overall(page) == ("2.7", "3")
    assert f'data-hit-type-id="{hit["HITTypeId"]}"' in page
    for person in workers:
        assert person.worker_id not in page
        assert person.profile.user.username not in page
    assert "<time" not in page


def test_a_changed_comment_waits_for_the_end_of_its_day_again(requester, new_worker, pass_time):
    hit = requester.hit(MaxAssignments=9)
    workers = [new_worker() for _ in range(4)]
    done = [person.do(hit) for person in workers]
    for person, assignment_id in zip(workers, done, strict=True):
        rate(person, assignment_id, comment="Well")
    pass_time(DAY)
    rate(workers[0], done[0], comment="Badly")
    see = lambda: requester_client(requester).get("/requester/opinions/").content.decode()  # noqa: E731
    assert (see().count("“Well”"), "Badly" in see()) == (4, False)
    pass_time(DAY)
    assert (see().count("“Well”"), "Badly" in see()) == (3, True)


def overall(page: str) -> tuple[str, str]:
    """Mean mark for pay, and of how many workers."""
    found = re.search(r'data-overall>.*?data-label="Pay">([\d.]+)<.*?data-label="Workers">(\d)<', page, re.S)
    return found.groups()


def test_a_changed_mark_counts_as_it_was_until_the_day_is_over(requester, new_worker, pass_time):
    """Else the mean without it would tell the requester, and whoever looks at the list, what it had been."""
    hit = requester.hit(MaxAssignments=9, LifetimeInSeconds=30 * DAY)
    workers, reader = [new_worker() for _ in range(4)], new_worker()
    done = [person.do(hit) for person in workers]
    for person, assignment_id, pay in zip(workers, done, "1234", strict=True):
        rate(person, assignment_id, pay=pay)
    pass_time(DAY)
    browser = requester_client(requester)
    see = lambda: overall(browser.get("/requester/opinions/").content.decode())  # noqa: E731
    card = lambda: re.search(r"rate the pay ([\d.]+) of 5", reader.client.get("/projects/").content.decode())[1]  # noqa: E731
    assert (see(), card()) == (("2.5", "4"), "2.5")
    for pay in "54":
        rate(workers[0], done[0], pay=pay)
        assert (see(), card()) == (("2.5", "4"), "2.5")
    pass_time(DAY)
    assert (see(), card()) == (("3.3", "4"), "3.3")


def test_a_requester_sees_what_is_said_of_their_own_work_alone(requester, new_requester, new_worker, pass_time):
    workers = [new_worker() for _ in range(3)]
    hit = requester.hit(MaxAssignments=3)
    for person in workers:
        rate(person, person.do(hit), comment="Lovely")
        report(person, hit, text="No picture")
    pass_time(DAY)
    assert {row.changed_at for row in Report.objects.all()} == {row.created_at for row in Report.objects.all()}
    page = requester_client(new_requester()).get("/requester/opinions/").content.decode()
    assert ("Lovely" in page, "No picture" in page) == (False, False)
    page = requester_client(requester).get("/requester/opinions/").content.decode()
    assert ("Lovely" in page, "No picture" in page) == (True, True)


def report(person, hit: dict, kind: str = "broken", text: str = ""):
    return person.client.post(f"/projects/{hit['HITGroupId']}/report", {"kind": kind, "text": text})


def test_work_is_reported_to_the_operator_and_its_requester_sees_what_and_not_who(
    requester, worker, new_worker, pass_time
):
    hit = requester.hit(requester.hit_type(Title="Name the river"))
    preview = worker.client.get(f"/projects/{hit['HITGroupId']}/tasks").content.decode()
    assert f'href="/projects/{hit["HITGroupId"]}/report"' in preview
    assert report(worker, hit, "personal", "Asks for my phone number").status_code == 302
    report(new_worker(), hit, "personal")
    pass_time(8 * DAY)
    page = requester_client(requester).get("/requester/opinions/").content.decode()
    assert "It asks for personal data" in page
    assert "2×" in page
    assert "Asks for my phone number" in page
    assert worker.worker_id not in page


def test_a_report_is_told_once_its_day_is_over_and_its_words_later_or_among_others(
    requester, worker, new_worker, operator, pass_time
):
    hit = requester.hit(LifetimeInSeconds=30 * DAY)
    told = lambda: requester_client(requester).get("/requester/opinions/").content.decode()  # noqa: E731
    kind, words = "It asks for personal data", "Asks for my phone number"
    report(worker, hit, "personal", words)
    assert words in operator.get("/operator/reports/").content.decode(), "the operator sees it at once"
    assert (kind in told(), words in told()) == (False, False)
    pass_time(DAY)
    assert (kind in told(), words in told()) == (True, False), "of one report the words wait"
    for person in (new_worker(), new_worker()):
        report(person, hit, "pay")
    assert (words in told(), "pays too little" in told()) == (False, False)
    pass_time(DAY)
    assert (words in told(), "pays too little" in told()) == (True, True), "among three they are told"


def test_the_words_of_a_lone_report_are_told_after_a_week_and_stand_until_new_ones_are_due(
    requester, worker, pass_time
):
    hit = requester.hit(LifetimeInSeconds=30 * DAY)
    told = lambda: requester_client(requester).get("/requester/opinions/").content.decode()  # noqa: E731
    report(worker, hit, "broken", "No picture")
    pass_time(6 * DAY)
    assert "No picture" not in told()
    pass_time(2 * DAY)
    assert "No picture" in told()
    report(worker, hit, "broken", "No sound")
    pass_time(6 * DAY)
    assert ("No picture" in told(), "No sound" in told()) == (True, False)
    pass_time(2 * DAY)
    assert ("No picture" in told(), "No sound" in told()) == (False, True)


def test_the_same_report_is_one_report(requester, worker):
    hit = requester.hit()
    report(worker, hit, "pay")
    report(worker, hit, "pay", "Five minutes for a cent")
    report(worker, hit, "pay")
    assert list(Report.objects.values_list("kind", "text")) == [("pay", "Five minutes for a cent")]
    report(worker, hit, "broken")
    assert Report.objects.count() == 2


@pytest.mark.parametrize(
    ("kind", "text"), [("other", ""), ("nonsense", "x"), ("", "x"), ("pay", "x" * 2001), ("other", "\0")]
)
def test_a_report_says_what_is_wrong(requester, worker, kind, text):
    hit = requester.hit()
    assert report(worker, hit, kind, text).status_code == 400
    assert not Report.objects.exists()
    assert report(worker, hit, "other", "The colours hurt").status_code == 302


def test_a_worker_reports_so_often_in_a_day_and_no_more(requester, worker, monkeypatch, pass_time):
    monkeypatch.setattr(reports, "DAILY", 1)
    hit = requester.hit()
    assert report(worker, hit, "pay").status_code == 302
    assert report(worker, hit, "broken").status_code == 400
    pass_time(DAY + 1)
    hit = requester.hit()
    assert report(worker, hit, "broken").status_code == 302


def test_what_a_worker_cannot_see_they_cannot_report(requester, worker):
    guarded = [{"QualificationTypeId": "00000000000000000040", "Comparator": "GreaterThan", "IntegerValues": [100],
                "ActionsGuarded": "DiscoverPreviewAndAccept"}]  # fmt: skip
    hidden = requester.hit(requester.hit_type(QualificationRequirements=guarded))
    assert report(worker, hidden).status_code == 404
    assert report(worker, requester.hit()).status_code == 302
