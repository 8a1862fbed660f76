"""Qualification types with tests: made and changed, asked for, taken, scored, granted and declined."""

import contextlib
import html as html_text
import re
import threading
import time

import pytest
from django.db import connection, transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from marketplace import clock, questions
from marketplace.errors import Refused
from marketplace.models import Message, QualificationRequest, QualificationType
from marketplace.questions import answer_key
from marketplace.services import qualifying

from .conftest import question, turk_code
from .question_forms import choice, form, text
from .test_qualifications import own_type
from .test_races import at_once

pytestmark = pytest.mark.slow

TEST = form(
    choice("capital", "vienna", "graz"),
    choice("rivers", "enns", "mur", "po", before="<MaxSelectionCount>3</MaxSelectionCount>"),
)
OPTION = "<AnswerOption>{}<AnswerScore>{}</AnswerScore></AnswerOption>"
PICK = "<SelectionIdentifier>{}</SelectionIdentifier>"
PERCENT = "<PercentageMapping><MaximumSummedScore>30</MaximumSummedScore></PercentageMapping>"

SCALE = "<ScaleMapping><SummedScoreMultiplier>{}</SummedScoreMultiplier></ScaleMapping>"


def key(*scored: str, mapping: str = "") -> str:
    value = f"<QualificationValueMapping>{mapping}</QualificationValueMapping>" if mapping else ""
    return f'<AnswerKey xmlns="{answer_key.NAMESPACE}">{"".join(scored)}{value}</AnswerKey>'


def scored(identifier: str, *options: tuple[str, int], default: int | None = None) -> str:
    """A question of a key; each option is identifiers with spaces between, and a score."""
    listed = "".join(
        OPTION.format("".join(PICK.format(name) for name in names.split()), score) for names, score in options
    )
    rest = "" if default is None else f"<DefaultScore>{default}</DefaultScore>"
    return f"<Question><QuestionIdentifier>{identifier}</QuestionIdentifier>{listed}{rest}</Question>"


KEY = key(
    scored("capital", ("vienna", 10)), scored("rivers", ("enns mur", 20), ("enns", 5), default=-1), mapping=PERCENT
)


def with_test(requester, name="Geography", **changes) -> str:
    return own_type(requester, name, **{"Test": TEST, "AnswerKey": KEY, "TestDurationInSeconds": 600} | changes)


def ask(worker, type_id):
    return worker.client.post(f"/qualifications/{type_id}/ask")


def hand_in(worker, type_id, **fields):
    return worker.client.post(f"/qualifications/{type_id}/test", fields or {"q1": "0", "q2": ["0", "1"]})


def page_of(worker, type_id: str) -> str:
    return html_text.unescape(worker.client.get(f"/qualifications/{type_id}/").content.decode())


def chance(worker, type_id: str) -> str:
    return re.search(r'data-chance="(\w*)"', page_of(worker, type_id))[1]


def value_of(requester, worker, type_id) -> int:
    found = requester.mturk.get_qualification_score(QualificationTypeId=type_id, WorkerId=worker.worker_id)
    return found["Qualification"]["IntegerValue"]


@pytest.mark.parametrize(
    ("fields", "value"),
    [
        ({"q1": "0", "q2": ["0", "1"]}, 100),
        ({"q1": "0", "q2": ["1", "0"]}, 100),
        ({"q1": "0", "q2": ["0"]}, 50),
        ({"q1": "1", "q2": ["0", "1"]}, 66),
        ({"q1": "1", "q2": ["0", "1", "2"]}, -3),
    ],
)
def test_a_test_with_a_key_is_scored_and_granted_at_once(requester, worker, fields, value):
    type_id = with_test(requester)
    response = ask(worker, type_id)
    assert response.url == f"/qualifications/{type_id}/test"
    shown = worker.client.get(response.url).content.decode()
    assert "Vienna" in shown
    assert 'data-seconds-left="599"' in shown or 'data-seconds-left="600"' in shown
    assert hand_in(worker, type_id, **fields).status_code == 302
    assert value_of(requester, worker, type_id) == value
    assert requester.mturk.list_qualification_requests()["QualificationRequests"] == []


@pytest.mark.parametrize(
    ("mapping", "value"),
    [
        ("", 15),
        ("<PercentageMapping><MaximumSummedScore>45</MaximumSummedScore></PercentageMapping>", 33),
        ("<ScaleMapping><SummedScoreMultiplier>1.5</SummedScoreMultiplier></ScaleMapping>", 22),
        (
            "<RangeMapping><SummedScoreRange><InclusiveLowerBound>5</InclusiveLowerBound><InclusiveUpperBound>15"
            "</InclusiveUpperBound><QualificationValue>7</QualificationValue></SummedScoreRange>"
            "<OutOfRangeQualificationValue>0</OutOfRangeQualificationValue></RangeMapping>",
            7,
        ),
        (
            "<RangeMapping><SummedScoreRange><InclusiveLowerBound>16</InclusiveLowerBound><InclusiveUpperBound>99"
            "</InclusiveUpperBound><QualificationValue>7</QualificationValue></SummedScoreRange>"
            "<OutOfRangeQualificationValue>2</OutOfRangeQualificationValue></RangeMapping>",
            2,
        ),
    ],
    ids=["none", "percentage", "scale", "in range", "out of range"],
)
def test_a_summed_score_becomes_the_value_by_the_keys_mapping(mapping, value):
    document = key(scored("capital", ("vienna", 10)), scored("rivers", ("enns", 5)), mapping=mapping)
    parsed = answer_key.parse(document, questions.parse_test(TEST))
    assert parsed.value_of({"capital": ["vienna"], "rivers": ["enns"]}) == value


def test_a_wrong_form_is_shown_again_and_the_clock_goes_on(requester, worker, pass_time):
    type_id = with_test(requester)
    ask(worker, type_id)
    pass_time(60)
    response = hand_in(worker, type_id, q1="1")
    assert response.status_code == 422
    page = response.content.decode()
    assert "Choose at least 1." in page
    assert re.search(r'value="1" checked', page)
    assert 530 <= int(re.search(r'data-seconds-left="(\d+)"', page)[1]) <= 540
    assert hand_in(worker, type_id).status_code == 302
    assert value_of(requester, worker, type_id) == 100


def test_the_server_keeps_the_time_of_a_test(requester, worker, pass_time):
    type_id = with_test(requester, RetryDelayInSeconds=3600)
    ask(worker, type_id)
    pass_time(601)
    assert hand_in(worker, type_id).url == f"/qualifications/{type_id}/"
    assert turk_code(
        requester.refusal("get_qualification_score", QualificationTypeId=type_id, WorkerId=worker.worker_id)
    ) == ("QualificationDoesNotExist")
    assert "ran out of time" in page_of(worker, type_id)
    assert chance(worker, type_id) == "wait"
    pass_time(3600)
    assert chance(worker, type_id) == ""
    ask(worker, type_id)
    hand_in(worker, type_id)
    assert value_of(requester, worker, type_id) == 100


def test_a_test_that_changes_meanwhile_is_scored_as_it_was_begun(requester, worker):
    type_id = with_test(requester)
    ask(worker, type_id)
    requester.mturk.update_qualification_type(
        QualificationTypeId=type_id, Test=form(text("other")), TestDurationInSeconds=60
    )
    hand_in(worker, type_id)
    assert value_of(requester, worker, type_id) == 100


def test_without_a_retry_delay_a_qualification_is_asked_for_once(requester, worker):
    once, again = with_test(requester, "Once"), with_test(requester, "Again", RetryDelayInSeconds=0)
    for type_id in (once, again):
        ask(worker, type_id)
        hand_in(worker, type_id, q1="1", q2="2")
    assert (chance(worker, once), chance(worker, again)) == ("once", "")
    for type_id in (once, again):
        ask(worker, type_id)
        hand_in(worker, type_id)
    assert value_of(requester, worker, once) == -3
    assert value_of(requester, worker, again) == 100


def test_a_test_without_a_key_waits_for_the_requester(requester, worker, new_worker):
    type_id = with_test(requester, AnswerKey=None)
    later = new_worker()
    for person in (worker, later):
        ask(person, type_id)
        assert requester.mturk.list_qualification_requests()["NumResults"] == (person is later)
        hand_in(person, type_id)
    listed = requester.mturk.list_qualification_requests(QualificationTypeId=type_id)["QualificationRequests"]
    assert [row["WorkerId"] for row in listed] == [worker.worker_id, later.worker_id]
    first, second = listed
    assert first["Test"] == TEST
    assert "<SelectionIdentifier>vienna</SelectionIdentifier>" in first["Answer"]
    assert first["SubmitTime"]
    requester.mturk.accept_qualification_request(
        QualificationRequestId=first["QualificationRequestId"], IntegerValue=42
    )
    requester.mturk.reject_qualification_request(
        QualificationRequestId=second["QualificationRequestId"], Reason="Graz is no capital."
    )
    assert requester.mturk.list_qualification_requests()["NumResults"] == 0
    assert value_of(requester, worker, type_id) == 42
    assert "Graz is no capital." in page_of(later, type_id)
    assert "Graz is no capital." in later.client.get("/qualifications/").content.decode()
    assert [row.text[:40] for row in Message.objects.order_by("id")] == [
        "You now have the qualification “Geograph",
        "Your request for the qualification “Geog",
    ]
    for operation in ("accept_qualification_request", "reject_qualification_request"):
        refusal = requester.refusal(operation, QualificationRequestId=first["QualificationRequestId"])
        assert turk_code(refusal) == "InvalidQualificationRequestState"


def test_requests_are_their_requesters_alone(requester, new_requester, worker):
    type_id = own_type(requester)
    ask(worker, type_id)
    (listed,) = requester.mturk.list_qualification_requests()["QualificationRequests"]
    assert "Test" not in listed
    stranger = new_requester()
    assert stranger.mturk.list_qualification_requests()["NumResults"] == 0
    assert turk_code(stranger.refusal("list_qualification_requests", QualificationTypeId=type_id)) == (
        "QualificationTypeDoesNotExist"
    )
    for operation in ("accept_qualification_request", "reject_qualification_request"):
        for request_id in (listed["QualificationRequestId"], "3NONE"):
            refusal = stranger.refusal(operation, QualificationRequestId=request_id)
            assert turk_code(refusal) == "QualificationRequestDoesNotExist"
    requester.mturk.accept_qualification_request(QualificationRequestId=listed["QualificationRequestId"])
    assert value_of(requester, worker, type_id) == 1


def test_a_begun_test_is_no_request_yet(requester, worker):
    ask(worker, with_test(requester, AnswerKey=None))
    request_id = QualificationRequest.objects.get().request_id
    refusal = requester.refusal("accept_qualification_request", QualificationRequestId=request_id)
    assert turk_code(refusal) == "QualificationRequestDoesNotExist"


def test_an_auto_granted_type_is_granted_when_it_is_asked_for(requester, worker):
    type_id = own_type(requester, AutoGranted=True, AutoGrantedValue=7)
    assert "It is granted as soon as you ask for it." in page_of(worker, type_id)
    ask(worker, type_id)
    assert value_of(requester, worker, type_id) == 7
    assert chance(worker, type_id) == "held"
    ask(worker, type_id)
    assert QualificationRequest.objects.count() == 1


def test_two_clicks_are_one_request(requester, worker):
    type_id = own_type(requester)
    ask(worker, type_id)
    ask(worker, type_id)
    assert requester.mturk.list_qualification_requests()["NumResults"] == 1


def test_an_inactive_type_cannot_be_asked_for(requester, worker):
    type_id = with_test(requester, QualificationTypeStatus="Inactive")
    assert ask(worker, type_id).status_code == 404
    requester.mturk.update_qualification_type(QualificationTypeId=type_id, QualificationTypeStatus="Active")
    assert ask(worker, type_id).status_code == 302
    assert QualificationRequest.objects.count() == 1


def test_nobody_takes_anothers_test(requester, worker, new_worker):
    type_id = with_test(requester)
    ask(worker, type_id)
    other = new_worker()
    assert hand_in(other, type_id).url == f"/qualifications/{type_id}/"
    assert QualificationRequest.objects.get().status == "started"


def test_a_card_leads_to_the_qualification_that_is_missing(requester, worker):
    type_id = with_test(requester)
    hidden = own_type(requester, "Hidden", QualificationTypeStatus="Active")
    rules = [
        {"QualificationTypeId": type_id, "Comparator": "GreaterThan", "IntegerValues": [80]},
        {"QualificationTypeId": hidden, "Comparator": "DoesNotExist"},
    ]
    hit = requester.hit(requester.hit_type(QualificationRequirements=rules))
    link = f'href="/qualifications/{type_id}/"'
    page = worker.client.get("/projects/").content.decode()
    assert link in page
    assert hidden not in page
    assert worker.try_accept(hit).status_code == 403
    ask(worker, type_id)
    hand_in(worker, type_id)
    assert link not in worker.client.get("/projects/").content.decode()
    worker.accept(hit)


def test_the_overview_shows_what_is_held_lost_asked_for_and_on_offer(requester, worker):
    offered, by_hand, held, lost = (
        with_test(requester, "With a test"),
        own_type(requester, "Only by hand"),
        own_type(requester, "Held"),
        own_type(requester, "Lost"),
    )
    for type_id in (held, lost):
        requester.mturk.associate_qualification_with_worker(
            QualificationTypeId=type_id, WorkerId=worker.worker_id, IntegerValue=77
        )
    requester.mturk.disassociate_qualification_from_worker(
        QualificationTypeId=lost, WorkerId=worker.worker_id, Reason="The answers were copied."
    )
    page = worker.client.get("/qualifications/").content.decode()
    assert f'data-type-id="{offered}"' in page
    assert f'data-type-id="{by_hand}"' not in page
    assert "The answers were copied." in page
    assert page.count('data-grant="Granted"') == page.count('data-grant="Revoked"') == 1
    assert "HITs approved" in page
    found = worker.client.get("/qualifications/", {"q": "by HAND"}).content.decode()
    assert f'data-type-id="{by_hand}"' in found
    assert f'data-type-id="{offered}"' not in found


@pytest.mark.parametrize(
    ("notify", "written"), [({}, 1), ({"SendNotification": True}, 1), ({"SendNotification": False}, 0)]
)
def test_a_grant_writes_to_the_worker_unless_it_is_not_to(requester, worker, notify, written):
    type_id = own_type(requester)
    requester.mturk.associate_qualification_with_worker(
        QualificationTypeId=type_id, WorkerId=worker.worker_id, **notify
    )
    assert Message.objects.filter(worker=worker.profile).count() == written


def changed(requester, type_id, **changes) -> dict:
    return requester.mturk.update_qualification_type(QualificationTypeId=type_id, **changes)["QualificationType"]


def test_a_type_is_changed_but_for_its_name(requester):
    type_id = own_type(requester, "Plain", Keywords="a, b")
    seen = changed(requester, type_id, Description="New words", RetryDelayInSeconds=60, AutoGranted=True)
    assert (seen["Name"], seen["Keywords"], seen["Description"]) == ("Plain", "a, b", "New words")
    assert (seen["RetryDelayInSeconds"], seen["AutoGranted"], seen["AutoGrantedValue"]) == (60, True, 1)
    assert changed(requester, type_id, AutoGrantedValue=9)["AutoGrantedValue"] == 9
    seen = changed(requester, type_id, AutoGranted=False, Test=TEST, AnswerKey=KEY, TestDurationInSeconds=90)
    assert (seen["Test"], seen["AnswerKey"], seen["TestDurationInSeconds"]) == (TEST, KEY, 90)
    assert requester.mturk.get_qualification_type(QualificationTypeId=type_id)["QualificationType"] == seen
    seen = changed(requester, type_id, Test=TEST, TestDurationInSeconds=120)
    assert "AnswerKey" not in seen  # a new test without a key is scored by hand
    assert changed(requester, type_id, Description="Newer")["Test"] == TEST


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"Description": "d" * 2001}, "InvalidParameterValue"),
        ({"AnswerKey": KEY}, "InvalidParameterValue"),
        ({"TestDurationInSeconds": 60}, "InvalidParameterValue"),
        ({"Test": TEST}, "InvalidParameterValue"),
        ({"Test": TEST, "TestDurationInSeconds": 0}, "InvalidParameterValue"),
        ({"AutoGranted": True}, "InvalidParameterValue"),
        ({"AutoGrantedValue": 3}, "InvalidParameterValue"),
        ({"RetryDelayInSeconds": -1}, "InvalidParameterValue"),
        ({"Test": "<QuestionForm/>", "TestDurationInSeconds": 60}, "XMLParseError"),
        ({"Test": question(), "TestDurationInSeconds": 60}, "XMLParseError"),
        ({"Test": TEST, "AnswerKey": "<AnswerKey/>", "TestDurationInSeconds": 60}, "XMLParseError"),
        ({"Test": TEST + " " * 65536, "TestDurationInSeconds": 60}, "InvalidParameterValue"),
    ],
    ids=lambda value: str(value)[:60],
)
def test_a_change_that_makes_no_sense_is_refused(requester, change, code):
    type_id = with_test(requester)
    before = requester.mturk.get_qualification_type(QualificationTypeId=type_id)["QualificationType"]
    assert turk_code(requester.refusal("update_qualification_type", QualificationTypeId=type_id, **change)) == code
    assert requester.mturk.get_qualification_type(QualificationTypeId=type_id)["QualificationType"] == before
    if change != {"AutoGranted": True}:  # without a test this is as it should be
        values = {"Name": "Another", "Description": "D", "QualificationTypeStatus": "Active"} | change
        assert turk_code(requester.refusal("create_qualification_type", **values)) == code


@pytest.mark.parametrize("operation", ["update_qualification_type", "delete_qualification_type"])
def test_nobody_changes_anothers_type_or_the_systems(requester, new_requester, operation):
    for type_id in (own_type(new_requester()), "00000000000000000040", "3NONE"):
        refusal = requester.refusal(operation, QualificationTypeId=type_id)
        assert turk_code(refusal) == "QualificationTypeDoesNotExist"


def test_a_deleted_type_is_gone_but_what_rests_on_it_stays(requester, worker, new_worker):
    type_id = own_type(requester, "Gone")
    rule = {"QualificationTypeId": type_id, "Comparator": "Exists", "ActionsGuarded": "DiscoverPreviewAndAccept"}
    hit_type = requester.hit_type(QualificationRequirements=[rule])
    hit = requester.hit(hit_type)
    requester.mturk.associate_qualification_with_worker(QualificationTypeId=type_id, WorkerId=worker.worker_id)
    asking = new_worker()
    ask(asking, type_id)
    requester.mturk.delete_qualification_type(QualificationTypeId=type_id)
    assert requester.mturk.list_qualification_requests()["NumResults"] == 0
    assert "The requester no longer gives this qualification." in page_of(asking, type_id)
    worker.accept(hit)  # a grant holds for the HITs that there are
    for operation, more in [
        ("get_qualification_type", {}),
        ("delete_qualification_type", {}),
        ("update_qualification_type", {"Description": "D"}),
        ("get_qualification_score", {"WorkerId": worker.worker_id}),
        ("associate_qualification_with_worker", {"WorkerId": worker.worker_id}),
        ("list_workers_with_qualification_type", {}),
    ]:
        refusal = requester.refusal(operation, QualificationTypeId=type_id, **more)
        assert turk_code(refusal) == "QualificationTypeDoesNotExist"
    assert (
        requester.mturk.list_qualification_types(MustBeRequestable=False, MustBeOwnedByCaller=True)["NumResults"] == 0
    )
    values = {"LifetimeInSeconds": 60, "Question": question()}
    refusal = requester.refusal("create_hit_with_hit_type", HITTypeId=hit_type, **values)
    assert turk_code(refusal) == "HITTypeDoesNotExist"
    assert ask(new_worker(), type_id).status_code == 404
    assert own_type(requester, "Gone") != type_id  # the name is free again


def test_an_inactive_type_makes_no_new_hits_until_it_is_active_again(requester):
    type_id = own_type(requester)
    hit_type = requester.hit_type(QualificationRequirements=[{"QualificationTypeId": type_id, "Comparator": "Exists"}])
    plain = requester.hit()
    changed(requester, type_id, QualificationTypeStatus="Inactive")
    values = {"LifetimeInSeconds": 60, "Question": question()}
    refusal = requester.refusal("create_hit_with_hit_type", HITTypeId=hit_type, **values)
    assert turk_code(refusal) == "InvalidQualificationTypeState"
    refusal = requester.refusal("update_hit_type_of_hit", HITId=plain["HITId"], HITTypeId=hit_type)
    assert turk_code(refusal) == "InvalidQualificationTypeState"
    changed(requester, type_id, QualificationTypeStatus="Active")
    assert requester.hit(hit_type)


def test_a_type_that_is_deleted_while_it_is_changed_stays_deleted(requester):
    """The change reads the type before the deletion is committed, and writes after."""
    type_id = own_type(requester, "Plain")
    row = QualificationType.objects.get(type_id=type_id)
    results = []

    def change():
        results.append(turk_code(requester.refusal("update_qualification_type", QualificationTypeId=type_id, **NEWER)))

    thread = threading.Thread(target=change)
    with transaction.atomic():
        qualifying.delete_type(row, clock.now())
        thread.start()
        waits_for_row()
    thread.join(20)
    assert results == ["QualificationTypeDoesNotExist"]
    row.refresh_from_db()
    assert (row.deleted_at is not None, row.description, row.status) == (True, "D", "Inactive")


NEWER = {"Description": "Newer", "QualificationTypeStatus": "Active"}


def waits_for_row():
    """Return once another session waits for a lock in this database."""
    for _ in range(200):
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )
            if cursor.fetchone()[0]:
                return
        time.sleep(0.05)
    raise AssertionError("nobody waits")


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        (key(), "An AnswerKey needs at least one Question."),
        (key(scored("capital", ("rome", 1))), "The Test offers no selection 'rome'"),
        (key(scored("mountains", ("enns", 1))), "scores the question 'mountains', which the Test does not ask"),
        (key(scored("words", ("enns", 1))), "'words' takes free text; an AnswerKey scores selections alone"),
        (key(scored("capital"), scored("capital")), "A QuestionIdentifier stands twice"),
        (key(scored("capital", ("vienna", "ten"))), "AnswerScore must be a whole number"),
        (key("<Question><AnswerOption/></Question>"), "holds a QuestionIdentifier, AnswerOption elements"),
        (key(scored("capital"), mapping="<ScaleMapping/>"), "ScaleMapping lacks its element SummedScoreMultiplier"),
        (
            key(scored("capital"), mapping=PERCENT.replace("30", "0")),
            "MaximumSummedScore must be a whole number from 1",
        ),
        (key(scored("capital"), mapping=SCALE.format("1E999999999999")), "SummedScoreMultiplier must be a number"),
        (key(scored("capital"), mapping=SCALE.format("1E-999999999999")), "SummedScoreMultiplier must be a number"),
        (key(scored("capital"), mapping=SCALE.format("sNaN")), "SummedScoreMultiplier must be a number"),
        (key(scored("capital"), mapping=SCALE.format("-1E99")), "SummedScoreMultiplier must be from -2147483647"),
        (key(scored("capital"), mapping=PERCENT + PERCENT), "stands twice or too late"),
        (key(scored("capital")).replace("2005-10-01", "2006-10-01"), "Cannot find the declaration"),
        ("<a>", "no element found"),
    ],
    ids=lambda value: value[-40:],
)
def test_an_answer_key_that_does_not_fit_is_refused_with_a_sentence(document, sentence):
    test = questions.parse_test(form(choice("capital", "vienna"), text("words")))
    with pytest.raises(Refused, match=re.escape(sentence)) as refusal:
        answer_key.parse(document, test)
    assert refusal.value.code == "AWS.MechanicalTurk.XMLParseError"


NAMES = ["Question", "QuestionIdentifier", "AnswerOption", "SelectionIdentifier", "AnswerScore", "DefaultScore"]
NAMES += ["QualificationValueMapping", "RangeMapping", "ScaleMapping", "PercentageMapping", "SummedScoreRange"]
names = st.sampled_from(NAMES)
leaves = st.builds("<{0}>{1}</{0}>".format, names, st.sampled_from(["", "1", "capital", "vienna", "1e400", "-", "NaN"]))
branches = lambda inner: st.builds("<{0}>{1}</{0}>".format, names, st.lists(inner).map("".join))  # noqa: E731


@given(st.lists(st.recursive(leaves, branches, max_leaves=10), max_size=4))
@settings(max_examples=150, deadline=None)
def test_whatever_is_sent_is_an_answer_key_or_refused(parts):
    with contextlib.suppress(Refused):
        parsed = answer_key.parse(key(scored("capital", ("vienna", 10)), *parts), questions.parse_test(TEST))
        assert isinstance(parsed.value_of({"capital": ["vienna"]}), int)


def test_asking_twice_at_once_is_one_request(requester, worker):
    type_id = own_type(requester)
    assert [response.status_code for response in at_once(*[lambda: ask(worker, type_id)] * 2)] == [302, 302]
    assert QualificationRequest.objects.count() == 1


def test_handing_in_twice_at_once_is_scored_once(requester, worker):
    type_id = with_test(requester)
    ask(worker, type_id)
    at_once(lambda: hand_in(worker, type_id), lambda: hand_in(worker, type_id, q1="1", q2="2"))
    made = QualificationRequest.objects.get()
    assert (made.status, made.value) == ("granted", value_of(requester, worker, type_id))
    assert made.value in (100, -3)
