"""More answers where the first disagree: for exactly those questions, one at a time, from somebody else."""

from decimal import Decimal
from uuid import uuid4

import pytest
from django.urls import reverse

from annotation.models import Assignment, TaskQuestion, Worker
from annotation.services import work
from hits.models import HIT, Batch
from reviewer.services import more_answers, study
from tests.annotation.factories import make_answer_task, make_offer
from tests.reviewer.factories import make_answered, make_split
from tests.reviewer.test_review_pages import shown

pytestmark = pytest.mark.django_db


@pytest.fixture
def client_of(client, people):
    def as_person(name):
        client.force_login(people[name])
        return client

    return as_person


def make_dev(project):
    """Of seven questions: three settled, one with two answers that differ, one at three, one at the limit, one with
    its author's answer alone."""
    return make_split(
        project,
        "dev",
        ["61 m", "61 m"],
        ["61 m", "1340", "61 m"],
        [None, None],
        ["61 m", "1340"],
        ["61 m", "1340", "Ruad"],
        ["61 m", "1340", "Ruad", "the Crown", "castle"],
        ["61 m"],
    )


def asked(**changes):
    values = {"splits": ("dev",), "limit": 5, "endpoint": "marketplace", "units_per_hit": 5}
    return more_answers.Asked(**(values | {"hourly_rate_usd": Decimal(9)} | changes))


def test_only_what_is_not_settled_gets_one_answer_more(project, people):
    questions = make_dev(project)
    found = more_answers.next_round(project, asked())
    assert found.questions == tuple(questions[n].pk for n in (3, 4, 6))
    assert (found.settled, found.at_limit, found.in_open_hits) == (3, 1, 0)
    assert [(level.answers, level.questions) for level in found.levels] == [(1, 1), (2, 1), (3, 1)]
    # Two of six were settled by the second answer, one of three that went on by the third, none of one by the next.
    assert [level.chance for level in found.levels] == [pytest.approx(2 / 6), pytest.approx(1 / 3), 0.0]
    assert found.settled_by_it == pytest.approx(2 / 6 + 1 / 3)
    # One task: three questions of one article that lack different numbers of answers make three.
    assert found.estimate.assignments == 3


def test_a_round_is_launched_for_exactly_its_questions_and_not_twice(project, people):
    questions = make_dev(project)
    batch = more_answers.launch(project, asked(), people["requester"], Decimal("0.21"))
    rows = TaskQuestion.objects.filter(task_paragraph__task__offers__hit__batch=batch)
    assert set(rows.values_list("question", flat=True)) == {questions[n].pk for n in (3, 4, 6)}
    assert set(HIT.objects.filter(batch=batch).values_list("max_assignments", flat=True)) == {1}
    found = more_answers.next_round(project, asked())
    assert (found.questions, found.in_open_hits) == ((), 3)
    with pytest.raises(more_answers.NotLaunchable, match="No question needs one answer more"):
        more_answers.launch(project, asked(), people["requester"])
    assert Batch.objects.count() == 1


def test_a_limit_ends_it(project):
    make_dev(project)
    found = more_answers.next_round(project, asked(limit=3))
    assert (len(found.questions), found.at_limit) == (2, 2)


def test_without_answers_enough_nothing_is_foreseen(project):
    make_split(project, "dev", ["61 m", "1340"])
    found = more_answers.next_round(project, asked())
    assert found.settled_by_it is None
    assert found.levels[0].chance is None


def test_whoever_answered_a_question_before_is_not_asked_again(project):
    question, _other = make_split(project, "dev", ["61 m"], ["1340"])
    worker = Worker.objects.create(endpoint="marketplace", mturk_worker_id="BEFORE")
    make_answered(question, texts=["1340"], worker=worker, status="approved")
    offer = make_offer(make_answer_task(question))
    with pytest.raises(work.AnsweredBefore):
        work.open_assignment(offer, "NEW1", worker.mturk_worker_id)
    assert work.open_assignment(offer, "NEW2", "SOMEBODYELSE").assignment.status == Assignment.Status.OPEN


def test_the_page_shows_cost_and_gain_before_it_launches(client_of, project):
    make_dev(project)
    address = reverse("agreement_more", args=[project.slug])
    client = client_of("requester")
    assert address in client.get(reverse("agreement", args=[project.slug])).content.decode()
    page = client.get(address, {"splits": "dev"})
    text = shown(page)
    assert "Need one answer more 3" in text
    assert "Not settled at the limit, given up 1" in text
    assert "Ask for one answer to each of 3 questions" in text
    total = page.context["round"].estimate.total_usd
    assert f"Total, at most ${total}" in text
    given = {"splits": "dev", "limit": 5, "units_per_hit": 5, "hourly_rate_usd": "9", "endpoint": "marketplace"}
    launched = client.post(address, given | {"confirmed_total_usd": str(total)})
    assert launched["Location"] == reverse("admin:hits_batch_life", args=[Batch.objects.get().pk])
    refused = client.post(address, given)
    assert (refused.status_code, Batch.objects.count()) == (422, 1)
    assert "No question needs one answer more" in shown(refused)
    assert client.post(address, given | {"limit": "a lot"}).status_code == 422


def test_the_api_plans_and_launches_once(client_of, project):
    make_dev(project)
    client, address = client_of("requester"), reverse("api_agreement_more", args=[project.slug])
    told = client.get(address, {"splits": "dev"}).json()
    assert (told["needing"], told["settled"], told["levels"][0]["answers"]) == (3, 3, 1)
    assert client.get(address, {"limit": 99}).status_code == 400
    sent = {"splits": ["dev"], "confirmed_total_usd": told["estimate"]["total_usd"]}
    key = str(uuid4())
    answers = [
        client.post(address, sent, content_type="application/json", headers={"Idempotency-Key": key}) for _ in range(2)
    ]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].json()["id"] == answers[1].json()["id"] == Batch.objects.get().pk
    assert client_of("reviewer").get(address).status_code == 403


def test_a_launch_waits_for_figures_that_are_current(client_of, project, monkeypatch):
    make_dev(project)
    monkeypatch.setattr(study, "WORKED_OUT_AT_ONCE", 1)
    text = shown(client_of("requester").get(reverse("agreement_more", args=[project.slug]), {"splits": "dev"}))
    assert "The figures of dev are being worked out" in text
