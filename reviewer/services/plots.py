"""Small plots as inline SVG: drawn on the server, coloured by classes of the style sheet, readable as text."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from reviewer.services.numbers import localized

# In units of the drawing.
_LABEL_WIDTH, _BAR_WIDTH, _VALUE_WIDTH = 130, 240, 50
_ROW_HEIGHT, _BAR_HEIGHT = 28, 18
_LETTER, _LABEL_GAP = 8, 8


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of ``percent`` (0 to 100); others' figures are drawn in grey."""

    label: str
    percent: float
    is_ours: bool


def bar_plot(title: str, bars: Sequence[Bar], label_width: int = _LABEL_WIDTH) -> SafeString:
    """Horizontal bars from 0 to 100 %, each with its figure and its label, which has ``label_width`` or what it needs.
    ``title`` and all figures are its text for those who do not see it."""
    label_width = max([label_width, *(_LETTER * len(bar.label) + 2 * _LABEL_GAP for bar in bars)])
    width, height = label_width + _BAR_WIDTH + _VALUE_WIDTH, len(bars) * _ROW_HEIGHT
    rows = format_html_join("", _ROW, (_row(bar, number, label_width) for number, bar in enumerate(bars)))
    spoken = "; ".join(f"{bar.label}: {localized(f'{bar.percent:.1f}')} %" for bar in bars)
    return format_html(
        '<svg class="bar-plot" viewBox="0 0 {} {}" role="img" aria-label="{}"><title>{}</title>{}</svg>',
        width,
        height,
        f"{title}. {spoken}.",
        title,
        rows,
    )


_ROW = (
    '<text class="bar-label" x="{}" y="{}" text-anchor="end">{}</text>'
    '<rect class="{}" x="{}" y="{}" width="{}" height="{}"></rect>'
    '<text class="bar-value" x="{}" y="{}">{}</text>'
)


def _row(bar: Bar, number: int, label_width: int) -> tuple[object, ...]:
    top = number * _ROW_HEIGHT
    baseline = top + _ROW_HEIGHT // 2 + 5
    length = f"{_BAR_WIDTH * min(max(bar.percent, 0.0), 100.0) / 100:.1f}"
    return (
        label_width - _LABEL_GAP,
        baseline,
        bar.label,
        "bar-ours" if bar.is_ours else "bar-published",
        label_width,
        top + (_ROW_HEIGHT - _BAR_HEIGHT) // 2,
        length,
        _BAR_HEIGHT,
        f"{label_width + float(length) + 6:.1f}",
        baseline,
        localized(f"{bar.percent:.1f}"),
    )
