"""A rehearsal: players do a batch in a clone, behind a qualification that only they hold."""

import json
from dataclasses import asdict
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from annotation.models import Answer, Membership, Project, Question, TaskQuestion
from annotation.services import gold
from hits import endpoints, mturk, tasks
from hits.models import LedgerEntry, RehearsalRun
from hits.services import launching, planning, rehearsal, rehearsing
from hits.services.planning import NotLaunchable
from players.script import Script
from reviewer.models import FoundSignal
from reviewer.services.verdicts import adjudicate
from reviewer.tasks import note_signals
from tests.annotation.factories import make_member, make_question

from .conftest import answering, launch, writing

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def stage(project, crowd, live_server, settings):
    """The rehearsal endpoint with three players, and the platform served to them; gives the project."""
    settings.PLATFORM_URL = live_server.url
    crowd.become_endpoint(settings)
    players = [crowd.hook("worker") for _ in range(3)]
    settings.CROWD_ENDPOINTS |= {
        "rehearsal": settings.CROWD_ENDPOINTS["marketplace"]
        | {
            "label": "Rehearsal",
            "worker_site": crowd.url,
            "players": tuple((one["username"], one["password"], one["worker_id"]) for one in players),
        }
    }
    endpoints.all_endpoints.cache_clear()
    mturk.client.cache_clear()
    return project


def test_the_players_write_for_every_paragraph_of_a_clone(stage):
    done = rehearsal.rehearse(stage, writing(units_per_hit=2), Script(None, seed=1))
    assert (done.standing.hits, done.standing.submitted, done.standing.approved) == (3, 3, 3)
    assert done.played.problems == []
    assert (done.project.is_rehearsal, done.project.origin) == (True, stage)
    assert Question.objects.in_project(done.project).counting().count() == 5
    assert Question.objects.in_project(stage).count() == 0
    assert LedgerEntry.objects.in_project(stage).count() == 0


def test_the_players_answer_the_clones_of_the_questions(stage):
    stage.articles.update(split="dev")
    paragraph = stage.paragraphs.first()
    question = make_question(paragraph, text="When was it built?")
    done = rehearsal.rehearse(stage, answering(), Script(None, seed=1))
    assert (done.standing.hits, done.standing.approved) == (1, 2)
    clone = Question.objects.in_project(done.project).get()
    assert (clone.text, clone.public_id == question.public_id) == ("When was it built?", False)
    assert Answer.objects.filter(question=clone).count() == 3
    assert Answer.objects.filter(question=question).count() == 1


def test_nobody_but_the_players_sees_the_hits_of_a_rehearsal(stage, crowd, monkeypatch):
    monkeypatch.setattr(rehearsal, "play", lambda *args, **kwargs: rehearsal.Played())
    done = rehearsal.rehearse(stage, writing(), Script(None, seed=1))
    ours = set(done.batch.hit_types.values_list("mturk_hit_type_id", flat=True))
    outsider, _ = crowd.worker()
    assert ours.isdisjoint(group.hit_type_id for group in outsider.groups())


def test_a_rehearsal_and_a_real_batch_never_run_on_each_others_endpoint(stage):
    with pytest.raises(NotLaunchable, match="nothing else does"):
        launch(stage, writing(endpoint="rehearsal"))
    clone = rehearsal.clone_for_rehearsal(stage)
    with pytest.raises(NotLaunchable, match="nothing else does"):
        launching.launch(clone, writing(), None)


def test_a_rehearsal_cannot_be_exported(stage, tmp_path):
    clone = rehearsal.clone_for_rehearsal(stage)
    with pytest.raises(CommandError, match="rehearsal"):
        call_command("export_dataset", clone.slug, "--out", str(tmp_path / "out"))


def test_the_command_says_what_the_batch_would_cost(stage):
    out = StringIO()
    call_command("rehearse", stage.slug, "--kind", "write", "--units", "5", stdout=out)
    told = json.loads(out.getvalue())
    assert (told["submitted"], told["would_cost_usd"], told["problems"]) == (1, "3.60", [])
    assert Project.objects.get(slug=told["project"]).origin == stage


def test_without_players_the_command_says_what_to_set(project, crowd):
    with pytest.raises(CommandError, match="set REHEARSAL_PLAYERS"):
        call_command("rehearse", project.slug, "--kind", "write")


def test_players_disagree_the_same_way_for_the_same_seed():
    text = "The mill was built in 1742. It burned twice."
    answers = [[Script(None, seed).answer(text, f"question {n}", "ada") for n in range(20)] for seed in (1, 1, 2)]
    assert [asdict(line) for line in answers[0]] == [asdict(line) for line in answers[1]]
    assert answers[0] != answers[2]


def test_a_rehearsal_asked_for_on_the_launch_page_ends_in_a_report_that_stays_with_the_project(stage, client):
    client.force_login(make_member(stage, Membership.Role.REQUESTER))
    launch_page = reverse("admin:hits_batch_launch", args=[stage.pk])
    fields = {"kind": "write", "units_per_hit": 2, "hourly_rate_usd": "9.00", "extra_answers": 2, "rehearse": "1"}
    asked = client.post(launch_page, fields | {"endpoint": "marketplace"})
    run = RehearsalRun.objects.get()
    page = reverse("admin:hits_rehearsal", args=[stage.pk, run.pk])
    assert asked.url == page
    assert "waiting to begin" in client.get(page).content.decode()
    again = client.post(launch_page, fields | {"endpoint": "marketplace"})
    assert (again.status_code, "wait for its report" in again.content.decode()) == (422, True)
    tasks.rehearse(run.pk)
    tasks.rehearse(run.pk)  # a job that is delivered twice plays once
    shown = client.get(page).content.decode()
    assert "3 of 3 places" in shown
    assert "$3.60 for the real batch, at most" in shown
    assert "None: every place was taken" in shown
    assert Project.objects.filter(is_rehearsal=True).count() == 1
    assert page in client.get(reverse("admin:annotation_project_home", args=[stage.pk])).content.decode()


def test_a_rehearsal_whose_job_was_killed_is_said_to_have_failed(stage):
    run = RehearsalRun.objects.create(
        project=stage, kind="write", asked={}, status="running", heard_at=timezone.now() - timedelta(minutes=9)
    )
    rehearsing.give_up_silent()
    run.refresh_from_db()
    assert run.status == RehearsalRun.Status.RUNNING
    RehearsalRun.objects.update(heard_at=timezone.now() - timedelta(minutes=11))
    rehearsing.give_up_silent()
    run.refresh_from_db()
    assert (run.status, "Rehearse again" in run.problem) == (RehearsalRun.Status.FAILED, True)


def test_a_rehearsal_plants_the_checks_that_the_real_batch_would(stage, client):
    stage.articles.update(split="dev")
    paragraph = stage.paragraphs.first()
    user = make_member(stage, Membership.Role.REQUESTER)
    asked = [make_question(paragraph, text=f"When was {name} built?") for name in ("it", "the mill", "the weir")]
    gold.add(asked[1], user)
    check = gold.write_check(stage.paragraphs.last(), "Which word comes first?", user)
    adjudicate(check.question, user, (0, len(check.question.paragraph.text.split()[0])), is_gold=True)
    client.force_login(user)
    fields = {"kind": "answer", "units_per_hit": 2, "hourly_rate_usd": "9.00", "extra_answers": 2, "gold_per_hit": 1}
    client.post(
        reverse("admin:hits_batch_launch", args=[stage.pk]), fields | {"endpoint": "marketplace", "rehearse": "1"}
    )
    run = RehearsalRun.objects.get()
    tasks.rehearse(run.pk)
    run.refresh_from_db()
    assert run.problem == ""
    real = planning.estimate(stage, answering(units_per_hit=2, gold_per_hit=1)).plan
    texts = dict(Question.objects.values_list("pk", "text"))
    planned = [[texts[pk] for _paragraph, questions in task.paragraphs for pk in questions] for task in real]
    clone = run.batch.project
    played = [
        list(
            TaskQuestion.objects.filter(task_paragraph__task=task)
            .order_by("task_paragraph__position", "position")
            .values_list("question__text", flat=True)
        )
        for task in clone.tasks.order_by("pk")
    ]
    assert played == planned
    assert (run.report["gold_planted"], run.report["gold_answered"]) == (2, 4)
    shown = client.get(reverse("admin:hits_rehearsal", args=[stage.pk, run.pk])).content.decode()
    assert "2 gold checks were planted; of 4 answers to them" in shown
    assert Question.objects.in_project(clone).counting().count() == 3
    note_signals()
    noted = FoundSignal.objects.filter(assignment__task__project=clone, signal__startswith="gold_")
    assert noted.exists()
