"""The operator's pages about panels, and the files that a panel is given."""

import csv
import io
import re

import pytest

from marketplace.models import HITType
from marketplace.recruiting.models import BonusBatch, Panel, PanelBonus, PanelStudy
from marketplace.recruiting.services import bonus_batches

from .conftest import at_once

pytestmark = pytest.mark.slow

PANEL = {"kind": "prolific", "name": "Prolific", "key": "prolific", "check_by": "none", "currency": "USD"}


def make_panel(operator, **changes):
    return operator.post("/operator/recruiting/panels/new/", PANEL | changes)


def test_an_operator_adds_a_panel_makes_a_study_and_has_its_link(operator, requester, settings):
    settings.MARKETPLACE_URL = "https://work.example.org"
    hit = requester.hit()
    made = make_panel(operator)
    values = {
        "name": "Rivers",
        "hit_types": [HITType.objects.get(type_id=hit["HITTypeId"]).pk],
        "hits_wanted": 2,
        "minutes": 30,
        "visits_per_participant": 1,
        "complete_code": "DONE1",
    }
    answer = operator.post(made.url, values)
    page = operator.get(answer.url).content.decode()
    study = PanelStudy.objects.get()
    assert (
        f"https://work.example.org/study/{study.key}/?PROLIFIC_PID={{{{%PROLIFIC_PID%}}}}"
        "&amp;STUDY_ID={{%STUDY_ID%}}&amp;SESSION_ID={{%SESSION_ID%}}"
    ) in page
    assert [hit_type.type_id for hit_type in study.hit_types.all()] == [hit["HITTypeId"]]
    assert "Rivers" in operator.get("/operator/recruiting/panels/").content.decode()


def test_each_kind_of_panel_brings_its_own_parameters_unless_others_are_named(operator):
    for kind in ("prolific", "cloudresearch", "sona", "other"):
        make_panel(operator, kind=kind, key=kind)
    make_panel(operator, kind="other", key="mine", participant_parameter="pid")
    found = Panel.objects.order_by("id").values_list("participant_parameter", "study_parameter", "session_parameter")
    assert list(found) == [
        ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID"),
        ("workerId", "hitId", "assignmentId"),
        ("survey_code", "", ""),
        ("participant", "", "session"),
        ("pid", "", ""),
    ]


@pytest.mark.parametrize(
    "changes",
    [
        {"kind": "mturk"},
        {"key": "with blanks"},
        {"key": ""},
        {"participant_parameter": "a&b"},
        {"participant_parameter": "a", "session_parameter": "a"},
        {"session_parameter": "a"},
        {"currency": "pound"},
        {"currency": "GBP"},
        {"currency": "GBP", "per_usd": "0"},
        {"currency": "GBP", "per_usd": "NaN"},
        {"kind": "sona", "check_by": "api"},
        {"name": "\0"},
    ],
)
def test_a_panel_that_makes_no_sense_is_not_made(operator, changes):
    answer = make_panel(operator, **changes)
    assert (answer.status_code, Panel.objects.exists()) == (400, False)
    assert make_panel(operator).status_code == 302


@pytest.mark.parametrize(
    "changes",
    [
        {"hit_types": ["999999999"]},
        {"hit_types": []},
        {"hits_wanted": "0"},
        {"minutes": "0"},
        {"places": "0"},
        {"visits_per_participant": "0"},
        {"complete_url": "javascript:alert(1)"},
        {"complete_url": "https://{participant}.example/"},
        {"quota_full_url": "https://["},
        {"external_id": "=1"},
        {"name": ""},
    ],
)
def test_a_study_that_makes_no_sense_is_not_made(operator, requester, changes):
    hit = requester.hit()
    address = make_panel(operator).url
    values = {"name": "Rivers", "hit_types": [HITType.objects.get(type_id=hit["HITTypeId"]).pk]}
    values |= {"hits_wanted": "1", "minutes": "30", "visits_per_participant": "1", "complete_code": "DONE1"}
    answer = operator.post(address, values | changes)
    assert (answer.status_code, PanelStudy.objects.exists()) == (400, False)
    assert operator.post(address, values).status_code == 302


def test_a_study_is_closed_and_opened_again(operator, new_study, requester):
    study = new_study(requester.hit())
    for form, is_open in (({}, False), ({"open": "1"}, True)):
        operator.post(f"/operator/recruiting/studies/{study.pk}/open/", form)
        assert PanelStudy.objects.get().is_open is is_open


@pytest.fixture
def decided(requester, new_study, visitor):
    """A study of two HITs for each participant, five of whom came: approved, rejected, mixed, undecided, short."""
    hit_type = requester.hit_type()
    hits = [requester.hit(hit_type, MaxAssignments=9) for _ in range(2)]
    study = new_study(hits[0], hits_wanted=2)
    done = {}
    for name in ("approved", "rejected", "mixed", "undecided", "short"):
        person = visitor(study, f"p-{name}", f"s-{name}")
        person.start()
        done[name] = [person.do(hits[0]) for _ in range(1 if name == "short" else 2)]
        person.see()
    for name, one, two in (("approved", "a", "a"), ("rejected", "r", "r"), ("mixed", "a", "r"), ("undecided", "a", "")):
        for assignment_id, decision in zip(done[name], (one, two), strict=True):
            if decision == "a":
                requester.mturk.approve_assignment(AssignmentId=assignment_id)
            elif decision == "r":
                requester.mturk.reject_assignment(AssignmentId=assignment_id, RequesterFeedback="No questions.")
    requester.mturk.approve_assignment(AssignmentId=done["short"][0])
    return study, done


def give_bonus(requester, assignment_id: str, amount: str, reason: str = "Well done") -> None:
    listed = requester.mturk.get_assignment(AssignmentId=assignment_id)["Assignment"]
    requester.mturk.send_bonus(
        WorkerId=listed["WorkerId"], AssignmentId=assignment_id, BonusAmount=amount, Reason=reason
    )


def test_the_file_of_approvals_holds_those_alone_all_of_whose_work_was_approved(operator, decided):
    study, _ = decided
    answer = operator.get(f"/operator/recruiting/studies/{study.pk}/approvals.csv")
    assert answer.content.decode() == "s-approved\n"
    page = operator.get(f"/operator/recruiting/studies/{study.pk}/").content.decode()
    assert verdicts_of(page) == {
        "approved": "approve",
        "rejected": "reject",
        "mixed": "look",
        "undecided": "wait",
        "short": "wait",  # still at work
    }


def verdicts_of(page: str) -> dict[str, str]:
    found = re.findall(r'data-verdict="(\w+)">\s*<th scope="row"><code>p-(\w+)', page)
    return {name: verdict for verdict, name in found}


def test_each_bonus_is_in_one_file_for_prolific_and_exactly_what_was_given(operator, decided, requester):
    study, done = decided
    give_bonus(requester, done["approved"][0], "4.25")
    give_bonus(requester, done["approved"][1], "0.10")
    give_bonus(requester, done["rejected"][0], "30")
    address = f"/operator/recruiting/studies/{study.pk}/bonuses/"
    at_once(3, lambda _: operator.post(address).status_code)
    assert PanelBonus.objects.count() == 3
    batch = BonusBatch.objects.get()
    for _ in range(2):
        answer = operator.get(f"/operator/recruiting/bonuses/{batch.pk}.csv")
        assert answer.content.decode() == "s-approved,4.35\ns-rejected,30.00\n"
    give_bonus(requester, done["mixed"][0], "1.00")
    operator.post(address)
    newest = BonusBatch.objects.latest("id")
    assert bonus_batches.bonuses_file(newest) == "s-mixed,1.00\n"
    assert "No bonus is due" in operator.post(address, follow=True).content.decode()


def test_another_currency_is_reckoned_in_one_place_to_the_cent(decided, requester, operator):
    study, done = decided
    Panel.objects.update(currency="GBP", per_usd="0.785")
    give_bonus(requester, done["approved"][0], "1.00")
    operator.post(f"/operator/recruiting/studies/{study.pk}/bonuses/")
    assert bonus_batches.bonuses_file(BonusBatch.objects.get()) == "s-approved,0.79\n"


def test_other_panels_get_a_table_in_which_no_spreadsheet_finds_a_formula(decided, requester, operator):
    study, done = decided
    Panel.objects.update(kind="other")
    for reason in ('=HYPERLINK("http://x")', "+1", "-1", "@SUM(A1)", "\t=1", "plain, with a comma"):
        give_bonus(requester, done["approved"][0], "1.00", reason)
    operator.post(f"/operator/recruiting/studies/{study.pk}/bonuses/")
    text = operator.get(f"/operator/recruiting/bonuses/{BonusBatch.objects.get().pk}.csv").content.decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {row["participant"] for row in rows} == {"p-approved"}
    assert all(row["reason"].startswith(("'", "plain")) for row in rows)
    assert len(rows) == 6
    approvals = operator.get(f"/operator/recruiting/studies/{study.pk}/approvals.csv").content.decode()
    assert approvals == "participant,session,hits_approved,reward_usd\np-approved,s-approved,2,0.20\n"
