"""When a batch will be full: from the last hours, with its uncertainty, and nothing where there is too little."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from annotation.models import Membership
from hits.services import syncing
from hits.services.estimates import LOOK_BACK, pace_of, submissions_plot
from tests.annotation.factories import make_member

from .conftest import published
from .test_syncing import submit_one

pytestmark = pytest.mark.slow

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)


def every(minutes, count):
    return [NOW - timedelta(minutes=minutes * number) for number in range(count)]


def test_at_ten_an_hour_twenty_places_take_about_two_hours():
    pace = pace_of(every(6, 60), 20, NOW - timedelta(hours=6), NOW)
    assert (pace.count, pace.hours) == (60, 6.0)
    # 60 in 6 hours: between (sqrt(60) - 0.82)² / 6 = 8.0 and (sqrt(60) + 0.82)² / 6 = 12.2 an hour.
    assert NOW + timedelta(minutes=98) <= pace.soonest <= NOW + timedelta(minutes=105)
    assert NOW + timedelta(minutes=149) <= pace.latest <= NOW + timedelta(minutes=155)
    assert "the last 20 places are full between 2026-12-01 13:40 and 2026-12-01 14:35 UTC" in pace.sentence


def test_four_submissions_are_too_few_and_five_are_enough():
    began = NOW - timedelta(hours=6)
    assert "too few to say" in pace_of(every(10, 4), 20, began, NOW).sentence
    assert pace_of(every(10, 5), 20, began, NOW).latest is not None


def test_what_is_older_than_the_last_hours_does_not_count():
    old = [NOW - LOOK_BACK - timedelta(minutes=number + 1) for number in range(50)]
    assert pace_of(old, 20, NOW - timedelta(days=2), NOW).count == 0


def test_a_full_batch_has_nothing_to_wait_for():
    assert pace_of(every(6, 60), 0, NOW - timedelta(hours=6), NOW).sentence == ""


def test_the_plot_stays_level_between_submissions_and_after_the_last():
    drawn = submissions_plot([NOW + timedelta(seconds=15), NOW + timedelta(seconds=30)], 4, NOW)
    points = re.search(r'points="([^"]+)"', drawn)[1].split()
    corners = [tuple(map(float, point.split(","))) for point in points]
    heights = [height for _x, height in corners]
    floor = heights[0]
    # Each step begins at the height that the last one ended at; the last goes on to the edge, and then down.
    assert heights[1] == floor and heights[2] == heights[3] and heights[4] == heights[5] and heights[6] == floor  # noqa: PT018
    assert heights[4] - floor == pytest.approx(2 * (heights[2] - floor))
    assert corners[1][0] == corners[2][0] < corners[3][0] == corners[4][0] < corners[5][0] == corners[6][0]


@given(st.lists(st.integers(0, 100_000), max_size=80), st.integers(1, 10_000), st.integers(0, 200_000))
def test_the_estimate_lies_ahead_and_its_ends_are_in_order(ages, remaining, began):
    times = sorted(NOW - timedelta(seconds=age) for age in ages)
    pace = pace_of(times, remaining, NOW - timedelta(seconds=began), NOW)
    assert (pace.soonest is None) == (pace.latest is None) == (pace.count < 5)
    assert pace.soonest is None or NOW <= pace.soonest <= pace.latest
    assert pace.sentence


@pytest.mark.django_db(transaction=True)
def test_the_batchs_page_shows_the_pace_a_plot_and_the_last_events(project, crowd, client):
    batch = published(project)
    client.force_login(make_member(project, Membership.Role.VIEWER))
    address = reverse("admin:hits_batch_life", args=[batch.pk])
    empty = client.get(address).content.decode()
    assert "0 submissions in the last 6 hours: too few" in empty
    assert "<svg" not in empty.split("data-standing")[1]
    submit_one(crowd)
    syncing.sync("marketplace")
    page = client.get(address).content.decode()
    assert "Submissions over time: 1 of 5 places" in page
    assert "submitted" in page.split('id="events-title"')[1]
