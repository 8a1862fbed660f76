"""``manage.py import_articles``: what it prints, and when it fails."""

import json

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Article, Import, Paragraph, Question
from tests.annotation.factories import MILL, make_project
from tests.annotation.files import lines, nothing_stored, qa, squad

pytestmark = pytest.mark.django_db


@pytest.fixture
def mill_file(tmp_path):
    path = tmp_path / "mill.json"
    path.write_bytes(squad(("Mill", [(MILL, [qa(), qa("off", start=23)]), ("Short", [])])))
    return path


def test_the_command_prints_what_it_took_and_left_out(project, mill_file, capsys):
    project.min_paragraph_chars = 10
    project.save()
    call_command("import_articles", project.slug, mill_file)
    printed = capsys.readouterr().out
    assert "Paragraphs: 1 taken of 2." in printed
    assert "1 left out: shorter than 10 characters, the project's shortest paragraph." in printed
    assert "“Short”" in printed


def test_a_faulty_question_that_is_skipped_is_named_once(project, mill_file, capsys):
    call_command("import_articles", project.slug, mill_file, "--with-questions", "--skip-faulty")
    printed = capsys.readouterr().out
    assert "  1 left out: faulty.\n  off (" in printed
    assert printed.count("off (") == printed.count("its start 23") == 1


def test_the_command_prints_json_when_asked(project, mill_file, capsys):
    call_command("import_articles", project.slug, mill_file, "--with-questions", "--skip-faulty", "--json")
    report = json.loads(capsys.readouterr().out)
    assert (report["stored"], report["questions"]["added"], len(report["faults"])) == (True, 1, 1)


def test_the_command_lists_faults_and_fails(project, mill_file):
    with pytest.raises(CommandError, match=r"1 question is faulty; nothing was stored.*\n.*off") as refusal:
        call_command("import_articles", project.slug, mill_file, "--with-questions")
    assert "its start 23" in str(refusal.value)
    assert nothing_stored(project)


def test_the_command_needs_a_project_and_a_file_that_are_there(project, mill_file, tmp_path):
    with pytest.raises(CommandError, match="no project nowhere"):
        call_command("import_articles", "nowhere", mill_file)
    with pytest.raises(CommandError, match=r"gone\.json: The file cannot be read: No such file"):
        call_command("import_articles", project.slug, tmp_path / "gone.json")
    call_command("import_articles", project.slug, mill_file)
    assert (Article.objects.count(), Paragraph.objects.count()) == (1, 2)
    assert (Question.objects.count(), Import.objects.count()) == (0, 1)


def test_a_terminal_shows_how_far_a_long_file_is(project, tmp_path, monkeypatch, capsys):
    path = tmp_path / "long.jsonl"
    path.write_bytes(lines(*({"title": f"A{n}", "paragraphs": [f"Text {n}."]} for n in range(1200))))
    call_command("import_articles", project.slug, path)
    assert capsys.readouterr().err == ""  # nobody watches a file or a pipe
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    call_command("import_articles", make_project().slug, path)
    shown = capsys.readouterr().err
    assert [bar.split()[1] for bar in shown.split("\r")[1:]] == ["500", "1,000", "1,200"]
    assert shown.endswith("1,200 / 1,200 \n")
