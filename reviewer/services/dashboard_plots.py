"""Counts as inline SVG: rows of bars, or columns on an axis. Every figure is in the text alternative."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from hits.services.plots import Moment, nice_step, spend_plot
from reviewer.services.numbers import localized

# In units of the drawing; narrow, so that its letters can be read on a phone.
WIDTH = 420
ROW, BAR, LABEL, VALUE = 26, 16, 150, 95
COLUMNS_HEIGHT, COLUMNS_LEFT, COLUMNS_TOP, COLUMNS_FLOOR = 190, 48, 14, 160
WIDEST = 48
# How much room a letter below an axis takes.
LETTER = 8
LABEL_CHARACTERS = 20


@dataclass(frozen=True, slots=True)
class Point:
    """One bar: ``shown`` is its figure in words where that is more than the number."""

    label: str
    value: int
    shown: str = ""

    @property
    def words(self) -> str:
        return self.shown or localized(f"{self.value:,}")


@dataclass(frozen=True)
class Rows:
    """Bars one below the other."""

    title: str
    points: Sequence[Point]

    def svg(self) -> SafeString:
        return rows_plot(self)


@dataclass(frozen=True)
class Columns:
    """Bars beside each other, in the order of their labels."""

    title: str
    points: Sequence[Point]

    def svg(self) -> SafeString:
        return columns_plot(self)


@dataclass(frozen=True)
class Spend:
    """Money over time, USD."""

    title: str
    moments: Sequence[tuple[datetime, Decimal, Decimal]]
    cap_usd: Decimal

    def svg(self) -> SafeString:
        return spend_plot([Moment(*moment) for moment in self.moments], self.cap_usd)


def rows_plot(rows: Rows) -> SafeString:
    """``rows`` (one at least) as long as their share of the highest."""
    highest = max(point.value for point in rows.points) or 1
    inner = WIDTH - LABEL - VALUE
    drawn = format_html_join(
        "",
        '<text class="plot-label" x="{}" y="{}" text-anchor="end">{}</text>'
        '<rect class="plot-fill" x="{}" y="{}" width="{}" height="{}"></rect>'
        '<text class="plot-value" x="{}" y="{}">{}</text>',
        (
            (
                *(LABEL - 8, number * ROW + ROW // 2 + 5, shortened(point.label)),
                *(LABEL, number * ROW + (ROW - BAR) // 2, f"{inner * point.value / highest:.1f}", BAR),
                *(f"{LABEL + inner * point.value / highest + 6:.1f}", number * ROW + ROW // 2 + 5, point.words),
            )
            for number, point in enumerate(rows.points)
        ),
    )
    return _figure(rows.title, rows.points, len(rows.points) * ROW, drawn)


def columns_plot(columns: Columns) -> SafeString:
    """``columns`` (one at least) on an axis from nought, with as many labels as have room."""
    highest = max(point.value for point in columns.points) or 1
    step = max(1, int(nice_step(Decimal(highest), 4)))
    top = step * -(-highest // step)
    room = (WIDTH - COLUMNS_LEFT) / len(columns.points)
    wide = min(room * 0.8, WIDEST)
    height = COLUMNS_FLOOR - COLUMNS_TOP
    every = -(-LETTER * (label_width(columns.points) + 1) // max(1, int(room)))
    levels = format_html_join(
        "",
        '<line class="plot-grid" x1="{}" x2="{}" y1="{}" y2="{}"></line>'
        '<text class="plot-label" x="{}" y="{}" text-anchor="end">{}</text>',
        (
            (COLUMNS_LEFT, WIDTH, f"{y:.1f}", f"{y:.1f}", COLUMNS_LEFT - 6, f"{y + 4:.1f}", short_count(level))
            for level, y in ((level, COLUMNS_FLOOR - height * level / top) for level in range(0, top + 1, step))
        ),
    )
    bars = format_html_join(
        "",
        '<rect class="plot-fill" x="{}" y="{}" width="{}" height="{}"></rect>',
        (
            (
                f"{COLUMNS_LEFT + (number + 0.5) * room - wide / 2:.1f}",
                f"{COLUMNS_FLOOR - height * point.value / top:.1f}",
                f"{wide:.1f}",
                f"{height * point.value / top:.1f}",
            )
            for number, point in enumerate(columns.points)
        ),
    )
    labels = format_html_join(
        "",
        '<text class="plot-label" x="{}" y="{}" text-anchor="middle">{}</text>',
        (
            (f"{COLUMNS_LEFT + (number + 0.5) * room:.1f}", COLUMNS_FLOOR + 18, point.label)
            for number, point in enumerate(columns.points)
            if number % every == 0
        ),
    )
    drawn = format_html("{}{}{}", levels, bars, labels)
    return _figure(columns.title, columns.points, COLUMNS_HEIGHT, drawn)


def label_width(points: Sequence[Point]) -> int:
    """Characters of the longest label."""
    return max(len(point.label) for point in points)


def short_count(count: int) -> str:
    """A number for an axis: 1,500 as 1.5k."""
    if count >= 1_000_000:
        return localized(f"{count / 1_000_000:g}M")
    return localized(f"{count / 1000:g}k") if count >= 1000 else str(count)


def shortened(label: str) -> str:
    return label if len(label) <= LABEL_CHARACTERS else label[: LABEL_CHARACTERS - 1] + "…"


def _figure(title: str, points: Sequence[Point], height: int, inside: SafeString) -> SafeString:
    spoken = "; ".join(f"{point.label}: {point.words}" for point in points)
    return format_html(
        '<svg class="count-plot" viewBox="0 0 {} {}" role="img" aria-label="{}"><title>{}</title>{}</svg>',
        WIDTH,
        height,
        f"{title}. {spoken}.",
        title,
        inside,
    )
