"""What an operator does for requesters: accounts, funds, keys and their rate."""

import html
import re
import uuid

import pytest

from marketplace.models import AccessKey, LedgerEntry, OperatorAction, RequesterProfile, User
from marketplace.services import requesters

from .conftest import mturk_client
from .test_faults import outcome
from .test_operator import page
from .test_races import at_once


def token_on(shown: str, form: str) -> str:
    return re.search(rf'name="token" value="([0-9a-f-]+)" id="{form}-token"', shown)[1]


def address(requester, step: str = "") -> str:
    return f"/operator/requesters/{requester.customer_id}/{step}"


def do(operator, requester, step: str, **values) -> str:
    answer = operator.post(address(requester, step), values)
    assert (answer.status_code, answer.url) == (302, address(requester)), answer.content.decode()
    return page(operator, answer.url)


def refused(operator, path: str, **values) -> str:
    before = OperatorAction.objects.count()
    answer = operator.post(path, values)
    assert answer.status_code == 400
    assert OperatorAction.objects.count() == before
    return html.unescape(answer.content.decode())


def keys_shown(answer) -> tuple[str, str]:
    text = answer.content.decode()
    return re.search(r"data-access-key>([^<]+)<", text)[1], html.unescape(re.search(r"data-secret>([^<]+)<", text)[1])


def make(operator, **values):
    token = token_on(page(operator, "/operator/requesters/new/"), "requester")
    return operator.post("/operator/requesters/new/", {"requester_name": "Reading Lab", "token": token, **values})


def test_a_requester_is_made_and_its_secret_is_shown_once(operator, site):
    answer = make(operator)
    access_key, secret = keys_shown(answer)
    assert "no-store" in answer.headers["Cache-Control"]
    client = mturk_client(site.url, access_key, secret)
    assert client.get_account_balance()["AvailableBalance"] == "0.00"
    profile = RequesterProfile.objects.get()
    assert not profile.pays_nobody
    assert secret not in page(operator, address(profile))
    assert access_key in page(operator, address(profile))


def test_a_requester_that_pays_nobody_is_so_from_the_start(operator, site):
    client = mturk_client(site.url, *keys_shown(make(operator, pays_nobody="on")))
    assert client.get_account_balance()["AvailableBalance"] == "10000.00"
    shown = page(operator, address(RequesterProfile.objects.get()))
    assert "pays nobody" in shown
    assert "Put in funds" not in shown
    assert 'name="pays_nobody"' not in shown


def test_a_form_sent_twice_makes_one_requester(operator):
    token = str(uuid.uuid4())
    values = {"requester_name": "Lab", "token": token}
    assert operator.post("/operator/requesters/new/", values).status_code == 200
    assert "There is a requester of that name already" in refused(operator, "/operator/requesters/new/", **values)
    again = refused(operator, "/operator/requesters/new/", **values | {"requester_name": "Other"})
    assert "carried out already" in again
    assert RequesterProfile.objects.count() == AccessKey.objects.count() == 1


@pytest.mark.parametrize(
    "wrong", [{"requester_name": ""}, {"requester_name": "x" * 151}, {"requester_name": "a\0b"}, {"token": "x"}]
)
def test_a_requester_that_makes_no_sense_is_not_made(operator, wrong):
    values = {"requester_name": "Lab", "token": str(uuid.uuid4())} | wrong
    refused(operator, "/operator/requesters/new/", **values)
    assert not RequesterProfile.objects.exists()


def test_funds_are_put_in_once_for_each_form(operator, new_requester):
    requester = new_requester(funds="1.00")
    token = token_on(page(operator, address(requester)), "funds")
    values = {"amount_usd": "250.50", "reason": "Invoice 7", "token": token}
    assert "$251.50" in do(operator, requester, "funds/", **values)
    assert "carried out already" in refused(operator, address(requester, "funds/"), **values)
    assert requester.balance()[0] == "251.50"
    assert LedgerEntry.objects.filter(kind="funds", amount_usd="250.50").count() == 1
    do(operator, requester, "funds/", **values | {"token": str(uuid.uuid4())})
    assert requester.balance()[0] == "502.00"
    action = OperatorAction.objects.first()
    assert (action.action, action.detail, action.reason) == ("add_funds", "$250.50", "Invoice 7")


@pytest.mark.slow
def test_the_same_form_from_four_windows_at_once_puts_in_once(operator, new_requester):
    requester = new_requester(funds="1.00")
    values = {"amount_usd": "5.00", "reason": "Invoice 7", "token": str(uuid.uuid4())}
    answers = at_once(*[lambda: operator.post(address(requester, "funds/"), values)] * 4)
    assert sorted(answer.status_code for answer in answers) == [302, 400, 400, 400]
    assert requester.balance()[0] == "6.00"


@pytest.mark.parametrize("amount", ["", "0", "-5", "0.005", "1e9", "NaN", "Infinity", "lots", "5\0"])
def test_an_amount_that_makes_no_sense_moves_nothing(operator, new_requester, amount):
    requester = new_requester(funds="1.00")
    refused(operator, address(requester, "funds/"), amount_usd=amount, reason="Invoice", token=str(uuid.uuid4()))
    assert requester.balance()[0] == "1.00"


def test_funds_need_a_reason_and_a_requester_who_pays(operator, new_requester):
    values = {"amount_usd": "5.00", "token": str(uuid.uuid4())}
    paying, playing = new_requester(funds="1.00"), new_requester()
    assert "This field is required" in refused(operator, address(paying, "funds/"), **values)
    assert "needs no funds" in refused(operator, address(playing, "funds/"), **values, reason="Invoice")
    do(operator, paying, "funds/", **values, reason="Invoice")


def test_a_second_key_works_beside_the_first_and_each_is_revoked_alone(operator, requester, site):
    token = token_on(page(operator, address(requester)), "key")
    answer = operator.post(address(requester, "keys/"), {"token": token})
    assert "no-store" in answer.headers["Cache-Control"]
    second = mturk_client(site.url, *keys_shown(answer))
    assert outcome(second.list_hits) == outcome(requester.mturk.list_hits) == "ok"
    assert "carried out already" in refused(operator, address(requester, "keys/"), token=token)
    first = AccessKey.objects.get(access_key_id=requester.access_key)
    revoke = f"keys/{first.pk}/revoke/"
    assert "This field is required" in refused(operator, address(requester, revoke))
    assert "revoked" in do(operator, requester, revoke, reason="Leaked")
    assert outcome(requester.mturk.list_hits) == "UnrecognizedClientException"
    assert outcome(second.list_hits) == "ok"
    assert "revoked already" in refused(operator, address(requester, revoke), reason="Again")


def test_a_key_is_revoked_on_its_own_requesters_page_alone(operator, requester, new_requester):
    foreign = AccessKey.objects.get(access_key_id=new_requester().access_key)
    for pk in (foreign.pk, 0, 10**30):
        assert operator.post(address(requester, f"keys/{pk}/revoke/"), {"reason": "x"}).status_code == 404
    assert AccessKey.objects.filter(is_active=True).count() == 2


def test_a_new_name_is_what_workers_see(operator, requester, new_requester, worker):
    requester.hit()
    other = new_requester(name="Vision Lab")
    do(operator, requester, "name/", requester_name="Reading Lab", reason="Moved")
    assert "Reading Lab" in worker.client.get("/projects/").content.decode()
    taken = refused(operator, address(requester, "name/"), requester_name="Vision Lab", reason="x")
    assert "There is a requester of that name already" in taken
    do(operator, other, "name/", requester_name="Vision Lab", reason="The same name again is no clash")


def test_a_rate_is_set_on_the_page_and_taken_back(operator, requester):
    do(operator, requester, "rate/", requests_per_second="0.01")
    assert [outcome(requester.mturk.list_hits) for _ in range(2)] == ["ok", "ThrottlingException"]
    do(operator, requester, "rate/", requests_per_second="")
    assert outcome(requester.mturk.list_hits) == "ok"
    details = list(OperatorAction.objects.order_by("id").values_list("detail", flat=True))
    assert details == ["0.01 a second", "as the settings say"]


@pytest.mark.parametrize("rate", ["-1", "1e9", "nan", "inf", "fast"])
def test_a_rate_that_makes_no_sense_is_not_set(operator, requester, rate):
    refused(operator, address(requester, "rate/"), requests_per_second=rate)
    assert RequesterProfile.objects.get().requests_per_second is None


def test_requesters_are_found_by_name_and_id(operator, new_requester):
    ours, theirs = new_requester(name="Reading Lab"), new_requester(name="Vision Lab")
    for search in ("reading", ours.customer_id[:8].lower()):
        found = page(operator, f"/operator/requesters/?q={search}")
        assert ours.customer_id in found
        assert theirs.customer_id not in found
    assert "No requester is like that." in page(operator, "/operator/requesters/?q=%00x&page=999")


def test_names_stay_names_on_the_page(operator, new_requester):
    requester = new_requester(name="<script>alert(1)</script>")
    for path in ("/operator/requesters/", address(requester)):
        assert "<script>alert" not in page(operator, path)


def test_the_services_refuse_without_the_page_too(operator, new_requester):
    """Two operators at one moment: the second finds the key revoked."""
    requester = new_requester()
    key = AccessKey.objects.get(access_key_id=requester.access_key)
    lena = User.objects.get(username="lena")
    results = at_once(*[lambda: requesters.revoke_key(lena, key, key.created_at, reason="x")] * 2)
    assert sorted(type(result).__name__ for result in results) == ["NoneType", "NotPossible"]
    assert OperatorAction.objects.count() == 1
