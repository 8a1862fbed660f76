"""A study that is kept at Prolific through its API: nothing is made, decided or paid twice, nothing is forgotten."""

import json
import logging
from datetime import timedelta
from decimal import Decimal

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from marketplace import clock
from marketplace.recruiting import prolific
from marketplace.recruiting.models import BonusBatch, PanelDecision, PanelEvent, PanelStudy, ProlificStudy, Visit
from marketplace.recruiting.services import prolific_studies, prolific_sync, webhooks

from .conftest import at_once
from .prolific_stand_in import Prolific
from .test_panel_pages import give_bonus

pytestmark = pytest.mark.slow

TERMS = {"reward": Decimal("1.50"), "estimated_minutes": 10, "places_wanted": 3, "description": "Read, then ask."}


@pytest.fixture
def there(settings):
    """Prolific's stand-in, with the token of its account in this site's environment."""
    server = Prolific()
    settings.PROLIFIC_URL, settings.PROLIFIC_TOKEN = server.url, server.token
    yield server
    server.close()


@pytest.fixture
def client(there):
    return prolific.client(backoff_seconds=0.01)


@pytest.fixture
def study(new_study, requester):
    hit_type = requester.hit_type()
    hits = [requester.hit(hit_type, MaxAssignments=9) for _ in range(2)]
    return new_study(hits[0], hits_wanted=2, places=9), hits[0]


@pytest.fixture
def published(study, client, there):
    row = prolific_studies.plan(study[0], clock.now(), **TERMS)
    prolific_studies.make_draft(row, client, clock.now())
    prolific_studies.publish(row, client)
    row.study.refresh_from_db()
    ProlificStudy.objects.update(bonus_budget_usd=1000)
    return row


def sync(client) -> dict:
    return prolific_sync.sync_all(client, clock.now())


def come(there, visitor, row, hit, participant: str = "60aa", *, to_the_end: bool = True):
    """A participant takes a place at Prolific, does the study here and goes back with the code."""
    session = there.reserve(row.study.external_id, participant)
    person = visitor(row.study, participant, session, row.study.external_id)
    person.start()
    person.assignments = [person.do(hit), person.do(hit)]
    assert "DONE1" in person.see()
    if to_the_end:
        there.complete(session)
    person.session = session
    return person


def test_a_study_is_made_as_a_draft_and_then_published(study, client, there):
    row = prolific_studies.plan(study[0], clock.now(), **TERMS)
    prolific_studies.make_draft(row, client, clock.now())
    [made] = there.studies.values()
    assert made["status"] == "UNPUBLISHED"
    assert (made["reward"], made["total_available_places"], made["estimated_completion_time"]) == (150, 3, 10)
    assert made["external_study_url"].endswith("&SESSION_ID={{%SESSION_ID%}}")
    assert [(code["code"], code["code_type"]) for code in made["completion_codes"]] == [
        ("DONE1", "COMPLETED"),
        ("OUT2", "OTHER"),
        ("FULL3", "OTHER"),
    ]
    assert {action["action"] for code in made["completion_codes"] for action in code["actions"]} == {"MANUALLY_REVIEW"}
    assert PanelStudy.objects.get().external_id == made["id"]
    prolific_studies.publish(row, client)
    assert made["status"] == "ACTIVE"


def test_a_draft_whose_answer_was_lost_is_found_and_not_made_again(study, client, there, pass_time):
    row = prolific_studies.plan(study[0], clock.now(), **TERMS)
    there.faults = [("/studies/", ""), ("/studies/", "drop_after")]  # the search goes well, the making breaks off
    with pytest.raises(prolific.Unavailable):
        prolific_studies.make_draft(row, client, clock.now())
    assert (len(there.studies), ProlificStudy.objects.get().status) == (1, "wanted")
    assert not prolific_studies.make_draft(row, client, clock.now())  # still claimed by the call that broke off
    pass_time(121)
    assert prolific_studies.make_draft(row, client, clock.now())
    assert [row.status, row.study.external_id] == ["draft", *there.studies]


def test_two_who_make_the_draft_at_once_make_one(study, client, there):
    prolific_studies.plan(study[0], clock.now(), **TERMS)

    def make(_index):
        return prolific_studies.make_draft(ProlificStudy.objects.get(), client, clock.now())

    at_once(4, make)
    assert len(there.studies) == 1


def test_a_publication_whose_answer_was_lost_is_seen_and_not_repeated(study, client, there):
    row = prolific_studies.plan(study[0], clock.now(), **TERMS)
    prolific_studies.make_draft(row, client, clock.now())
    there.faults = [("/transition/", "drop_after")]
    with pytest.raises(prolific.Unavailable):
        prolific_studies.publish(row, client)
    prolific_studies.publish(row, client)
    assert (row.status, there.count("POST", "/transition/")) == ("published", 1)


def test_places_are_added_and_a_lost_answer_adds_none_twice(published, client, there):
    prolific_studies.want_places(published, 2)
    there.faults = [(f"/{published.study.external_id}/", ""), (f"/{published.study.external_id}/", "drop_after")]
    with pytest.raises(prolific.Unavailable):
        prolific_studies.push_places(published, client)
    prolific_studies.push_places(published, client)
    [made] = there.studies.values()
    assert made["total_available_places"] == 5
    assert there.count("PATCH", "/") == 1


def test_a_study_is_paused_started_and_stopped(published, client, there):
    [made] = there.studies.values()
    for action, status in (("PAUSE", "PAUSED"), ("START", "ACTIVE"), ("STOP", "AWAITING REVIEW")):
        prolific_studies.move(published, client, action)
        assert made["status"] == status
    with pytest.raises(prolific.Refused, match="PAUSE from AWAITING REVIEW"):
        prolific_studies.move(published, client, "PAUSE")


def test_approvals_are_carried_over_once(published, study, client, there, visitor, requester):
    ann = come(there, visitor, published, study[1])
    sync(client)
    assert there.submissions[ann.session]["status"] == "AWAITING REVIEW"  # nothing is decided here yet
    requester.mturk.approve_assignment(AssignmentId=ann.assignments[0])
    sync(client)
    assert not PanelDecision.objects.exists()  # half of it is not all of it
    requester.mturk.approve_assignment(AssignmentId=ann.assignments[1])
    assert sync(client)["decisions"] == 1
    assert there.submissions[ann.session]["status"] == "APPROVED"
    calls = there.count("POST", "/transition/")
    assert sync(client)["decisions"] == 0
    assert there.count("POST", "/transition/") == calls
    assert PanelDecision.objects.get().status == "done"


def test_rejections_are_carried_over_with_their_reason_at_length(published, study, client, there, visitor, requester):
    ann = come(there, visitor, published, study[1])
    for assignment_id in ann.assignments:
        requester.mturk.reject_assignment(AssignmentId=assignment_id, RequesterFeedback="Copied.")
    sync(client)
    seen = there.submissions[ann.session]
    assert seen["status"] == "REJECTED"
    assert len(seen["message"]) >= 100
    assert "“Copied.”" in seen["message"]


def test_rejections_stay_here_where_the_study_says_so(published, study, client, there, visitor, requester):
    ProlificStudy.objects.update(carries_rejections=False)
    ann = come(there, visitor, published, study[1])
    for assignment_id in ann.assignments:
        requester.mturk.reject_assignment(AssignmentId=assignment_id, RequesterFeedback="Copied.")
    sync(client)
    assert there.submissions[ann.session]["status"] == "AWAITING REVIEW"


def test_a_rejection_that_was_turned_round_after_it_went_over_asks_for_a_person(
    published, study, client, there, visitor, requester
):
    ann = come(there, visitor, published, study[1])
    for assignment_id in ann.assignments:
        requester.mturk.reject_assignment(AssignmentId=assignment_id, RequesterFeedback="Copied.")
    sync(client)
    for assignment_id in ann.assignments:
        requester.mturk.approve_assignment(AssignmentId=assignment_id, OverrideRejection=True)
    sync(client)
    decision = PanelDecision.objects.get()
    assert (decision.status, "decided otherwise" in decision.last_error) == ("look", True)


def test_an_approval_waits_until_the_participant_has_come_back(
    published, study, client, there, visitor, requester, pass_time
):
    ann = come(there, visitor, published, study[1], to_the_end=False)
    for assignment_id in ann.assignments:
        requester.mturk.approve_assignment(AssignmentId=assignment_id)
    sync(client)
    assert (PanelDecision.objects.get().status, there.count("POST", "/transition/")) == ("wanted", 1)  # the study's own
    there.complete(ann.session)
    pass_time(61)
    sync(client)
    assert there.submissions[ann.session]["status"] == "APPROVED"


def test_an_invented_session_is_approved_nowhere_and_shown_to_the_operator(
    published, study, client, there, visitor, requester
):
    forger = visitor(published.study, "60ff", "70ff", published.study.external_id)
    forger.start()
    for _ in range(2):
        requester.mturk.approve_assignment(AssignmentId=forger.do(study[1]))
    give_bonus(requester, requester.submitted(study[1])[0]["AssignmentId"], "9.00")
    forger.see()
    sync(client)
    decision = PanelDecision.objects.get()
    assert (decision.status, "was the link forged?" in decision.last_error) == ("look", True)
    assert (BonusBatch.objects.count(), there.paid) == (0, [])


def test_with_the_panels_check_an_invented_session_does_not_even_begin(published, study, there, visitor):
    published.study.panel.check_by = "api"
    published.study.panel.save()
    forger = visitor(published.study, "60ff", "70ff", published.study.external_id)
    assert "no such session" in forger.start().content.decode()
    session = there.reserve(published.study.external_id, "60aa")
    thief = visitor(published.study, "60ff", session, published.study.external_id)
    assert "not yours" in thief.start().content.decode()
    there.faults = [(f"/{session}/", "error_500")] * 2
    ann = visitor(published.study, "60aa", session, published.study.external_id)
    assert ann.start().status_code == 503
    assert "0 of 2 submitted" in ann.start().content.decode()
    assert Visit.objects.count() == 1


def test_with_the_panels_check_a_session_of_another_study_of_the_account_opens_nothing(
    published, study, there, visitor, new_study
):
    panel = published.study.panel
    panel.check_by = "api"
    panel.save()
    by_hand = new_study(study[1], panel=panel)  # its id at Prolific is not known here
    session = there.reserve(published.study.external_id, "60aa")
    stranger = visitor(by_hand, "60aa", session, published.study.external_id)
    assert "its id at Prolific is not known" in stranger.start().content.decode()
    assert visitor(published.study, "60aa", session, published.study.external_id).start().status_code == 200
    assert Visit.objects.get().study == published.study


def test_who_returned_the_study_there_leaves_it_here(published, study, client, there, visitor):
    session = there.reserve(published.study.external_id, "60aa")
    ann = visitor(published.study, "60aa", session, published.study.external_id)
    ann.start()
    there.submissions[session]["status"] = "RETURNED"
    sync(client)
    assert (ann.visit.status, ann.visit.panel_status) == ("left", "RETURNED")
    assert ann.accept(study[1]).status_code == 409


def bonus(there, visitor, published, study, requester, amount: str):
    person = come(there, visitor, published, study[1], f"p{len(there.submissions)}")
    requester.mturk.approve_assignment(AssignmentId=person.assignments[0])
    give_bonus(requester, person.assignments[0], amount)
    return person


def test_bonuses_are_paid_once_and_exactly(published, study, client, there, visitor, requester):
    ann = bonus(there, visitor, published, study, requester, "4.25")
    bea = bonus(there, visitor, published, study, requester, "30")
    for _ in range(3):
        sync(client)
    assert there.paid == [(ann.session, Decimal("4.25")), (bea.session, Decimal("30.00"))]
    assert BonusBatch.objects.get().status == "paid"
    give_bonus(requester, ann.assignments[0], "0.10")
    for _ in range(3):
        sync(client)
    assert there.paid[2:] == [(ann.session, Decimal("0.10"))]


@pytest.mark.parametrize("fault", ["drop_after", "error_500"])
def test_a_payment_whose_answer_was_lost_is_looked_for_and_not_repeated(
    published, study, client, there, visitor, requester, fault, pass_time
):
    ann = bonus(there, visitor, published, study, requester, "4.25")
    there.faults = [("/pay/", fault)]
    for _ in range(3):
        sync(client)
    assert there.count("POST", "/pay/") == 1
    batch = BonusBatch.objects.get()
    if fault == "drop_after":
        assert (there.paid, batch.status) == ([(ann.session, Decimal("4.25"))], "paid")
    else:
        assert (there.paid, batch.status) == ([], "paying")
        pass_time(25 * 3600)
        sync(client)
        batch.refresh_from_db()
        assert (batch.status, there.count("POST", "/pay/")) == ("stopped", 1)
        assert "Look there" in batch.last_error


def test_a_set_up_that_broke_off_is_done_anew_and_pays_once(published, study, client, there, visitor, requester):
    ann = bonus(there, visitor, published, study, requester, "4.25")
    there.faults = [("/bonus-payments/", "drop_after")]
    for _ in range(3):
        sync(client)
    assert there.paid == [(ann.session, Decimal("4.25"))]
    assert len(there.setups) == 2  # the first is never paid


def test_a_payment_that_was_refused_as_too_much_is_asked_for_again(published, study, client, there, visitor, requester):
    ann = bonus(there, visitor, published, study, requester, "4.25")
    there.faults = [("/pay/", "throttle")] * 5
    sync(client)
    assert (BonusBatch.objects.get().status, there.paid) == ("set_up", [])
    sync(client)
    assert there.paid == [(ann.session, Decimal("4.25"))]


def test_two_syncs_at_once_pay_and_approve_once(published, study, client, there, visitor, requester):
    ann = bonus(there, visitor, published, study, requester, "4.25")
    requester.mturk.approve_assignment(AssignmentId=ann.assignments[1])
    at_once(3, lambda _: sync(client))
    sync(client)
    assert there.paid == [(ann.session, Decimal("4.25"))]
    assert there.submissions[ann.session]["status"] == "APPROVED"


def test_payments_that_do_not_show_yet_are_waited_for(published, study, client, there, visitor, requester):
    bonus(there, visitor, published, study, requester, "4.25")
    there.shows_payments = False
    sync(client)
    assert BonusBatch.objects.get().status == "paying"
    there.show_payments()
    sync(client)
    assert (BonusBatch.objects.get().status, there.count("POST", "/pay/")) == ("paid", 1)


def test_lists_are_read_to_their_end(published, client, there):
    sessions = {there.reserve(published.study.external_id, f"p{number}") for number in range(200)}
    assert {row["id"] for row in client.submissions(published.study.external_id)} == sessions
    sessions |= {there.reserve(published.study.external_id, "p200")}
    assert {row["id"] for row in client.submissions(published.study.external_id)} == sessions


def test_a_throttled_call_is_repeated_and_gives_up_in_the_end(client, there):
    there.faults = [("/studies/", "throttle")] * 4
    assert client.find_study("nothing") is None
    there.faults = [("/studies/", "throttle")] * 5
    with pytest.raises(prolific.Throttled):
        client.find_study("nothing")


def test_errors_are_told_in_either_shape(client, there):
    with pytest.raises(prolific.Refused, match="404: Not found: No Study matches"):
        client.get_study("nothing")
    with pytest.raises(prolific.Refused, match="404: Not found: No Submission matches"):
        client.get_submission("nothing")
    assert prolific.error_message("<html>") == "<html>"
    assert prolific.error_message('{"error": {"title": "No", "detail": {"a": ["b"]}}}') == 'No: {"a": ["b"]}'


def test_a_wrong_token_is_told_without_the_token(there, caplog):
    caplog.set_level(logging.DEBUG)
    with pytest.raises(prolific.Refused, match="401") as caught:
        prolific.Client(there.url, "a-wrong-token").get_study("x")
    assert "a-wrong-token" not in f"{caught.value} {caught.value.body} {caplog.text}"


def test_a_rejection_without_a_message_of_its_length_is_not_sent(client, there):
    with pytest.raises(ValueError, match="100 characters"):
        client.reject("70bb", "Too short.", "OTHER")
    assert there.calls == []


def test_a_study_that_fails_does_not_stop_the_others(published, study, client, there, new_study, requester):
    second = prolific_studies.plan(new_study(study[1], panel=published.study.panel), clock.now(), **TERMS)
    prolific_studies.make_draft(second, client, clock.now())
    prolific_studies.publish(second, client)
    del there.studies[published.study.external_id]
    assert sync(client) == {"studies": 1, "decisions": 0, "bonus_batches": 0, "failed": 1}
    published.refresh_from_db()
    assert "No Study matches" in published.last_error


def test_the_command_says_what_it_did_and_needs_a_token(published, settings, capsys):
    call_command("sync_panels", "--json")
    assert json.loads(capsys.readouterr().out)["studies"] == 1
    settings.PROLIFIC_TOKEN = ""
    with pytest.raises(CommandError, match="PROLIFIC_TOKEN is not set"):
        call_command("sync_panels")


SECRET = "a webhook's secret"
EVENT = {
    "event_type": "submission.status.change",
    "resource_id": "70bb",
    "participant_id": "60aa",
    "status": "RETURNED",
}


@pytest.fixture
def notify(settings):
    """Deliver a notification as Prolific does; changes spoil it."""
    settings.PROLIFIC_WEBHOOK_SECRET = SECRET

    def deliver(
        body: bytes | None = None, *, age: int = 0, event_id: str = "e1", secret: str = SECRET, **headers
    ) -> int:
        body = json.dumps(EVENT).encode() if body is None else body
        timestamp = str(int((clock.wall_clock() - timedelta(seconds=age)).timestamp()))
        signed = {
            "X-Prolific-Request-Timestamp": timestamp,
            "X-Prolific-Request-Signature": webhooks.sign(body, timestamp, secret),
            "X-Event-ID": event_id,
        }
        return (
            Client(enforce_csrf_checks=True)
            .post("/panels/prolific/events", body, content_type="application/json", headers=signed | headers)
            .status_code
        )

    return deliver


def test_a_notification_is_kept_once_and_without_the_participant(notify):
    assert [notify(), notify(), notify(event_id="e2")] == [204, 204, 204]
    assert set(PanelEvent.objects.values_list("event_id", "resource_id")) == {("e1", "70bb"), ("e2", "70bb")}
    assert "60aa" not in str(list(PanelEvent.objects.values()))


def test_the_signature_is_over_the_bytes_as_they_came(notify):
    assert notify(b'{"event_type":"a" ,\n "resource_id":"b"}') == 204


@pytest.mark.parametrize(
    ("spoiled", "status"),
    [
        ({"secret": "another secret"}, 403),
        ({"age": 301}, 403),
        ({"age": -301}, 403),
        ({"X-Prolific-Request-Signature": ""}, 403),
        ({"X-Prolific-Request-Signature": "é"}, 403),
        ({"X-Prolific-Request-Timestamp": "1"}, 403),
        ({"event_id": ""}, 400),
        ({"event_id": "e" * 101}, 400),
        ({"body": b"[]"}, 400),
        ({"body": b"{}"}, 400),
        ({"body": b"\xff"}, 400),
        ({"body": b'{"event_type": "a", "resource_id": "\\u0000"}'}, 400),
        ({"body": b"x" * 1_500_001}, 413),
    ],
    ids=str,
)
def test_a_notification_that_is_not_prolifics_or_no_event_is_refused(notify, spoiled, status):
    assert notify(**spoiled) == status
    assert not PanelEvent.objects.exists()


def test_without_a_secret_there_is_no_such_address(notify, settings):
    settings.PROLIFIC_WEBHOOK_SECRET = ""
    assert notify() == 404


def test_a_notification_is_done_with_once_everything_was_looked_at(notify, published, client, there):
    notify()
    there.faults = [(f"/{published.study.external_id}/", "error_500")] * 5
    sync(client)
    assert PanelEvent.objects.get().done_at is None
    sync(client)
    assert PanelEvent.objects.get().done_at is not None
