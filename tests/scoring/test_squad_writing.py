"""What is written is SQuAD JSON, the same bytes every time, and reads back as it was."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.datasets import Article, Dataset, Paragraph, Question
from scoring.spans import Span, SpanError
from scoring.squad_files import read_squad
from scoring.squad_writing import VERSION_1_1, VERSION_2_0, squad_chunks, squad_json

OWL = Paragraph("🦉 Owls hunt “at dusk”.", [Question("q1", "When?", [Span(13, 20, "at dusk"), Span(16, 20, "dusk")])])


def test_a_file_is_compact_utf_8_in_the_official_shape():
    assert squad_json([Article("Owls", [OWL])]).decode() == (
        '{"version":"1.1","data":[{"title":"Owls","paragraphs":[{"context":"🦉 Owls hunt “at dusk”.","qas":[{"id":"q1",'
        '"question":"When?","answers":[{"text":"at dusk","answer_start":13},{"text":"dusk","answer_start":16}]}]}]}]}\n'
    )


def test_no_articles_make_an_empty_dataset():
    assert json.loads(squad_json([])) == {"version": "1.1", "data": []}


def test_2_0_says_of_each_question_whether_it_is_impossible():
    paragraph = Paragraph(OWL.text, [*OWL.questions, Question("q2", "Who?", is_impossible=True)])
    (article,) = json.loads(squad_json([Article("Owls", [paragraph])], VERSION_2_0))["data"]
    assert [qa["is_impossible"] for qa in article["paragraphs"][0]["qas"]] == [False, True]
    assert article["paragraphs"][0]["qas"][1]["answers"] == []


def test_1_1_has_no_place_for_an_unanswerable_question():
    assert squad_json([Article("Owls", [OWL])])
    with pytest.raises(ValueError, match=r"Question q2 has no answer, which a SQuAD 1\.1 file cannot say"):
        squad_json([Article("Owls", [Paragraph("x", [Question("q2", "Who?", is_impossible=True)])])])


def test_an_answer_that_does_not_stand_at_its_start_is_never_written():
    shifted = Paragraph(OWL.text, [Question("q1", "When?", [Span(12, 19, "at dusk")])])
    with pytest.raises(SpanError, match="the answer says 'at dusk'"):
        squad_json([Article("Owls", [shifted])])


def test_articles_are_taken_one_at_a_time():
    taken = []

    def articles():
        for number in range(3):
            taken.append(number)
            yield Article(f"Owls {number}", [OWL])

    chunks = squad_chunks(articles())
    next(chunks)
    assert taken == []
    next(chunks)
    assert taken == [0]
    next(chunks)
    assert taken == [0, 1]


storable = st.characters(codec="utf-8", exclude_characters="\0\r")


@st.composite
def paragraphs(draw):
    text = "x" + draw(st.text(storable, max_size=20))
    questions = []
    for question in draw(st.lists(st.text(storable, max_size=5), max_size=3)):
        ends = draw(st.lists(st.integers(1, len(text)), min_size=1, max_size=3))
        spans = [Span(0, end, text[:end]) for end in ends]
        questions.append(Question(str(draw(st.uuids())), f"{question}?", spans))
    return Paragraph(text, questions)


@given(st.lists(st.builds(Article, st.just("T"), st.lists(paragraphs(), max_size=3)), max_size=3))
def test_a_written_file_reads_back_as_it_was_and_is_written_alike(articles):
    data = squad_json(articles)
    assert read_squad(data) == Dataset(VERSION_1_1, articles, [])
    assert squad_json(read_squad(data).articles) == data
    assert b"".join(squad_chunks(iter(articles))) == data
