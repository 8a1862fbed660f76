"""Money as inline SVG: drawn on the server, coloured by classes of the style sheet, with a table beside it to read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

# In units of the drawing: the figure, and the frame of its axes inside it.
WIDTH, HEIGHT = 640, 240
LEFT, RIGHT, TOP, BOTTOM = 80, 16, 32, 40
INNER_WIDTH, INNER_HEIGHT = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
STEPS = (Decimal(1), Decimal(2), Decimal(5))
# How a moment is labelled, by how many seconds the whole plot spans.
TIMES = [(3600.0, "%H:%M:%S"), (2 * 86400.0, "%m-%d %H:%M"), (float("inf"), "%Y-%m-%d")]
# Rates are counted in quarters of the promised one, up to four times it; what is more stands in the last bin.
RATE_PARTS, RATE_TIMES = 4, 4


@dataclass(frozen=True)
class Bin:
    """How many values lie in ``[start, end)``; without an ``end``, from ``start`` up."""

    start: Decimal
    end: Decimal | None
    count: int


@dataclass(frozen=True)
class Moment:
    """Money at one time, USD."""

    at: datetime
    spent_usd: Decimal
    reserved_usd: Decimal

    @property
    def committed_usd(self) -> Decimal:
        return self.spent_usd + self.reserved_usd


def nice_step(span: Decimal, parts: int) -> Decimal:
    """The smallest of 1, 2, 5, 10, 20 ... and 0.5, 0.2, 0.1 ... that divides ``span`` into at most ``parts``."""
    step, power = STEPS[0], Decimal("0.01")
    while True:
        for factor in STEPS:
            step = factor * power
            if step * parts >= span:
                return step
        power *= 10


def bins_of(values: Sequence[Decimal], rate_usd: Decimal) -> list[Bin]:
    """``values`` (USD an hour) counted in bins of which one begins at ``rate_usd``, which is above zero."""
    step, last = rate_usd / RATE_PARTS, RATE_PARTS * RATE_TIMES
    counts = [0] * (last + 1)
    for value in values:
        counts[min(int(value / step), last)] += 1
    ends = [step * (number + 1) for number in range(last)]
    return [
        Bin(step * number, end, found) for number, (end, found) in enumerate(zip([*ends, None], counts, strict=True))
    ]


def rates_plot(bins: Sequence[Bin], rate_usd: Decimal) -> SafeString:
    """Workers by what an hour has brought them, with the promised rate as a line."""
    top_count = max([one.count for one in bins]) or 1
    bar_width = INNER_WIDTH / len(bins)
    bars = format_html_join(
        "",
        '<rect class="{}" x="{}" y="{}" width="{}" height="{}"></rect>',
        (
            (
                "plot-bar-below" if one.start < rate_usd else "plot-bar",
                f"{LEFT + number * bar_width + 1:.1f}",
                f"{TOP + INNER_HEIGHT * (1 - one.count / top_count):.1f}",
                f"{bar_width - 2:.1f}",
                f"{INNER_HEIGHT * one.count / top_count:.1f}",
            )
            for number, one in enumerate(bins)
        ),
    )
    marks = [
        (number / len(bins), f"${one.start:.2f}" + ("" if one.end else "+"))
        for number, one in enumerate(bins)
        if number % RATE_PARTS == 0
    ]
    at = LEFT + RATE_PARTS * bar_width
    line = format_html(
        '<line class="plot-mark" x1="{x}" x2="{x}" y1="{top}" y2="{bottom}"></line>'
        '<text class="plot-mark-label" x="{label_x}" y="{label_y}">{label}</text>',
        x=f"{at:.1f}",
        top=TOP - 6,
        bottom=TOP + INNER_HEIGHT,
        label_x=f"{at + 6:.1f}",
        label_y=TOP - 10,
        label=_("promised: ${rate}").format(rate=rate_usd),
    )
    title = _("Workers by what an hour of their work has brought, USD")
    counts = [(0.0, "0"), (1.0, str(top_count))]
    return figure(title, format_html("{}{}{}{}", across(marks), up(counts), bars, line))


def spend_plot(moments: Sequence[Moment], cap_usd: Decimal) -> SafeString:
    """Spent, and spent with reserved above it, over time, under the cap."""
    first, last = moments[0].at, moments[-1].at
    seconds = max(1.0, (last - first).total_seconds())
    highest = max([cap_usd, *(moment.committed_usd for moment in moments)]) or Decimal(1)
    step = nice_step(highest, 4)

    def x(at: datetime) -> float:
        return LEFT + INNER_WIDTH * (at - first).total_seconds() / seconds

    def y(usd: Decimal) -> float:
        return TOP + INNER_HEIGHT * (1 - float(usd / highest))

    def steps(amounts: list[Decimal]) -> str:
        """A line that stays level until the next moment."""
        points, level = [], y(amounts[0])
        for moment, usd in zip(moments, amounts, strict=True):
            points += [f"{x(moment.at):.1f},{level:.1f}", f"{x(moment.at):.1f},{y(usd):.1f}"]
            level = y(usd)
        return " ".join([*points, f"{LEFT + INNER_WIDTH:.1f},{level:.1f}"])

    spent, committed = steps([m.spent_usd for m in moments]), steps([m.committed_usd for m in moments])
    floor = TOP + INNER_HEIGHT
    drawn = format_html(
        '<polygon class="plot-reserved" points="{left},{floor} {committed} {right},{floor}"></polygon>'
        '<polygon class="plot-spent" points="{left},{floor} {spent} {right},{floor}"></polygon>'
        '<line class="plot-mark" x1="{left}" x2="{right}" y1="{cap}" y2="{cap}"></line>'
        '<text class="plot-mark-label" x="{right}" y="{cap_label}" text-anchor="end">{label}</text>',
        left=LEFT,
        right=LEFT + INNER_WIDTH,
        floor=floor,
        committed=committed,
        spent=spent,
        cap=f"{y(cap_usd):.1f}",
        cap_label=f"{y(cap_usd) - 6:.1f}",
        label=_("cap: ${cap}").format(cap=cap_usd),
    )
    times = next(pattern for most, pattern in TIMES if seconds <= most)
    marks = [(part / 3, (first + (last - first) * part / 3).strftime(times)) for part in range(4)]
    levels = [(float(step * n / highest), f"${(step * n).normalize():f}") for n in range(int(highest / step) + 1)]
    title = _("Spent and reserved over time, USD")
    return figure(title, format_html("{}{}{}", across(marks), up(levels), drawn))


def figure(title: str, inside: SafeString) -> SafeString:
    return format_html(
        '<svg class="money-plot" viewBox="0 0 {} {}" role="img" aria-label="{}"><title>{}</title>{}</svg>',
        WIDTH,
        HEIGHT,
        title,
        title,
        inside,
    )


def across(marks: Sequence[tuple[float, str]]) -> SafeString:
    """Labels under the axis, at shares of its length."""
    labels = format_html_join(
        "",
        '<text class="plot-label" x="{}" y="{}" text-anchor="{}">{}</text>',
        (
            # The last one ends with the axis, so that it stays within the figure however large the letters are.
            (LEFT + INNER_WIDTH, HEIGHT - 14, "end", label)
            if share > 0.9
            else (f"{LEFT + INNER_WIDTH * share:.1f}", HEIGHT - 14, "start", label)
            for share, label in marks
        ),
    )
    floor = TOP + INNER_HEIGHT
    axis = format_html(
        '<line class="plot-axis" x1="{}" x2="{}" y1="{}" y2="{}"></line>', LEFT, LEFT + INNER_WIDTH, floor, floor
    )
    return format_html("{}{}", axis, labels)


def up(marks: Sequence[tuple[float, str]]) -> SafeString:
    """Labels beside the axis, at shares of its height, each with a line across."""
    return format_html_join(
        "",
        '<line class="plot-grid" x1="{}" x2="{}" y1="{}" y2="{}"></line>'
        '<text class="plot-label" x="{}" y="{}" text-anchor="end">{}</text>',
        (
            (LEFT, LEFT + INNER_WIDTH, f"{height:.1f}", f"{height:.1f}", LEFT - 8, f"{height + 5:.1f}", label)
            for height, label in ((TOP + INNER_HEIGHT * (1 - share), label) for share, label in marks)
        ),
    )
