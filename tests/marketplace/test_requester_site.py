"""A requester's own corner of the site."""

import re

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from marketplace.models import RequesterProfile
from marketplace.services import publisher

from .conftest import id_in, submit
from .test_commands import run
from .test_inbox import requester_client

pytestmark = pytest.mark.slow


def counted(page: str, hit_type: str) -> list[str]:
    """HITs, open, in hand, submitted, approved, rejected."""
    row = page.split(f'data-hit-type-id="{hit_type}"')[1].split("</tr>")[0]
    return re.findall(r'<td class="number" data-label="[^"]+">(?:<span>)?(\d+)', row)


def test_the_states_of_ones_own_hits_are_counted(new_requester, worker, new_worker):
    requester = new_requester(funds="100.00")
    hit_type = requester.hit_type(Reward="1.00", Title="Name the river")
    hits = [requester.hit(hit_type, MaxAssignments=2) for _ in range(4)]
    approved, rejected = (person.do(hits[0]) for person in (worker, new_worker()))
    worker.do(hits[1])
    worker.accept(hits[2])
    requester.mturk.approve_assignment(AssignmentId=approved)
    requester.mturk.reject_assignment(AssignmentId=rejected, RequesterFeedback="No")
    page = requester_client(requester).get("/requester/").content.decode()
    assert counted(page, hit_type) == ["4", "3", "1", "1", "1", "1"]
    available, held = requester.balance()
    totals = dict(re.findall(r'data-total="(\w+)" data-usd="([\d.]+)"', page))
    assert totals == {"available": available, "held": held, "rewards": "1.00"}
    stranger = requester_client(new_requester()).get("/requester/").content.decode()
    assert "Name the river" not in stranger


def test_the_ledger_lists_what_moved_and_in_pages(new_requester, worker, monkeypatch):
    requester = new_requester(funds="100.00")
    done = worker.do(requester.hit(requester.hit_type(Reward="1.00")))
    requester.mturk.approve_assignment(AssignmentId=done)
    lab = requester_client(requester)
    kinds = lambda address: re.findall(r'data-kind="(\w+)"', lab.get(address).content.decode())  # noqa: E731
    assert kinds("/requester/ledger/") == ["fee", "reward", "reserve", "funds"]
    assert (
        re.findall(r'data-kind="(\w+)"', requester_client(new_requester()).get("/requester/ledger/").content.decode())
        == []
    )
    monkeypatch.setattr(publisher, "ENTRIES", 3)
    page = lab.get("/requester/ledger/").content.decode()
    older = re.search(r'rel="next" href="([^"]+)"', page)[1]
    assert kinds("/requester/ledger/") + kinds(f"/requester/ledger/{older}") == ["fee", "reward", "reserve", "funds"]


def test_each_row_of_the_ledger_says_what_it_changed_and_what_was_left(operator, new_requester, worker, monkeypatch):
    requester = new_requester(funds="100.00")
    hit_type = requester.hit_type(Reward="1.00")
    done = worker.do(requester.hit(hit_type))
    requester.mturk.approve_assignment(AssignmentId=done)
    unwanted = requester.hit(hit_type)["HITId"]
    requester.mturk.update_expiration_for_hit(HITId=unwanted, ExpireAt=0)
    bonus = {"WorkerId": worker.worker_id, "BonusAmount": "0.50", "AssignmentId": done, "Reason": "Well done"}
    requester.mturk.send_bonus(**bonus)
    lab, stranger = requester_client(requester), new_requester(funds="7.00")
    expected = [
        ("bonus_fee", "−$0.10 $98.20 then", "– $0.00 then"),
        ("bonus", "−$0.50 $98.30 then", "– $0.00 then"),
        ("release", "+$1.20 $98.80 then", "−$1.20 $0.00 then"),
        ("reserve", "−$1.20 $97.60 then", "+$1.20 $1.20 then"),
        ("fee", "– $98.80 then", "−$0.20 $0.00 then"),
        ("reward", "– $98.80 then", "−$1.00 $0.20 then"),
        ("reserve", "−$1.20 $98.80 then", "+$1.20 $1.20 then"),
        ("funds", "+$100.00 $100.00 then", "– $0.00 then"),
    ]
    first = lab.get("/requester/ledger/").content.decode()
    assert rows_of(first) == expected
    assert requester.balance() == ("98.20", "0.00")
    assert rows_of(requester_client(stranger).get("/requester/ledger/").content.decode()) == [
        ("funds", "+$7.00 $7.00 then", "– $0.00 then")
    ]
    theirs = operator.get(f"/operator/requesters/{requester.customer_id}/").content.decode()
    assert rows_of(theirs) == expected
    monkeypatch.setattr(publisher, "ENTRIES", 3)
    address, shown = "/requester/ledger/", []
    for _page in range(3):
        page = lab.get(address).content.decode()
        shown += rows_of(page)
        older = re.search(r'rel="next" href="([^"]+)"', page)
        address = f"/requester/ledger/{older[1]}" if older else address
    assert shown == expected, "as on one page"


def rows_of(page: str) -> list[tuple[str, str, str]]:
    """Kind, and the cells of what is available and what is held, in words."""
    rows = page.split('<tr data-kind="')[1:]
    cells = [re.findall(r'<td class="number".*?</td>', row, re.DOTALL) for row in rows]
    words = [[" ".join(re.sub(r"<[^>]+>", " ", cell).split()) for cell in two] for two in cells]
    return [(row.split('"')[0], *two) for row, two in zip(rows, words, strict=True)]


def test_groups_come_in_pages(requester, monkeypatch):
    monkeypatch.setattr(publisher, "GROUPS", 2)
    made = [requester.hit()["HITTypeId"] for _ in range(3)]
    lab = requester_client(requester)
    page = lab.get("/requester/").content.decode()
    older = re.search(r'rel="next" href="([^"]+)"', page)[1]
    seen = re.findall(r'data-hit-type-id="(\w+)"', page + lab.get(f"/requester/{older}").content.decode())
    assert seen == made[::-1]


def test_a_requester_signs_in_with_the_password_that_the_command_prints(capsys, client):
    made = run(capsys, "create_requester", "Reading Lab", "--sandbox", "--password")
    values = {"username": made["username"], "password": made["password"]}
    assert client.post("/signin/", values).url == "/requester/"
    page = client.get("/requester/").content.decode()
    assert "Reading Lab" in page
    assert 'href="/projects/"' not in page
    changed = run(capsys, "create_requester", "Reading Lab", "--password", "another word")
    assert changed["access_key"] == made["access_key"]
    assert not Client().login(**values)
    assert Client().login(username=made["username"], password="another word")


def test_without_a_password_a_requester_cannot_sign_in(capsys):
    made = run(capsys, "create_requester", "Reading Lab", "--sandbox")
    assert "password" not in made
    assert not RequesterProfile.objects.get().user.has_usable_password()


def test_one_login_can_work_and_publish(capsys, worker):
    made = run(
        capsys, "create_requester", "Reading Lab", "--sandbox", "--username", worker.profile.user.username.upper()
    )
    assert RequesterProfile.objects.get(customer_id=made["customer_id"]).user == worker.profile.user
    for address in ("/projects/", "/requester/"):
        page = worker.client.get(address).content.decode()
        assert 'href="/projects/"' in page
        assert 'href="/requester/"' in page
    assert Client().login(username=worker.profile.user.username, password="pass word"), "the password stays"
    with pytest.raises(CommandError, match="signs in as another requester already"):
        call_command("create_requester", "Second Lab", "--username", worker.profile.user.username)
    with pytest.raises(CommandError, match="not as somebody"):
        call_command("create_requester", "Reading Lab", "--username", "somebody")


def test_time_that_is_over_is_settled_before_it_is_shown(new_requester, worker, pass_time):
    requester = new_requester(funds="100.00")
    hit_type = requester.hit_type(Reward="1.00")
    address = worker.accept(requester.hit(hit_type, MaxAssignments=2))
    pass_time(3601)
    assert submit(id_in(address), q="late").status_code == 410
    page = requester_client(requester).get("/requester/").content.decode()
    assert dict(re.findall(r'data-total="(\w+)" data-usd="([\d.]+)"', page))["available"] == "100.00"
    assert counted(page, hit_type) == ["1", "0", "0", "0", "0", "0"]
