"""Bonuses at Prolific: within the study's budget, each paid once, and none held up by another."""

import json
from decimal import Decimal

import pytest

from marketplace import clock
from marketplace.models import User
from marketplace.recruiting.models import (
    BonusBatch,
    PanelBonus,
    PanelDecision,
    PanelEvent,
    Participant,
    ProlificStudy,
    Visit,
)
from marketplace.recruiting.services import bonus_batches
from marketplace.services import erasure

from .test_panel_pages import give_bonus
from .test_prolific import client, come, published, study, sync, there

pytestmark = pytest.mark.slow

__all__ = ["client", "published", "study", "there"]  # fixtures


def approved(there, visitor, published, study, requester, participant: str = "60aa"):
    person = come(there, visitor, published, study[1], participant)
    for assignment_id in person.assignments:
        requester.mturk.approve_assignment(AssignmentId=assignment_id)
    return person


def statuses() -> list[str]:
    return list(BonusBatch.objects.order_by("id").values_list("status", flat=True))


def erase(operator, participant: str) -> None:
    worker = Participant.objects.get(participant_id=participant).worker
    erasure.erase(User.objects.get(is_operator=True), worker, clock.now(), reason="They asked.")


def test_who_was_erased_holds_up_nobody_elses_bonus_and_the_operator_sees_it(
    published, study, client, there, visitor, requester, operator
):
    ann = approved(there, visitor, published, study, requester, "60aa")
    bea = approved(there, visitor, published, study, requester, "60bb")
    sync(client)
    give_bonus(requester, ann.assignments[0], "1.00")
    give_bonus(requester, bea.assignments[0], "2.00")
    erase(operator, "60aa")
    sync(client)
    assert there.paid == [(bea.session, Decimal("2.00"))]
    sync(client)
    assert statuses() == ["paid"]
    page = operator.get(f"/operator/recruiting/studies/{published.study_id}/").content.decode()
    assert "1 bonus is for somebody who was erased here" in page
    assert operator.get(f"/operator/recruiting/studies/{published.study_id}/approvals.csv").content.decode() == (
        f"{bea.session}\n"
    )


def test_who_is_erased_while_their_bonus_waits_is_taken_out_of_its_batch(
    published, study, client, there, visitor, requester, operator
):
    ann = approved(there, visitor, published, study, requester, "60aa")
    bea = approved(there, visitor, published, study, requester, "60bb")
    sync(client)
    give_bonus(requester, ann.assignments[0], "1.00")
    there.faults = [("/bonus-payments/", "error_500")]
    sync(client)
    assert statuses() == ["wanted"]
    erase(operator, "60aa")
    assert statuses() == []
    give_bonus(requester, bea.assignments[0], "2.00")
    sync(client)
    assert there.paid == [(bea.session, Decimal("2.00"))]


def test_nothing_that_is_kept_of_the_panel_names_who_was_erased(
    published, study, client, there, visitor, requester, operator
):
    ann = approved(there, visitor, published, study, requester, "60aa")
    there.shows_payments = False
    sync(client)
    give_bonus(requester, ann.assignments[0], "1.00")
    sync(client)
    batch = BonusBatch.objects.get()
    assert (batch.status, ann.session in batch.seen_before) == ("paying", True)
    BonusBatch.objects.update(last_error=f"These ids are not known: ['{ann.session}']")
    now = clock.now()
    PanelEvent.objects.create(event_id="e1", event_type="t", resource_id=ann.session, received_at=now, done_at=now)
    PanelEvent.objects.create(event_id="e2", event_type="t", resource_id="70zz", received_at=now)
    erase(operator, "60aa")
    models = (BonusBatch, PanelBonus, PanelEvent, PanelDecision, Participant, Visit)
    kept = json.dumps([list(model.objects.values()) for model in models], default=str)
    assert (ann.session in kept, "60aa" in kept, "70zz" in kept) == (False, False, True)
    there.show_payments()
    sync(client)
    assert statuses() == ["paying"]  # nobody can see any more whose payment it was
    assert PanelEvent.objects.exclude(resource_id="").count() == 0  # looked at, and so of no more use


def test_an_id_that_prolific_refuses_is_taken_out_and_the_others_are_paid(
    published, study, client, there, visitor, requester, operator
):
    people = [approved(there, visitor, published, study, requester, f"p{number}") for number in range(3)]
    sync(client)
    for person in people:
        give_bonus(requester, person.assignments[0], "1.00")
    there.refuses = {people[1].session}
    sync(client)
    sync(client)
    assert {key for key, _amount in there.paid} == {people[0].session, people[2].session}
    refused = BonusBatch.objects.get(status="stopped")
    assert people[1].session in refused.last_error
    page = operator.get(f"/operator/recruiting/studies/{published.study_id}/").content.decode()
    assert f"<code>{people[1].session}</code> 1.00 USD" in page
    assert "need a look at the panel" in operator.get("/operator/").content.decode()


def test_a_refusal_that_names_nobody_is_narrowed_down_to_one(
    published, study, client, there, visitor, requester, pass_time
):
    people = [approved(there, visitor, published, study, requester, f"p{number}") for number in range(4)]
    sync(client)
    for person in people:
        give_bonus(requester, person.assignments[0], "1.00")
    there.refuses, there.names_refused = {people[2].session}, False
    for _ in range(4):
        sync(client)
    assert {key for key, _amount in there.paid} == {person.session for person in people} - {people[2].session}
    there.refuses = set()
    pass_time(3601)
    sync(client)
    assert sorted(there.paid) == sorted((person.session, Decimal("1.00")) for person in people)


def test_a_submission_that_prolific_shows_no_more_is_taken_out(published, study, client, there, visitor, requester):
    ann = approved(there, visitor, published, study, requester, "60aa")
    bea = approved(there, visitor, published, study, requester, "60bb")
    sync(client)
    for person in (ann, bea):
        give_bonus(requester, person.assignments[0], "1.00")
    del there.submissions[ann.session]
    sync(client)
    assert there.paid == [(bea.session, Decimal("1.00"))]
    assert BonusBatch.objects.get(status="stopped").last_error.startswith("Prolific does not show")


def test_a_second_bonus_waits_until_the_first_is_seen_and_is_not_taken_for_it(
    published, study, client, there, visitor, requester
):
    ann = approved(there, visitor, published, study, requester)
    sync(client)
    give_bonus(requester, ann.assignments[0], "4.25")
    there.shows_payments = False
    sync(client)
    give_bonus(requester, ann.assignments[1], "9.00")
    sync(client)
    assert statuses() == ["paying"]
    there.show_payments()
    there.shows_payments = True
    there.faults = [("/pay/", "error_500")]  # the second payment is never carried out
    sync(client)
    for _ in range(2):
        sync(client)
    assert (statuses(), there.paid) == (["paid", "paying"], [(ann.session, Decimal("4.25"))])


@pytest.mark.parametrize("by_hand", ["1.00", "9.00"])
def test_a_payment_by_hand_is_not_taken_for_one_whose_answer_was_lost(
    published, study, client, there, visitor, requester, operator, by_hand, pass_time
):
    ann = approved(there, visitor, published, study, requester)
    sync(client)
    give_bonus(requester, ann.assignments[0], "9.00")
    there.faults = [("/pay/", "error_500")]
    sync(client)
    give_bonus(requester, ann.assignments[1], by_hand)
    operator.post(f"/operator/recruiting/studies/{published.study_id}/bonuses/")
    there.paid.append((ann.session, Decimal(by_hand)))
    there.show_payments()
    sync(client)
    assert BonusBatch.objects.earliest("id").status == "paying"
    pass_time(25 * 3600)
    sync(client)
    assert BonusBatch.objects.earliest("id").status == "stopped"


def test_no_bonus_goes_out_by_itself_beyond_the_budget_which_is_nothing_at_first(
    published, study, client, there, visitor, requester, operator
):
    ProlificStudy.objects.update(bonus_budget_usd=0)
    address = f"/operator/recruiting/studies/{published.study_id}/"
    ann = approved(there, visitor, published, study, requester, "60aa")
    bea = approved(there, visitor, published, study, requester, "60bb")
    sync(client)
    give_bonus(requester, ann.assignments[0], "10000.00")
    give_bonus(requester, bea.assignments[0], "2.00")
    sync(client)
    assert (statuses(), there.paid) == ([], [])
    assert "2 bonuses of “Reading about rivers” are beyond its budget" in operator.get("/operator/").content.decode()
    operator.post(f"{address}prolific/budget/", {"budget": "3.50"})
    for _ in range(2):
        sync(client)
    assert there.paid == [(bea.session, Decimal("2.00"))]
    give_bonus(requester, bea.assignments[1], "2.00")
    sync(client)
    assert len(there.paid) == 1  # 1.50 is left
    page = operator.get(address).content.decode()
    assert "$1.50 of it is left" in page
    assert "Bonuses of 10002.00 USD wait" in page
    for total in ("", "10000.00", "1e5", "NaN", "9" * 5000):
        page = operator.post(f"{address}prolific/bonuses/", {"total": total}, follow=True).content.decode()
        assert "Nothing was sent" in page
    sync(client)
    assert len(there.paid) == 1
    operator.post(f"{address}prolific/bonuses/", {"total": "10002.00"})
    sync(client)
    assert sorted(there.paid) == sorted(
        [(bea.session, Decimal("2.00")), (ann.session, Decimal("10000.00")), (bea.session, Decimal("2.00"))]
    )
    assert bonus_batches.spent_usd(published.study) == 2


@pytest.mark.parametrize("budget", ["", "-1", "1.005", "NaN", "1e3", "1000001", "9" * 5000, "\0", "²"])
def test_a_budget_that_is_no_amount_is_not_set(published, operator, budget):
    address = f"/operator/recruiting/studies/{published.study_id}/prolific/budget/"
    assert "Nothing was done" in operator.post(address, {"budget": budget}, follow=True).content.decode()
    assert ProlificStudy.objects.get().bonus_budget_usd == 1000
    operator.post(address, {"budget": "0"})
    assert ProlificStudy.objects.get().bonus_budget_usd == 0


@pytest.mark.parametrize("status", ["file", "wanted", "set_up", "paying", "paid", "stopped"])
def test_a_file_is_given_out_only_where_nothing_else_pays_it(published, operator, status):
    now = clock.now()
    batch = BonusBatch.objects.create(
        study=published.study, status=status, setup_id=f"s-{status}", created_at=now, moved_at=now
    )
    answer = operator.get(f"/operator/recruiting/bonuses/{batch.pk}.csv")
    assert answer.status_code == (200 if status == "file" else 404)
    page = operator.get(f"/operator/recruiting/studies/{published.study_id}/").content.decode()
    assert (f"/operator/recruiting/bonuses/{batch.pk}.csv" in page) is (status == "file")
