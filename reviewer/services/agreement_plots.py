"""Agreement as inline SVG: a mark with its interval for each row, and time as a line. Every figure is in the text
alternative or in the table beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

# In units of the drawing.
_WIDTH, _LABEL, _VALUE, _ROW = 480, 200, 50, 26
_INNER = _WIDTH - _LABEL - _VALUE
_TIME_HEIGHT, _TIME_LEFT, _TIME_FLOOR = 220, 50, 180
_TICKS = (0, 25, 50, 75, 100)
_LABEL_CHARACTERS = 22
# More rows than this are in the table alone; those at the front are drawn.
MOST_ROWS = 40


@dataclass(frozen=True, slots=True)
class Mark:
    """``value`` percent (0 to 100) with its interval, None where there is none."""

    label: str
    value: float
    low: float | None = None
    high: float | None = None

    @property
    def spoken(self) -> str:
        if self.low is None or self.high is None:
            return f"{self.label}: {self.value:.1f} %"
        return _("{label}: {value} % ({low} to {high})").format(
            label=self.label, value=f"{self.value:.1f}", low=f"{self.low:.1f}", high=f"{self.high:.1f}"
        )


def interval_plot(title: str, marks: Sequence[Mark]) -> SafeString:
    """A row for each of ``marks`` (one at least): a point at its value and a line along its interval."""
    drawn = marks[:MOST_ROWS]
    height = len(drawn) * _ROW + 28
    rows = format_html_join("", _MARK, (_mark(mark, number) for number, mark in enumerate(drawn)))
    ticks = format_html_join(
        "",
        '<line class="plot-grid" x1="{}" x2="{}" y1="0" y2="{}"></line><text class="plot-label" x="{}" y="{}" '
        'text-anchor="middle">{}</text>',
        ((_x(tick), _x(tick), height - 24, _x(tick), height - 6, tick) for tick in _TICKS),
    )
    spoken = "; ".join(mark.spoken for mark in drawn)
    if left := len(marks) - len(drawn):
        more = ngettext("{n} more in the table", "{n} more in the table", left).format(n=left)
        spoken = f"{spoken}; {more}"
    return _figure("interval-plot", height, title, spoken, format_html("{}{}", ticks, rows))


def time_plot(title: str, marks: Sequence[Mark]) -> SafeString:
    """``marks`` from left to right: a line through their values in a band of their intervals."""
    step = (_WIDTH - _TIME_LEFT - 30) / max(1, len(marks) - 1)
    places = [(_TIME_LEFT + number * step, mark) for number, mark in enumerate(marks)]
    above = [f"{x:.1f},{_y(mark.value if mark.high is None else mark.high)}" for x, mark in places]
    below = [f"{x:.1f},{_y(mark.value if mark.low is None else mark.low)}" for x, mark in places]
    band = format_html('<polygon class="plot-band" points="{}"></polygon>', " ".join([*above, *below[::-1]]))
    line = format_html(
        '<polyline class="plot-line" points="{}"></polyline>',
        " ".join(f"{x:.1f},{_y(mark.value)}" for x, mark in places),
    )
    points = format_html_join(
        "", '<circle class="plot-point" cx="{}" cy="{}" r="4"></circle>', ((f"{x:.1f}", _y(m.value)) for x, m in places)
    )
    levels = format_html_join(
        "",
        '<line class="plot-grid" x1="{}" x2="{}" y1="{}" y2="{}"></line><text class="plot-label" x="{}" y="{}" '
        'text-anchor="end">{}</text>',
        ((_TIME_LEFT, _WIDTH - 30, _y(tick), _y(tick), _TIME_LEFT - 8, float(_y(tick)) + 5, tick) for tick in _TICKS),
    )
    ends = {places[0][0]: marks[0].label, places[-1][0]: marks[-1].label}
    labels = format_html_join(
        "",
        '<text class="plot-label" x="{}" y="{}" text-anchor="{}">{}</text>',
        ((f"{x:.1f}", _TIME_FLOOR + 24, "start" if x == _TIME_LEFT else "end", label) for x, label in ends.items()),
    )
    spoken = "; ".join(mark.spoken for mark in marks)
    drawn = format_html("{}{}{}{}{}", levels, band, line, points, labels)
    return _figure("interval-plot", _TIME_HEIGHT, title, spoken, drawn)


_MARK = (
    '<text class="bar-label" x="{}" y="{}" text-anchor="end">{}</text>'
    '<line class="plot-interval" x1="{}" x2="{}" y1="{}" y2="{}"></line>'
    '<circle class="plot-point" cx="{}" cy="{}" r="4"></circle><text class="bar-value" x="{}" y="{}">{}</text>'
)


def _mark(mark: Mark, number: int) -> tuple[object, ...]:
    middle = number * _ROW + _ROW // 2
    low = mark.value if mark.low is None else mark.low
    high = mark.value if mark.high is None else mark.high
    label = mark.label if len(mark.label) <= _LABEL_CHARACTERS else mark.label[: _LABEL_CHARACTERS - 1] + "…"
    return (
        *(_LABEL - 10, middle + 5, label),
        *(_x(low), _x(high), middle, middle),
        *(_x(mark.value), middle, _LABEL + _INNER + 10, middle + 5, f"{mark.value:.1f}"),
    )


def _x(percent: float) -> str:
    return f"{_LABEL + _INNER * min(max(percent, 0.0), 100.0) / 100:.1f}"


def _y(percent: float) -> str:
    return f"{_TIME_FLOOR - (_TIME_FLOOR - 16) * min(max(percent, 0.0), 100.0) / 100:.1f}"


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
