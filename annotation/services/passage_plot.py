"""Lengths of paragraphs as inline SVG: drawn on the server, coloured by classes of the style sheet."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from annotation.sentences import grouped
from annotation.services.passages import Bin

# In units of the drawing: the figure, and the frame of its axes inside it.
WIDTH, HEIGHT = 640, 220
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 20, 40
INNER_WIDTH, INNER_HEIGHT = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
FLOOR = TOP + INNER_HEIGHT
MOST_LABELS = 6


def histogram(bins: Sequence[Bin]) -> SafeString:
    """A bar for each of ``bins``: what workers are asked about, and on top of it what is excluded."""
    highest = max(one.included + one.excluded for one in bins) or 1
    width = INNER_WIDTH / len(bins)
    bars = []
    for number, one in enumerate(bins):
        x = LEFT + number * width + 1
        kept, left_out = (INNER_HEIGHT * count / highest for count in (one.included, one.excluded))
        bars.append(("length-bar", f"{x:.1f}", f"{FLOOR - kept:.1f}", f"{width - 2:.1f}", f"{kept:.1f}", spoken(one)))
        if one.excluded:
            y = FLOOR - kept - left_out
            bars.append(("length-bar-out", f"{x:.1f}", f"{y:.1f}", f"{width - 2:.1f}", f"{left_out:.1f}", spoken(one)))
    drawn = format_html_join("", '<rect class="{}" x="{}" y="{}" width="{}" height="{}"><title>{}</title></rect>', bars)
    every = -(-len(bins) // MOST_LABELS)
    marks = format_html_join(
        "",
        '<text class="plot-label" x="{}" y="{}">{}</text>',
        (
            (f"{LEFT + number * width:.1f}", FLOOR + 20, grouped(one.start) + ("" if one.end else "+"))
            for number, one in enumerate(bins)
            if number % every == 0
        ),
    )
    axes = format_html(
        '<line class="plot-axis" x1="{left}" x2="{right}" y1="{floor}" y2="{floor}"></line>'
        '<line class="plot-grid" x1="{left}" x2="{right}" y1="{top}" y2="{top}"></line>'
        '<text class="plot-label" x="{label}" y="{top_label}" text-anchor="end">{highest}</text>'
        '<text class="plot-label" x="{label}" y="{floor}" text-anchor="end">0</text>',
        left=LEFT,
        right=LEFT + INNER_WIDTH,
        floor=FLOOR,
        top=TOP,
        label=LEFT - 8,
        top_label=TOP + 5,
        highest=grouped(highest),
    )
    title = _("Paragraphs by length, in characters")
    return format_html(
        '<svg class="length-plot" viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}{}</svg>',
        WIDTH,
        HEIGHT,
        title,
        axes,
        drawn,
        marks,
    )


def spoken(one: Bin) -> str:
    """What a bar stands for, as a tooltip says it."""
    numbers = {"start": grouped(one.start), "included": grouped(one.included), "excluded": grouped(one.excluded)}
    if one.end is None:
        return _("%(start)s characters and more: %(included)s, and %(excluded)s excluded") % numbers
    numbers["end"] = grouped(one.end - 1)
    return _("%(start)s to %(end)s characters: %(included)s, and %(excluded)s excluded") % numbers
