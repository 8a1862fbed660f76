"""The API about batches and money: by token, within one's projects, once for each key, and without worker ids."""

import uuid
from decimal import Decimal

import pytest
from django.core.management import call_command
from django.urls import reverse
from rest_framework.test import APIClient

from accounts.models import ApiToken
from annotation.models import Assignment, Membership
from hits.models import Act, Batch, Bonus, LedgerEntry
from hits.services import publishing, syncing
from tests.annotation.factories import make_article, make_member, make_paragraph, make_project, make_user

from .conftest import published, writing
from .test_at_once import at_once
from .test_syncing import approve, submit_one

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
KEY = "6f1f0a52-8a53-4d07-a4ef-1b0c5f4b0d5e"
LAUNCH = {"kind": "write", "units_per_hit": 1, "hourly_rate_usd": "9.00"}


def program_of(user):
    """A program that holds a token of ``user``."""
    program = APIClient()
    program.credentials(HTTP_AUTHORIZATION=f"Token {ApiToken.make(user, 'tests')[1]}")
    return program


@pytest.fixture
def requester(project):
    return program_of(make_member(project, Membership.Role.REQUESTER))


def post(program, address, body, key=None):
    return program.post(address, body, format="json", headers={"Idempotency-Key": str(key or uuid.uuid4())})


@pytest.fixture
def batch(project, crowd):
    batch = published(project)
    submit_one(crowd)
    syncing.sync("marketplace")
    approve(Assignment.objects.all())
    return batch


def test_a_batch_is_priced_launched_and_watched(project, crowd, requester):
    body = LAUNCH | {"project": project.slug, "bonus_reserve_percent": "10"}
    priced = requester.post("/api/v1/batches", body | {"dry_run": True}, format="json")
    assert (priced.status_code, priced.json()["total_usd"], priced.json()["problem"]) == (200, "3.96", "")
    assert not Batch.objects.exists()
    launched = post(requester, "/api/v1/batches", body)
    assert launched.status_code == 201
    publishing.publish(Batch.objects.get())
    seen = requester.get(f"/api/v1/batches/{launched.json()['id']}").json()
    assert (seen["status"], seen["progress"]["published"], seen["money"]) == (
        "open",
        5,
        {"cap_usd": "3.96", "reserved_usd": "3.96", "spent_usd": "0.00", "left_usd": "0.00"},
    )
    assert len(requester.get("/api/v1/hits", {"batch": seen["id"]}).json()["results"]) == 5


def test_the_same_key_launches_once_and_another_request_may_not_use_it(project, crowd, requester):
    key, body = uuid.uuid4(), LAUNCH | {"project": project.slug}
    first, again = (post(requester, "/api/v1/batches", body, key) for _ in range(2))
    assert (first.status_code, first.json()) == (again.status_code, again.json())
    assert Batch.objects.count() == 1
    other = post(requester, "/api/v1/batches", body | {"units_per_hit": 5}, key)
    assert (other.status_code, other.json()["code"]) == (422, "key_used")
    missing = requester.post("/api/v1/batches", body, format="json")
    assert (missing.status_code, "Idempotency-Key" in missing.json()["errors"]) == (400, True)


@pytest.mark.slow
def test_the_same_key_at_the_same_moment_launches_once(project, crowd):
    user, key = make_member(project, Membership.Role.REQUESTER), uuid.uuid4()
    programs = [program_of(user) for _ in range(3)]
    body = LAUNCH | {"project": project.slug}
    done = at_once(*[lambda program=program: post(program, "/api/v1/batches", body, key) for program in programs])
    assert [answer.status_code for answer in done] == [201] * 3
    assert len({answer.json()["id"] for answer in done}) == 1
    assert Batch.objects.count() == 1


def test_a_refused_launch_says_why_and_its_key_is_free_again(project, crowd, requester):
    project.spending_cap_usd = Decimal("1.00")
    project.save()
    key, body = uuid.uuid4(), LAUNCH | {"project": project.slug}
    refused = post(requester, "/api/v1/batches", body, key)
    assert (refused.status_code, "$1.00 is left of the cap" in refused.json()["detail"]) == (422, True)
    project.spending_cap_usd = Decimal("10.00")
    project.save()
    assert post(requester, "/api/v1/batches", body, key).status_code == 201


def test_where_people_are_paid_the_total_is_sent(project, crowd, requester, settings):
    crowd.become_endpoint(settings, pays_people=True)
    body = LAUNCH | {"project": project.slug}
    assert post(requester, "/api/v1/batches", body).status_code == 422
    assert post(requester, "/api/v1/batches", body | {"confirmed_total_usd": "3.60"}).status_code == 201


def test_a_batch_is_topped_up_once_for_its_key_and_resumed_only_when_paused(project, crowd, requester, batch):
    address = f"/api/v1/batches/{batch.pk}"
    key = uuid.uuid4()
    project.spending_cap_usd = Decimal("50.00")
    project.save()
    for _ in range(2):
        topped = post(requester, f"{address}/places", {"places": 1}, key)
        assert topped.status_code == 200, topped.json()
    assert Act.objects.filter(batch=batch, kind="top_up").count() == 1
    moved = post(requester, f"{address}/resume", {})
    assert (moved.status_code, moved.json()["code"]) == (409, "moved_on")
    assert post(requester, f"{address}/explode", {}).status_code == 404
    assert post(requester, f"{address}/places", {}).status_code == 400


def test_a_bonus_is_given_once_for_its_key(project, crowd, requester, batch):
    Batch.objects.update(cap_usd=20)
    key, body = uuid.uuid4(), {"assignment": Assignment.objects.get().pk, "amount_usd": "0.50", "reason": "Thank you."}
    given = [post(requester, "/api/v1/bonuses", body, key).json() for _ in range(2)]
    assert given[0] == given[1]
    assert (given[0]["fee_usd"], given[0]["status"]) == ("0.10", "waiting")
    assert Bonus.objects.count() == 1
    assert post(requester, "/api/v1/bonuses", body | {"amount_usd": "500.00"}).json()["code"] == "over_cap"
    listed = requester.get("/api/v1/bonuses", {"status": "waiting", "batch": batch.pk}).json()["results"]
    assert [one["id"] for one in listed] == [given[0]["id"]]


def test_worker_ids_never_leave_and_a_workers_key_differs_between_projects(project, crowd, requester, batch):
    from hits.services.pseudonyms import worker_key

    assignment = Assignment.objects.select_related("worker").get()
    Batch.objects.update(cap_usd=20)
    post(requester, "/api/v1/bonuses", {"assignment": assignment.pk, "amount_usd": "0.50", "reason": "Thank you."})
    texts = [
        requester.get(f"/api/v1/{rows}").content.decode()
        for rows in ("batches", "hits", "assignments", "ledger", "bonuses")
    ]
    assert not any(assignment.worker.mturk_worker_id in text for text in texts)
    key = requester.get(f"/api/v1/assignments/{assignment.pk}").json()["worker"]
    assert key == worker_key(project.pk, assignment.worker_id) != worker_key(project.pk + 1, assignment.worker_id)


def test_the_ledger_is_filtered_and_paged_to_its_end(project, crowd, requester, batch):
    rows, address = [], "/api/v1/ledger?page_size=3"
    while address:
        page = requester.get(address).json()
        rows += page["results"]
        address = page["next"]
    assert [row["id"] for row in rows] == list(LedgerEntry.objects.order_by("-pk").values_list("pk", flat=True))
    paid = requester.get("/api/v1/ledger", {"kind": "reward", "project": project.slug}).json()["results"]
    assert [row["amount_usd"] for row in paid] == ["0.60"]


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/api/v1/ledger?kind=theft", 400),
        ("/api/v1/ledger?batch=0", 400),
        ("/api/v1/ledger?batch=99999999999999999999999", 400),
        ("/api/v1/ledger?project=a%00b", 400),
        ("/api/v1/ledger?cursor=nonsense", 404),
        ("/api/v1/ledger?page_size=0", 200),
        ("/api/v1/batches/99999999999999999999999", 404),
        ("/api/v1/assignments?status=done", 400),
    ],
)
def test_nonsense_in_an_address_is_refused(requester, address, status):
    assert requester.get(address).status_code == status


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"null",
        b"{",
        b'{"project": "\\u0000", "kind": "write"}',
        b"[" * 100_000,
        b'{"project": {}, "kind": []}',
        b'{"project": "x", "kind": "write", "units_per_hit": 1e400}',
        b'{"project": "x", "kind": "write", "articles": [99999999999999999999999]}',
    ],
)
def test_nonsense_in_a_body_is_refused(requester, body):
    answer = requester.post(
        "/api/v1/batches", body, content_type="application/json", headers={"Idempotency-Key": str(uuid.uuid4())}
    )
    assert answer.status_code == 400


def test_a_body_that_is_too_large_is_refused(requester):
    answer = requester.post("/api/v1/batches", b" " * 300_000, content_type="application/json")
    assert answer.status_code == 413


@pytest.mark.parametrize(
    ("role", "reading", "launching"),
    [(None, 404, 404), (Membership.Role.VIEWER, 200, 403), (Membership.Role.REQUESTER, 200, 201)],
)
def test_roles_hold_for_programs_too(project, crowd, role, reading, launching):
    user = make_member(project, role) if role else make_user()
    batch = published(project, writing(units_per_hit=5))
    article = make_article(project)
    make_paragraph(article=article)
    program = program_of(user)
    assert program.get(f"/api/v1/batches/{batch.pk}").status_code == reading
    body = LAUNCH | {"project": project.slug, "articles": [article.pk]}
    assert post(program, "/api/v1/batches", body).status_code == launching
    acted = post(program, f"/api/v1/batches/{batch.pk}/end", {}).status_code
    assert acted == (200 if launching == 201 else launching)


def test_lists_hold_the_rows_of_ones_own_projects_alone(project, crowd, batch):
    other = program_of(make_member(make_project(), Membership.Role.REQUESTER))
    for rows in ("batches", "hits", "assignments", "ledger", "bonuses"):
        assert other.get(f"/api/v1/{rows}").json()["results"] == []


def test_a_token_is_shown_once_works_and_is_refused_once_revoked(project, client):
    user = make_member(project, Membership.Role.VIEWER)
    client.force_login(user)
    page = client.post(reverse("admin:accounts_tokens"), {"name": "My script"})
    token = ApiToken.objects.get()
    text = page.context["made"]
    assert text in page.content.decode()
    assert text not in client.get(reverse("admin:accounts_tokens")).content.decode()
    assert token.digest != text
    program = APIClient()
    program.credentials(HTTP_AUTHORIZATION=f"Token {text}")
    assert program.get("/api/v1/batches").status_code == 200
    client.post(reverse("admin:accounts_tokens"), {"act": "revoke", "token": token.pk})
    assert program.get("/api/v1/batches").status_code == 401
    for odd in ("Token", "Token nonsense", f"Token {'x' * 5000}", "Bearer x", ""):
        program.credentials(HTTP_AUTHORIZATION=odd)
        assert program.get("/api/v1/batches").status_code == 401


def test_nobody_revokes_the_token_of_somebody_else(project, client):
    token, _text = ApiToken.make(make_user(), "theirs")
    client.force_login(make_user())
    client.post(reverse("admin:accounts_tokens"), {"act": "revoke", "token": token.pk})
    assert ApiToken.objects.filter(revoked_at__isnull=True).count() == 1


def test_a_login_that_was_closed_loses_its_tokens(project):
    user = make_member(project, Membership.Role.VIEWER)
    program = program_of(user)
    assert program.get("/api/v1/batches").status_code == 200
    user.is_active = False
    user.save()
    assert program.get("/api/v1/batches").status_code == 401


def test_a_token_is_made_from_a_script_too(project, capsys):
    user = make_member(project, Membership.Role.VIEWER)
    call_command("create_api_token", user.username, "cron")
    program = APIClient()
    program.credentials(HTTP_AUTHORIZATION=f"Token {capsys.readouterr().out.strip()}")
    assert program.get("/api/v1/batches").status_code == 200


def test_the_description_of_the_api_is_sound_and_has_examples(tmp_path, capsys):
    file = tmp_path / "schema.yml"
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(file))
    text = file.read_text()
    for name in ("launch_batch", "list_ledger", "give_bonus", "Idempotency-Key", "Fifty cents"):
        assert name in text


@pytest.mark.parametrize("field", ["kind", "period", "project", "endpoint", "splits", "articles"])
@pytest.mark.parametrize("value", ['"\\ud800"', '["\\udfff"]', '{"\\ud800": 1}'])
def test_half_a_character_in_a_body_is_refused(requester, project, field, value):
    for address in ("/api/v1/batches", "/api/v1/bonuses"):
        answer = requester.post(
            address, f'{{"{field}": {value}}}', content_type="application/json", headers={"Idempotency-Key": KEY}
        )
        assert (answer.status_code, "half a character" in answer.json()["detail"]) == (400, True)
    whole = requester.post(
        "/api/v1/batches",
        f'{{"{field}": "\\ud83d\\ude00"}}',
        content_type="application/json",
        headers={"Idempotency-Key": KEY},
    )
    assert whole.status_code == 400
    assert "half a character" not in str(whole.json())
