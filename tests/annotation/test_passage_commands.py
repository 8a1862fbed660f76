"""Excluding, including, undoing and splitting from a shell."""

import json

import pytest
from django.core.management import CommandError, call_command

from annotation.models import PassageAct
from tests.annotation.factories import MILL, make_article, make_paragraph, make_task

pytestmark = pytest.mark.django_db


@pytest.fixture
def owls(project):
    article = make_article(project, title="Owl", split="train")
    for text in ("Owls hunt at dusk.", "Owls sleep by day."):
        make_paragraph(article=article, text=text)
    make_paragraph(article=make_article(project, title="Mill", split="train"), text=MILL)
    return project


def run(capsys, *args):
    call_command(*args)
    return json.loads(capsys.readouterr().out)


def count(project):
    return project.paragraphs.filter(is_excluded=True).count()


def test_paragraphs_are_excluded_undone_and_included(owls, people, capsys):
    ask = ("exclude_passages", owls.slug, "--article", "Owl", "--why", "Boring.")
    assert run(capsys, *ask, "--dry-run") == {"paragraphs": 2, "articles": 1, "in_tasks": 0, "with_questions": 0}
    assert count(owls) == 0
    done = run(capsys, *ask, "--as", "requester")
    assert (done["paragraphs"], count(owls)) == (2, 2)
    assert PassageAct.objects.get(pk=done["decision"]).decided_by == people["requester"]
    assert run(capsys, "undo_passages", owls.slug, str(done["decision"]), "--why", "A slip.")["paragraphs"] == 2
    run(capsys, "exclude_passages", owls.slug, "--words", "dusk", "--why", "Dark.")
    run(capsys, "include_passages", owls.slug, "--all", "--why", "All of them.")
    assert count(owls) == 0


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--why", "x"], "Say which paragraphs"),
        (["--why", " ", "--all"], "Say why"),
        (["--why", "x", "--article", "Elk"], "no article Elk"),
        (["--why", "x", "--all", "--as", "nobody"], "no user nobody"),
        (["--why", "x", "--words", "elk"], "No paragraph would change"),
    ],
)
def test_what_cannot_be_excluded_says_why(owls, args, says):
    with pytest.raises(CommandError, match=says):
        call_command("exclude_passages", owls.slug, *args)
    assert count(owls) == 0


def test_splits_are_shown_and_drawn_until_work_is_launched(owls, capsys):
    ask = ("split_articles", owls.slug, "--dev", "50", "--test", "0", "--seed", "1", "--stratify", "length")
    sizes = {size["name"]: size["articles"] for size in run(capsys, *ask, "--dry-run")["splits"]}
    assert sizes == {"train": 1, "dev": 1, "test": 0}
    assert set(owls.articles.values_list("split", flat=True)) == {"train"}
    run(capsys, *ask, "--why", "Half and half.")
    assert set(owls.articles.values_list("split", flat=True)) == {"train", "dev"}
    make_task(owls.paragraphs.first())
    with pytest.raises(CommandError, match="frozen"):
        call_command(*ask, "--why", "Again.")


@pytest.mark.parametrize("command", ["exclude_passages", "include_passages", "split_articles"])
def test_a_project_that_is_not_there_is_named(db, command):
    with pytest.raises(CommandError, match="no project nowhere"):
        call_command(command, "nowhere", why="x")


def test_a_decision_of_another_kind_or_project_is_not_undone(owls, capsys):
    act = run(capsys, "split_articles", owls.slug, "--why", "x")["decision"]
    for number in (act, act + 1):
        with pytest.raises(CommandError, match="no such decision"):
            call_command("undo_passages", owls.slug, str(number), why="x")
