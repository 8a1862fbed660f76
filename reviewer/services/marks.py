"""A paragraph with numbered answers marked in it, as HTML whose text is the paragraph's text, to the character.

Numbers stand in attributes, so that they are shown without being text. Answers may overlap: the text is cut at every
edge, and each piece lies in one ``<mark>`` for each answer that covers it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

# Line styles that the style sheet has, so that colour alone tells no two marks apart.
PATTERNS = 5
# Heights below the text at which lines are drawn; more answers over one word than this share the last.
LANES = 4


@dataclass(frozen=True, slots=True)
class Mark:
    """Answer ``number`` (from 1) at ``[start, end)`` of the text, in code points. ``letter`` tells other people's
    answers to the same question from the one under review, which has none."""

    number: int
    start: int
    end: int
    letter: str = ""

    @property
    def label(self) -> str:
        return f"{self.number}{self.letter}"


def pattern_of(number: int) -> int:
    """The line style of mark ``number``, from 1 to ``PATTERNS``."""
    return (number - 1) % PATTERNS + 1


def marked_text(text: str, marks: Sequence[Mark]) -> SafeString:
    """``text`` as HTML with ``marks`` in it. Raises ValueError for a mark that is empty or outside the text."""
    for mark in marks:
        if not 0 <= mark.start < mark.end <= len(text):
            raise ValueError(f"The mark {mark.start} to {mark.end} does not lie in {len(text)} characters.")
    lanes = _lanes(marks)
    edges = sorted({0, len(text), *(mark.start for mark in marks), *(mark.end for mark in marks)})
    pieces = []
    for start, end in pairwise(edges):
        piece = conditional_escape(text[start:end])
        covering = [mark for mark in marks if mark.start <= start < mark.end]
        # From the inside out: what begins first, or is longer, goes around the others.
        for mark in sorted(covering, key=_order, reverse=True):
            piece = _wrapped(piece, mark, lanes[mark], opens=mark.start == start)
        pieces.append(piece)
    return mark_safe("".join(pieces))  # noqa: S308 - each piece is escaped above


def _order(mark: Mark) -> tuple[int, int, int, str]:
    return mark.start, -mark.end, mark.number, mark.letter


def _wrapped(piece: SafeString, mark: Mark, lane: int, opens: bool) -> SafeString:
    return format_html(
        '<mark class="answer-mark pattern-{} lane-{}{}{}" data-number="{}" data-label="{}">{}</mark>',
        pattern_of(mark.number),
        lane,
        " another" if mark.letter else "",
        " opens" if opens else "",
        mark.number,
        mark.label,
        piece,
    )


def _lanes(marks: Sequence[Mark]) -> dict[Mark, int]:
    """A lane for each mark, from 1 up: the first in which nothing before it still runs."""
    ends: list[int] = []
    lanes = {}
    for mark in sorted(marks, key=_order):
        lane = next((lane for lane, end in enumerate(ends) if end <= mark.start), len(ends))
        ends[lane : lane + 1] = [mark.end]
        lanes[mark] = min(lane + 1, LANES)
    return lanes
