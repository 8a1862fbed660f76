"""The orders in which waiting work is listed and gone through."""

from datetime import timedelta

import pytest
from django.urls import reverse

from hits.models import HITType
from reviewer.models import ReviewRules, SignalRun
from reviewer.services import noticing
from reviewer.services.signal_catalogue import Code, worry
from tests.annotation.factories import NOON
from tests.reviewer.factories import make_many_waiting, make_written
from tests.reviewer.test_review_pages import decide, listed, queue, shown, sign_in

__all__ = ["sign_in"]

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


@pytest.fixture
def works(project):
    """Three that wait, the oldest first: of signals that weigh 1, 4 and 4, paid by themselves in reverse order."""
    works = [make_written(project, submitted_at=NOON + timedelta(hours=hour)) for hour in range(3)]
    for work, weight, days in zip(works, (100, 400, 400), (30, 3, 1), strict=True):
        SignalRun.objects.create(assignment=work, noted_at=NOON, against=1, worry=weight)
        HITType.objects.filter(hits__offer=work.offer).update(auto_approval_seconds=days * 86_400)
    return works


@pytest.mark.parametrize(
    ("order", "expected", "said"),
    [
        ("oldest", [0, 1, 2], "What was submitted first comes first."),
        ("worrying", [1, 2, 0], "What has the weightiest signals against it comes first, and of equals the oldest."),
        ("due", [2, 1, 0], "What its marketplace would approve and pay by itself the soonest comes first."),
        ("by-name", [0, 1, 2], "What was submitted first comes first."),
    ],
)
def test_the_list_and_the_way_through_it_have_the_order_that_was_chosen(sign_in, project, works, order, expected, said):
    client = sign_in("reviewer")
    response = client.get(queue(project, f"?order={order}"))
    assert listed(response) == [works[place].pk for place in expected]
    assert said in shown(response)
    address = reverse("review_next", args=[project.slug])
    way = []
    response = client.get(address, {"order": order})
    while "/assignments/" in response["Location"]:
        page = client.get(response["Location"])
        way.append(page.context["assignment"].pk)
        ahead = [page.context["previous_address"], page.context["next_address"]]
        assert [bool(one) for one in ahead] == [False, len(way) < len(works)]
        response = decide(client, project, page.context["assignment"], decision="approve", order=order)
    assert way == [works[place].pk for place in expected]


def test_previous_and_next_follow_the_order(sign_in, project, works):
    response = sign_in("reviewer").get(
        reverse("review_assignment", args=[project.slug, works[2].pk]) + "?order=worrying"
    )
    assert f"/{works[1].pk}/?order=worrying" in response.context["previous_address"]
    assert f"/{works[0].pk}/?order=worrying" in response.context["next_address"]


@pytest.mark.parametrize("order", ["oldest", "worrying", "due"])
def test_pages_part_a_long_list_without_losing_or_repeating_work(sign_in, project, order):
    works = make_many_waiting(project, 120)
    for place, work in enumerate(works[:60]):
        SignalRun.objects.create(assignment=work, noted_at=NOON, worry=100 * (place % 3))
    client, address, seen = sign_in("reviewer"), queue(project, f"?order={order}"), []
    while address:
        response = client.get(address)
        seen += listed(response)
        address = response.context["next_address"]
    assert sorted(seen) == [work.pk for work in works]
    assert (seen[0] == works[0].pk) == (order != "worrying")


@pytest.mark.parametrize("place", ["1-2-3-4", "9" * 20, "²-1", "-1", "1-1-" + "9" * 17, "0--0"])
@pytest.mark.parametrize("order", ["oldest", "worrying", "due"])
def test_a_place_that_is_none_does_not_break_the_list(sign_in, project, works, order, place):
    assert sign_in("reviewer").get(queue(project, f"?order={order}"), {"after": place}).status_code == 200


def test_signals_of_the_whole_weigh_whole_and_those_of_questions_by_their_share():
    assert worry([(Code.TOO_FAST, False)], 5) == 400
    assert worry([(Code.COPIED, True)], 5) == 60
    assert worry([(Code.COPIED, True)] * 5, 5) == 300
    assert worry([(Code.TYPED, False), (Code.AGREES, False)], 5) == 0


def test_what_the_signals_weigh_is_kept_with_them(project):
    work = make_written(project)
    work.questions.update(text="Why")
    noticing.notice(project, [work], ReviewRules(project=project))
    assert SignalRun.objects.get().worry == 300  # not a question
    noticing.notice(project, [work], ReviewRules(project=project, thresholds={"not_a_question": None}))
    assert SignalRun.objects.get().worry == 0
