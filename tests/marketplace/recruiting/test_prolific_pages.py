"""The operator's pages about a study at Prolific."""

from decimal import Decimal

import pytest

from marketplace import clock
from marketplace.recruiting import prolific
from marketplace.recruiting.models import BonusBatch, ProlificStudy
from marketplace.recruiting.services import prolific_sync

from .prolific_stand_in import Prolific

pytestmark = pytest.mark.slow

FORM = {
    "description": "Read, then ask.",
    "reward": "1.50",
    "estimated_minutes": "10",
    "places_wanted": "3",
    "carries_rejections": "on",
    "rejection_category": "OTHER",
}


@pytest.fixture
def there(settings):
    server = Prolific()
    settings.PROLIFIC_URL, settings.PROLIFIC_TOKEN = server.url, server.token
    yield server
    server.close()


@pytest.fixture
def study(requester, new_study):
    return new_study(requester.hit(MaxAssignments=5))


def test_a_study_goes_to_prolific_from_its_page_and_its_total_is_typed(operator, there, study):
    address = f"/operator/recruiting/studies/{study.pk}/"
    assert "Make it at Prolific" in operator.get(address).content.decode()
    page = operator.post(f"{address}prolific/", FORM, follow=True).content.decode()
    assert "Participants are paid 4.50 USD" in page
    [made] = there.studies.values()
    for total in ("", "4.5x", "45", "NaN"):
        answer = operator.post(f"{address}prolific/publish/", {"total": total}, follow=True)
        assert "Nothing was done" in answer.content.decode()
    assert made["status"] == "UNPUBLISHED"
    answer = operator.post(f"{address}prolific/publish/", {"total": "4.50", "budget": "-1"}, follow=True)
    assert "Nothing was done" in answer.content.decode()
    operator.post(f"{address}prolific/publish/", {"total": "4.50", "budget": "12.50"})
    assert (made["status"], ProlificStudy.objects.get().bonus_budget_usd) == ("ACTIVE", Decimal("12.50"))
    operator.post(f"{address}prolific/publish/", {"total": "4.50", "budget": "900"})  # sent again
    assert ProlificStudy.objects.get().bonus_budget_usd == Decimal("12.50")
    operator.post(f"{address}prolific/move/", {"action": "PAUSE"})
    assert made["status"] == "PAUSED"
    operator.post(f"{address}prolific/places/", {"more": "2"})
    assert made["total_available_places"] == 5
    assert there.token not in operator.get(address).content.decode()


@pytest.mark.parametrize(
    "more", ["", "0", "-1", "1.5", "many", "10001", "9" * 30, "00000000199999", "000000001" + "9" * 5000, "²", "1\n"]
)
def test_places_that_are_no_number_are_not_added(operator, there, study, more):
    address = f"/operator/recruiting/studies/{study.pk}/"
    operator.post(f"{address}prolific/", FORM)
    answer = operator.post(f"{address}prolific/places/", {"more": more}, follow=True).content.decode()
    assert ("How many more people" in answer, ProlificStudy.objects.get().places_wanted) == (True, 3)


@pytest.mark.parametrize(
    "changes", [{"reward": "0"}, {"reward": "1.505"}, {"places_wanted": "0"}, {"description": ""}, {"reward": "NaN"}]
)
def test_a_draft_that_makes_no_sense_is_not_made(operator, there, study, changes):
    answer = operator.post(f"/operator/recruiting/studies/{study.pk}/prolific/", FORM | changes)
    assert (answer.status_code, there.studies, ProlificStudy.objects.exists()) == (400, {}, False)


def test_without_a_completion_code_or_token_it_says_what_is_missing(operator, there, study, settings):
    study.complete_code = ""
    study.save()
    address = f"/operator/recruiting/studies/{study.pk}/"
    assert "Prolific needs a code" in operator.post(f"{address}prolific/", FORM).content.decode()
    settings.PROLIFIC_TOKEN = ""
    assert "no PROLIFIC_TOKEN" in operator.get(address).content.decode()


def test_a_draft_that_failed_says_so_and_is_made_by_the_next_sync(operator, there, study, pass_time):
    address = f"/operator/recruiting/studies/{study.pk}/"
    there.faults = [("/studies/", "error_500")] * 2
    page = operator.post(f"{address}prolific/", FORM, follow=True).content.decode()
    assert "Prolific answered 500" in page
    pass_time(121)
    prolific_sync.sync_all(prolific.client(), clock.now())
    assert [ProlificStudy.objects.get().status, len(there.studies)] == ["draft", 1]


@pytest.mark.parametrize(("paid", "status"), [("yes", "paid"), ("no", "file")])
def test_bonuses_that_were_stopped_are_settled_by_a_person_once(operator, study, paid, status):
    now = clock.now()
    batch = BonusBatch.objects.create(study=study, status="stopped", setup_id="x", created_at=now, moved_at=now)
    address = f"/operator/recruiting/bonuses/{batch.pk}/found/"
    operator.post(address, {"paid": paid})
    batch.refresh_from_db()
    assert batch.status == status
    assert "do not wait for a look" in operator.post(address, {"paid": "yes"}, follow=True).content.decode()


def test_workers_publish_nothing(there, study, worker, operator):
    address = f"/operator/recruiting/studies/{study.pk}/prolific/"
    operator.post(address, FORM)
    assert worker.client.post(f"{address}publish/", {"total": "4.50"}).status_code == 404
    [made] = there.studies.values()
    assert made["status"] == "UNPUBLISHED"
