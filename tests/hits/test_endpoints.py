"""Crowd endpoints: set by the environment alone, told apart on every page, and checked without costing money."""

import json
import logging
from decimal import Decimal
from io import StringIO

import pytest
from django.apps import apps
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotation.models import Membership
from config.settings.endpoints_file import endpoints_from
from hits import endpoints, mturk
from hits.models import LedgerEntry
from hits.services import checking, publishing, syncing
from tests.annotation.factories import make_article, make_member, make_paragraph, make_project, make_user
from tests.crowd import Crowd

from .conftest import launch, published

pytestmark = pytest.mark.django_db(transaction=True)

LAB = {"label": "Lab", "url": "https://lab.example", "worker_origins": ["https://lab.example"], "pays_people": True}


def levels(findings) -> dict[str, str]:
    return {finding.subject: finding.level for finding in findings}


def of(findings, subject) -> str:
    return next(finding.sentence for finding in findings if finding.subject == subject)


def test_a_check_says_what_works_and_leaves_nothing_behind(crowd):
    before = crowd.mturk.list_qualification_types(MustBeRequestable=False, MustBeOwnedByCaller=True)["NumResults"]
    findings = checking.check("marketplace")
    assert levels(findings) == {
        "reachable": "ok",
        "key": "ok",
        "clock": "ok",
        "balance": "ok",
        "qualification types": "ok",
        "worker site": "ok",
        "work page": "warning",  # localhost, in tests
        "events": "ok",
    }
    assert of(findings, "balance") == "The account holds $10000.00."
    after = crowd.mturk.list_qualification_types(MustBeRequestable=False, MustBeOwnedByCaller=True)["NumResults"]
    assert (before, after) == (0, 0)
    assert crowd.hits() == []


def test_a_check_names_a_key_that_is_refused_and_an_address_where_nobody_answers(crowd, settings):
    crowd.become_endpoint(settings, secret_key="wrong")
    assert levels(checking.check("marketplace"))["key"] == "problem"
    nobody = "http://127.0.0.1:9"
    crowd.become_endpoint(settings, url=nobody, worker_origins=(nobody,))
    found = levels(checking.check("marketplace"))
    assert (found["reachable"], found["worker site"]) == ("problem", "problem")


@pytest.mark.parametrize(
    ("account", "pays_people", "sentence"),
    [
        pytest.param({"funds": "12.00"}, False, "which no sandbox says", id="taken for a sandbox, and is none"),
        pytest.param({"sandbox": True}, True, "perhaps this endpoint pays nobody", id="taken for paying"),
        pytest.param({"funds": "0", "sandbox": False}, True, "before funds are added", id="empty"),
    ],
)
def test_a_check_minds_a_balance_that_does_not_fit(marketplace_site, settings, account, pays_people, sentence):
    crowd = Crowd(marketplace_site.url, **account)
    crowd.become_endpoint(settings, pays_people=pays_people)
    findings = checking.check("marketplace")
    assert levels(findings)["balance"] == "warning"
    assert sentence in of(findings, "balance")
    crowd.reset()


@pytest.mark.parametrize(
    ("url", "level"),
    [("http://platform.example.org", "problem"), ("http://10.0.0.5:8000", "warning"), ("http://localhost", "warning")],
)
def test_a_check_minds_an_address_that_workers_cannot_load(crowd, settings, url, level):
    settings.PLATFORM_URL = url
    assert levels(checking.check("marketplace"))["work page"] == level


def test_the_command_prints_the_findings_and_fails_where_there_is_a_problem(crowd, settings):
    out = StringIO()
    call_command("check_endpoint", "marketplace", "--json", stdout=out)
    assert {"subject": "key", "level": "ok", "sentence": "It accepts our access key."} in json.loads(out.getvalue())
    crowd.become_endpoint(settings, secret_key="wrong")
    with pytest.raises(SystemExit):
        call_command("check_endpoint", "marketplace", stdout=StringIO())
    with pytest.raises(CommandError, match="There are marketplace"):
        call_command("check_endpoint", "nowhere", stdout=StringIO())


def test_a_requester_checks_an_endpoint_on_its_page_and_a_reviewer_may_not(client, crowd):
    project = make_project()
    address = reverse("admin:hits_endpoint_check", args=["marketplace"])
    client.force_login(make_member(project, Membership.Role.REQUESTER))
    page = client.post(address).content.decode()
    assert 'data-subject="key"' in page
    assert "It accepts our access key." in page
    assert crowd.secret_key not in page
    assert crowd.access_key not in page
    assert client.post(reverse("admin:hits_endpoint_check", args=["nowhere"])).status_code == 404
    client.force_login(make_member(project, Membership.Role.REVIEWER))
    assert client.post(address).status_code == 403
    client.force_login(make_user())
    assert client.get(reverse("admin:hits_endpointstanding_changelist")).status_code == 403


@pytest.mark.parametrize(
    ("changes", "badge"),
    [
        ({"pays_people": True}, 'endpoint-badge-pays">Test marketplace · pays people'),
        (
            {"pays_people": True, "play_money": True},
            'endpoint-badge-pays">Test marketplace · pays people, in play money',
        ),
        ({"pays_people": False}, 'endpoint-badge-free">Test marketplace · pays nobody'),
    ],
)
def test_colour_and_word_tell_endpoints_apart_in_every_list(client, project, crowd, settings, changes, badge):
    crowd.become_endpoint(settings)
    published(project)
    crowd.become_endpoint(settings, **changes)
    client.force_login(make_member(project, Membership.Role.REQUESTER))
    for name in ("hits_batch_changelist", "hits_ledgerentry_changelist"):
        page = client.get(reverse(f"admin:{name}")).content.decode()
        assert badge in page
        assert "hits/endpoints.css" in page
    assert badge in client.get(reverse("admin:annotation_project_home", args=[project.pk])).content.decode()


def test_another_marketplace_is_added_by_a_file_and_its_key_by_the_environment(tmp_path):
    file = tmp_path / "endpoints.json"
    file.write_text(json.dumps({"lab-two": LAB | {"fees": {"rate": "0.05"}}}))
    found = endpoints_from(str(file), {"LAB_TWO_ACCESS_KEY_ID": "AKIA1", "LAB_TWO_SECRET_ACCESS_KEY": "s"}.get)
    lab = endpoints.Endpoint(key="lab-two", **endpoints._with_fees(found["lab-two"]))
    assert (lab.label, lab.access_key, lab.standing) == ("Lab", "AKIA1", "pays")
    assert lab.fees.fee_usd(Decimal("2.00"), 1) == Decimal("0.10")
    assert endpoints_from("", {}.get) == {}
    fees = {"rate": "1", "large_hit_rate": "0", "minimum_usd": "0.05", "large_hit_assignments": 5}
    here = {"url": "http://[::1]:8001/api", "worker_origins": ["http://localhost:8001"], "allow_http": True}
    file.write_text(json.dumps({"lab": LAB | here | {"fees": fees, "queue_url": "https://sqs.example/1/lab"}}))
    assert endpoints_from(str(file), {}.get)["lab"]["url"] == here["url"]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        pytest.param({"lab": LAB | {"secret_key": "s"}}, "secret_key must not stand in a file", id="a secret"),
        pytest.param({"lab": LAB | {"colour": "red"}}, "unknown colour", id="a word that nobody knows"),
        pytest.param({"lab": {"label": "Lab"}}, "pays_people, url, worker_origins missing", id="too little"),
        pytest.param({"l b": LAB}, "must be letters, digits and hyphens", id="a name that is none"),
        pytest.param([], "must hold one object", id="a list"),
        *(
            pytest.param({"lab": LAB | {name: value}}, f"endpoint 'lab': {said}", id=f"{name} {value}"[:60])
            for name, value, said in [
                ("url", 5, "url must be a line of text"),
                ("url", "", "url must be a line of text"),
                ("url", "https://", "url must be an address"),
                ("url", "https://[x", "url must be an address"),
                ("url", "https://x:y", "url must be an address"),
                ("url", "ftp://lab.example", "url must be an address"),
                ("url", "https://user:secret@lab.example", "url must be an address"),
                ("label", ["Lab"], "label must be a line of text"),
                ("label", "a\nb", "label must be a line of text"),
                ("pays_people", "no", "pays_people must be true or false"),
                ("allow_http", 1, "allow_http must be true or false"),
                ("queue_url", "https://", "queue_url must be an address"),
                ("worker_origins", "https://lab.example", "worker_origins must be a list"),
                ("worker_origins", [5], "worker_origins must be addresses"),
                ("worker_origins", ["https://lab.example; script-src *"], "worker_origins must be addresses"),
                ("worker_origins", ["https://lab.example;script-src"], "worker_origins must be addresses"),
                ("worker_origins", ["https://*.example"], "worker_origins must be addresses"),
                ("worker_origins", ["https://lab.example/"], "worker_origins must be addresses"),
                ("worker_origins", ["https://lab.example?x"], "worker_origins must be addresses"),
                ("fees", "0.2", "fees must be an object"),
                ("fees", {"share": "0.2"}, "unknown fees.share"),
                ("fees", {"rate": "-5"}, "fees.rate must be a share"),
                ("fees", {"rate": "NaN"}, "fees.rate must be a share"),
                ("fees", {"rate": 0.2}, "fees.rate must be a share"),
                ("fees", {"large_hit_rate": "2"}, "fees.large_hit_rate must be a share"),
                ("fees", {"minimum_usd": "0.005"}, "fees.minimum_usd must be dollars in whole cents"),
                ("fees", {"minimum_usd": "Infinity"}, "fees.minimum_usd must be dollars in whole cents"),
                ("fees", {"large_hit_assignments": "10"}, "fees.large_hit_assignments must be a whole number"),
            ]
        ),
        pytest.param("{", "cannot be read as JSON", id="no JSON"),
    ],
)
def test_a_file_that_is_not_right_is_refused_with_a_sentence(tmp_path, content, sentence):
    file = tmp_path / "endpoints.json"
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    with pytest.raises(ImproperlyConfigured, match=sentence) as refusal:
        endpoints_from(str(file), {}.get)
    assert str(file) in str(refusal.value)


def test_a_profile_signs_the_calls_and_one_that_is_not_there_is_named(crowd, settings, tmp_path, monkeypatch):
    credentials = tmp_path / "credentials"
    credentials.write_text(
        f"[lab]\naws_access_key_id = {crowd.access_key}\naws_secret_access_key = {crowd.secret_key}\n"
    )
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(credentials))
    crowd.become_endpoint(settings, access_key="", secret_key="", profile="lab")
    assert mturk.account_balance("marketplace") == "10000.00"
    crowd.become_endpoint(settings, access_key="", secret_key="", profile="nobody")
    with pytest.raises(mturk.NoAccess, match="the AWS profile nobody, which is not there"):
        mturk.account_balance("marketplace")


def test_an_address_in_the_environment_leads_no_call_elsewhere(crowd, monkeypatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL_MTURK", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    mturk.client.cache_clear()
    assert mturk.account_balance("marketplace") == "10000.00"


def test_no_key_is_in_any_row_or_log_line(project, crowd, settings, caplog):
    caplog.set_level(logging.DEBUG, logger="hits")
    caplog.set_level(logging.INFO)
    batch = launch(project)
    publishing.publish(batch)
    syncing.sync("marketplace")
    crowd.become_endpoint(settings, secret_key=f"{crowd.secret_key}x")
    publishing.publish(launch(make_project_with_text()))
    checking.check("marketplace")
    rows = [
        str(row) for model in apps.get_app_config("hits").get_models() for row in model.objects.values_list().iterator()
    ]
    assert LedgerEntry.objects.exists()
    for secret in (crowd.secret_key, crowd.access_key):
        assert not any(secret in row for row in rows)
        assert secret not in caplog.text
    assert crowd.secret_key not in repr(endpoints.get("marketplace"))


def make_project_with_text():
    project = make_project(spending_cap_usd=100)
    make_paragraph(article=make_article(project))
    return project
