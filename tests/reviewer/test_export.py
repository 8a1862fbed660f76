"""The dataset as files: what is in them, what is left out, and that the same data gives the same bytes."""

import hashlib
import json
import zipfile
from collections import Counter
from io import StringIO
from threading import Thread

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from annotation.models import Answer, Question, Worker
from annotation.services.imports import import_file
from reviewer.services import dataset, export
from reviewer.services.verdicts import give_verdict
from scoring.squad_files import read_squad
from tests.annotation.factories import make_answer, make_article, make_paragraph, make_project, make_question
from tests.reviewer.factories import CASTLE, make_answered, make_split, make_written

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


def exported(project, folder):
    """The report of an export into ``folder`` and the files' content by name."""
    report = export.write_export(project, folder)
    return report, {path.name: json.loads(path.read_bytes()) for path in sorted(folder.iterdir())}


def questions_of(file):
    return {
        qa["id"]: [(answer["text"], answer["answer_start"]) for answer in qa["answers"]]
        for article in file["data"]
        for paragraph in article["paragraphs"]
        for qa in paragraph["qas"]
    }


def texts_of(file):
    return {key: [text for text, _start in answers] for key, answers in questions_of(file).items()}


def test_one_file_a_split_and_a_report_of_each(project, tmp_path):
    make_split(project, "train", ["61 m", "well is 61 m"], title="Brann_Castle")
    make_split(project, "dev", ["1340", "the year 1340", "1340"], text=f"{CASTLE} Dev.")
    report, files = exported(project, tmp_path / "new" / "folder")
    assert sorted(files) == ["attribution.json", "dev-v1.1.json", "export-report.json", "train-v1.1.json"]
    assert files["train-v1.1.json"] == {
        "version": "1.1",
        "data": [
            {
                "title": "Brann_Castle",
                "paragraphs": [
                    {
                        "context": CASTLE,
                        "qas": [
                            {
                                "id": "train-0",
                                "question": "Question 0?",
                                "answers": [{"text": "61 m", "answer_start": CASTLE.index("61 m")}],
                            }
                        ],
                    }
                ],
            }
        ],
    }
    assert texts_of(files["dev-v1.1.json"]) == {"dev-0": ["1340", "the year 1340", "1340"]}
    assert report.splits_without_articles == ["test"]
    train = (tmp_path / "new" / "folder" / "train-v1.1.json").read_bytes()
    written = files["export-report.json"]["splits"]["train"]
    assert (written["sha256"], written["bytes"]) == (hashlib.sha256(train).hexdigest(), len(train))
    assert (written["questions"], written["answers"], written["further_answers_left_out"]) == (1, 1, 1)


def test_a_second_export_is_the_same_to_the_byte_whatever_the_rows_order_on_disk(project, tmp_path):
    make_split(project, "train", ["61 m"], ["1340"])
    make_split(project, "test", ["1340", "1340", "1340"], text=f"{CASTLE} Test.")
    export.write_export(project, tmp_path / "a")
    with connection.cursor() as cursor:
        # Rewritten rows move to the end of their tables.
        cursor.execute("UPDATE annotation_question SET position = position WHERE public_id IN ('train-0', 'test-0')")
        cursor.execute("UPDATE annotation_answer SET is_mid_word = NOT is_mid_word WHERE position = 0")
        cursor.execute("SET LOCAL enable_indexscan = off")
        cursor.execute("SET LOCAL enable_hashjoin = off")
    export.write_export(project, tmp_path / "b")
    for path in (tmp_path / "a").iterdir():
        assert (tmp_path / "b" / path.name).read_bytes() == path.read_bytes()
    assert len(list((tmp_path / "a").iterdir())) == len(list((tmp_path / "b").iterdir())) == 4


def test_the_release_says_where_each_article_is_from_and_whose_words_it_is(project, tmp_path):
    (question,) = make_split(project, "train", ["61 m"], title="Brann_Castle")
    source = {"source_url": "https://example.org/brann", "licence": "CC BY-SA 4.0", "attribution": "Its authors"}
    article = project.articles.filter(pk=question.paragraph.article_id)
    article.update(**source, language="en", revision="7")
    project.paragraphs.filter(pk=question.paragraph_id).update(revision="9")
    make_split(project, "dev", [None], text=f"{CASTLE} Dev.")  # no file holds it
    _report, files = exported(project, tmp_path)
    assert files["attribution.json"] == [
        {"title": "Brann_Castle", "split": "train", **source, "language": "en", "revisions": ["7", "9"]}
    ]


def test_articles_and_paragraphs_stand_by_position_and_questions_by_key(project, tmp_path):
    late = make_article(project, title="A first by name", position=900, split="train")
    early = make_article(project, title="Z", position=800, split="train")
    second = make_paragraph(article=early, text="The well was dug in 1742, the second.")
    second.position = 7
    second.save()
    make_paragraph(article=early, text="The mill of 1742, the first.")
    for paragraph in (*late.paragraphs.all(), make_paragraph(article=late), *early.paragraphs.all()):
        make_question(paragraph, "B?", position=1)
        make_question(paragraph, "A?", position=0)
    _report, files = exported(project, tmp_path)
    articles = files["train-v1.1.json"]["data"]
    assert [article["title"] for article in articles] == ["Z", "A first by name"]
    assert [paragraph["context"][-10:] for paragraph in articles[0]["paragraphs"]] == ["the first.", "he second."]
    assert [qa["question"] for qa in articles[0]["paragraphs"][0]["qas"]] == ["B?", "A?"]


def test_unanswerable_answers_are_left_out_and_questions_without_an_answer_are_listed(project, tmp_path):
    make_split(project, "dev", ["61 m", None, "61 m", "61 m"], [None, None], [])
    report, files = exported(project, tmp_path)
    split = report.splits["dev"]
    assert texts_of(files["dev-v1.1.json"]) == {"dev-0": ["61 m", "61 m", "61 m"]}
    assert split.unanswerable_answers_left_out == 3
    assert split.questions_left_out == [
        {"id": "dev-1", "reason": "only_unanswerable"},
        {"id": "dev-2", "reason": "no_answer"},
    ]
    assert split.questions_under_three_answers == []


def test_questions_under_three_answers_are_listed_in_dev_and_test_and_exported_all_the_same(project, tmp_path):
    make_split(project, "dev", ["61 m", "61 m", None], ["1340"] * 3)
    make_split(project, "train", ["1340"], text=f"{CASTLE} Train.")
    report, files = exported(project, tmp_path)
    assert report.splits["dev"].questions_under_three_answers == [{"id": "dev-0", "answers": 2}]
    assert list(texts_of(files["dev-v1.1.json"])) == ["dev-0", "dev-1"]
    assert report.splits["train"].questions_under_three_answers == []


def test_an_adjudication_comes_first_and_training_takes_it_alone(project, people, tmp_path):
    (dev,) = make_split(project, "dev", ["1340", "1340"])
    (train,) = make_split(project, "train", ["1340"], text=f"{CASTLE} Train.")
    for question in (dev, train):
        make_answer(question, "the Crown", adjudicated_by=people["reviewer"])
        make_answer(question, "the year 1340", adjudicated_by=people["reviewer"])  # the latest one stands
    _report, files = exported(project, tmp_path)
    assert texts_of(files["dev-v1.1.json"]) == {"dev-0": ["the year 1340", "1340", "1340"]}
    assert texts_of(files["train-v1.1.json"]) == {"train-0": ["the year 1340"]}
    for answer in Answer.objects.filter(adjudicated_by__isnull=False):
        give_verdict(answer, "drop", people["reviewer"])
    _report, files = exported(project, tmp_path)
    assert texts_of(files["train-v1.1.json"]) == {"train-0": ["1340"]}


def test_a_reviewers_word_that_there_is_no_answer_leaves_the_question_out(project, people, tmp_path):
    kept, out = make_split(project, "dev", ["1340"] * 3, ["1340"] * 3)
    make_answer(out, None, adjudicated_by=people["reviewer"])
    report, files = exported(project, tmp_path)
    assert list(texts_of(files["dev-v1.1.json"])) == [kept.public_id]
    assert report.splits["dev"].questions_left_out == [{"id": "dev-1", "reason": "adjudicated_unanswerable"}]


def test_only_what_counts_is_exported(project, people, tmp_path):
    approved = make_written(project, status="approved")
    make_written(project, status="submitted")
    make_written(project, status="rejected")
    dropped = make_written(project, status="approved").questions.get()
    give_verdict(dropped, "drop", people["reviewer"])
    project.articles.update(split="train")
    report, files = exported(project, tmp_path)
    assert list(texts_of(files["train-v1.1.json"])) == [approved.questions.get().public_id]
    assert (report.questions_not_counting, report.questions_dropped) == (2, [dropped.public_id])
    split = report.splits["train"]
    assert (split.articles_without_questions, split.paragraphs_without_questions) == (3, 3)


def test_dropped_and_gold_answers_are_left_out(project, people, tmp_path):
    (question,) = make_split(project, "dev", ["61 m", "1340", "the Crown"])
    make_answer(question, "Ruad", is_gold=True)
    give_verdict(question.answers.get(text="1340"), "drop", people["reviewer"])
    report, files = exported(project, tmp_path)
    assert texts_of(files["dev-v1.1.json"]) == {"dev-0": ["61 m", "the Crown"]}
    assert report.answers_dropped == 1


def test_no_file_names_a_worker(project, tmp_path):
    written = make_written(project, status="approved")
    make_answered(written.questions.get(), texts=["1742"], status="approved")
    project.articles.update(split="dev")
    export.write_export(project, tmp_path)
    ids = set(Worker.objects.values_list("mturk_worker_id", flat=True))
    assert len(ids) == 2
    for path in tmp_path.iterdir():
        content = path.read_text()
        assert "worker" not in content.lower()
        assert not any(worker in content for worker in ids)


def test_an_article_without_a_split_is_in_no_file_and_counted(project, tmp_path):
    make_split(project, "", ["61 m"])
    with pytest.raises(dataset.NotExportable, match=r"No article of .* has a split"):
        export.write_export(project, tmp_path)
    make_split(project, "train", ["1340"], text=f"{CASTLE} Train.")
    report, files = exported(project, tmp_path)
    assert report.articles_without_split == 1
    assert list(texts_of(files["train-v1.1.json"])) == ["train-0"]


def test_a_rehearsal_is_never_exported(project, tmp_path):
    rehearsal = make_project(is_rehearsal=True, origin=project)
    for one in (project, rehearsal):
        make_split(one, "train", ["61 m"])
    export.write_export(project, tmp_path / "real")
    for attempt in (
        lambda: export.write_export(rehearsal, tmp_path / "rehearsal"),
        lambda: export.survey(rehearsal),
        lambda: export.open_file(rehearsal, "train-v1.1.json"),
    ):
        with pytest.raises(dataset.NotExportable, match="is a rehearsal, played by scripted workers"):
            attempt()
    with pytest.raises(CommandError, match="nothing of it is ever exported"):
        call_command("export_dataset", rehearsal.slug, out=tmp_path / "rehearsal")
    assert [path.name for path in tmp_path.iterdir()] == ["real"]


def test_an_interrupted_export_leaves_no_half_file(project, tmp_path, monkeypatch):
    make_split(project, "train", ["61 m"])
    make_split(project, "dev", ["1340"], text=f"{CASTLE} Dev.")
    export.write_export(project, tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    make_question(make_paragraph(project, article=project.articles.get(split="train")))

    class Interrupted(BaseException):
        pass

    chunks = export.squad_chunks

    def breaking(articles):
        yield from chunks(articles)
        raise Interrupted

    monkeypatch.setattr(export, "squad_chunks", breaking)
    with pytest.raises(Interrupted):
        export.write_export(project, tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.django_db(transaction=True)
def test_an_export_is_of_one_moment_whatever_is_imported_meanwhile(tmp_path, monkeypatch):
    project = make_project()
    for split in ("train", "dev"):
        make_split(project, split, ["61 m"], text=f"{CASTLE} {split}")
    dev = project.articles.get(split="dev")
    chunks = export.squad_chunks

    def with_news(articles):
        yield from chunks(articles)
        news = Thread(target=lambda: (make_question(make_paragraph(article=dev)), connection.close()))
        news.start()
        news.join()

    monkeypatch.setattr(export, "squad_chunks", with_news)
    report = export.write_export(project, tmp_path)
    assert report.splits["dev"].questions == 1
    assert export.survey(project).splits["dev"].questions == 3


def test_a_split_that_is_empty_now_leaves_no_file_of_an_earlier_export(project, tmp_path):
    make_split(project, "train", ["61 m"])
    (question,) = make_split(project, "test", ["61 m"], text=f"{CASTLE} Test.")
    export.write_export(project, tmp_path)
    assert (tmp_path / "test-v1.1.json").exists()
    project.articles.filter(pk=question.paragraph.article_id).update(split="train")
    export.write_export(project, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "attribution.json",
        "export-report.json",
        "train-v1.1.json",
    ]


def test_an_answer_that_does_not_stand_at_its_place_stops_the_export_by_name(project, people, tmp_path):
    make_split(project, "train", ["61 m"])
    Answer.objects.update(text="62 m")
    with pytest.raises(dataset.NotExportable, match="Question train-0 has an answer that does not stand at its place"):
        export.write_export(project, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_articles_are_read_in_rounds_of_few_queries(project, tmp_path, django_assert_max_num_queries, monkeypatch):
    monkeypatch.setattr(dataset, "ARTICLES_AT_ONCE", 4)
    for _ in range(10):
        make_question(make_paragraph(project))
    project.articles.update(split="train")
    with django_assert_max_num_queries(7 + 6 * 4 + 1):
        report = export.write_export(project, tmp_path)
    assert report.splits["train"].articles == 10


def test_the_command_says_what_it_wrote(project, tmp_path):
    make_split(project, "dev", ["61 m"], [None])
    output = StringIO()
    call_command("export_dataset", project.slug, out=tmp_path, stdout=output)
    digest = hashlib.sha256((tmp_path / "dev-v1.1.json").read_bytes()).hexdigest()
    assert output.getvalue().splitlines() == [
        f"{tmp_path}/dev-v1.1.json: 1 question, 1 answer, 1 paragraph, 1 article; sha256 {digest}",
        "  left out, without an answer to export: 1 question",
        "  under three answers: 1 question",
        "train: no articles, no file",
        "test: no articles, no file",
        f"{tmp_path}/export-report.json: names every question that was left out or falls under three answers",
        f"{tmp_path}/attribution.json: says where each article is from, under which licence, in whose words",
    ]
    taken = tmp_path / "taken"
    taken.write_text("A file stands here.")
    with pytest.raises(CommandError, match="taken"):
        call_command("export_dataset", project.slug, out=taken)
    with pytest.raises(CommandError, match="no project 'nobody'"):
        call_command("export_dataset", "nobody", out=tmp_path)


def test_the_zip_holds_the_same_files_and_is_the_same_twice(project, tmp_path):
    make_split(project, "train", ["61 m"])
    export.write_export(project, tmp_path)
    with export.open_file(project, export.zip_name(project)) as file:
        first = file.read()
        file.seek(0)
        archive = zipfile.ZipFile(file)
        assert {name: archive.read(name) for name in archive.namelist()} == {
            path.name: path.read_bytes() for path in tmp_path.iterdir()
        }
    with export.open_file(project, export.zip_name(project)) as file:
        assert file.read() == first
    with export.open_file(project, "train-v1.1.json") as file:
        assert file.read() == (tmp_path / "train-v1.1.json").read_bytes()
    with pytest.raises(FileNotFoundError):
        export.open_file(project, "dev-v1.1.json")


# Case S06: two blanks before, two inside, one at the end.
S06 = "  The Ilve runs  below the castle of Abbot Ruad "


def test_white_space_of_a_passage_goes_in_and_out_to_the_character(tmp_path):
    project = make_project(train_percent=100, dev_percent=0, test_percent=0)
    answers = [{"text": "the castle", "answer_start": S06.index("the castle")}]
    document = {
        "version": "1.1",
        "data": [
            {
                "title": "Ilve",
                "paragraphs": [{"context": S06, "qas": [{"id": "q", "question": "  Where?", "answers": answers}]}],
            }
        ],
    }
    import_file(project, json.dumps(document).encode(), file_name="s06.json", with_questions=True)
    _report, files = exported(project, tmp_path)
    assert files["train-v1.1.json"] == document


@pytest.mark.parametrize("split", ["train", "dev"])
def test_a_squad_file_that_is_imported_comes_out_with_the_same_content(split, shared_dir, tmp_path):
    percents = {"train_percent": 0, "dev_percent": 0, "test_percent": 0} | {f"{split}_percent": 100}
    project = make_project(**percents)
    (path,) = (shared_dir / "data").rglob("xquad*.en.json*")
    data = path.read_bytes()
    import_file(project, data, file_name=path.name, with_questions=True)
    report = export.write_export(project, tmp_path)

    def content(dataset):
        return Counter(
            (paragraph.text, question.text, tuple((span.start, span.text) for span in question.answers))
            for article in dataset.articles
            for paragraph in article.paragraphs
            for question in paragraph.questions
        )

    found = read_squad((tmp_path / f"{split}-v1.1.json").read_bytes())
    assert content(found) == content(read_squad(data))
    assert (found.faults, report.splits[split].questions) == ([], 1190)
    assert len(report.splits[split].questions_under_three_answers) == (1190 if split == "dev" else 0)
    assert Question.objects.in_project(project).count() == 1190
