"""Groups that are kept for a study's participants while it is open."""

import pytest

from marketplace.models import HITType
from marketplace.recruiting.models import PanelStudy

from .conftest import Visitor


@pytest.mark.parametrize(
    ("is_reserved", "is_open", "is_found"), [(True, True, False), (True, False, True), (False, True, True)]
)
def test_other_workers_find_and_take_only_what_is_not_reserved(
    requester, worker, new_study, is_reserved, is_open, is_found
):
    hit = requester.hit()
    elsewhere = requester.hit()
    new_study(hit, is_reserved=is_reserved, is_open=is_open)
    assert (hit["HITTypeId"] in worker.groups()) is is_found
    assert elsewhere["HITTypeId"] in worker.groups()
    assert worker.client.get(f"/projects/{hit['HITGroupId']}/tasks").status_code == (200 if is_found else 404)
    assert worker.try_accept(hit).status_code == (302 if is_found else 404)


def test_the_studys_own_participants_take_them(requester, new_study):
    hit = requester.hit()
    visitor = Visitor(new_study(hit, is_reserved=True))
    visitor.start()
    visitor.do(hit)
    assert len(requester.submitted(hit)) == 1


@pytest.mark.parametrize(("given", "is_reserved"), [({"is_reserved": "on"}, True), ({}, False)])
def test_the_form_offers_it_ticked(operator, requester, new_panel, given, is_reserved):
    place = f"/operator/recruiting/panels/{new_panel().pk}/studies/new/"
    hit_type = HITType.objects.get(type_id=requester.hit()["HITTypeId"])
    form = operator.get(place).content.decode()
    assert "checked" in form.split('name="is_reserved"')[1].split(">")[0]
    values = {"name": "Rivers", "hit_types": [hit_type.pk], "hits_wanted": 1, "minutes": 30, "complete_code": "DONE1"}
    operator.post(place, values | {"visits_per_participant": 1} | given)
    assert PanelStudy.objects.get().is_reserved is is_reserved
