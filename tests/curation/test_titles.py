"""Ranked lists of titles, and samples of them."""

from dataclasses import replace

import pytest

from curation import titles
from scoring.json_files import FileError


@pytest.fixture
def listed(tmp_path):
    def listed(data: str | bytes, **options) -> list[str]:
        path = tmp_path / "list"
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return titles.read_ranked(path, **options).titles

    return listed


@pytest.mark.parametrize(("written", "expected"), [
    ("%C3%85land_Islands", "Åland Islands"), ("tarn  velle", "Tarn velle"), ("100%", "100%"), ("50%_off", "50% off"),
    ("%FF", "%FF"), ("\ufeffA", "A"),
])  # fmt: skip
def test_a_title_is_written_as_its_page_is(written, expected):
    assert titles.page_title(written) == expected


@pytest.mark.parametrize("data", [
    pytest.param("rank\ttitle\tpagerank\n1\tB\t0.5\n2\tA_c\t0.4\n", id="columns with a header"),
    pytest.param("title,views\nA c,3\nB,70\n", id="comma separated, to be sorted"),
    pytest.param("8.54\tB\n7.10\tA_c\n", id="score and title, tab"),
    pytest.param("8.54 B\n7.10 A_c\n", id="score and title, blank"),
    pytest.param("B\t1.5\nA_c\t0.5\n", id="title and score"),
    pytest.param("http://en.wikipedia.org/wiki/B\t9e-1\nhttp://en.wikipedia.org/wiki/A_c\t1e-3\n", id="addresses"),
    pytest.param("en.wikipedia A_c 12 desktop 5 A5\nen.wikipedia B 13 desktop 9 A9\n", id="a day's page views"),
    pytest.param("en A_c 2 0\nen.m A_c 2 0\nen B 5 0\n", id="an hour's page views"),
    pytest.param("\ufeffB\r\nA%20c\r\n", id="titles alone, with BOM and escapes"),
    pytest.param("B\nA c\n".encode("utf-16"), id="UTF-16"),
    pytest.param("B\nTalk:B\nB\nUser:C\nA_c\nA c\n", id="other namespaces and duplicates"),
])  # fmt: skip
def test_ranked_lists_of_many_kinds_are_read(listed, data):
    assert listed(data) == ["B", "A c"]


@pytest.mark.parametrize("score", ["nan", "inf", "-Infinity", "1e999", "many"])
def test_a_score_that_nothing_can_be_ranked_by_is_refused(listed, score):
    with pytest.raises(FileError, match=rf"The list's score {score} of B is no finite number\."):
        listed(f"title,pagerank\nA,0.1\nB,{score}\n")


def test_the_wiki_is_chosen_from_page_views_of_many(listed):
    data = "de A 5 0\nen B 3 0\n"
    assert listed(data, wiki="en.wikipedia") == ["B"]
    with pytest.raises(FileError, match="2 wikis"):
        listed(data)


def test_a_title_may_begin_with_a_number_or_hold_a_comma(listed):
    assert listed("1066 and all that\nAustin, Texas\n") == ["1066 and all that", "Austin, Texas"]


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\x1f\x8b broken", b"title\nTalk:A\n", b"A\nB\xff\n"])
def test_a_list_that_holds_no_titles_is_refused(listed, data):
    with pytest.raises(FileError):
        listed(data)


HUNDRED = [f"Page {number}" for number in range(100)]


def test_a_sample_is_the_same_whenever_it_is_drawn():
    # SHA-256 of "7:1:Page 0" and so on: these can be drawn again with sha256sum and sort.
    assert titles.draw(HUNDRED, seed=7, top=10, sample=3) == ["Page 0", "Page 2", "Page 6"]
    assert titles.draw(HUNDRED, seed=8, top=10, sample=3) != titles.draw(HUNDRED, seed=7, top=10, sample=3)


def test_every_title_is_as_likely():
    counts = dict.fromkeys(HUNDRED[:10], 0)
    for seed in range(1_000):
        for title in titles.draw(HUNDRED, seed=seed, top=10, sample=3):
            counts[title] += 1
    assert all(240 < count < 360 for count in counts.values())  # 300 expected, four deviations of 14.5 either way


@pytest.mark.parametrize(("top", "sample"), [(101, 3), (10, 11), (10, 0), (0, 0)])
def test_more_than_there_is_cannot_be_drawn(top, sample):
    with pytest.raises(FileError):
        titles.draw(HUNDRED, seed=1, top=top, sample=sample)


def test_a_record_draws_its_sample_again(tmp_path):
    ranked, kept = tmp_path / "ranks.txt", tmp_path / "sample.json"
    ranked.write_text("\n".join(HUNDRED))
    record = titles.draw_sample(ranked, seed=5, top=50, sample=9, drawn_on="2026-11-30")
    kept.write_text(titles.record_as_json(record))
    assert titles.read_record(kept) == record
    assert titles.redraw(titles.read_record(kept), ranked) == record.titles
    with pytest.raises(FileError, match="not known here"):
        titles.redraw(replace(record, algorithm="dice"), ranked)
    ranked.write_text("\n".join(HUNDRED[::-1]))
    with pytest.raises(FileError, match="SHA-256"):
        titles.redraw(record, ranked)


def test_a_list_given_by_hand_is_read(shared_dir):
    ranked = titles.read_ranked(shared_dir / "data/wikipedia/enwiki-sample-insample-pagerank.tsv")
    assert (len(ranked.titles), ranked.titles[0]) == (106, "Agriculture")


def test_the_items_of_a_whole_small_wiki_have_titles(shared_dir, tmp_path):
    ranked = tmp_path / "allwiki.links.rank"
    ranked.write_text("Q30\t24818.6\nQ145\t9000\nQ16635\t2.5\nQ999999999999\t1\nQ29\t0.5\n")
    found = titles.read_ranked(ranked, tables=shared_dir / "data/pagerank")
    assert (found.titles[0], found.titles[-2:]) == ("Estados Unidus", ["Guåhan", "España"])
    assert found.left_out["other wiki"] >= 1
