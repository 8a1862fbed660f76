"""How fast a batch fills, and when it will be full: from the submissions of the last hours, with their uncertainty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import sqrt

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Assignment
from hits.models import Batch

from . import plots
from .plots import INNER_HEIGHT, INNER_WIDTH, LEFT, TOP

LOOK_BACK = timedelta(hours=6)
# Below this many submissions the interval is so wide that it says nothing; our choice.
FEWEST = 5
# Half the width of a 90 % interval for the root of a Poisson count, whose standard deviation is a half whatever its
# mean: Anscombe 1948, "The transformation of Poisson, binomial and negative-binomial data".
HALF_WIDTH = 1.645 / 2
MOST_POINTS = 300
FINISH_GRAIN = timedelta(minutes=5)


@dataclass(frozen=True)
class Pace:
    """``count`` submissions in the last ``hours``, and when ``remaining`` places are full at that pace: between
    ``soonest`` and ``latest`` nine times in ten. Without both, nothing can be said."""

    count: int
    hours: float
    remaining: int
    soonest: datetime | None = None
    latest: datetime | None = None

    @property
    def sentence(self) -> str:
        """The estimate in words; empty where nothing is left to wait for."""
        if not self.remaining:
            return ""
        if self.soonest is None or self.latest is None:
            sentence = ngettext(
                "{n} submission in the last 6 hours: too few to say when the batch is full.",
                "{n} submissions in the last 6 hours: too few to say when the batch is full.",
                self.count,
            )
            return sentence.format(n=self.count)
        sentence = _(
            "{count} submissions in {hours} h. At this pace the last {remaining} places are full between {soonest} and "
            "{latest} UTC (in nine cases of ten)."
        )
        return sentence.format(
            count=self.count,
            hours=f"{self.hours:.1f}",
            remaining=self.remaining,
            soonest=date_format(self.soonest, "Y-m-d H:i"),
            latest=date_format(self.latest, "Y-m-d H:i"),
        )


def pace_of(times: Sequence[datetime], remaining: int, began: datetime, now: datetime) -> Pace:
    """The pace of the submissions at ``times`` of a batch that ``began`` then, over the last six hours at most."""
    since = max(began, now - LOOK_BACK)
    count = sum(since <= moment <= now for moment in times)
    hours = max((now - since).total_seconds() / 3600, 1 / 60)
    if count < FEWEST or not remaining:
        return Pace(count, hours, remaining)
    fast = (sqrt(count) + HALF_WIDTH) ** 2 / hours
    slow = (sqrt(count) - HALF_WIDTH) ** 2 / hours
    return Pace(count, hours, remaining, _after(now, remaining / fast), _after(now, remaining / slow))


def _after(now: datetime, hours: float) -> datetime:
    """``now`` and ``hours`` later, to the next five minutes; at most a hundred years."""
    moment = now + timedelta(hours=min(hours, 876_000))
    past = (moment - datetime.min.replace(tzinfo=moment.tzinfo)) % FINISH_GRAIN
    return moment + (FINISH_GRAIN - past if past else timedelta(0))


def submissions_of(batch: Batch) -> list[datetime]:
    """When each submission of ``batch`` came in, oldest first, by the endpoint's clock."""
    listed = Assignment.objects.listed().filter(offer__hit__batch=batch)
    times = listed.order_by("submitted_at").values_list("submitted_at", flat=True)
    return [moment for moment in times if moment is not None]  # a constraint says that each has one


def pace_now(batch: Batch, times: Sequence[datetime], open_places: int) -> Pace:
    """The pace of ``batch``, of which so many places may still be filled."""
    return pace_of(times, open_places, batch.launched_at, timezone.now())


def submissions_plot(times: Sequence[datetime], places: int, began: datetime) -> SafeString:
    """Submissions so far over time, as steps that rise at each of them; under the number of places."""
    last = times[-1]
    seconds = max(60.0, (last - began).total_seconds())
    top = max(places, len(times))
    every = -(-len(times) // MOST_POINTS)
    floor, right = TOP + INNER_HEIGHT, LEFT + INNER_WIDTH
    points, level = [f"{LEFT},{floor}"], float(floor)
    for number, moment in enumerate(times, start=1):
        if number % every == 0 or number == len(times):
            x = LEFT + INNER_WIDTH * max(0.0, (moment - began).total_seconds()) / seconds
            # Level until this submission, then up.
            points.append(f"{x:.1f},{level:.1f}")
            level = TOP + INNER_HEIGHT * (1 - number / top)
            points.append(f"{x:.1f},{level:.1f}")
    points += [f"{right},{level:.1f}", f"{right},{floor}"]
    drawn = format_html('<polygon class="plot-spent" points="{}"></polygon>', " ".join(points))
    pattern = "Y-m-d" if seconds > 2 * 24 * 3600 else "m-d H:i"
    marks = [(part / 3, date_format(began + timedelta(seconds=seconds * part / 3), pattern)) for part in range(4)]
    levels = [(0.0, "0"), (1.0, str(top))] if top < 4 else [(part / 4, str(round(top * part / 4))) for part in range(5)]
    title = ngettext(
        "Submissions over time: {n} of {places} place", "Submissions over time: {n} of {places} places", places
    ).format(n=len(times), places=places)
    return plots.figure(title, format_html("{}{}{}", plots.across(marks), plots.up(levels), drawn))
