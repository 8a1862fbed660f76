"""The page's own arithmetic of spans, run in Chromium against the vectors and the laws that the server keeps too."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import Page

from scoring.advice import question_key
from scoring.copied_text import longest_copied_run, words
from scoring.normalization import normalize
from scoring.spans import code_points_to_utf16, is_mid_word, snap_to_words, trim, utf16_to_code_points
from tests.browser.conftest import NewContext

VECTORS = json.loads((Path(__file__).parents[1] / "scoring" / "span_vectors.json").read_text())

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]  # of the server that sends the modules


@pytest.fixture
def page(new_context: NewContext, platform_server: str) -> Page:
    page = new_context().new_page()
    page.goto(f"{platform_server}/")  # any page of ours: scripts of the same site may run on it
    return page


def run(page: Page, code: str, given_values: Any) -> Any:
    """The value of the JavaScript function ``code`` of the module ``s`` and of ``given_values``."""
    return page.evaluate(
        f"async (x) => {{ const s = await import('/static/annotation/spans.js'); return ({code})(s, x); }}",
        given_values,
    )


def test_the_tables_are_those_of_the_server(page: Page) -> None:
    assert set(run(page, "(s) => [...s.BLANKS].join('')", None)) == set(VECTORS["blanks"])
    assert run(page, "(s) => s.UNSPACED_RANGES", None) == VECTORS["unspaced_ranges"]


@pytest.mark.parametrize(
    ("group", "code", "expected"),
    [
        ("utf16", "(s, v) => s.fromUtf16(s.codePoints(v.text), ...v.utf16)", "code_points"),
        ("snap", "(s, v) => s.snapToWords(s.codePoints(v.text), ...v.range)", "snapped"),
        ("copied_run", "(s, v) => s.longestCopiedRun(v.question, s.plainWords(v.paragraph))", "words"),
    ],
)
def test_the_vectors_shared_with_the_server(page: Page, group: str, code: str, expected: str) -> None:
    vectors = VECTORS[group]
    results = run(page, f"(s, vectors) => vectors.map((v) => ({code})(s, v))", vectors)
    assert {v["name"]: result for v, result in zip(vectors, results, strict=True)} == {
        v["name"]: v[expected] for v in vectors
    }


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
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


@st.composite
def cases(draw: st.DrawFn) -> dict[str, Any]:
    text = draw(TEXTS)
    units = len(text.encode("utf-16-le")) // 2
    start, end = sorted((draw(st.integers(0, units)), draw(st.integers(0, units))))
    return {"text": text, "start": start, "end": end, "question": draw(TEXTS)}


def test_page_and_server_agree_on_any_text(page: Page) -> None:
    @settings(max_examples=30, deadline=None)
    @given(st.lists(cases(), min_size=1, max_size=20))
    def agree(batch: list[dict[str, Any]]) -> None:
        code = """(s, batch) => batch.map(({text, start, end, question}) => {
            const chars = s.codePoints(text);
            const range = s.fromUtf16(chars, start, end);
            return [range, range.map((edge) => s.toUtf16(chars, edge)), s.trim(chars, ...range),
                    s.snapToWords(chars, ...range), range.some((edge) => s.isInsideWord(chars, edge)),
                    s.plainWords(text), s.longestCopiedRun(question, s.plainWords(text))];
        })"""
        for case, found in zip(batch, run(page, code, batch), strict=True):
            text = case["text"]
            edges = utf16_to_code_points(text, case["start"], case["end"])
            trimmed, snapped = trim(text, *edges), snap_to_words(text, *edges)
            assert found == [
                list(edges),
                list(code_points_to_utf16(text, *edges)),
                trimmed and list(trimmed),
                snapped and list(snapped),
                is_mid_word(text, *edges),
                words(text),
                longest_copied_run(case["question"], text),
            ]

    agree()


def test_page_and_server_agree_on_the_key_of_any_question(page: Page) -> None:
    @settings(max_examples=10, deadline=None)
    @given(st.lists(TEXTS, min_size=1, max_size=40))
    def agree(texts: list[str]) -> None:
        code = """async (texts) => {
            const { questionKey } = await import('/static/annotation/advice.js');
            return texts.map((text) => questionKey(text, 'en'));
        }"""
        assert page.evaluate(code, texts) == [question_key(text, "en") for text in texts]

    agree()


@pytest.mark.parametrize("language", ["en", "en-GB", "de", "zh"])
def test_what_cleans_to_nothing_is_what_the_scorer_says(page: Page, language: str) -> None:
    answers = ["A", "the", "a an", "A.", "—", "。", "“the”", "$", "1", "Annie", "The Lake", "...", "a-the", "une"]
    found = run(
        page, "(s, [answers, language]) => answers.map((a) => s.cleansToNothing(a, language))", [answers, language]
    )
    assert dict(zip(answers, found, strict=True)) == {one: normalize(one, language) == "" for one in answers}
