"""Wikitext that no editor should have saved, and some did: it ends, and what is offered holds no markup."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.wikipedia.templates import Templates
from curation.wikipedia.wikitext import read_body

PIECES = st.sampled_from([
    *("{{", "}}", "{{{", "}}}", "[[", "]]", "{|", "|}", "|-", "|", "=", "==", "\n", "\n\n", "'''", "*", ":", "#", " "),
    *("<ref>", "</ref>", "<ref", "/>", "<!--", "-->", "<table>", "</table>", "<math>", "&nbsp;"),
    *("File:", "Category:", "convert", "lang", "http://example.org ", "word", "Åland", "🦉", "\u202e", "\x03", "\x07"),
])  # fmt: skip


def passages(wikitext):
    return read_body(wikitext, Templates("en")).passages


@given(st.lists(PIECES, max_size=60).map("".join))
def test_any_wikitext_ends_in_passages_without_templates(wikitext):
    for passage in passages(wikitext):
        assert passage.text == passage.text.strip() != ""
        assert passage.lost or "{{" not in passage.text


def test_an_entity_beside_it_does_not_hide_what_was_lost():
    (passage,) = passages(
        "It is {{unheard-of|x}} long&nbsp;&ndash; and &lt;wide&gt; &amp; deep<ref>so</ref> ({{IPA|a}})."
    )
    assert passage.lost == ("unheard-of",)
    assert passage.text == "It is long – and <wide> & deep."


def test_braces_that_a_reader_sees_are_text():
    (passage,) = passages("It is written <nowiki>{{so}}</nowiki> there, or &#123;&#123;so}} elsewhere.")
    assert passage.text.startswith("It is written {{so}} there")


@pytest.mark.parametrize("name", ["nowrap", "unheard-of"])
def test_templates_200_deep_are_read_or_lost(name):
    (passage,) = passages(f"It is {('{{' + name + '|') * 200}deep{'}}' * 200} down there.")
    assert passage.text == "It is deep down there." or passage.lost


@pytest.mark.parametrize("table", [
    "{|\n| a\n== Next ==\n", "|}\n\n", "{|\n{|\n|}\n== Next ==\n", "<table><tr><td>a</table>\n\n",
])  # fmt: skip
def test_a_table_that_does_not_balance_costs_nothing_behind_the_next_heading(table):
    found = [passage.text for passage in passages(f"Before it.\n\n{table}After it.\n")]
    assert found[-1] == "After it."
    assert found[0] == "Before it."


def test_the_heading_behind_a_table_that_nothing_closes_is_one():
    before, after = passages("Before it.\n\n{|\n| a\n== Next ==\nAfter it.\n")
    assert (before.section, after.section) == ((), ("Next",))


def test_megabytes_of_opening_braces_end():
    assert all(passage.lost or "{{" not in passage.text for passage in passages("{{a|" * 250_000))
