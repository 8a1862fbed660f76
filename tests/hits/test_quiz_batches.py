"""The quiz as paid work: priced, published, paid whatever its result, and the way to the work that asks for it."""

import pytest
from django.urls import reverse

from annotation.models import Assignment, QuizResult, Task
from annotation.services import guides, quiz_notation
from hits.models import LedgerEntry
from hits.services import deciding, launching, planning, qualifications, rehearsal, syncing
from hits.services.planning import NotLaunchable
from tests.annotation.factories import make_member
from tests.annotation.quiz import RIGHT, TYPED, WRONG, check
from tests.annotation.work import data_of

from .conftest import launch, published, writing

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def project(project):
    """With a quiz, and work for those alone who passed it."""
    project.quiz_required = True
    project.save()
    content = guides.Content(guides.shipped("own-crowd"), quiz_notation.parse(TYPED), 75, 2)
    guides.store(project, content, None, after=0)
    return project


def quizzing(workers=3, **changes):
    return writing(kind=Task.Kind.QUIZ, quiz_workers=workers, **changes)


def take(client, site, held, answers):
    """Take the quiz of the HIT that ``site`` holds, with the same answers in each try, and submit it."""
    page = data_of(client.get(held.frame_url))
    for number in range(1, page["quiz"]["tries"] + 1):
        reply = check(page, answers, number).json()
        if reply["is_over"]:
            break
    assert site.submit(held, {"receipt": reply["submit"]["fields"]["receipt"]})
    return reply


def settle():
    """What the jobs do: the endpoint's list is read, and decisions are carried out."""
    syncing.sync("marketplace")
    deciding.carry_out()
    syncing.sync("marketplace")


def test_a_quiz_is_priced_for_its_workers_and_its_time(project, crowd):
    project.seconds_per_quiz = 480
    project.save()
    estimate = planning.estimate(project, quizzing(12))
    (line,) = estimate.lines
    assert (line.paid_seconds, str(line.reward_usd), line.parts) == (480, "1.20", (6, 6))
    assert (estimate.units, estimate.assignments, estimate.problem()) == (1, 12, "")
    project.spending_cap_usd = 1
    project.save()
    assert "Lower the number of workers" in planning.estimate(project, quizzing(12)).problem()


def test_a_project_without_a_quiz_launches_none(project, crowd):
    guides.store(project, guides.Content(guides.shipped("own-crowd")), None, after=1)
    with pytest.raises(NotLaunchable, match="has no quiz"):
        launching.launch(project, quizzing(), user=None)
    assert launch(project).hits.count() == 5


def test_the_whole_way_from_the_quiz_to_the_work(project, crowd, client):
    published(project)  # to write, for those who passed
    site, _worker_id = crowd.worker()
    other, _other_id = crowd.worker()
    assert crowd.accept(site) is None
    batch = published(project, quizzing())
    hit = batch.hits.get()
    assert hit.hit_type.title == "Take a short quiz on asking and answering questions"
    held = crowd.accept(site)
    assert take(client, site, held, RIGHT)["has_passed"] is True
    lost = crowd.accept(other)
    assert take(client, other, lost, WRONG)["has_passed"] is False
    settle()
    # Both are paid, nobody had to look.
    work = Assignment.objects.filter(offer__hit__batch=batch)
    assert set(work.values_list("status", flat=True)) == {"approved"}
    assert LedgerEntry.objects.filter(batch=batch, kind="reward").count() == 2
    assert sorted(QuizResult.objects.values_list("passed", flat=True)) == [False, True]
    # The writing is open to the one who passed, and nothing of the project to the other: no second go at the quiz.
    got = crowd.accept(site)
    assert data_of(client.get(got.frame_url))["kind"] == "write"
    assert crowd.accept(other) is None


def test_a_failed_worker_gets_another_quiz_only_once_a_requester_allows_it(project, crowd, client):
    site, _worker_id = crowd.worker()
    published(project, quizzing())
    take(client, site, crowd.accept(site), WRONG)
    settle()
    published(project, quizzing())
    assert crowd.accept(site) is None
    worker = QuizResult.objects.get().worker
    requester = make_member(project, "requester")
    client.force_login(requester)
    card = reverse("admin:hits_worker", args=[project.pk, worker.pk])
    assert "Let them try the quiz again" in client.get(card).content.decode()
    assert client.post(card, {"act": "retry"}).status_code == 302
    assert "Let them try the quiz again" not in client.get(card).content.decode()
    qualifications.grant_wanted(project, "marketplace")
    assert take(client, site, crowd.accept(site), RIGHT)["has_passed"] is True
    settle()
    assert list(QuizResult.objects.order_by("pk").values_list("passed", flat=True)) == [False, True]


def test_listing_a_quiz_again_decides_and_records_nothing_twice(project, crowd, client):
    site, _ = crowd.worker()
    batch = published(project, quizzing())
    take(client, site, crowd.accept(site), RIGHT)
    settle()
    (listed,) = crowd.assignments()
    syncing.record(batch.hits.get(), listed)
    deciding.carry_out()
    assert QuizResult.objects.count() == 1
    assert LedgerEntry.objects.filter(batch=batch, kind="reward").count() == 1


def test_a_quiz_is_launched_from_the_form_the_command_and_the_api_alike(project, crowd, client, capsys):
    from django.core.management import CommandError, call_command

    requester = make_member(project, "requester")
    client.force_login(requester)
    form = reverse("admin:hits_batch_launch", args=[project.pk])
    page = client.get(form, {"kind": "quiz"})
    initial = {name: value for name, value in page.context["form"].initial.items() if value is not None}
    posted = initial | {"endpoint": "marketplace", "kind": "quiz", "quiz_workers": 2}
    assert client.post(form, posted | {"quiz_workers": ""}).context["form"].errors["quiz_workers"]
    assert client.post(form, posted).status_code == 302
    assert project.batches.get().hits.get().max_assignments == 2
    call_command("launch_batch", project.slug, "--kind", "quiz", "--workers", "3")
    assert project.batches.latest("pk").hits.get().max_assignments == 3
    for options in (["--kind", "quiz"], ["--kind", "write", "--workers", "3"]):
        with pytest.raises(CommandError, match="--workers"):
            call_command("launch_batch", project.slug, *options)


def test_the_command_launches_with_so_many_hits_for_one_worker(project, crowd):
    from django.core.management import CommandError, call_command

    with pytest.raises(CommandError, match="--most-hits is a whole number from 1 up"):
        call_command("launch_batch", project.slug, "--kind", "write", "--most-hits", "0")
    assert not project.batches.exists()
    call_command("launch_batch", project.slug, "--kind", "write", "--units", "1", "--most-hits", "2")
    assert project.batches.get().most_tasks_a_worker == 2


def test_a_quiz_is_not_rehearsed(project, crowd, settings):
    with pytest.raises(NotLaunchable, match="do not know its answers"):
        rehearsal.refuse_quiz(quizzing())


def test_the_pages_about_a_quiz_batch_and_its_work_open(project, crowd, client):
    site, _ = crowd.worker()
    batch = published(project, quizzing())
    take(client, site, crowd.accept(site), RIGHT)
    syncing.sync("marketplace")
    client.force_login(make_member(project, "requester"))
    work = Assignment.objects.get()
    for address in (
        reverse("admin:hits_batch_life", args=[batch.pk]),
        reverse("admin:hits_batch_money", args=[batch.pk]),
        reverse("admin:annotation_project_home", args=[project.pk]),
        reverse("admin:hits_batch_launch", args=[project.pk]) + "?kind=quiz",
        f"/review/{project.slug}/",
        f"/review/{project.slug}/assignments/{work.pk}/",
    ):
        assert client.get(address).status_code == 200, address
