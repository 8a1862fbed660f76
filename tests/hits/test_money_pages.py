"""The pages about money, as a requester uses them; and who may look, who may pay."""

import csv
import re
from decimal import Decimal

import pytest
from django.urls import reverse

from annotation.models import Assignment, Membership
from hits import money_pages, tasks
from hits.models import Bonus, LedgerEntry, Reconciliation
from hits.services import bonuses, caps, fair_pay, plots, syncing
from tests.annotation.factories import make_member

from .conftest import published
from .test_fair_pay import batch as worked_batch  # noqa: F401 - a fixture
from .test_syncing import approve, submit_one

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def batch(project, crowd):
    batch = published(project)
    submit_one(crowd)
    syncing.sync("marketplace")
    approve(Assignment.objects.all())
    return batch


@pytest.fixture
def requester(project, client):
    client.force_login(make_member(project, Membership.Role.REQUESTER))
    return client


def money_page(batch):
    return reverse("admin:hits_batch_money", args=[batch.pk])


def bonus_form(**changes):
    values = {"act": "bonus", "bonus-assignment": Assignment.objects.get().pk, "bonus-amount_usd": "0.50"}
    return values | {"bonus-reason": "It was long."} | changes


def test_cap_reserved_spent_and_left_stand_side_by_side(batch, requester):
    page = requester.get(money_page(batch)).content.decode()
    for figure in ("$3.60", 'data-reserved="2.88"', 'data-spent="0.72"', 'data-left="0.00"'):
        assert figure in page


def test_a_bonus_over_the_cap_is_refused_until_the_cap_is_raised(batch, requester):
    refused = requester.post(money_page(batch), bonus_form())
    assert (refused.status_code, "Raise the batch" in refused.content.decode()) == (422, True)
    raised = requester.post(money_page(batch), {"act": "cap", "cap-to_usd": "5.00", "cap-why": "Long texts."})
    assert raised.status_code == 302
    assert requester.post(money_page(batch), bonus_form()).status_code == 302
    bonuses.send()
    page = requester.get(money_page(batch)).content.decode()
    assert 'data-bonus-status="paid"' in page
    assert "$3.60 to $5.00" in page


def test_a_waiting_bonus_can_be_given_up(batch, requester):
    caps.raise_cap(batch, Decimal(9), "For bonuses.", None)
    requester.post(money_page(batch), bonus_form())
    requester.post(money_page(batch), {"act": "give_up", "bonus": Bonus.objects.get().pk})
    assert Bonus.objects.get().status == Bonus.Status.GIVEN_UP
    assert bonuses.send() == 0


@pytest.mark.parametrize(
    "changes",
    [
        {"bonus-assignment": "0"},
        {"bonus-assignment": "9" * 30},
        {"bonus-assignment": "a"},
        {"bonus-amount_usd": "0.005"},
        {"bonus-amount_usd": "1e9"},
        {"bonus-amount_usd": "NaN"},
        {"bonus-reason": "\x00"},
        {"bonus-reason": ""},
        {"act": "steal"},
    ],
)
def test_nonsense_in_the_form_is_refused_on_the_page(batch, requester, changes):
    assert requester.post(money_page(batch), bonus_form(**changes)).status_code == 422
    assert not Bonus.objects.exists()


@pytest.mark.parametrize("key", ["", "0", "x", "9" * 40, "²"])
def test_a_bonus_that_is_not_of_the_batch_is_not_found(batch, requester, key):
    assert requester.post(money_page(batch), {"act": "give_up", "bonus": key}).status_code == 404


def test_fair_pay_is_shown_and_paid_with_one_click(worked_batch, requester):  # noqa: F811
    address = reverse("admin:hits_batch_fair_pay", args=[worked_batch.pk])
    page = requester.get(address).content.decode()
    assert 'data-below="1"' in page
    assert 'data-total="0.72"' in page
    assert "promised: $9.00" in page
    form = {"times": "3.0", "shown_total_usd": "0.72"}
    assert requester.post(address, form | {"shown_total_usd": "0.71"}).status_code == 422
    assert requester.post(address, form | {"times": "0"}).status_code == 422
    assert requester.post(address, form).status_code == 302
    assert requester.post(address, form).status_code == 422
    assert Bonus.objects.count() == 1
    assert 'data-below="0"' in requester.get(address).content.decode()


def test_fair_pay_of_a_batch_without_work_says_so(project, crowd, requester):
    address = reverse("admin:hits_batch_fair_pay", args=[published(project).pk])
    assert "No work of this batch is approved yet" in requester.get(address).content.decode()
    assert requester.get(address, {"times": "x"}).status_code == 422


def test_the_ledger_runs_to_the_sums_of_the_project(batch, project, requester):
    page = requester.get(reverse("admin:hits_ledger", args=[project.pk]))
    newest, *older = page.context["shown"].entries
    assert (newest.reserved_after, newest.spent_after) == (Decimal("2.88"), Decimal("0.72"))
    assert len(older) == 7


def test_the_ledger_is_filtered_by_its_address_and_comes_as_csv(batch, project, requester):
    address = reverse("admin:hits_ledger_csv", args=[project.pk])
    rows = list(csv.DictReader(requester.get(address).getvalue().decode().splitlines()))
    assert len(rows) == LedgerEntry.objects.count()
    assert (rows[-1]["reserved_after_usd"], rows[-1]["spent_after_usd"]) == ("2.88", "0.72")
    paid = requester.get(address, {"kind": ["reward", "fee"], "batch": batch.pk, "endpoint": "marketplace"})
    rows = list(csv.DictReader(paid.getvalue().decode().splitlines()))
    assert [(row["kind"], row["amount_usd"]) for row in rows] == [("reward", "0.60"), ("fee", "0.12")]
    page = reverse("admin:hits_ledger", args=[project.pk])
    assert requester.get(page, {"kind": "theft"}).status_code == 422
    assert requester.get(page, {"batch": "x"}).status_code == 422
    for before in ("9999", "0", "x", "9" * 30):
        assert requester.get(page, {"before": before}).status_code == 200


def test_kinds_of_movement_are_ticked_and_kept_in_the_address(batch, project, requester, monkeypatch):
    monkeypatch.setattr(money_pages, "PAGE", 1)
    address = reverse("admin:hits_ledger", args=[project.pk])
    boxes = r'<input type="checkbox" name="kind" value="(\w+)"[^>]*?( checked)?>'
    untouched = dict(re.findall(boxes, requester.get(address).content.decode()))
    assert untouched == dict.fromkeys(LedgerEntry.Kind.values, "")
    response = requester.get(address, {"kind": ["reward", "fee"]})
    page = response.content.decode()
    assert [kind for kind, checked in re.findall(boxes, page) if checked] == ["reward", "fee"]
    older = re.search(r'href="(\?[^"]*before=\d+)"', page)[1].replace("&amp;", "&")
    second = requester.get(address + older)
    assert [kind for kind, checked in re.findall(boxes, second.content.decode()) if checked] == ["reward", "fee"]
    assert [entry.kind for entry in second.context["shown"].entries] == ["reward"]
    of_csv = csv.DictReader(
        requester.get(reverse("admin:hits_ledger_csv", args=[project.pk]), {"kind": ["reward", "fee"]})
        .getvalue()
        .decode()
        .splitlines()
    )
    sums = [
        (entry.reserved_after, entry.spent_after)
        for page in (second, response)
        for entry in page.context["shown"].entries
    ]
    assert sums == [(Decimal(row["reserved_after_usd"]), Decimal(row["spent_after_usd"])) for row in of_csv]


@pytest.mark.parametrize("role", [Membership.Role.VIEWER, Membership.Role.REVIEWER])
def test_who_may_look_may_not_pay(batch, project, client, role):
    client.force_login(make_member(project, role))
    page = client.get(money_page(batch))
    assert (page.status_code, b'name="act"' in page.content) == (200, False)
    assert client.post(money_page(batch), bonus_form()).status_code == 403
    fair = reverse("admin:hits_batch_fair_pay", args=[batch.pk])
    assert client.post(fair, {"times": "3", "shown_total_usd": "0"}).status_code == 403


def test_bins_hold_every_value_and_one_begins_at_the_rate():
    bins = plots.bins_of([Decimal("0"), Decimal("8.99"), Decimal("9.00"), Decimal("5000.00")], Decimal("9.00"))
    assert sum(one.count for one in bins if one.start < Decimal("9.00")) == 2
    assert [one.count for one in bins if one.start == Decimal("9.00")] == [1]
    assert (bins[-1].start, bins[-1].end, bins[-1].count) == (Decimal("36.00"), None, 1)
    assert fair_pay.hourly(Decimal("0.60"), 240) == Decimal("9.00")


NO_KEYS = ["9" * 5000, "9" * 19, "-1", "abc", "\u0663", "1\x00", ""]


@pytest.mark.parametrize("key", NO_KEYS)
def test_what_is_no_key_is_not_found(batch, requester, project, key):
    assert requester.post(money_page(batch), {"act": "give_up", "bonus": key}).status_code == 404
    reconcile = reverse("admin:hits_reconcile", args=[project.pk])
    assert requester.post(reconcile, {"act": "mend", "hit": key}).status_code == 404
    assert requester.post(reverse("admin:accounts_tokens"), {"act": "revoke", "token": key}).status_code == 302


def test_the_admins_own_address_of_a_batch_leads_to_its_page(batch, requester):
    page = requester.get(f"/admin/hits/batch/{batch.pk}/change/")
    assert (page.status_code, page.url) == (302, reverse("admin:hits_batch_life", args=[batch.pk]))
    for key in ("abc", "-1", "%00", "1%2F", "9" * 5000):
        assert requester.get(f"/admin/hits/batch/{key}/change/").status_code == 404


def test_every_endpoint_on_the_money_pages_bears_its_badge(batch, requester, project):
    badge = 'endpoint-badge-free">Test marketplace · pays nobody'
    requester.post(reverse("admin:hits_reconcile", args=[project.pk]))
    tasks.reconcile(Reconciliation.objects.get().pk)
    worker = Assignment.objects.get().worker
    for address in (
        reverse("admin:hits_ledger", args=[project.pk]),
        reverse("admin:hits_reconcile", args=[project.pk]),
        reverse("admin:hits_workers", args=[project.pk]),
        reverse("admin:hits_worker", args=[project.pk, worker.pk]),
        reverse("admin:hits_qualifications", args=[project.pk]),
    ):
        page = requester.get(address).content.decode()
        assert badge in page, address
        assert "hits/endpoints.css" in page, address
