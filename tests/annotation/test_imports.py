"""Files of passages come in whole or not at all, once, and with a report of what was left out."""

import gzip
import json
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from annotation.services.imports import FaultyQuestions, FileError, import_file
from annotation.services.passage_intake import JSON_LINES, MAX_PARAGRAPH_CHARS, SQUAD, format_of
from tests.annotation.factories import (
    MILL,
    make_answer,
    make_article,
    make_assignment,
    make_offer,
    make_paragraph,
    make_project,
    make_question,
    make_task,
    make_user,
)
from tests.annotation.files import lines, nothing_stored, qa, squad

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


def take(project, data, **options):
    return import_file(project, data, file_name="a.json", **options).report


def counts(tally):
    return tally["added"], {reason: row["count"] for reason, row in tally["dropped"].items()}


# What is taken


def test_passages_alone_come_without_questions(project):
    report = take(project, squad(("Mill", [(MILL, [qa()])])))
    assert (report["articles"], counts(report["paragraphs"])) == ({"read": 1, "added": 1}, (1, {}))
    assert project.paragraphs.get().text == MILL
    assert project.questions.count() == 0
    assert "questions" not in report


def test_faulty_questions_do_not_matter_where_only_passages_are_taken(project):
    take(project, squad(("Mill", [(MILL, [qa(start=3)])])))
    assert project.paragraphs.count() == 1


def test_passages_need_no_lists_of_questions(project):
    take(project, json.dumps({"data": [{"title": "Mill", "paragraphs": [{"context": MILL}]}]}).encode())
    assert project.paragraphs.get().text == MILL


def test_questions_come_with_their_ids_and_all_answers_in_order(project):
    several = qa("several", answers=[{"text": "1866", "answer_start": 90}] * 2 + [{"text": "1742", "answer_start": 22}])
    record = import_file(project, squad(("Mill", [(MILL, [several, qa("one")])])), file_name="a", with_questions=True)
    first, second = project.questions.order_by("position")
    assert [(q.public_id, q.text, q.position, q.imported_from) for q in (first, second)] == [
        ("several", "When was the mill built?", 0, record),
        ("one", "When was the mill built?", 1, record),
    ]
    answers = first.answers.order_by("position")
    assert [(a.position, a.start, a.end, a.text) for a in answers] == [
        (0, 90, 94, "1866"),
        (1, 90, 94, "1866"),
        (2, 22, 26, "1742"),
    ]
    assert {answer.imported_from for answer in answers} == {record}
    assert counts(record.report["questions"]) == (2, {})
    assert record.report["questions"]["answers"] == 4


def test_a_question_that_cannot_be_answered_says_so_in_one_answer(project):
    take(project, squad(("Mill", [(MILL, [qa(text=None, is_impossible=True)])])), with_questions=True)
    answer = project.questions.get().answers.get()
    assert (answer.is_unanswerable, answer.position) == (True, 0)


def test_question_texts_are_kept_to_the_character(project):
    take(project, squad(("Mill", [(MILL, [qa(question="  When was it\tbuilt? \n")])])), with_questions=True)
    assert project.questions.get().text == "  When was it\tbuilt? \n"


def test_an_answer_that_ends_inside_a_word_is_marked(project):
    questions = [qa("whole", text="mill", start=4), qa("part", text="mil", start=4)]
    take(project, squad(("Mill", [(MILL, questions)])), with_questions=True)
    marked = {q.public_id: q.answers.get().is_mid_word for q in project.questions.all()}
    assert marked == {"whole": False, "part": True}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a\tb\\n\\N\\.\n\\.\nc", id="what COPY itself would read"),
        pytest.param("\\", id="a lone backslash"),
        pytest.param("🦉 𝒩orth \u00a0 valley \u2028 e\u0301", id="beyond the BMP, odd blanks, marks"),
        pytest.param("\x01\x08\x0b\x7f\x85", id="control characters"),
        pytest.param("\"quoted\", 'too'; -- %s {} $1", id="quotes and placeholders"),
    ],
)
def test_a_paragraph_is_stored_to_the_character(project, text):
    take(project, squad(("A", [(text, [])])))
    assert project.paragraphs.get().text == text


def test_json_lines_bring_source_and_licence(project):
    report = take(
        project,
        lines(
            {
                "title": "Mill",
                "paragraphs": [MILL, "Another."],
                "source_url": "https://example.org/m",
                "licence": "CC0",
            },
            {"title": "Ferry", "paragraphs": ["It left at noon."]},
        ),
    )
    assert report["format"] == JSON_LINES
    rows = project.articles.order_by("position").values_list("title", "position", "source_url", "licence")
    assert list(rows) == [("Mill", 0, "https://example.org/m", "CC0"), ("Ferry", 1, "", "")]
    assert list(project.paragraphs.order_by("article__position", "position").values_list("position", "text")) == [
        (0, MILL),
        (1, "Another."),
        (0, "It left at noon."),
    ]


def test_a_gzipped_file_is_the_same_file(project):
    take(project, gzip.compress(squad(("Mill", [(MILL, [])]))))
    assert project.paragraphs.get().text == MILL


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"data": []}', SQUAD),
        ('{"version": "1.1", "data": [{"title": "A", "paragraphs": []}]}', SQUAD),
        (' \n{ "note" : {"paragraphs": [1, "x"]} ,\n "data": []}', SQUAD),
        ('{"title": "My set", "data": []}', SQUAD),
        ('{"title": "A", "paragraphs": ["b"]}', JSON_LINES),
        ('{"paragraphs": [], "data": 3}', JSON_LINES),
        ('\n\n{"licence": "CC0", "source_url": null, "paragraphs": ["data"]}\n{"title"', JSON_LINES),
        ('{"title": "A"}', JSON_LINES),
        ('{"version": "1.1"}', SQUAD),
        ("[]", SQUAD),
        ("{", SQUAD),
        ('{"a": }', SQUAD),
        ("{}", SQUAD),
    ],
)
def test_the_format_is_told_by_the_content(text, expected):
    assert format_of(text) == expected


def test_new_articles_get_their_splits(project):
    report = take(project, lines(*({"title": f"A{n}", "paragraphs": [f"Text {n}."]} for n in range(10))))
    assert report["splits"] == {"train": 8, "dev": 1, "test": 1}
    assert not project.articles.filter(split="").exists()


def test_an_import_says_what_it_was_and_who_brought_it(project):
    user, data = make_user(), squad(("Mill", [(MILL, [])]))
    record = import_file(project, data, file_name="/home/me/mill.json", imported_by=user)
    assert (record.file_name, len(record.file_sha256), record.imported_by) == ("mill.json", 64, user)
    assert project.paragraphs.get().imported_from == record


def test_an_article_may_have_no_title(project):
    take(project, squad(("", [(MILL, [])])))
    assert project.articles.get().title == ""


# What is left out, and why


def test_short_blank_and_over_long_paragraphs_are_left_out_with_an_example_of_each():
    project = make_project(min_paragraph_chars=10)
    texts = ["x" * 9, "y" * 10, "short", " \n\u00a0\t" * 9, "z" * MAX_PARAGRAPH_CHARS, "z" * 200_000]
    report = take(project, squad(("A", [(text, []) for text in texts])))
    assert counts(report["paragraphs"]) == (2, {"too_short": 2, "blank": 1, "too_long": 1})
    assert report["paragraphs"]["dropped"]["too_short"]["example"] == {
        "article": "A",
        "paragraph": 0,
        "characters": 9,
        "text": "x" * 9,
    }
    assert report["paragraphs"]["dropped"]["too_long"]["example"]["characters"] == 200_000
    assert [len(text) for text in project.paragraphs.order_by("position").values_list("text", flat=True)] == [
        10,
        100_000,
    ]


def test_length_is_counted_in_code_points():
    project = make_project(min_paragraph_chars=10)
    report = take(project, squad(("A", [("🦉" * 10, []), ("🦉" * 9, [])])))
    assert counts(report["paragraphs"]) == (1, {"too_short": 1})


def test_a_text_comes_in_once_wherever_it_stands(project):
    make_paragraph(project, text="There already.")
    report = take(
        project, squad(("A", [("Twice.", []), ("There already.", [])]), ("B", [("Twice.", []), ("New.", [])]))
    )
    assert counts(report["paragraphs"]) == (2, {"already_there": 1, "twice_in_file": 1})
    assert report["paragraphs"]["dropped"]["twice_in_file"]["example"]["article"] == "B"


def test_another_project_takes_the_same_text(project):
    make_paragraph(make_project(), text=MILL)
    assert take(project, squad(("Mill", [(MILL, [])])))["paragraphs"]["added"] == 1


def test_an_article_without_a_usable_paragraph_is_not_made():
    project = make_project(min_paragraph_chars=20)
    report = take(project, squad(("Short", [("Too short.", [])]), ("Mill", [(MILL, [])])))
    assert report["articles"] == {"read": 2, "added": 1}
    assert project.articles.get().title == "Mill"


def test_an_article_that_comes_again_is_continued(project):
    take(project, squad(("Mill", [("One.", []), ("Two.", [])])))
    take(
        project, squad(("Ferry", [("Four.", [])]), ("Mill", [("Two.", []), ("Three.", [])]), ("Mill", [("Five.", [])]))
    )
    mill = project.articles.get(title="Mill").paragraphs.order_by("position")
    assert list(mill.values_list("position", "text")) == [(0, "One."), (1, "Two."), (2, "Three."), (3, "Five.")]
    assert project.articles.get(title="Ferry").position == 1


def test_questions_of_a_paragraph_that_is_left_out_are_left_out_with_it():
    project = make_project(min_paragraph_chars=100)
    report = take(project, squad(("Mill", [(MILL, [qa("a"), qa("b")])])), with_questions=True)
    assert counts(report["questions"]) == (0, {"paragraph_dropped": 2})


def test_questions_of_a_paragraph_that_stands_twice_in_the_file_come_together(project):
    report = take(project, squad(("A", [(MILL, [qa("a")])]), ("B", [(MILL, [qa("b")])])), with_questions=True)
    assert counts(report["questions"]) == (2, {})
    assert set(project.paragraphs.get().questions.values_list("public_id", "position")) == {("a", 0), ("b", 1)}


# The same file twice


def test_the_same_file_again_adds_nothing(project):
    data = squad(("Mill", [(MILL, [qa("a"), qa("b", text=None, is_impossible=True)]), ("Another.", [])]))
    take(project, data, with_questions=True)
    before = list(project.questions.values_list("pk", "answers__pk"))
    report = take(project, data, with_questions=True)
    assert report["articles"]["added"] == 0
    assert counts(report["paragraphs"]) == (0, {"already_there": 2})
    assert counts(report["questions"]) == (0, {"already_there": 2})
    assert list(project.questions.values_list("pk", "answers__pk")) == before
    assert project.imports.count() == 2


def test_questions_can_follow_passages_that_came_alone(project):
    data = squad(("Mill", [(MILL, [qa()])]))
    take(project, data)
    report = take(project, data, with_questions=True)
    assert counts(report["paragraphs"]) == (0, {"already_there": 1})
    assert counts(report["questions"]) == (1, {})


def test_answers_that_workers_gave_since_make_no_difference(project):
    data = squad(("Mill", [(MILL, [qa()])]))
    take(project, data, with_questions=True)
    question = project.questions.get()
    worker = make_assignment(make_offer(make_task(question.paragraph)), status="approved")
    make_answer(question, "1866", assignment=worker, position=1)
    assert counts(take(project, data, with_questions=True)["questions"]) == (0, {"already_there": 1})


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(qa(question="Who built the mill?"), id="another text"),
        pytest.param(qa(text="1866", start=90), id="another answer"),
        pytest.param(qa(text=None, is_impossible=True), id="no answer"),
        pytest.param(qa(answers=[{"text": "1742", "answer_start": 22}] * 2), id="one answer more"),
    ],
)
def test_an_id_that_comes_again_with_another_content_is_a_fault(project, other):
    take(project, squad(("Mill", [(MILL, [qa()])])), with_questions=True)
    with pytest.raises(FaultyQuestions) as refusal:
        take(project, squad(("Mill", [(MILL, [other])])), with_questions=True)
    assert [fault["question_id"] for fault in refusal.value.faults] == ["q1"]
    assert project.questions.get().text == "When was the mill built?"


def test_an_id_under_another_paragraph_is_a_fault(project):
    take(project, squad(("Mill", [(MILL, [qa()])])), with_questions=True)
    with pytest.raises(FaultyQuestions):
        take(project, squad(("Mill", [(MILL + " More.", [qa()])])), with_questions=True)
    assert project.paragraphs.count() == 1


def test_an_id_that_a_worker_s_question_has_is_a_fault(project):
    paragraph = make_paragraph(project, text=MILL)
    work = make_assignment(make_offer(make_task(paragraph)), status="approved")
    make_question(paragraph, assignment=work, public_id="q1")
    with pytest.raises(FaultyQuestions):
        take(project, squad(("Mill", [(MILL, [qa()])])), with_questions=True)
    assert project.questions.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_who_bring_the_same_file_at_once_bring_it_once():
    project = make_project()
    data = squad(("Mill", [(MILL, [qa()]), ("Another.", [])]))
    ready = Barrier(2)

    def bring():
        ready.wait()
        try:
            return counts(take(project, data, with_questions=True)["paragraphs"])
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        results = [future.result() for future in [pool.submit(bring) for _ in range(2)]]
    assert sorted(results, key=str) == [(0, {"already_there": 2}), (2, {})]
    assert (project.paragraphs.count(), project.questions.count()) == (2, 1)


# Bad files


@pytest.mark.parametrize(
    ("data", "says"),
    [
        pytest.param(b"", "empty", id="empty"),
        pytest.param(b"\xef\xbb\xbf \n", "empty", id="only a byte order mark"),
        pytest.param(b"title,text\nMill,It was built.", "not JSON", id="not JSON"),
        pytest.param(b'{"data": [{"title": "M\xfchle", "paragraphs": []}]}', "not UTF-8", id="Latin-1"),
        pytest.param(b'["data"]', '"data"', id="no object"),
        pytest.param(b'{"version": "1.1"}', "data is missing", id="no data"),
        pytest.param(b'{"data": [{"title": "Mill"}]}', "data[0].paragraphs", id="no paragraphs"),
        pytest.param(b'{"data": [{"paragraphs": []}]}', "data[0].title is missing", id="no title"),
        pytest.param(squad(("A", [(["list"], [])])), "data[0].paragraphs[0].context", id="a paragraph that is no text"),
        pytest.param(squad(("A", [("a\0b", [])])), "NUL", id="a NUL character"),
        pytest.param(squad(("A" * 501, [])), "data[0].title is longer than 500", id="a title too long"),
        pytest.param(
            lines({"title": "A", "paragraphs": "text"}), "Line 1: paragraphs must be a list", id="a text for a list"
        ),
        pytest.param(lines({"title": "A"}), "Line 1: paragraphs is missing", id="a line without paragraphs"),
        pytest.param(
            lines({"title": "A", "paragraphs": ["b"], "source_url": "javascript:alert(1)"}),
            "articles[0].source_url",
            id="an address that is a script",
        ),
        pytest.param(gzip.compress(b'{"data": []}' * 50)[:-9], "gzip", id="a damaged archive"),
    ],
)
def test_a_bad_file_is_refused_in_a_sentence_and_nothing_is_stored(project, data, says):
    good = squad(("Mill", [(MILL, [])]))
    with pytest.raises(FileError) as refusal:
        take(project, data)
    assert says in str(refusal.value)
    assert nothing_stored(project)
    take(project, b"\xef\xbb\xbf" + good)  # a byte order mark before a good file is no fault
    assert project.paragraphs.count() == 1


def test_a_file_that_unpacks_to_too_much_is_refused(project):
    data = gzip.compress(squad(("Mill", [(MILL, [])])))
    with pytest.raises(FileError, match="larger than"):
        take(project, data, max_bytes=100)
    take(project, data, max_bytes=1000)
    assert project.paragraphs.count() == 1


def test_json_lines_have_no_questions_to_take(project):
    with pytest.raises(FileError, match="without questions"):
        take(project, lines({"title": "A", "paragraphs": ["b"]}), with_questions=True)
    assert nothing_stored(project)


def test_a_fault_stores_nothing_of_the_file_and_the_report_lists_every_one(project):
    data = squad(
        ("Mill", [(MILL, [qa("good"), qa("shifted", start=23), qa("gone", text="1999")])]),
        ("Ferry", [("At noon.", [])]),
    )
    with pytest.raises(FaultyQuestions) as refusal:
        take(project, data, with_questions=True)
    assert [(fault["question_id"], fault["place"]) for fault in refusal.value.faults] == [
        ("shifted", "data[0].paragraphs[0].qas[1]"),
        ("gone", "data[0].paragraphs[0].qas[2]"),
    ]
    assert nothing_stored(project)


def test_with_faulty_ones_skipped_exactly_the_good_ones_come(project):
    data = squad(("Mill", [(MILL, [qa("good"), qa("shifted", start=23)])]))
    report = take(project, data, with_questions=True, skip_faulty=True)
    assert counts(report["questions"]) == (1, {"faulty": 1})
    assert [fault["question_id"] for fault in report["faults"]] == ["shifted"]
    assert project.questions.get().public_id == "good"


def test_a_question_id_longer_than_a_row_holds_is_a_fault(project):
    take(project, squad(("Mill", [(MILL, [qa("i" * 100)])])), with_questions=True)
    with pytest.raises(FaultyQuestions):
        take(project, squad(("Mill", [(MILL, [qa("i" * 101)])])), with_questions=True)


# Cases from the field


def test_more_answers_to_a_question_than_a_row_can_count_are_a_fault(project):
    def file(answers):
        entry = qa()
        return squad(("Mill", [(MILL, [entry | {"answers": entry["answers"] * answers}])]))

    with pytest.raises(FaultyQuestions) as refusal:
        take(project, file(1001), with_questions=True)
    (fault,) = refusal.value.faults
    assert fault["question_id"] == "q1"
    assert fault["place"]
    assert fault["problems"] == ["It has more than 1,000 answers."]
    assert nothing_stored(project)
    take(project, file(1000), with_questions=True)
    assert project.questions.get().answers.count() == 1000


def test_more_questions_on_a_paragraph_than_a_row_can_count_are_faults(project):
    def file(questions):
        return squad(("Mill", [(MILL, [qa(f"q{number}") for number in range(questions)])]))

    with pytest.raises(FaultyQuestions) as refusal:
        take(project, file(10_002), with_questions=True)
    assert [(fault["question_id"], fault["problems"]) for fault in refusal.value.faults] == [
        (question_id, ["Its paragraph has more than 10,000 new questions."]) for question_id in ("q10000", "q10001")
    ]
    assert nothing_stored(project)
    take(project, file(10_000), with_questions=True)
    assert project.questions.count() == 10_000


def test_s03_the_place_that_the_file_gives_is_kept_where_the_text_stands_more_than_once(project, shared_dir):
    case = json.loads((shared_dir / "cases/s03_repeated.json").read_text())
    questions = [
        qa(str(number), s["question"], s["text"], s["start"]) for number, s in enumerate(case["selections"], start=1)
    ]
    take(project, squad(("Lake_Orra", [(case["context"], questions)])), with_questions=True)
    stored = project.questions.order_by("position").values_list("answers__start", "answers__text")
    assert list(stored) == [(87, "1907"), (50, "1917"), (128, "7")]


def test_s04_line_ends_become_lf_and_offsets_move_with_them(project, shared_dir):
    take(project, (shared_dir / "cases/s04_crlf.json").read_bytes(), with_questions=True)
    paragraph = project.paragraphs.get()
    assert (len(paragraph.text), "\r" in paragraph.text) == (96, False)
    stored = project.questions.order_by("position").values_list("answers__start", "answers__end", "answers__text")
    assert list(stored) == [(67, 78, "Welsh slate"), (22, 26, "1742")]


def test_s06_white_space_is_data(project, shared_dir):
    data = (shared_dir / "cases/s06_leading_space.json").read_bytes()
    take(project, data, with_questions=True)
    paragraph = project.paragraphs.get()
    assert paragraph.text == json.loads(data)["data"][0]["paragraphs"][0]["context"]
    assert len(paragraph.text) == 109
    stored = project.questions.order_by("position").values_list("answers__start", "answers__text")
    assert list(stored) == [(52, "61 m"), (29, "the Ilve"), (97, "Abbot Ruad")]


def test_s07_every_bad_entry_is_listed_and_the_good_ones_come_only_when_asked(project, shared_dir):
    data = (shared_dir / "cases/s07_bad_squad.json").read_bytes()
    with pytest.raises(FaultyQuestions) as refusal:
        take(project, data, with_questions=True)
    ids = [fault["question_id"] for fault in refusal.value.faults]
    named = ["off-1", "gone-1", "dup-1", "dup-1", "empty-1", "neg-1", "past-1", "str-1", "none-1", None, "blankq-1"]
    assert ids == named
    assert nothing_stored(project)
    take(project, data, with_questions=True, skip_faulty=True)
    assert sorted(project.questions.values_list("public_id", flat=True)) == ["ok-1", "ok-2"]


def test_xquad_comes_in_whole_with_all_its_questions(project, shared_dir):
    data = (shared_dir / "data/xquad/xquad.en.json.gz").read_bytes()
    report = take(project, data, with_questions=True)
    assert (report["articles"]["added"], report["paragraphs"]["added"]) == (48, 240)
    assert counts(report["questions"]) == (1190, {})
    assert report["splits"] == {"train": 38, "dev": 5, "test": 5}
    for question in project.questions.select_related("paragraph").prefetch_related("answers"):
        for answer in question.answers.all():
            assert question.paragraph.text[answer.start : answer.end] == answer.text
    assert counts(take(project, data, with_questions=True)["questions"]) == (0, {"already_there": 1190})


def test_the_sample_that_ships_is_five_articles_that_the_default_length_keeps(settings):
    project = make_project(min_paragraph_chars=500)
    data = (settings.BASE_DIR / "annotation/sample/xquad-sample.json").read_bytes()
    report = take(project, data, with_questions=True)
    assert (report["articles"]["added"], counts(report["paragraphs"])) == (5, (25, {}))
    assert report["faults"] == []


def test_articles_made_by_hand_keep_their_places(project):
    make_article(project, title="By hand", position=41)
    take(project, squad(("Mill", [(MILL, [])])))
    assert project.articles.get(title="Mill").position == 42


# What the database knows afterwards


@pytest.mark.parametrize(("questions", "is_looked_at"), [(1_000, True), (2, False)])
def test_after_many_rows_the_database_knows_how_many(project, questions, is_looked_at):
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE annotation_question")
        take(project, squad(("Mill", [(MILL, [qa(f"q{number}") for number in range(questions)])])), with_questions=True)
        cursor.execute("SELECT reltuples FROM pg_class WHERE relname = 'annotation_question'")
        (known,) = cursor.fetchone()
    assert (known >= questions) == is_looked_at
