"""Who may call, where it hangs on this marketplace alone; the rest is in ``tests/contract``."""

import pytest
from django.test import Client

from marketplace.models import AccessKey
from marketplace.wire.operations import OPERATIONS
from marketplace.wire.shapes import service_model
from tests.contract.signing import Signed


def test_the_marketplaces_moved_clock_does_not_spoil_signatures(requester, pass_time):
    pass_time(86400)
    assert requester.mturk.list_hits()["NumResults"] == 0


def test_a_key_that_was_closed_is_refused(requester):
    requester.mturk.get_account_balance()
    AccessKey.objects.filter(access_key_id=requester.access_key).update(is_active=False)
    assert requester.refusal("get_account_balance").response["Error"]["Code"] == "UnrecognizedClientException"


@pytest.mark.parametrize("size", [1_048_577, 2_000_000])
def test_a_call_above_a_megabyte_is_refused(site, requester, size):
    status, document = Signed(site.url, requester, body=" " * size).send()
    assert (status, document["__type"]) == (413, "RequestEntityTooLargeException")


def test_every_operation_of_botocores_model_is_served_and_no_other():
    assert set(OPERATIONS) == set(service_model().operation_names)


def test_get_on_the_same_address_is_a_page_for_people():
    page = Client().get("/")
    assert page.status_code == 200
    assert "boto3.client" in page.content.decode()
