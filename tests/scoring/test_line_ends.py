"""Line ends become LF and offsets move along."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.line_ends import LineEnds, lf

texts = st.text(alphabet="ab\r\n🦉", max_size=20)


@pytest.mark.parametrize(
    ("text", "start", "end", "moved"),
    [
        pytest.param("a\r\nbc", 3, 5, (2, 4), id="each CRLF before it moves a span by one"),
        pytest.param("a\nb\rc", 4, 5, (4, 5), id="lone CR and LF move nothing"),
        pytest.param("a\r\nb", 0, 4, (0, 3), id="a CRLF inside shortens the span"),
        pytest.param("a\r\nb", 2, 4, (1, 3), id="a span that begins between CR and LF begins at the line end"),
        pytest.param("a\r\nb", 0, 2, (0, 2), id="a span that ends between CR and LF has the line end"),
        pytest.param("\r\r\n\n", 3, 4, (2, 3), id="CR, CRLF and LF are three line ends"),
    ],
)
def test_moved_spans(text, start, end, moved):
    line_ends = LineEnds(text)
    assert (line_ends.start(start), line_ends.end(end)) == moved


@given(texts, st.data())
def test_a_moved_span_has_the_same_text_but_for_its_line_ends(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    line_ends = LineEnds(text)
    if start < end:
        assert line_ends.text[line_ends.start(start) : line_ends.end(end)] == lf(text[start:end])


@given(texts)
def test_no_carriage_return_is_left_and_the_ends_stay_the_ends(text):
    line_ends = LineEnds(text)
    assert "\r" not in line_ends.text
    assert line_ends.text.split("\n") == re.split("\r\n|\r|\n", text)
    assert (line_ends.start(0), line_ends.end(len(text))) == (0, len(line_ends.text))
