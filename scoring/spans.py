"""Answer spans: ``[start, end)`` of a paragraph's text in Unicode code points, ``end`` exclusive.

A browser counts UTF-16 code units, in which a character outside the Basic Multilingual Plane takes two.
"""

from dataclasses import dataclass

from scoring.characters import BLANKS, is_inside_word
from scoring.sentences import Sentence, _


class SpanError(ValueError):
    """A span that does not fit its text; its only argument is a ``Sentence`` that says how."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Span:
    """An answer in a paragraph: ``paragraph.text[start:end] == text``, in code points."""

    start: int
    end: int
    text: str


def span_at(text: str, start: int, end: int) -> Span:
    """The span of ``text`` from ``start`` to ``end``. Raises SpanError where there is none or it is empty."""
    check_range(text, start, end)
    if start == end:
        raise SpanError(_("The answer is empty."))
    return Span(start, end, text[start:end])


def check_range(text: str, start: int, end: int) -> None:
    """Raise SpanError unless ``0 <= start <= end <= len(text)``, all in code points."""
    for position in (start, end):
        if type(position) is not int:
            raise SpanError(_("The answer's position {position!r} is not a whole number.", position=position))
    if not 0 <= start <= end <= len(text):
        raise SpanError(
            _(
                "The answer's range {start} to {end} does not lie in the text of {length} characters.",
                start=start,
                end=end,
                length=len(text),
            )
        )


def check_span(text: str, start: int, end: int, answer_text: str) -> None:
    """Raise SpanError unless ``answer_text`` is what ``text`` holds from ``start`` to ``end``, and is not blank."""
    check_range(text, start, end)
    found = text[start:end]
    if found == answer_text and start < end and found[0] not in BLANKS:
        return
    if found != answer_text:
        raise SpanError(
            _(
                "The text has {found!r} from {start} to {end}, but the answer says {answer!r}.",
                found=found,
                start=start,
                end=end,
                answer=answer_text,
            )
        )
    if trim(text, start, end) is None:
        raise SpanError(_("The answer is empty."))


def utf16_to_code_points(text: str, start: int, end: int) -> tuple[int, int]:
    """The range of ``text`` that a browser's ``[start, end)`` in UTF-16 units means, in code points.

    An edge inside a surrogate pair takes in the whole character; a collapsed range stays collapsed. Raises SpanError
    outside the text.
    """
    lengths = [1 + (character > "\uffff") for character in text]
    total = sum(lengths)
    if not 0 <= start <= end <= total:
        raise SpanError(
            _(
                "The selection {start} to {end} does not lie in the text of {length} UTF-16 units.",
                start=start,
                end=end,
                length=total,
            )
        )
    code_point_start = code_point_end = units = 0
    for length in lengths:
        # The last character that begins at or before the start; the first that begins at or after the end.
        code_point_start += units + length <= start
        code_point_end += units < end
        units += length
    return code_point_start, code_point_start if start == end else code_point_end


def code_points_to_utf16(text: str, start: int, end: int) -> tuple[int, int]:
    """The range of ``text`` from ``start`` to ``end`` as a browser counts it. Raises SpanError outside the text."""
    check_range(text, start, end)
    before = _utf16_length(text[:start])
    return before, before + _utf16_length(text[start:end])


def trim(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The range without the blanks at its edges (``characters.BLANKS``), or None where nothing else is in it."""
    check_range(text, start, end)
    while start < end and text[start] in BLANKS:
        start += 1
    while start < end and text[end - 1] in BLANKS:
        end -= 1
    return (start, end) if start < end else None


def snap_to_words(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The range trimmed, then widened where an edge would part a word (``characters.is_inside_word``), or None for
    a blank one. What was selected is never dropped, so a full stop that was taken along stays."""
    trimmed = trim(text, start, end)
    if trimmed is None:
        return None
    start, end = trimmed
    while is_inside_word(text, start):
        start -= 1
    while is_inside_word(text, end):
        end += 1
    return start, end


def is_mid_word(text: str, start: int, end: int) -> bool:
    """Whether an edge of the range parts a word or a visible character."""
    check_range(text, start, end)
    return is_inside_word(text, start) or is_inside_word(text, end)


def _utf16_length(text: str) -> int:
    return len(text) + sum(character > "\uffff" for character in text)
