"""The API about review: the same rules and the same sentences as the pages."""

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from annotation.models import Answer, Question, Verdict
from hits.models import AssignmentDecision
from reviewer.models import BulkAct, SecondLook
from reviewer.services import review
from reviewer.services.verdicts import give_verdict
from tests.annotation.factories import make_project
from tests.reviewer.factories import make_written

pytestmark = pytest.mark.django_db

REASON = "Two of the questions ask the same thing."


@pytest.fixture
def api(people):
    """A client of somebody."""

    def of(name):
        client = APIClient()
        client.force_authenticate(people[name])
        return client

    return of


def fresh(project):
    return make_written(project, submitted_at=timezone.now())


def test_the_queue_lists_what_waits_and_is_narrowed(api, project):
    waiting, decided = fresh(project), make_written(project, status="approved")
    make_written(make_project())
    client = api("viewer")
    found = client.get("/api/v1/reviews", {"project": project.slug}).json()["results"]
    assert [row["id"] for row in found] == [waiting.pk]
    assert str(waiting.worker_id) != found[0]["worker"]
    assert waiting.worker.mturk_worker_id not in str(found)
    assert [row["id"] for row in client.get("/api/v1/reviews?state=all").json()["results"]] == [decided.pk, waiting.pk]
    refused = client.get("/api/v1/reviews?signal=sense")
    assert (refused.status_code, refused.json()["errors"]) == (400, {"signal": ["There is no such signal."]})


def test_one_piece_of_work_comes_with_its_questions_and_signals(api, project):
    assignment = fresh(project)
    Question.objects.filter(assignment=assignment).update(text="When was the mill was built in 1742 it burned")
    read = api("viewer").get(f"/api/v1/reviews/{assignment.pk}").json()
    (question,) = read["questions"]
    assert (question["answer"]["text"], question["is_dropped"], question["adjudication"]) == ("1742", False, None)
    assert [said["code"] for said in question["signals"]] == ["copied", "answer_in_question", "not_a_question"]
    assert read["standing"] == "This waits for a decision."
    assert api("outsider").get(f"/api/v1/reviews/{assignment.pk}").status_code == 404


@pytest.mark.parametrize(("person", "status"), [("viewer", 403), ("outsider", 404), ("reviewer", 200)])
def test_reviewers_decide_and_others_are_refused(api, project, person, status):
    assignment = fresh(project)
    for address in (f"/api/v1/reviews/{assignment.pk}/approve", f"/api/v1/reviews/{assignment.pk}/look"):
        assert api(person).post(address, {}, format="json").status_code == status
    question = assignment.questions.get().pk
    address = f"/api/v1/reviews/{assignment.pk}/questions/{question}/drop"
    assert api(person).post(address, {}, format="json").status_code == status
    assert Verdict.objects.exists() == (status == 200)


def test_a_decision_is_taken_back_while_it_waits_and_refused_with_a_sentence_after(api, project):
    assignment, client = fresh(project), api("reviewer")
    address = f"/api/v1/reviews/{assignment.pk}/"
    assert client.post(address + "reject", {"reason": "no"}, format="json").status_code == 422
    assert client.post(address + "reject", {"reason": "x" * 10_000}, format="json").json()["code"] == "refused"
    assert client.post(address + "reject", {"reason": REASON, "hold": True}, format="json").status_code == 200
    twice = client.post(address + "approve", {}, format="json")
    assert (twice.status_code, "rejected this just now" in twice.json()["detail"]) == (409, True)
    assert client.post(address + "undo", {}, format="json").json()["standing"] == "This waits for a decision."
    assert client.post(address + "approve", {}, format="json").status_code == 200  # told at once
    late = client.post(address + "undo", {}, format="json")
    assert (late.status_code, late.json()["code"]) == (409, "decided")
    assert client.post(address + "burn", {}, format="json").status_code == 404


def test_questions_are_kept_dropped_set_right_and_asked_about(api, project, people):
    assignment, client = fresh(project), api("reviewer")
    question = assignment.questions.get()
    address = f"/api/v1/reviews/{assignment.pk}/questions/{question.pk}/"
    give_verdict(question, "drop", people["requester"])
    overtaken = client.post(address + "keep", {"seen": 0}, format="json")
    assert (overtaken.status_code, overtaken.json()["code"]) == (409, "overtaken")
    kept = client.post(address + "keep", {"seen": Verdict.objects.get().pk}, format="json").json()
    assert kept["questions"][0]["is_dropped"] is False
    fixed = client.post(address + "fix", {"text": "Welsh slate"}, format="json").json()
    assert fixed["questions"][0]["adjudication"]["text"] == "Welsh slate"
    assert client.post(address + "fix", {"text": "Irish slate"}, format="json").status_code == 422
    assert client.post(address + "fix", {"text": "mill", "start": 0, "end": 4}, format="json").status_code == 422
    assert client.post(address + "fix", {"start": "NaN"}, format="json").status_code == 400
    assert (
        client.post(address + "fix", {"unanswerable": True}, format="json").json()["questions"][0]["adjudication"][
            "text"
        ]
        is None
    )
    assert client.post(address + "look", {"note": "Really?"}, format="json").status_code == 200
    assert SecondLook.objects.get().question == question
    assert client.post(f"/api/v1/reviews/{assignment.pk}/withdraw", {}, format="json").status_code == 200
    assert SecondLook.objects.get().state == "withdrawn"
    assert Answer.objects.filter(adjudicated_by=people["reviewer"]).count() == 2
    elsewhere = make_written(project).questions.get()
    other = f"/api/v1/reviews/{assignment.pk}/questions/{elsewhere.pk}/drop"
    assert client.post(other, {}, format="json").status_code == 404


def test_many_are_looked_at_decided_and_taken_back(api, project):
    works, client = [fresh(project) for _ in range(3)], api("reviewer")
    asked = {"project": project.slug, "decision": "approve", "assignments": [row.pk for row in works[:2]]}
    dry = client.post("/api/v1/reviews/many", asked | {"dry_run": True}, format="json").json()
    assert (dry["id"], dry["count"], dry["total_usd"]) == (None, 2, "1.44")
    grown = client.post("/api/v1/reviews/many", asked | {"confirmed_count": 1}, format="json")
    assert grown.status_code == 422
    assert not BulkAct.objects.exists()
    done = client.post("/api/v1/reviews/many", asked | {"confirmed_count": 2}, format="json")
    assert (done.status_code, done.json()["count"], done.json()["held"]) == (201, 2, 2)
    undo = f"/api/v1/reviews/many/{done.json()['id']}/undo"
    assert api("viewer").post(undo, {}, format="json").status_code == 403
    assert client.post(undo, {}, format="json").json()["undone"] == 2
    assert client.post(undo, {}, format="json").status_code == 409
    assert not AssignmentDecision.objects.to_carry_out().exists()
    machine = {"project": project.slug, "decision": "reject", "signal": "machine", "reason": REASON}
    refused = client.post("/api/v1/reviews/many", machine, format="json")
    assert (refused.status_code, "never a reason to reject by itself" in refused.json()["detail"]) == (422, True)


def test_work_of_another_project_is_not_there(api, people):
    elsewhere = make_written(make_project())
    review.approve(elsewhere, people["superuser"])
    assert api("reviewer").get(f"/api/v1/reviews/{elsewhere.pk}").status_code == 404
    assert api("reviewer").post(f"/api/v1/reviews/{elsewhere.pk}/undo", {}, format="json").status_code == 404
