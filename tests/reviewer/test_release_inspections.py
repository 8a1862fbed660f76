"""A large release is looked through by a job: its pages say so, then what was found, and as of when."""

import pytest
from django.core.cache import cache
from django.urls import reverse

from annotation.models import Membership
from reviewer import tasks
from reviewer.models import Release
from reviewer.services import release_inspections
from reviewer.services.release_changes import kept_file
from reviewer.services.release_places import folder_of
from tests.annotation.factories import make_member, make_project
from tests.reviewer.factories import make_release

ASKED = ("Whose mill?", "Whose castle?", "Who milled?")


@pytest.fixture
def project(db, settings, tmp_path, client, monkeypatch):
    """With three releases, of which each has one question more."""
    cache.clear()
    settings.RELEASES_DIR = tmp_path
    project = make_project(slug="mills")
    rows = list(enumerate(ASKED))
    for number in (1, 2, 3):
        make_release(project, number, *((str(key), asked) for key, asked in rows[:number]))
    client.force_login(make_member(project, Membership.Role.VIEWER))
    monkeypatch.setattr(release_inspections, "AT_ONCE_BYTES", 0)
    queued.clear()
    for job in (tasks.check_release, tasks.compare_releases):
        monkeypatch.setattr(job, "delay", lambda *keys, job=job: queued.append((job, keys)))
    return project


queued = []


def work():
    while queued:
        job, keys = queued.pop()
        job(*keys)


def address(name, project, number):
    return reverse(f"release_version_{name}", args=[project.slug, number])


def test_a_check_is_a_jobs_and_is_shown_with_its_time(client, project, monkeypatch):
    page = client.get(address("check", project, 3))
    assert "are being checked" in page.content.decode()
    assert page.context["standing_address"] in page.content.decode()
    client.get(address("check", project, 3))
    assert len(queued) == 1, "one job at a time"
    work()
    page = client.get(address("check", project, 3))
    assert (page.context["checked"].is_current, page.context["faults"], queued) == (True, [], [])
    (folder_of(Release.objects.get(number=3)) / "public" / "data" / "train.jsonl").write_text("{}")
    monkeypatch.setattr(release_inspections, "FRESH", release_inspections.timedelta(0))
    page = client.get(address("check", project, 3))
    at = page.context["checked"].at
    assert f"as of {at:%Y-%m-%d %H:%M:%S} UTC" in page.content.decode()
    assert "are being checked again" in page.content.decode(), "what the last check found is no longer new"
    work()
    fragment = client.get(page.context["standing_address"]).content.decode()
    assert "data/train.jsonl was changed" in fragment
    assert "<html" not in fragment


def test_a_comparison_is_a_jobs_and_holds_for_good(client, project):
    page = client.get(address("changes", project, 3), {"since": 1})
    assert "are being compared" in page.content.decode()
    assert "since=1" in page.context["standing_address"]
    work()
    page = client.get(address("changes", project, 3), {"since": 1})
    assert (page.context["is_over"], page.context["counts"]["added"], queued) == (True, 2, [])


def test_what_cannot_be_compared_is_said(client, project):
    (folder_of(Release.objects.get(number=1)) / "public" / "data" / "train.jsonl").write_text("{")
    client.get(address("changes", project, 2))
    work()
    page = client.get(address("changes", project, 2))
    assert (page.context["is_over"], queued) == (True, [])
    assert page.context["refusal"] in page.content.decode()
    assert not kept_file(*Release.objects.filter(number__lte=2).order_by("number")).exists()


def test_programs_are_told_to_ask_again(client, project):
    two = Release.objects.get(number=2)
    for name, done in (("verification", {"is_whole": True}), ("changes", {"added": ["1"]})):
        asked = reverse(f"api_release_{name}", args=[two.pk])
        early = client.get(asked)
        assert (early.status_code, early.json()["code"]) == (409, "being_worked_out")
        work()
        assert done.items() <= client.get(asked).json().items()
