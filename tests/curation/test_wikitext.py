"""Wikitext turned into what a reader sees."""

import pytest

from curation.wikipedia.templates import Templates
from curation.wikipedia.wikitext import Lists, read_body


def passages(wikitext: str, **settings) -> list:
    return read_body(wikitext, Templates("en"), **settings).passages


def text_of(wikitext: str) -> str:
    """The text of a single paragraph that loses nothing."""
    (passage,) = passages(wikitext)
    assert passage.lost == ()
    return passage.text


@pytest.mark.parametrize(("wikitext", "expected"), [
    pytest.param("a [[b]] c", "a b c", id="link"),
    pytest.param("a [[b|c]]s d", "a cs d", id="link with a label"),
    pytest.param("'''A''' is ''b''.", "A is b.", id="bold and italics"),
    pytest.param("the l'''amour'' of", "the l'amour of", id="an apostrophe beside italics"),
    pytest.param("a<ref>b</ref> c<ref name=d/>.", "a c.", id="footnotes"),
    pytest.param("a [http://b.org c] d", "a c d", id="external link"),
    pytest.param("a b.[http://b.org] c [http://b.org].", "a b. c.", id="addresses without a label"),
    pytest.param("a&nbsp;b &lt;c&gt; <nowiki>''d''</nowiki>", "a b <c> ''d''", id="entities and what is no wikitext"),
    pytest.param("10<sup>6</sup> H<sub>2</sub>O 19<sup>th</sup>", "10⁶ H₂O 19th", id="raised and lowered"),
    pytest.param("a<!-- b -->c", "ac", id="comment"),
    pytest.param("a\nb", "a b", id="a line end is a blank"),
    pytest.param("a<br/>b", "a\nb", id="a break is a line end"),
])  # fmt: skip
def test_a_paragraph_is_what_a_reader_sees(wikitext, expected):
    assert text_of(wikitext) == expected


def test_a_template_that_is_unknown_inside_a_sentence_is_named_as_lost():
    (passage,) = passages("There are {{Sheep count|7}} of them.")
    assert passage.lost == ("Sheep count",)


def test_a_template_that_is_unknown_and_a_block_of_its_own_costs_no_passage():
    assert [passage.text for passage in passages("One.\n\n{{Sheep box\n| a = b\n}}\n\nTwo.")] == ["One.", "Two."]


def test_sections_are_kept_as_the_path_of_headings():
    found = passages("a\n== B ==\nc\n=== ''D'' ===\ne\n== F ==\ng")
    assert [passage.section for passage in found] == [(), ("B",), ("B", "D"), ("F",)]


@pytest.mark.parametrize("table", ["{| class=x\n| a\n|}", "{|\n| {|\n| b\n|}\n|}", "[[File:A.jpg|thumb|A [[b]] c.]]",
                                   "<gallery>\nA.jpg\n</gallery>", "{{Infobox a\n| b = {{c}}\n}}"])  # fmt: skip
def test_tables_pictures_and_boxes_are_no_text(table):
    assert [passage.text for passage in passages(f"One.\n{table}\nTwo.")] in (["One.", "Two."], ["One. Two."])


@pytest.mark.parametrize("block", [
    "{{Main|History of A}}", ":''See also [[B]].''", "{{coord|1|2|N|3|4|E|display=title}}", "[[Category:Lakes]]",
    "[[de:See]]", "{{Navbox|list1=[[B]]}}", "{{Reflist|30em}}", "<syntaxhighlight lang=c>\nint a;\n</syntaxhighlight>",
    "<math>a = b</math>", "<pre>a</pre>", "{{Use British English|date=May 2010}}", "__NOTOC__", "{{Citation needed}}",
    "<!-- a\n\nb -->", "<timeline>\na\n</timeline>", "<table><tr><td>a</td></tr></table>", "----", " int a;",
])  # fmt: skip
def test_what_is_no_running_text_leaves_nothing_and_costs_nothing(block):
    assert [(passage.text, passage.lost) for passage in passages(f"One.\n\n{block}\n\nTwo.")] == [
        *(("One.", ()), ("Two.", ())),
    ]


@pytest.mark.parametrize(("inline", "lost"), [
    ("shown at [http://b.org/c],", "link"),
    ("<math>a</math>", "math"), ("<ce>H2O</ce>", "ce"), ("<hiero>A1</hiero>", "hiero"), ("{{odd}}", "odd"),
])  # fmt: skip
def test_a_formula_in_a_sentence_is_named_as_lost(inline, lost):
    (passage,) = passages(f"It is {inline} long.")
    assert passage.lost == (lost,)


def test_lists_are_left_out_or_kept_as_passages():
    source = "One.\n* a [[b]]\n* c\n\nTwo."
    assert [passage.text for passage in passages(source)] == ["One.", "Two."]
    assert [passage.text for passage in passages(source, lists=Lists.KEEP)] == ["One.", "a b\nc", "Two."]


@pytest.mark.parametrize("quoted", ["<blockquote>\n Quoted.\n</blockquote>", "{{quote|Quoted.}}", "<div>Quoted.</div>"])
def test_what_follows_a_quotation_on_its_line_is_no_code(quoted):
    assert [passage.text for passage in passages(f"Before.\n{quoted} After [[it]].\n\n int code;\n\nLast.")] == [
        *("Before.", "Quoted.", "After it.", "Last."),
    ]
