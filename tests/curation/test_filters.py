"""Paragraphs that are not worth asking about are dropped, each with its reason; no paragraph gets lost."""

import os
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.articles import Article, Drop, Passage, Reason
from curation.boilerplate import boilerplate_in
from curation.filters import BadSetting, Filters, FilterSettings
from curation.sentence_counts import Splitter, count_by_rules, stanza_counter
from curation.shares import digit_share, foreign_script, markup_share
from scoring.json_files import FileError

PROSE = (
    "The tarn lies high in the hills of the north, and most of its water comes from snow that melts until the end of "
    "June. Nobody lives on its shores today. A small hut was built there by a shepherd, whose family kept it for three "
    "generations before the road came. In dry summers the level falls by more than a metre, which lays bare the stumps "
    "of an old forest. Scholars have long argued about the age of those trees; the last of them drowned when a "
    "landslide closed the valley. Fishing is allowed in autumn alone, as the char spawn in spring."
)


def sift(*texts, language="en", lost=(), **options):
    """The reasons of one run over ``texts``, None for what is kept."""
    filters = Filters(FilterSettings(**options))
    article = Article("Tarn", [Passage(text, lost=lost) for text in texts], language=language)
    kept, drops = filters.sift(article)
    reasons = {drop.example: drop for drop in drops if drop.is_passage}
    assert (kept is None) == (len(reasons) == len(texts))
    return [reasons.get(text[:200]) for text in texts]


def reason(text, **options):
    (drop,) = sift(text, **options)
    return None if drop is None else drop.reason


def test_prose_is_kept():
    assert reason(PROSE) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(PROSE[:499], Reason.TOO_SHORT, id="499 characters"),
        pytest.param(PROSE + " x" * 2300, Reason.TOO_LONG, id="more than 5,000 characters"),
        pytest.param(PROSE.replace("tarn", "[[tarn]]").replace(". ", ".{{cite|x}}<ref> "), Reason.MARKUP, id="markup"),
        pytest.param(PROSE + " 1871 1,204 1881 1,311" * 12, Reason.DIGITS, id="digits"),
        pytest.param(PROSE + " Озеро лежит в горах на севере." * 12, Reason.FOREIGN_SCRIPT, id="another script"),
        pytest.param(PROSE + " We use cookies; see our privacy policy.", Reason.BOILERPLATE, id="a notice"),
        pytest.param(PROSE + " Lorem ipsum dolor.", Reason.BOILERPLATE, id="filler"),
        pytest.param("The tarn lies in the hills. " * 30, Reason.BOILERPLATE, id="repeats itself"),
        pytest.param(PROSE.replace(". ", ", "), Reason.TOO_FEW_SENTENCES, id="one sentence"),
        pytest.param(PROSE + "\0", Reason.UNREADABLE, id="a NUL character"),
    ],
)
def test_each_filter_drops_what_it_is_for(text, expected):
    assert reason(text) is expected


def test_a_length_is_counted_in_code_points_and_the_limits_belong_to_it():
    assert reason(PROSE, min_chars=len(PROSE), max_chars=len(PROSE)) is None
    assert reason(PROSE, min_chars=len(PROSE) + 1) is Reason.TOO_SHORT
    assert reason(PROSE, max_chars=len(PROSE) - 1) is Reason.TOO_LONG
    (drop,) = sift("🦉" * 7, min_chars=8)
    assert drop.detail == "7"


def test_a_passage_that_lost_text_is_never_offered():
    (drop,) = sift(PROSE, lost=("convert", "formatnum"))
    assert (drop.reason, drop.detail) == (Reason.LOST_TEXT, "convert, formatnum")


def test_a_text_in_another_language_is_dropped_where_a_language_is_named():
    german = (
        "Der See liegt hoch in den Bergen des Nordens, und sein Wasser kommt meist vom Schnee, der bis Ende Juni "
        "schmilzt. An seinen Ufern wohnt heute niemand mehr. Eine kleine Hütte wurde dort von einem Hirten gebaut."
    )
    (drop,) = sift(german, min_chars=100)
    assert (drop.reason, drop.detail) == (Reason.OTHER_LANGUAGE, "de")
    assert reason(german, min_chars=100, language="de-AT") is None
    assert reason(german, min_chars=100, check_language=False) is None
    filters = Filters(FilterSettings(min_chars=100))
    kept, _drops = filters.sift(Article("See", [Passage(german)]))
    assert kept is not None
    assert filters.languages_unchecked == {""}


def test_of_near_duplicates_the_first_is_kept_within_and_across_articles():
    like, other = PROSE.replace("shepherd", "miller"), PROSE[::-1]
    filters = Filters(FilterSettings(min_sentences=0, language=""))
    tarn, drops = filters.sift(Article("Tarn", [Passage(PROSE), Passage(like), Passage(other)]))
    assert [passage.text for passage in tarn.passages] == [PROSE, other]
    (drop,) = drops
    assert drop.reason is Reason.NEAR_DUPLICATE
    assert drop.detail.endswith(f"% like Tarn: {PROSE[:60]}")
    mill, drops = filters.sift(Article("Mill", [Passage(PROSE)]))
    assert mill is None
    assert [(drop.reason, drop.detail[:15]) for drop in drops] == [
        (Reason.NEAR_DUPLICATE, "100% like Tarn:"),
        (Reason.EMPTY, ""),
    ]
    assert sift(PROSE, like, duplicate_likeness=2) == [None, None]


def test_duplicates_are_found_in_scripts_without_blanks():
    text = (
        "湖は北の山々の高いところにあり、その水の大部分は六月の終わりまで溶ける雪から来ている。"
        "今日、その岸辺には誰も住んでいない。"
        "羊飼いが建てた小さな小屋は三代にわたって家族が守っていたが、やがて道路が通ると誰も使わなくなった。"
    )
    first, second = sift(text, text.replace("今日", "現在"), min_chars=10, language="ja")
    assert first is None
    assert second.reason is Reason.NEAR_DUPLICATE


words = st.text(st.sampled_from("abc xyzé ö.🦉湖1[]"), max_size=40)
passages = st.builds(Passage, words, lost=st.sampled_from([(), ("convert",)]))
articles = st.builds(Article, st.sampled_from(["Tarn", "Mill", "Wall"]), st.lists(passages, max_size=6))


@given(st.lists(articles, max_size=6), st.integers(0, 20), st.integers(0, 2), st.sampled_from(["", "en", "ja", "xx"]))
@settings(max_examples=60, deadline=None)
def test_every_passage_is_kept_or_dropped_once(given_articles, min_chars, min_sentences, language):
    options = FilterSettings(min_chars=min_chars, min_sentences=min_sentences, language=language)
    runs = []
    for filters in (Filters(options), Filters(options)):
        run = []
        for article in given_articles:
            kept, drops = filters.sift(article)
            texts = [passage.text for passage in kept.passages] if kept else []
            dropped = [drop for drop in drops if drop.is_passage]
            assert len(texts) + len(dropped) == len(article.passages)
            assert sorted(texts + [drop.example for drop in dropped]) == sorted(p.text for p in article.passages)
            assert [drop.reason for drop in drops if not drop.is_passage] == ([] if kept else [Reason.EMPTY])
            run.append((texts, drops))
        runs.append(run)
    assert runs[0] == runs[1]


def test_the_example_of_a_drop_can_be_shown_and_stored_whatever_it_holds():
    filters = Filters(FilterSettings())
    _kept, (drop, _empty) = filters.sift(Article("Tarn", [Passage("a\ud800\0" + "b" * 900)]))
    assert drop == Drop("Tarn", Reason.UNREADABLE, True, drop.detail, "a\\ud800\\0" + "b" * 197)
    assert "half a surrogate pair" in drop.detail


@pytest.mark.parametrize(
    "options",
    [
        {"min_chars": -1},
        {"min_chars": 501, "max_chars": 500},
        {"min_sentences": -1},
        {"max_digits": 1.5},
        {"duplicate_likeness": 0},
    ],
)
def test_settings_that_make_no_sense_are_refused_in_a_sentence(options):
    with pytest.raises(BadSetting) as caught:
        FilterSettings(**options)
    assert str(caught.value).endswith(".")


def test_shares():
    assert digit_share("12 ab") == 0.5
    assert digit_share("") == 0
    assert markup_share("<b>x</b>xx") == 0.7
    assert markup_share("x < 3, A & B, it's") < 0.1
    assert foreign_script("ab жж", "en") == (0.5, "Cyrillic")
    assert foreign_script("абв d", "") == (0.25, "Latin")
    assert foreign_script("漢字かな", "ja") == (0.0, "")


def test_ordinary_prose_is_no_boilerplate():
    assert boilerplate_in(PROSE) == ""
    assert boilerplate_in("Its newsletter had a thousand readers. " + PROSE) == ""


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Dr. J. R. Smith came. He left!", 2),
        ('He said "No." Then he left (at 3.5 km/h).', 2),
        ("No end", 1),
        ("これは文です。二つ目です。", 2),
        ("यह एक है। यह दो है।", 2),
        ("هل جاء؟ نعم.", 2),
        ("It cost 3. 5 were left.", 2),
        ("ทะเลสาบอยู่ในภูเขาทางเหนือ", None),
    ],
)
def test_sentences_are_counted_by_rule(text, count):
    assert count_by_rules(text) == count


def test_counting_a_long_text_without_sentences_is_quick():
    text = "".join(random.Random(0).choices("ab .\"'", k=200_000))
    assert count_by_rules(text) > 0


def test_without_stanza_the_rules_count_and_are_named(monkeypatch, tmp_path):
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(tmp_path))
    filters = Filters(FilterSettings(language="en"))
    filters.sift(Article("Tarn", [Passage(PROSE)]))
    assert filters.sentence_counters == {"en": "rules"}
    with pytest.raises(FileError, match="Stanza"):
        Filters(FilterSettings(language="en", splitter=Splitter.STANZA))


@pytest.mark.slow
def test_stanza_counts_where_it_and_its_models_are(shared_dir, monkeypatch):
    pytest.importorskip("stanza", reason="Stanza is not installed; the rules count, as the tests beside show")
    models = os.environ.get("STANZA_RESOURCES_DIR") or str(shared_dir / "stanza_resources")
    monkeypatch.setenv("STANZA_RESOURCES_DIR", models)
    name, count = stanza_counter("en")
    assert name.startswith("stanza ")
    assert count("The tarn lies in the hills. Nobody lives there.") == 2
