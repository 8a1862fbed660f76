"""Agreement as inline SVG: a mark with its interval for each row, and time as a line. Every figure is in the text
alternative or in the table beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from reviewer.services.numbers import localized

# In units of the drawing.
_WIDTH, _LABEL, _VALUE, _ROW = 510, 230, 50, 26
_INNER = _WIDTH - _LABEL - _VALUE
_TIME_HEIGHT, _TIME_LEFT, _TIME_FLOOR = 220, 50, 180
_LABEL_CHARACTERS = 26
# More rows than this are in the table alone; those at the front are drawn.
MOST_ROWS = 40


@dataclass(frozen=True, slots=True)
class Axis:
    """What values are drawn along: its first and last tick are its ends, ``places`` how many decimals are shown."""

    ticks: tuple[float, ...]
    unit: str
    places: int

    def share(self, value: float) -> float:
        """Where ``value`` lies, from 0.0 to 1.0; what is beyond an end lies on it."""
        least, most = self.ticks[0], self.ticks[-1]
        return (min(max(value, least), most) - least) / (most - least)

    def told(self, value: float) -> str:
        return localized(f"{value:.{self.places}f}")


PERCENT = Axis((0, 25, 50, 75, 100), " %", 1)
COEFFICIENT = Axis((-1, -0.5, 0, 0.5, 1), "", 2)


@dataclass(frozen=True, slots=True)
class Mark:
    """``value`` with its interval, None where there is none."""

    label: str
    value: float
    low: float | None = None
    high: float | None = None

    def spoken(self, axis: Axis) -> str:
        value = axis.told(self.value) + axis.unit
        if self.low is None or self.high is None:
            return f"{self.label}: {value}"
        return _("{label}: {value} ({low} to {high})").format(
            label=self.label, value=value, low=axis.told(self.low), high=axis.told(self.high)
        )


def interval_plot(title: str, marks: Sequence[Mark], axis: Axis = PERCENT) -> SafeString:
    """A row for each of ``marks`` (one at least): a point at its value and a line along its interval."""
    drawn = marks[:MOST_ROWS]
    height = len(drawn) * _ROW + 28
    rows = format_html_join("", _MARK, (_mark(mark, number, axis) for number, mark in enumerate(drawn)))
    ticks = format_html_join(
        "",
        '<line class="plot-grid" x1="{}" x2="{}" y1="0" y2="{}"></line><text class="plot-label" x="{}" y="{}" '
        'text-anchor="middle">{}</text>',
        ((_x(tick, axis), _x(tick, axis), height - 24, _x(tick, axis), height - 6, f"{tick:g}") for tick in axis.ticks),
    )
    spoken = "; ".join(mark.spoken(axis) for mark in drawn)
    if left := len(marks) - len(drawn):
        more = ngettext("{n} more in the table", "{n} more in the table", left).format(n=left)
        spoken = f"{spoken}; {more}"
    return _figure("interval-plot", height, title, spoken, format_html("{}{}", ticks, rows))


def time_plot(title: str, marks: Sequence[Mark], axis: Axis = PERCENT) -> SafeString:
    """``marks`` from left to right: a line through their values in a band of their intervals."""
    step = (_WIDTH - _TIME_LEFT - 30) / max(1, len(marks) - 1)
    places = [(_TIME_LEFT + number * step, mark) for number, mark in enumerate(marks)]
    above = [f"{x:.1f},{_y(mark.value if mark.high is None else mark.high, axis)}" for x, mark in places]
    below = [f"{x:.1f},{_y(mark.value if mark.low is None else mark.low, axis)}" for x, mark in places]
    band = format_html('<polygon class="plot-band" points="{}"></polygon>', " ".join([*above, *below[::-1]]))
    line = format_html(
        '<polyline class="plot-line" points="{}"></polyline>',
        " ".join(f"{x:.1f},{_y(mark.value, axis)}" for x, mark in places),
    )
    points = format_html_join(
        "",
        '<circle class="plot-point" cx="{}" cy="{}" r="4"></circle>',
        ((f"{x:.1f}", _y(m.value, axis)) for x, m in places),
    )
    levels = format_html_join(
        "",
        '<line class="plot-grid" x1="{}" x2="{}" y1="{}" y2="{}"></line><text class="plot-label" x="{}" y="{}" '
        'text-anchor="end">{}</text>',
        (
            (_TIME_LEFT, _WIDTH - 30, y, y, _TIME_LEFT - 8, float(y) + 5, f"{tick:g}")
            for tick in axis.ticks
            for y in [_y(tick, axis)]
        ),
    )
    ends = {places[0][0]: marks[0].label, places[-1][0]: marks[-1].label}
    labels = format_html_join(
        "",
        '<text class="plot-label" x="{}" y="{}" text-anchor="{}">{}</text>',
        ((f"{x:.1f}", _TIME_FLOOR + 24, "start" if x == _TIME_LEFT else "end", label) for x, label in ends.items()),
    )
    spoken = "; ".join(mark.spoken(axis) for mark in marks)
    drawn = format_html("{}{}{}{}{}", levels, band, line, points, labels)
    return _figure("interval-plot", _TIME_HEIGHT, title, spoken, drawn)


_MARK = (
    '<text class="bar-label" x="{}" y="{}" text-anchor="end">{}</text>'
    '<line class="plot-interval" x1="{}" x2="{}" y1="{}" y2="{}"></line>'
    '<circle class="plot-point" cx="{}" cy="{}" r="4"></circle><text class="bar-value" x="{}" y="{}">{}</text>'
)


def _mark(mark: Mark, number: int, axis: Axis) -> tuple[object, ...]:
    middle = number * _ROW + _ROW // 2
    low = mark.value if mark.low is None else mark.low
    high = mark.value if mark.high is None else mark.high
    label = mark.label if len(mark.label) <= _LABEL_CHARACTERS else mark.label[: _LABEL_CHARACTERS - 1] + "…"
    return (
        *(_LABEL - 10, middle + 5, label),
        *(_x(low, axis), _x(high, axis), middle, middle),
        *(_x(mark.value, axis), middle, _LABEL + _INNER + 10, middle + 5, axis.told(mark.value)),
    )


def _x(value: float, axis: Axis) -> str:
    return f"{_LABEL + _INNER * axis.share(value):.1f}"


def _y(value: float, axis: Axis) -> str:
    return f"{_TIME_FLOOR - (_TIME_FLOOR - 16) * axis.share(value):.1f}"


def _figure(name: str, height: int, title: str, spoken: str, inside: SafeString) -> SafeString:
    return format_html(
        '<svg class="{}" viewBox="0 0 {} {}" role="img" aria-label="{}"><title>{}</title>{}</svg>',
        name,
        _WIDTH,
        height,
        f"{title}. {spoken}.",
        title,
        inside,
    )
