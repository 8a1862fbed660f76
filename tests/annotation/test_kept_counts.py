"""What a project's page counts: at once in a small project, and as it was known last in a large one."""

import pytest
from django.core.cache import cache
from django.urls import reverse

from annotation import tasks
from annotation.models import Article, PassageAct
from annotation.services import kept_counts

from .factories import make_article, make_member, make_paragraph, make_project, make_question


@pytest.fixture
def project(db, client, monkeypatch):
    cache.clear()
    project = make_project()
    make_question(make_paragraph(article=make_article(project, split="train")))
    client.force_login(make_member(project, "requester"))
    monkeypatch.setattr(tasks.count, "delay", lambda pk: queued.append(pk))
    queued.clear()
    return project


queued = []


def home(client, project):
    return client.get(reverse("admin:annotation_project_home", args=[project.pk]))


def questions(page):
    return next(stage["figures"] for stage in page.context["stages"] if stage["title"] == "Questions")


def test_a_small_project_is_counted_as_it_stands(client, project):
    assert questions(home(client, project)).done == "100 % written"
    make_paragraph(article=Article.objects.get())
    page = home(client, project)
    assert (questions(page).done, page.context["counted"].is_current, queued) == ("50 % written", True, [])


def test_a_large_project_shows_what_was_counted_last_and_of_when_and_a_job_counts_anew(client, project, monkeypatch):
    monkeypatch.setattr(kept_counts, "COUNTED_AT_ONCE", 1)
    page = home(client, project)
    assert "is large" in page.content.decode()
    assert (str(questions(page).done), queued) == ("being counted", [project.pk])
    home(client, project)
    assert queued == [project.pk], "one job at a time"
    tasks.count(project.pk)
    page = home(client, project)
    assert (questions(page).done, "being counted" in page.content.decode()) == ("100 % written", False)
    make_paragraph(article=Article.objects.get())
    page = home(client, project)
    at = page.context["counted"].at
    assert questions(page).done == "100 % written"
    assert f"as of {at:%Y-%m-%d %H:%M:%S} UTC" in page.content.decode()
    assert queued == [project.pk] * 2
    tasks.count(project.pk)
    assert questions(home(client, project)).done == "50 % written"


def test_what_changes_counts_changes_the_mark(client, project):
    before = home(client, project).context["counted"].at
    assert home(client, project).context["counted"].at == before, "nothing changed"
    PassageAct.objects.create(project=project, kind="exclude", why="x", articles=0, paragraphs=1)
    after = home(client, project).context["counted"].at
    assert after > before
    project.extra_answers = 5
    project.save()
    assert home(client, project).context["counted"].at > after
