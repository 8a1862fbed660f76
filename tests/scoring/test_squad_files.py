"""SQuAD files are read to the character, and every fault is named with its place."""

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.datasets import Place
from scoring.json_files import FileError
from scoring.line_ends import lf
from scoring.spans import Span, check_span
from scoring.squad_files import read_gold, read_predictions, read_squad
from scoring.squad_metrics import GoldQuestion

OTTER = "The Otter Line opened in 1871 and closed in 1958. Its longest tunnel, Gell Pass, measured 1,204 metres."


def qa(question_id, question, *answers, **fields):
    """A question object with answers given as (text, start)."""
    return {
        "id": question_id,
        "question": question,
        "answers": [{"text": text, "answer_start": start} for text, start in answers],
        **fields,
    }


def squad(*questions, context=OTTER, version="1.1"):
    """A SQuAD document of one article with one paragraph."""
    return {
        "version": version,
        "data": [{"title": "Otter_Line", "paragraphs": [{"context": context, "qas": questions}]}],
    }


def read(document):
    return read_squad(json.dumps(document).encode())


def faults(*questions, **fields):
    return [fault.message for fault in read(squad(*questions, **fields)).faults]


GOOD = qa("ok-1", "When did the line open?", ("1871", 25))


def without(mapping, key):
    return {name: value for name, value in mapping.items() if name != key}


def test_a_sound_file_is_read_in_full():
    dataset = read(squad(GOOD, qa("ok-2", " What was the tunnel called? ", ("Gell Pass", 70), ("Pass", 75))))
    assert dataset.version == "1.1"
    assert dataset.faults == []
    (article,) = dataset.articles
    assert article.title == "Otter_Line"
    (paragraph,) = article.paragraphs
    assert paragraph.text == OTTER
    assert [question.id for question in paragraph.questions] == ["ok-1", "ok-2"]
    assert paragraph.questions[1].text == " What was the tunnel called? "
    assert paragraph.questions[1].answers == [Span(70, 79, "Gell Pass"), Span(75, 79, "Pass")]


def test_a_packed_file_is_read_alike():
    data = json.dumps(squad(GOOD)).encode()
    assert read_squad(gzip.compress(data)) == read_squad(data)


BAD = [
    GOOD,
    qa("off-1", "When did the line close?", ("1958", 45)),
    qa("gone-1", "Which tunnel was longest?", ("Gell Tunnel", 70)),
    qa("dup-1", "How long was it?", ("1,204 metres", 90)),
    qa("dup-1", "How long, in metres?", ("1,204", 90)),
    qa("empty-1", "What opened?", ("", 0)),
    qa("neg-1", "What closed?", ("The Otter Line", -1)),
    qa("past-1", "What is measured?", ("metres", 400)),
    qa("str-1", "What is Gell Pass?", ("longest tunnel", "54")),
    qa("none-1", "Who built it?"),
    without(qa("", "No id here?", ("1871", 25)), "id"),
    qa("ok-2", "What was the longest tunnel called?", ("Gell Pass", 70)),
    qa("blankq-1", "   ", ("1871", 25)),
]


def test_every_faulty_question_is_reported_once_with_its_place_and_fault():
    dataset = read(squad(*BAD))
    assert [(fault.place.question, fault.question_id, fault.message) for fault in dataset.faults] == [
        (1, "off-1", 'Answer 1, "1958", does not stand at its start 45; the paragraph has it at 44.'),
        (2, "gone-1", 'Answer 1, "Gell Tunnel", is not in the paragraph.'),
        (3, "dup-1", "Its id is used 2 times in the file."),
        (4, "dup-1", "Its id is used 2 times in the file."),
        (5, "empty-1", "Answer 1 is empty."),
        (6, "neg-1", "Answer 1 starts at -1, below 0."),
        (7, "past-1", "Answer 1 starts at 400, past the end of the paragraph (103 characters)."),
        (8, "str-1", "The start of answer 1 must be a whole number, not text."),
        (9, "none-1", "It has no answer and is not marked impossible."),
        (10, None, "It has no id."),
        (12, "blankq-1", "Its question is blank."),
    ]


def test_the_articles_hold_the_sound_questions_alone():
    (article,) = read(squad(*BAD)).articles
    assert [question.id for question in article.paragraphs[0].questions] == ["ok-1", "ok-2"]


def test_a_fault_says_where_it_stands():
    document = squad(GOOD)
    document["data"].append(
        {"title": "Mill", "paragraphs": [{"context": "", "qas": []}, {"context": "x", "qas": [GOOD]}]}
    )
    first, second = read(document).faults
    assert first.place == Place(article=0, title="Otter_Line", paragraph=0, question=0)
    assert str(second) == (
        'data[1].paragraphs[1].qas[0] ok-1 ("Mill"): Its id is used 2 times in the file. '
        "Answer 1 starts at 25, past the end of the paragraph (1 characters)."
    )


def test_the_same_answer_from_several_people_is_no_fault():
    dataset = read(squad(qa("ok-1", "When did the line open?", ("1871", 25), ("1871", 25), ("1871", 25))))
    assert dataset.faults == []
    assert len(dataset.articles[0].paragraphs[0].questions[0].answers) == 3


@pytest.mark.parametrize(
    ("question", "fault"),
    [
        (qa(7, "Who?", ("1871", 25)), "Its id must be text, not a number."),
        (qa(" ", "Who?", ("1871", 25)), "It has no id."),
        (qa("a\0b", "Who?", ("1871", 25)), "Its id holds a NUL character (U+0000, character 2)."),
        (qa("q", "W\0?", ("1871", 25)), "Its question holds a NUL character (U+0000, character 2)."),
        (qa("q", "Wh\udc00", ("1871", 25)), "Its question holds half a surrogate pair (U+DC00, character 3)."),
        (without(qa("q", "", ("1871", 25)), "question"), "It has no question text."),
        (qa("q", ["Who?"], ("1871", 25)), "Its question must be text, not a list."),
        (without(qa("q", "Who?"), "answers"), "It has no answer and is not marked impossible."),
        ({**GOOD, "answers": {"text": ["1871"]}}, "Its answers must be a list, not an object."),
        ({**GOOD, "answers": ["1871"]}, "Answer 1 must be an object, not text."),
        ({**GOOD, "answers": [{"answer_start": 25}]}, "The text of answer 1 must be text, not null."),
        (qa("q", "Who?", ("1871", 25), (" ", 3)), "Answer 2 is empty."),
        (qa("q", "Who?", ("1871", 25.0)), "The start of answer 1 must be a whole number, not a decimal number."),
        (qa("q", "Who?", ("1871", True)), "The start of answer 1 must be a whole number, not true or false."),
        (qa("q", "Who?", ("1871", None)), "The start of answer 1 must be a whole number, not null."),
        (
            qa("q", "Who?", ("e", 0)),
            'Answer 1, "e", does not stand at its start 0; the paragraph has it at 2, 7, 13, ….',
        ),
        (qa("q", "Who?", ("1871\0", 25)), 'Answer 1, "1871\\0", is not in the paragraph.'),
        (qa("q", "Who?", ("1871", 25), is_impossible=True), "It is marked impossible and has answers."),
        (qa("q", "Who?", ("1871", 25), is_impossible="no"), "Its is_impossible must be true or false, not text."),
    ],
)
def test_further_faults(question, fault):
    assert faults(question) == [fault]
    assert faults(GOOD) == []


def test_a_start_written_as_a_number_with_a_point_is_told_apart():
    assert faults(qa("q", "Who?", ("1871", 1e400))) == [
        "The start of answer 1 must be a whole number, not a decimal number."
    ]


def test_an_unanswerable_question_is_read_as_such():
    dataset = read(squad(qa("u", "Who?", is_impossible=True), {"id": "v", "question": "Who?", "is_impossible": True}))
    assert dataset.faults == []
    assert [(q.answers, q.is_impossible) for q in dataset.articles[0].paragraphs[0].questions] == [([], True)] * 2


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        ([], 'The file must be an object with a list "data", not a list.'),
        ({}, "data is missing."),
        ({"data": {}}, "data must be a list, not an object."),
        ({"data": [GOOD, 3]}, "data[0].paragraphs is missing."),
        ({"data": [{"title": "T", "paragraphs": []}, 3]}, "data[1] must be an object, not a number."),
        ({"data": [{"paragraphs": []}]}, "data[0].title is missing."),
        ({"data": [{"title": None, "paragraphs": []}]}, "data[0].title must be text, not null."),
        ({"data": [{"title": "T", "paragraphs": [{"qas": []}]}]}, "data[0].paragraphs[0].context is missing."),
        (
            {"data": [{"title": "T", "paragraphs": [{"context": ["x"], "qas": []}]}]},
            "data[0].paragraphs[0].context must be text, not a list.",
        ),
        ({"data": [{"title": "T", "paragraphs": [{"context": "x"}]}]}, "data[0].paragraphs[0].qas is missing."),
        (squad("Who?"), "data[0].paragraphs[0].qas[0] must be an object, not text."),
        (
            squad(context="ab\0c"),
            "data[0].paragraphs[0].context holds a NUL character (U+0000, character 3), which cannot be stored.",
        ),
        (
            squad(context="🦉\ud83e"),
            "data[0].paragraphs[0].context holds half a surrogate pair (U+D83E, character 2), which cannot be stored.",
        ),
        (squad(version=1.1), "version must be text, not a decimal number."),
        (
            {"data": [{"title": "T", "paragraphs": [], "licence": 4}]},
            "data[0].licence must be text, not a number.",
        ),
    ],
)
def test_a_file_of_the_wrong_shape_is_refused_with_its_article_and_field(document, sentence):
    with pytest.raises(FileError) as caught:
        read(document)
    assert str(caught.value) == sentence


def test_source_and_licence_are_read_where_the_file_has_them():
    document = squad(GOOD)
    document["data"][0] |= {"source_url": "https://example.org/otter", "licence": "CC BY-SA 4.0"}
    (article,) = read(document).articles
    assert (article.source_url, article.licence) == ("https://example.org/otter", "CC BY-SA 4.0")
    assert read(squad(GOOD)).articles[0].licence == ""


def test_carriage_returns_go_and_the_answers_move_along():
    context = (
        "The mill was built in 1742.\r\nIt burned twice.\r\n\r\nThe present roof, of Welsh slate, dates from 1866."
    )
    roof = qa("s04-1", "Of what is the present roof made?", ("Welsh slate", 70))
    built = qa("s04-2", "When was the mill built?", ("1742", 22), ("1742.\r\nIt", 22))
    (article,) = read(squad(roof, built, context=context)).articles
    (paragraph,) = article.paragraphs
    assert len(paragraph.text) == 96
    assert [question.answers for question in paragraph.questions] == [
        [Span(67, 78, "Welsh slate")],
        [Span(22, 26, "1742"), Span(22, 30, "1742.\nIt")],
    ]


def test_an_offset_counted_in_lf_does_not_fit_a_text_with_crlf():
    assert faults(qa("q", "Roof?", ("slate", 3)), context="a\r\nslate") == []
    assert faults(qa("q", "Roof?", ("slate", 2)), context="a\r\nslate") == [
        'Answer 1, "slate", does not stand at its start 2; the paragraph has it at 3.'
    ]


def test_blanks_in_a_paragraph_are_data():
    context = (
        "  Brann  Castle stands above the Ilve.  Its well is 61 m deep, and the  outer wall was raised by Abbot Ruad. "
    )
    answers = [("61 m", 52), ("the Ilve", 29), ("Abbot Ruad", 97)]
    dataset = read(squad(*(qa(text, "What?", (text, start)) for text, start in answers), context=context))
    (paragraph,) = dataset.articles[0].paragraphs
    assert paragraph.text == context
    assert [question.answers[0].start for question in paragraph.questions] == [52, 29, 97]


def test_offsets_are_code_points():
    context = "🦉 Owls of the 𝒩orth valley"
    assert faults(qa("q", "Where?", ("𝒩orth valley", 14)), context=context) == []
    assert faults(qa("q", "Where?", ("𝒩orth valley", 15)), context=context) == [
        'Answer 1, "𝒩orth valley", does not stand at its start 15; the paragraph has it at 14.'
    ]


@given(st.text(alphabet="ab \r\n🦉\u0301", min_size=1, max_size=30), st.data())
def test_any_sound_answer_is_read_to_stand_where_it_says(context, data):
    start = data.draw(st.integers(0, len(context) - 1))
    text = context[start : data.draw(st.integers(start + 1, len(context)))]
    dataset = read(squad(qa("q", "What?", (text, start)), context=context))
    (paragraph,) = dataset.articles[0].paragraphs
    assert paragraph.text == lf(context)
    if text.isspace():
        assert [fault.message for fault in dataset.faults] == ["Answer 1 is empty."]
        return
    (answer,) = paragraph.questions[0].answers
    check_span(paragraph.text, answer.start, answer.end, lf(text))


KEYS = ["data", "title", "paragraphs", "context", "qas", "id", "question", "answers", "text", "answer_start"]
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=20,
)


def complaints(document):
    try:
        return [fault.message for fault in read(document).faults]
    except FileError as error:
        return [str(error)]


@given(json_values, st.sampled_from(["data", "paragraphs", "context", "qas", "id", "question", "answers"]))
def test_anything_in_any_field_gets_a_sentence(value, key):
    document = squad(dict(GOOD))
    article = document["data"][0]
    paragraph = article["paragraphs"][0]
    (question,) = paragraph["qas"]
    next(holder for holder in (document, article, paragraph, question) if key in holder)[key] = value
    assert all(complaint.endswith(".") for complaint in complaints(document))


@given(json_values)
def test_any_json_at_all_gets_a_sentence(value):
    assert all(complaint.endswith(".") for complaint in complaints(value))


def test_gold_answers_are_read_without_a_look_at_their_offsets():
    questions = [
        qa("q1", "Who?", ("not there", 999)),
        qa("q2", "Who?", is_impossible=True),
        without(qa("q3", ""), "question"),
    ]
    assert read_gold(json.dumps(squad(*questions)).encode()) == [
        GoldQuestion("q1", ["not there"]),
        GoldQuestion("q2", [], states_impossible=True),
        GoldQuestion("q3", []),
    ]


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        (without(GOOD, "id"), "data[0].paragraphs[0].qas[0].id is missing."),
        (without(GOOD, "answers"), "data[0].paragraphs[0].qas[0].answers is missing."),
        ({**GOOD, "answers": [{}]}, "data[0].paragraphs[0].qas[0].answers[0].text is missing."),
        (
            {**GOOD, "answers": [{"text": 7}]},
            "data[0].paragraphs[0].qas[0].answers[0].text must be text, not a number.",
        ),
    ],
)
def test_gold_answers_that_cannot_be_scored_refuse_the_file(question, sentence):
    with pytest.raises(FileError) as caught:
        read_gold(json.dumps(squad(question)).encode())
    assert str(caught.value) == sentence


def test_predictions_are_texts_by_id():
    assert read_predictions(gzip.compress(b'{"q1": "1871", "q2": ""}')) == {"q1": "1871", "q2": ""}
    with pytest.raises(FileError, match="must be an object of answers by question id, not a list"):
        read_predictions(b"[]")
    with pytest.raises(FileError, match="The prediction for question q2 must be text, not null"):
        read_predictions(b'{"q1": "1871", "q2": null}')
