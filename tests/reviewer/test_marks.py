"""Paragraphs with marks: whatever is marked, the text stays the paragraph's own."""

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewer.services.marks import Mark, marked_text


class Reader(HTMLParser):
    """Reads marked HTML back: the text, and the text under each number."""

    def __init__(self, html):
        super().__init__()
        self.text, self.open, self.marked, self.opened = "", [], {}, []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        assert tag == "mark"
        self.open.append(int(attributes["data-number"]))
        if "opens" in attributes["class"].split():
            self.opened.append(int(attributes["data-number"]))

    def handle_endtag(self, tag):
        self.open.pop()

    def handle_data(self, data):
        for number in self.open:
            self.marked[number] = self.marked.get(number, "") + data
        self.text += data


@st.composite
def marked_paragraphs(draw):
    alphabet = st.sampled_from("ab <>&\"'\n\t 🦉é{}") | st.characters(exclude_categories=["Cs", "Cc"])
    text = draw(st.text(alphabet, min_size=1, max_size=40))
    spans = draw(st.lists(st.tuples(st.integers(0, len(text) - 1), st.integers(1, len(text))), max_size=8))
    found = [span for span in spans if span[0] < span[1]]
    return text, [Mark(number, *span) for number, span in enumerate(found, start=1)]


@given(marked_paragraphs())
def test_marks_never_change_the_text_and_each_covers_its_own_answer(case):
    text, marks = case
    read = Reader(marked_text(text, marks))
    assert read.text == text
    assert read.marked == {mark.number: text[mark.start : mark.end] for mark in marks}
    # Each number is shown once, where its answer begins.
    assert sorted(read.opened) == [mark.number for mark in marks]


def test_an_answer_inside_another_lies_in_both_marks_on_lines_of_their_own():
    html = marked_text("the year 1340", [Mark(1, 4, 13), Mark(2, 9, 13)])
    assert html == (
        'the <mark class="answer-mark pattern-1 lane-1 opens" data-number="1" data-label="1">year </mark>'
        '<mark class="answer-mark pattern-1 lane-1" data-number="1" data-label="1">'
        '<mark class="answer-mark pattern-2 lane-2 opens" data-number="2" data-label="2">1340</mark></mark>'
    )


def test_text_of_the_paragraph_is_never_markup():
    assert marked_text("<b>1</b>", [Mark(1, 3, 4)]).startswith("&lt;b&gt;<mark")


@pytest.mark.parametrize("mark", [Mark(1, 2, 2), Mark(1, 0, 6), Mark(1, -1, 2)])
def test_a_mark_outside_the_text_is_refused(mark):
    assert "<mark" in marked_text("seven", [Mark(1, 0, 5)])
    with pytest.raises(ValueError, match="does not lie in 5 characters"):
        marked_text("seven", [mark])
