"""The English sample of a real dump, against what was read by eye in its wikitext."""

import json
import re
import resource
from collections import Counter
from pathlib import Path

import mwparserfromhell
import pytest

from curation.articles import Article, Drop, Reason
from curation.wikipedia import dump
from curation.wikipedia.reader import read_dump

KNOWN = json.loads((Path(__file__).parent / "data/wikipedia_by_eye.json").read_text(encoding="utf-8"))["paragraphs"]


@pytest.fixture(scope="module")
def sample(shared_dir) -> list[Article | Drop]:
    (path,) = (shared_dir / "data/wikipedia").glob("*.bz2")
    return list(read_dump(path))


@pytest.fixture(scope="module")
def articles(sample) -> dict[str, Article]:
    return {item.title: item for item in sample if isinstance(item, Article)}


@pytest.mark.parametrize("known", KNOWN, ids=[f"{entry['title']}: {entry['text'][:20]}" for entry in KNOWN])
def test_a_paragraph_reads_as_it_does_by_eye(articles, known):
    article = articles[known["title"]]
    found = [passage for passage in article.passages if passage.text[:60] == known["text"][:60]]
    assert [(passage.text, list(passage.section), passage.lost) for passage in found] == [
        (known["text"], known["section"], ())
    ]
    assert article.source_url == known["source_url"]


# What is no plain paragraph: templates, tags, tables, pictures, external links, lists and headings.
_NOT_PLAIN = re.compile(r"\{\{|\}\}|<|\{\||\[\[(?:File|Image):|\[http|^[*#:;|!{= ]", re.IGNORECASE)


@pytest.mark.slow
def test_paragraphs_without_templates_and_tags_read_as_another_parser_reads_them(shared_dir, articles):
    (path,) = (shared_dir / "data/wikipedia").glob("*.bz2")
    plain, others = 0, []
    for page in dump.pages(path, dump.Site()):
        if page.title not in articles:
            continue
        ours = {passage.text for passage in articles[page.title].passages}
        for paragraph in page.text.split("\n\n"):
            if len(paragraph) >= 200 and "\n" not in paragraph and not _NOT_PLAIN.search(paragraph):
                plain += 1
                text = " ".join(mwparserfromhell.parse(paragraph).strip_code().split())
                others += [] if text in ours else [text]
    assert plain > 500
    # Where italics end at an apostrophe, that parser leaves three of them and MediaWiki shows one.
    assert [text for text in others if "''" not in text] == []


def test_every_page_of_the_dump_is_an_article_or_says_why_not(sample):
    reasons = Counter(item.reason for item in sample if isinstance(item, Drop))
    assert len(sample) == 206
    assert reasons == {
        Reason.REDIRECT: 99,  # and one of another namespace
        Reason.NOT_AN_ARTICLE: 1,
        Reason.DISAMBIGUATION: 8,
        Reason.STUB: 3,
        Reason.LIST: 2,
    }


def test_no_markup_is_left_in_what_is_offered(articles):
    offered = [passage.text for article in articles.values() for passage in article.passages if not passage.lost]
    assert len(offered) > 4_500
    for mark in ("{{", "}}", "[[", "<ref", "'''", " ()", "  ", "|-"):
        assert [text for text in offered if mark in text] == [], mark


def test_few_paragraphs_lose_text(articles):
    long = [passage for article in articles.values() for passage in article.passages if len(passage.text) >= 500]
    assert len(long) > 2_200
    assert sum(bool(passage.lost) for passage in long) / len(long) < 0.02


@pytest.mark.slow
def test_memory_does_not_grow_with_what_is_read(shared_dir):
    (path,) = (shared_dir / "data/wikipedia").glob("*.bz2")
    sum(1 for _item in read_dump(path, titles=["Nowhere"]))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _turn in range(5):
        sum(1 for _item in read_dump(path, titles=["Nowhere"]))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000  # KiB
