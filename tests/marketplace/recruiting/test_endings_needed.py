"""What each kind of panel needs for sending people back: asked for on the form, and told on the study's page."""

import pytest

from marketplace.models import HITType
from marketplace.recruiting.models import PanelStudy

VALUES = {"name": "Rivers", "hits_wanted": 1, "minutes": 30, "visits_per_participant": 1}


@pytest.mark.parametrize(
    ("kind", "given", "is_made"),
    [
        ("prolific", {}, False),
        ("prolific", {"complete_url": "https://app.prolific.com/x"}, False),
        ("prolific", {"complete_code": "DONE1"}, True),
        ("cloudresearch", {}, False),
        ("cloudresearch", {"complete_url": "https://panel.example/back"}, True),
        ("cloudresearch", {"complete_code": "DONE1"}, True),
        ("sona", {"complete_code": "DONE1"}, False),
        ("sona", {"complete_url": "https://sona.example/?survey_code={participant}"}, True),
        ("other", {}, True),
        ("other", {"quota_full_url": "https://panel.example/?c={code}"}, False),
        ("other", {"quota_full_url": "https://panel.example/?c={code}", "quota_full_code": "FULL"}, True),
    ],
)
def test_a_study_is_made_only_with_what_its_panel_needs(operator, requester, new_panel, kind, given, is_made):
    panel = new_panel(kind)
    hit_type = HITType.objects.get(type_id=requester.hit()["HITTypeId"])
    place = f"/operator/recruiting/panels/{panel.pk}/studies/new/"
    answer = operator.post(place, VALUES | {"hit_types": [hit_type.pk]} | given)
    assert answer.status_code == (302 if is_made else 400)
    assert PanelStudy.objects.exists() is is_made
    if is_made:
        assert "data-lacking" not in operator.get(answer.url).content.decode()


def test_a_study_that_lacks_it_says_so(operator, requester, new_panel, new_study):
    study = new_study(requester.hit(), panel=new_panel("prolific"), complete_code="")
    shown = operator.get(f"/operator/recruiting/studies/{study.pk}/").content.decode()
    assert "data-lacking" in shown
    assert "code: complete" in shown
