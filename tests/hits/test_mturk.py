"""The one module that talks to an endpoint: pages, errors, and a client that may be gone."""

import boto3
import pytest
from django.core.checks import run_checks

from hits import endpoints, mturk


def test_a_list_goes_on_past_a_page_that_is_empty(monkeypatch):
    # As AWS has been seen to answer, and our marketplace does not: 100, none, 100 and 61 items.
    pages = {None: (100, "t1"), "t1": (0, "t2"), "t2": (100, "t3"), "t3": (61, None)}

    def call(endpoint, operation, **parameters):
        count, following = pages[parameters.get("NextToken")]
        first = {None: 0, "t1": 100, "t2": 100, "t3": 200}[parameters.get("NextToken")]
        page = {"NumResults": count, "Assignments": [{"AssignmentId": first + n} for n in range(count)]}
        return page | ({"NextToken": following} if following else {})

    monkeypatch.setattr(mturk, "_call", call)
    ids = [assignment["AssignmentId"] for assignment in mturk.list_assignments("marketplace", "3HIT")]
    assert ids == list(range(261))


def test_the_balance_comes_over_the_wire(crowd):
    assert mturk.account_balance("marketplace") == "10000.00"


def test_an_endpoints_no_carries_its_code_and_a_sentence(crowd):
    with pytest.raises(mturk.Rejected, match="Test marketplace says: Assignment 3NOSUCH does not exist") as refusal:
        mturk.get_assignment("marketplace", "3NOSUCH")
    assert refusal.value.code == "AssignmentDoesNotExist"


def test_an_endpoint_without_keys_is_never_called_with_those_of_another(crowd, settings, monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", crowd.access_key)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", crowd.secret_key)
    crowd.become_endpoint(settings, access_key="", secret_key="")
    with pytest.raises(mturk.NoAccess, match="No access key is set for Test marketplace"):
        mturk.account_balance("marketplace")


def test_a_boto3_without_the_client_is_told_at_start(monkeypatch):
    assert [problem.id for problem in run_checks()] == []
    monkeypatch.setattr(boto3.Session, "get_available_services", lambda self: ["s3", "sqs"])
    assert [problem.id for problem in run_checks()] == ["hits.E001"]
    assert f"boto3 {boto3.__version__} has no 'mturk' client" in mturk.missing_client()
    assert "pip install -r requirements.txt" in mturk.missing_client()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        pytest.param({"url": "http://crowd.example"}, "must be an https address", id="plain http"),
        pytest.param({"worker_origins": ("ftp://x",)}, "must be an https address", id="not even http"),
        pytest.param({"players": (("ada", "secret"),)}, "a worker id", id="a player without an id"),
        pytest.param(
            {"worker_site": "https://crowd.example", "pays_people": True}, "must pay nobody", id="a paying rehearsal"
        ),
    ],
)
def test_an_endpoint_that_is_not_safe_is_refused_at_start(settings, changes, sentence):
    sound = {
        "label": "Crowd",
        "url": "https://crowd.example",
        "worker_origins": ("https://crowd.example",),
        "pays_people": False,
    }
    settings.CROWD_ENDPOINTS = {"crowd": sound}
    endpoints.all_endpoints.cache_clear()
    assert [problem.id for problem in run_checks()] == []
    settings.CROWD_ENDPOINTS = {"crowd": sound | changes}
    endpoints.all_endpoints.cache_clear()
    (problem,) = run_checks()
    assert sentence in problem.msg
    endpoints.all_endpoints.cache_clear()
