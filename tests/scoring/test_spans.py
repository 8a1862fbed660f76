"""Spans against the shared vectors, the field cases on offsets, and the laws that hold for any text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.characters import BLANKS, UNSPACED_RANGES, cuts_character
from scoring.spans import (
    Span,
    SpanError,
    check_span,
    code_points_to_utf16,
    is_mid_word,
    snap_to_words,
    span_at,
    trim,
    utf16_to_code_points,
)
from tests.scoring.vectors import VECTORS, cases

FERRY = "The  ferry\tleaves Port\u00a0Elsen at 06:40.\nIt returns at noon, most days."
LAKE = (
    "Lake Orra froze over in 1907. Ten years later, in 1917, it froze again, and the ice of 1907 was thicker than "
    "the ice of 1917 by 7 centimetres."
)

# Texts full of what goes wrong: astral letters, emoji sequences, marks, joiners, blanks, unspaced scripts, numbers.
PIECES = [
    *(
        "a",
        "The",
        "1,204",
        "3.5",
        "7",
        " ",
        "\t",
        "\u00a0",
        "\u200b",
        "\r\n",
        "\n",
        ".",
        ",",
        "'s",
        "-",
        "é",
        "e\u0301",
    ),
    *("🦉", "❤\ufe0f", "👩\u200d🚀", "👍🏽", "🇫🇷", "1\ufe0f\u20e3", "𝒩", "防守", "ที่", "คำ", "かが\u3099", "한국"),
    *("\u1109\u1165", "किलो", "مدينة", "می\u200cخ", "\u0301", "\u00ad", "\u200d"),
]
texts = st.lists(st.sampled_from(PIECES) | st.characters(codec="utf-8"), max_size=30).map("".join)


@st.composite
def ranges(draw):
    """A text and a range in it."""
    text = draw(texts)
    start = draw(st.integers(0, len(text)))
    return text, start, draw(st.integers(start, len(text)))


def test_the_tables_shared_with_the_page_are_those_of_the_server():
    assert set(VECTORS["blanks"]) == BLANKS
    assert [tuple(pair) for pair in VECTORS["unspaced_ranges"]] == list(UNSPACED_RANGES)


@pytest.mark.parametrize("vector", cases("utf16"))
def test_utf16_ranges(vector):
    start, end = utf16_to_code_points(vector["text"], *vector["utf16"])
    assert [start, end] == vector["code_points"]
    assert vector["text"][start:end] == vector["selected"]


@pytest.mark.parametrize("vector", cases("snap"))
def test_snapped_ranges(vector):
    snapped = snap_to_words(vector["text"], *vector["range"])
    assert (snapped and list(snapped)) == vector["snapped"]


@pytest.mark.parametrize("vector", [v for v in cases("snap") if v.values[0]["snapped"]])
def test_a_range_is_mid_word_where_snapping_would_widen_it(vector):
    trimmed = trim(vector["text"], *vector["range"])
    assert is_mid_word(vector["text"], *trimmed) == (list(trimmed) != vector["snapped"])


@pytest.mark.parametrize(
    ("raw_start", "raw_end", "expected"),
    [
        pytest.param(5, 11, Span(5, 10, "ferry"), id="a tab after the word goes"),
        pytest.param(3, 10, Span(5, 10, "ferry"), id="two blanks before it go"),
        pytest.param(22, 28, Span(23, 28, "Elsen"), id="a no-break space before it goes"),
        pytest.param(18, 28, Span(18, 28, "Port\u00a0Elsen"), id="an inner no-break space stays"),
        pytest.param(32, 39, Span(32, 38, "06:40."), id="of a full stop and a line end only the line end goes"),
        pytest.param(53, 57, Span(53, 57, "noon"), id="nothing to trim"),
    ],
)
def test_the_start_moves_with_the_trimmed_text(raw_start, raw_end, expected):
    assert span_at(FERRY, *trim(FERRY, raw_start, raw_end)) == expected
    assert span_at(FERRY, *snap_to_words(FERRY, raw_start, raw_end)) == expected


def test_blanks_alone_are_no_answer():
    assert trim(FERRY, 3, 5) is None
    assert trim(FERRY, 3, 6) == (5, 6)


@pytest.mark.parametrize("blank", sorted({c for c in map(chr, range(0x110000)) if c.isspace()} | {"\u200b", "\ufeff"}))
def test_every_unicode_white_space_is_trimmed(blank):
    assert trim(f"{blank}noon{blank}", 0, 6) == (1, 5)


@pytest.mark.parametrize(("start", "text"), [(87, "1907"), (50, "1917"), (128, "7")])
def test_a_repeated_text_is_kept_where_it_was_selected(start, text):
    assert snap_to_words(LAKE, start, start + len(text)) == (start, start + len(text))
    assert not is_mid_word(LAKE, start, start + len(text))


def test_a_digit_inside_a_year_is_widened_to_the_year():
    assert is_mid_word(LAKE, 53, 54)
    assert span_at(LAKE, *snap_to_words(LAKE, 53, 54)) == Span(50, 54, "1917")


def test_a_span_that_matches_passes_and_any_other_is_told_how_it_fails():
    check_span(LAKE, 87, 91, "1907")
    with pytest.raises(SpanError, match=re.escape("The text has ' 190' from 86 to 90, but the answer says '1907'.")):
        check_span(LAKE, 86, 90, "1907")
    with pytest.raises(SpanError, match="range 140 to 144 does not lie in the text of 142 characters"):
        check_span(LAKE, 140, 144, "es.")
    with pytest.raises(SpanError, match="range -1 to 3 does not lie"):
        check_span(LAKE, -1, 3, "Lak")
    with pytest.raises(SpanError, match="range 9 to 5 does not lie"):
        check_span(LAKE, 9, 5, "")
    with pytest.raises(SpanError, match="position '87' is not a whole number"):
        check_span(LAKE, "87", 91, "1907")
    with pytest.raises(SpanError, match="empty"):
        check_span(LAKE, 4, 5, " ")
    with pytest.raises(SpanError, match="empty"):
        span_at(LAKE, 4, 4)


def test_a_selection_outside_the_text_is_refused():
    assert utf16_to_code_points("🦉", 0, 2) == (0, 1)
    with pytest.raises(SpanError, match="selection 0 to 3 does not lie in the text of 2 UTF-16 units"):
        utf16_to_code_points("🦉", 0, 3)
    with pytest.raises(SpanError, match="range 0 to 2 does not lie"):
        code_points_to_utf16("🦉", 0, 2)


@given(ranges())
def test_code_points_survive_the_way_over_utf16(case):
    text, start, end = case
    units = code_points_to_utf16(text, start, end)
    assert text.encode("utf-16-le")[2 * units[0] : 2 * units[1]].decode("utf-16-le") == text[start:end]
    assert utf16_to_code_points(text, *units) == (start, end)


@given(texts, st.data())
def test_any_utf16_range_gives_whole_characters_that_hold_it(text, data):
    length = len(text.encode("utf-16-le")) // 2
    start = data.draw(st.integers(0, length))
    end = data.draw(st.integers(start, length))
    code_points = utf16_to_code_points(text, start, end)
    back = code_points_to_utf16(text, *code_points)
    assert start - 1 <= back[0] <= start
    assert (back[0] == back[1]) if start == end else (end <= back[1] <= end + 1)


@given(ranges())
def test_snapping_widens_what_is_left_after_trimming_and_is_done_once(case):
    text, start, end = case
    trimmed, snapped = trim(text, start, end), snap_to_words(text, start, end)
    if trimmed is None:
        assert snapped is None
        assert all(character in BLANKS for character in text[start:end])
        return
    assert snapped[0] <= trimmed[0] < trimmed[1] <= snapped[1]
    assert start <= trimmed[0]
    assert trimmed[1] <= end
    assert text[snapped[0]] not in BLANKS
    assert text[snapped[1] - 1] not in BLANKS
    assert snap_to_words(text, *snapped) == snapped
    assert not is_mid_word(text, *snapped)


@given(ranges())
def test_snapping_adds_no_blank_and_parts_no_visible_character(case):
    text, start, end = case
    trimmed, snapped = trim(text, start, end), snap_to_words(text, start, end)
    if snapped is not None:
        added = text[snapped[0] : trimmed[0]] + text[trimmed[1] : snapped[1]]
        assert not BLANKS & set(added)
        assert not any(cuts_character(text, edge) for edge in snapped)
