"""The ledger against the endpoint: they agree to the cent, or the difference is named, with both figures."""

import json
from decimal import Decimal

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotation.models import Assignment, Membership
from hits.models import AssignmentDecision, Bonus, LedgerEntry, Reconciliation
from hits.services import bonuses, caps, mending, reconciling, syncing
from hits.services.bonuses import Wish
from hits.services.mending import NothingToMend
from tests.annotation.factories import make_member

from .conftest import published, writing
from .test_at_once import at_once
from .test_syncing import approve, decide, submit_one

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def batch(project, crowd):
    """Five HITs, one of them done, approved, and thanked for with a bonus of 50 cents."""
    batch = published(project)
    submit_one(crowd)
    syncing.sync("marketplace")
    approve(Assignment.objects.all())
    caps.raise_cap(batch, Decimal("20.00"), "For bonuses.", None)
    bonuses.ask(batch, [Wish(Assignment.objects.get(), Decimal("0.50"), "Thank you.")], None)
    bonuses.send()
    return batch


def compare(project):
    [report] = reconciling.reconcile([project])
    return report


def found(project):
    return [(one.kind, str(one.ours_usd), str(one.theirs_usd)) for one in compare(project).differences]


def pay_outside(crowd, amount="0.25", reason="Paid by hand."):
    [listed] = crowd.assignments()
    crowd.mturk.send_bonus(
        WorkerId=listed["WorkerId"], AssignmentId=listed["AssignmentId"], BonusAmount=amount, Reason=reason
    )


def mend_all(project, user=None):
    for one in compare(project).differences:
        hit = project_hits(project).get(pk=one.hit)
        mending.mend(hit, one.kind, one.mturk_assignment_id, user)


def project_hits(project):
    from hits.models import HIT

    return HIT.objects.in_project(project).select_related("batch__project", "hit_type", "offer__task")


def test_a_ledger_that_is_right_agrees_to_the_cent(batch, project):
    report = compare(project)
    assert report.differences == []
    assert (report.ours_usd, report.theirs_usd) == (Decimal("1.10"), Decimal("1.10"))
    assert (report.hits, report.assignments, report.bonuses) == (5, 1, 1)
    assert report.balances[0]["available_usd"] == "10000.00"


def test_work_approved_behind_our_back_is_found_and_taken_in(batch, project, crowd):
    assignment_id, _worker = submit_one(crowd)
    crowd.mturk.approve_assignment(AssignmentId=assignment_id)
    assert found(project) == [("approved_unrecorded", "0.00", "0.60")]
    user = make_member(project, Membership.Role.REQUESTER)
    mend_all(project, user)
    assert found(project) == []
    entries = LedgerEntry.objects.filter(batch=batch)
    assert (entries.spent_usd(), entries.reserved_usd()) == (Decimal("0.72") * 2 + Decimal("0.60"), Decimal("2.16"))
    assert AssignmentDecision.objects.get(asked_by=user).done_at is not None


def test_a_rejection_taken_back_after_the_hit_was_closed_is_found_and_taken_in(project, crowd):
    batch = published(project, writing(units_per_hit=5))
    assignment_id, _worker = submit_one(crowd)
    syncing.sync("marketplace")
    decide(Assignment.objects.all(), "reject", "None of the answers is in the text.")
    syncing.sync("marketplace")
    assert found(project) == []
    crowd.mturk.approve_assignment(AssignmentId=assignment_id, OverrideRejection=True)
    assert found(project) == [("approved_unrecorded", "0.00", "3.00")]
    mend_all(project)
    assert found(project) == []
    entries = LedgerEntry.objects.filter(batch=batch)
    assert (entries.spent_usd(), entries.reserved_usd()) == (Decimal("3.60"), Decimal("0.00"))
    assert Assignment.objects.get().status == Assignment.Status.APPROVED


def test_a_bonus_paid_outside_is_found_and_adopted_once(batch, project, crowd):
    pay_outside(crowd)
    assert found(project) == [("bonus_unrecorded", "0.00", "0.25")]
    user = make_member(project, Membership.Role.REQUESTER)
    mend_all(project, user)
    assert found(project) == []
    adopted = Bonus.objects.get(origin=Bonus.Origin.FOUND)
    assert (adopted.status, adopted.amount_usd, adopted.fee_usd, adopted.asked_by) == (
        Bonus.Status.PAID,
        Decimal("0.25"),
        Decimal("0.05"),
        user,
    )
    hit = project_hits(project).get(offer=adopted.assignment.offer_id)
    with pytest.raises(NothingToMend):
        mending.mend(hit, "bonus_unrecorded", adopted.assignment.mturk_assignment_id, user)


def test_a_bonus_paid_outside_that_looks_like_ours_is_counted_beside_it(batch, project, crowd):
    pay_outside(crowd, "0.50", "Thank you.")
    pay_outside(crowd, "0.50", "Thank you.")
    assert found(project) == [("bonus_unrecorded", "0.00", "0.50")] * 2
    mend_all_once(project)
    assert found(project) == []
    assert LedgerEntry.objects.filter(kind="bonus").count() == 3


def mend_all_once(project):
    one = compare(project).differences[0]
    mending.mend(project_hits(project).get(pk=one.hit), one.kind, one.mturk_assignment_id, None)


@pytest.mark.slow
def test_two_who_adopt_at_once_count_a_bonus_once(batch, project, crowd):
    pay_outside(crowd)
    at_once(*[lambda: mend_all(project)] * 3)
    assert Bonus.objects.filter(origin=Bonus.Origin.FOUND).count() == 1
    assert found(project) == []


def test_a_bonus_that_was_paid_and_stands_as_refused_is_settled(batch, project, crowd):
    bonuses.ask(batch, [Wish(Assignment.objects.get(), Decimal("0.10"), "Once more.")], None)
    pay_outside(crowd, "0.10", "Once more.")
    bonus = Bonus.objects.latest("pk")
    Bonus.objects.filter(pk=bonus.pk).update(status=Bonus.Status.REFUSED)
    assert found(project) == [("bonus_unsettled", "0.00", "0.10")]
    mend_all(project)
    bonus.refresh_from_db()
    assert (bonus.status, found(project)) == (Bonus.Status.PAID, [])


def test_what_the_endpoint_does_not_hold_for_paid_is_named_and_cannot_be_mended(batch, project, crowd):
    other, hit = submit_one(crowd), None
    syncing.sync("marketplace")
    assignment = Assignment.objects.get(mturk_assignment_id=other[0])
    hit = project_hits(project).get(offer=assignment.offer_id)
    for kind, amount in (("reward", "0.60"), ("fee", "0.12")):
        LedgerEntry.objects.create(
            project=project,
            batch=batch,
            hit=hit,
            assignment=assignment,
            endpoint="marketplace",
            kind=kind,
            amount_usd=amount,
        )
    assert found(project) == [("paid_unknown", "0.60", "0.00")]
    with pytest.raises(NothingToMend, match="cannot be mended"):
        mending.mend(hit, "paid_unknown", other[0], None)


def test_a_hit_that_is_gone_is_named_and_not_compared(project, crowd):
    published(project, writing(units_per_hit=5))
    submit_one(crowd)
    syncing.sync("marketplace")
    approve(Assignment.objects.all())
    [hit] = crowd.hits()
    crowd.mturk.delete_hit(HITId=hit["HITId"])
    report = compare(project)
    assert [(gone["mturk_hit_id"], gone["ours_usd"]) for gone in report.not_compared] == [(hit["HITId"], "3.00")]
    assert report.differences == []


def test_the_command_tells_by_its_exit_code_and_as_json(batch, project, crowd, capsys):
    call_command("reconcile")
    assert f"{project.slug}: $1.10 paid by the ledger, $1.10 by the endpoints; 0 differences" in capsys.readouterr().out
    pay_outside(crowd)
    with pytest.raises(SystemExit) as exit_code:
        call_command("reconcile", "--json", "--project", project.slug)
    assert exit_code.value.code == 1
    [report] = json.loads(capsys.readouterr().out)
    assert [(one["ours_usd"], one["theirs_usd"], one["mendable"]) for one in report["differences"]] == [
        ("0.00", "0.25", True)
    ]
    assert (report["ours_usd"], report["theirs_usd"]) == ("1.10", "1.35")
    with pytest.raises(CommandError, match="There is no project nowhere"):
        call_command("reconcile", "--project", "nowhere")


def test_a_call_that_fails_once_does_not_lose_the_comparison(batch, project, crowd, monkeypatch):
    monkeypatch.setattr(reconciling, "PAUSES", (0, 0, 0))
    crowd.faults({"operation": "ListAssignmentsForHIT", "fault": "error_500_before", "times": 3})
    report = compare(project)
    assert (report.differences, report.hits, report.theirs_usd) == ([], 5, Decimal("1.10"))


def test_an_endpoint_that_does_not_answer_is_no_agreement(batch, project, crowd, monkeypatch):
    monkeypatch.setattr(reconciling, "PAUSES", (0, 0, 0))
    crowd.faults({"operation": "ListAssignmentsForHIT", "fault": "error_500_before", "times": 4})
    with pytest.raises(CommandError) as refusal:
        call_command("reconcile")
    assert refusal.value.returncode == 2


def test_the_page_compares_and_takes_in_what_a_requester_chooses(batch, project, crowd, client):
    client.force_login(make_member(project, Membership.Role.REQUESTER))
    address = reverse("admin:hits_reconcile", args=[project.pk])
    assert "Nothing was compared yet" in client.get(address).content.decode()
    pay_outside(crowd)
    client.post(address, {"act": "compare"})
    running = client.get(address)
    assert (running["Refresh"], "Comparing" in running.content.decode()) == ("3", True)
    client.post(address, {"act": "compare"})
    assert Reconciliation.objects.count() == 1
    reconciling.run(Reconciliation.objects.latest("pk"))
    page = client.get(address)
    assert 'data-difference="bonus_unrecorded"' in page.content.decode()
    assert "Refresh" not in page
    [one] = page.context["differences"]
    mend = {"act": "mend", "hit": one["hit"], "kind": one["kind"], "assignment": one["mturk_assignment_id"]}
    client.post(address, mend)
    reconciling.run(Reconciliation.objects.latest("pk"))
    page = client.get(address).content.decode()
    assert "Ledger and endpoints agree to the cent" in page
    assert 'data-theirs="1.35"' in page
    assert client.post(address, mend | {"hit": "9" * 40}).status_code == 404
    assert "cannot be mended" in client.post(address, mend | {"kind": "x"}, follow=True).content.decode()


def test_viewers_look_and_do_not_take_anything_in(batch, project, client):
    client.force_login(make_member(project, Membership.Role.VIEWER))
    address = reverse("admin:hits_reconcile", args=[project.pk])
    assert client.get(address).status_code == 200
    assert client.post(address, {"act": "compare"}).status_code == 403
    assert client.post(address, {"act": "mend"}).status_code == 403
