"""Normalising is the official clean-up in English, and knows languages without blanks between words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.normalization import normalize, tokens
from tests.scoring import official

# Bits that the clean-up treats specially, glued and apart.
PIECES = [
    "a",
    "An",
    "THE",
    "then",
    "x",
    "1,5",
    ".",
    "'",
    "-",
    "–",
    "“",
    "$",
    "_",
    " ",
    "  ",
    "\u00a0",
    "\t",
    "é",
    "İ",
    "ß",
    "中",
]
texts = st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.text(max_size=20)


@pytest.mark.parametrize(
    ("text", "normalized"),
    [
        pytest.param("The Beatles", "beatles", id="articles and case go"),
        pytest.param("A", "", id="an article alone leaves nothing"),
        pytest.param("Theatre A", "theatre", id="only whole words are articles"),
        pytest.param("a-the", "athe", id="punctuation goes before articles are looked for"),
        pytest.param("U.S.", "us", id="full stops go and join"),
        pytest.param("3–5 days", "3–5 days", id="an en dash stays"),
        pytest.param("“Nord”", "“nord”", id="curly quotes stay"),
        pytest.param("  New\u00a0York\n", "new york", id="white space of any kind is squeezed"),
        pytest.param("STRASSE", "strasse", id="ß is not folded"),
        pytest.param("cafe\u0301", "cafe\u0301", id="Unicode forms stay as they are"),
    ],
)
def test_normalize(text, normalized):
    assert normalize(text) == normalized


@given(texts)
def test_normalizing_equals_the_official_clean_up(text):
    assert normalize(text) == official.clean(text)
    assert tokens(normalize(text)) == official.clean(text).split()


@given(st.lists(st.sampled_from([piece for piece in PIECES if piece != "İ"]), max_size=12).map("".join))
def test_normalizing_twice_changes_nothing_more(text):
    assert normalize(normalize(text)) == normalize(text)


@pytest.mark.parametrize("language", ["en", "EN", "en-GB", "en-Latn-US"])
def test_every_english_is_english(language):
    assert normalize("The “Nord”", language) == "“nord”"


@pytest.mark.parametrize(
    ("language", "text", "normalized"),
    [
        pytest.param("zh", "《战国无双3》。", "战国无双3", id="Chinese punctuation goes"),
        pytest.param("ar", "من هو؟", "من هو", id="Arabic punctuation goes"),
        pytest.param("de", "an der „Elbe“", "an der elbe", id="German keeps its an, quotation marks go"),
        pytest.param("de-CH", "$5", "$5".replace("$", ""), id="ASCII symbols go as in English"),
    ],
)
def test_other_languages_lose_all_punctuation_and_no_words(language, text, normalized):
    assert normalize(text, language) == normalized


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        pytest.param("en", "战国 wars", ["战国", "wars"], id="English parts at white space alone"),
        pytest.param("zh", "战国无双3系列", ["战", "国", "无", "双", "3", "系", "列"], id="each Chinese character"),
        pytest.param("zh-Hant-TW", "1990年代", ["1990", "年", "代"], id="a number is whole"),
        pytest.param("ZH", "由ωforce开发 ok", ["由", "ωforce", "开", "发", "ok"], id="other letters are whole"),
        pytest.param("ja", "か\u3099く", ["か\u3099", "く"], id="a kana with its voicing mark"),
        pytest.param("th", "ที่นี่", ["ที่", "นี่"], id="a Thai letter with its marks"),
        pytest.param("ko", "서울에서 왔다", ["서울에서", "왔다"], id="Korean has blanks"),
        pytest.param("zh", "", [], id="nothing"),
    ],
)
def test_tokens(language, text, expected):
    assert tokens(text, language) == expected


@given(texts, st.sampled_from(["en", "zh", "th"]))
def test_tokens_keep_every_character_in_order(text, language):
    assert "".join(tokens(text, language)) == "".join(text.split())
