"""Gold questions from the page to the batch, and a project's rules of review."""

from decimal import Decimal

import pytest
from django.urls import reverse

from annotation.models import Answer, GoldQuestion, Question, TaskQuestion
from annotation.services import gold
from annotation.services.overview import IMPORTS_SHOWN
from annotation.services.tasks import Place, create_tasks, plan_answering
from annotation.services.work import AnsweredBefore, open_assignment
from hits.services.planning import BatchSpec, busy_questions, estimate
from reviewer.models import ReviewRules
from reviewer.services.agreement import agreement
from reviewer.services.export import survey
from tests.annotation.factories import (
    make_answer,
    make_answer_task,
    make_assignment,
    make_import,
    make_offer,
    make_user,
    make_worker,
)
from tests.reviewer.factories import CASTLE, make_split
from tests.reviewer.test_review_pages import shown, sign_in

__all__ = ["sign_in"]

pytestmark = pytest.mark.django_db


def address(project):
    return reverse("gold_questions", args=[project.slug])


def test_a_question_of_the_dataset_becomes_a_check_and_stays_in_the_dataset(sign_in, project):
    (question,) = make_split(project, "dev", ["61 m", "61 m deep"])
    before = agreement(project, "dev").performance.report()
    client = sign_in("requester")
    assert client.post(address(project), {"question_id": question.public_id, "answer": "61 m"}).status_code == 302
    row = GoldQuestion.objects.get()
    assert (row.question, row.for_checking) == (question, False)
    known = Answer.objects.get(is_gold=True)
    assert (known.text, known.position, known.adjudicated_by) == ("61 m", None, row.added_by)
    assert Question.objects.in_project(project).counting().get() == question
    assert agreement(project, "dev").performance.report() == before
    assert survey(project).splits["dev"].answers == 2


def test_a_question_written_for_checking_never_counts(sign_in, project):
    (question,) = make_split(project, "dev", ["61 m"])
    data = {"paragraph": question.paragraph_id, "text": "Which word comes first?", "answer": "Brann"}
    assert sign_in("requester").post(address(project), data).status_code == 302
    check = GoldQuestion.objects.get()
    assert check.for_checking
    assert Question.objects.in_project(project).counting().get() == question
    assert [one.questions for one in survey(project).splits.values()] == [1]
    assert "only checks" in shown(sign_in("viewer").get(address(project)))


def test_however_many_checks_were_written_a_project_shows_its_passages(sign_in, project):
    (question,) = make_split(project, "dev", ["61 m"])
    make_import(project, file_name="castles.json", report={"paragraphs": {"added": 1, "dropped": {}}})
    for number in range(IMPORTS_SHOWN + 1):
        gold.write_check(question.paragraph, f"Which word is number {number}?", make_user())
    text = shown(sign_in("viewer").get(reverse("admin:annotation_project_home", args=[project.pk])))
    assert "castles.json 1 paragraph taken, 0 left out" in text
    assert "gold questions" not in text


def test_a_check_that_is_sent_twice_is_added_once_and_again_once_it_is_retired(sign_in, project):
    (question,) = make_split(project, "dev", ["61 m"])
    data = {"paragraph": question.paragraph_id, "text": "Which word comes first?", "answer": "Brann"}
    client = sign_in("requester")
    assert client.post(address(project), data).status_code == 302
    again = client.post(address(project), data)
    assert (again.status_code, "A gold check asks this about the paragraph already." in shown(again)) == (422, True)
    check = GoldQuestion.objects.get()
    assert Answer.objects.filter(is_gold=True).count() == 1
    client.post(reverse("gold_retire", args=[project.slug, check.pk]))
    assert client.post(address(project), data).status_code == 302
    assert GoldQuestion.objects.in_use().count() == 1


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"question_id": "nobody", "answer": "61 m"}, "No question of the dataset has this id."),
        ({"paragraph": 10**15, "text": "Why?", "answer": "x"}, "No paragraph of this project has this number."),
        ({"text": "", "answer": "61 m"}, "Type the question."),
        ({"text": "Why?", "answer": "1340"}, "“1340” stands in the paragraph 2 times."),
        ({"text": "Why?", "answer": "1340", "occurrence": 3}, "there is no number 3."),
        ({"text": "Why?", "answer": ""}, "Mark the answer in the paragraph, type its words"),
        ({"text": "x" * 1001, "answer": "61 m"}, "at most 1000 characters"),
    ],
)
def test_a_check_that_cannot_be_used_says_what_is_missing(sign_in, project, data, sentence):
    (question,) = make_split(project, "dev", ["61 m"])
    refused = sign_in("requester").post(address(project), {"paragraph": question.paragraph_id} | data)
    assert (refused.status_code, sentence in shown(refused)) == (422, True)
    assert not GoldQuestion.objects.exists()


def test_reviewers_look_at_checks_and_requesters_change_them(sign_in, project):
    (question,) = make_split(project, "dev", ["61 m"])
    row = gold.add(question, make_user())
    retire = reverse("gold_retire", args=[project.slug, row.pk])
    for person, status in [("viewer", 403), ("reviewer", 403), ("outsider", 404), ("requester", 302)]:
        client = sign_in(person)
        assert client.get(address(project)).status_code == (404 if person == "outsider" else 200)
        assert client.post(retire).status_code == status
    row.refresh_from_db()
    assert row.retired_at is not None
    assert not GoldQuestion.objects.in_use().exists()
    assert gold.add(question, make_user()).retired_at is None


def test_a_batch_plants_as_many_as_it_asks_for_and_pays_for_them(project):
    real = make_split(project, "dev", ["61 m"], ["Ilve"], ["1340"])
    own = make_split(project, "train", ["61 m"], text=f"{CASTLE} And more.")
    for question in own:
        gold.add(question, make_user())
    spec = BatchSpec("answer", "marketplace", 2, Decimal(9), extra_answers=2, splits=("dev",))
    plain = estimate(project, spec)
    planted = estimate(project, BatchSpec(**{**vars(spec), "gold_per_hit": 1}))
    assert [task.units for task in plain.plan] == [2, 1]
    assert [task.units for task in planted.plan] == [3, 2]
    assert planted.rewards_usd > plain.rewards_usd
    assert [task.paragraphs for task in estimate(project, BatchSpec(**{**vars(spec), "gold_per_hit": 1})).plan] == [
        task.paragraphs for task in planted.plan
    ]
    create_tasks(project, planted.plan)
    asked = TaskQuestion.objects.filter(purpose="gold")
    assert list(asked.values_list("question", flat=True)) == [own[0].pk] * 2
    assert set(TaskQuestion.objects.filter(purpose="real").values_list("question", flat=True)) == {q.pk for q in real}


def test_a_task_is_checked_with_questions_that_it_does_not_ask_anyway(project):
    first, second = make_split(project, "dev", ["61 m"], ["Ilve"])
    gold.add(first, make_user())
    plan = plan_answering(project, Place(), 1, 1, Question.objects.none().values("pk"))
    planted = gold.plant(project, plan, 2)
    assert [task.gold for task in planted] == [frozenset(), frozenset({first.pk})]
    assert gold.plant(project, plan, 0) == plan
    # In the paragraph that both are about, it stands among the others.
    ((paragraph, questions),) = planted[1].paragraphs
    assert (paragraph, set(questions)) == (first.paragraph_id, {first.pk, second.pk})


def test_a_check_keeps_no_question_busy_and_may_come_again_to_the_same_worker(project):
    real, check = make_split(project, "dev", ["61 m"], ["Ilve"])
    later = make_split(project, "test", ["61 m"], text=f"{CASTLE} And more.")[0]
    worker = make_worker()
    done = make_assignment(make_offer(make_answer_task(real, check, gold=(check,))), worker, status="submitted")
    make_answer(real, "61 m", assignment=done)
    make_answer(check, "Ilve", assignment=done, is_gold=True)
    again = make_offer(make_answer_task(later, check, gold=(check,)))
    assert open_assignment(again, "A" * 30, worker.mturk_worker_id).assignment.worker == worker
    with pytest.raises(AnsweredBefore):
        open_assignment(make_offer(make_answer_task(real)), "B" * 30, worker.mturk_worker_id)
    assert not busy_questions(project).filter(question=check).exists()


# The rules


def rules_data(**changed):
    """The form of the rules as the page fills it in, with ``changed``."""
    return {
        "undo_seconds": 10,
        "bulk_undo_seconds": 300,
        "claim_minutes": 10,
        "second_share_percent": 0,
        "second_seed": 0,
        "copied": 7,
        "copied_on": "on",
        "too_fast": 20,
        "pasted": 50,
        "long_answer": 12,
        "near_duplicate": 85,
        "other_language": 90,
        "lone_answer": 0,
        "straight_lining": 80,
        "gold_failed": 50,
        "machine": 2,
    } | changed


def test_requesters_set_the_thresholds_and_each_change_is_a_row(sign_in, project):
    place = reverse("review_rules", args=[project.slug])
    assert "these are the defaults" in shown(sign_in("viewer").get(place))
    for person, status in [("viewer", 403), ("reviewer", 403), ("requester", 302)]:
        assert sign_in(person).post(place, rules_data(copied=8)).status_code == status
    in_force = ReviewRules.objects.in_force(project)
    assert in_force.thresholds["copied"] == 8
    assert in_force.thresholds["too_fast"] is None  # its box was not ticked
    assert in_force.set_by is not None
    sign_in("requester").post(place, rules_data(second_share_percent=20))
    assert ReviewRules.objects.count() == 2
    assert "copied" not in ReviewRules.objects.in_force(project).thresholds  # the default again


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-inf", "1e400", "-1", "", "x", "1001"])
def test_a_threshold_that_is_no_number_or_out_of_bounds_is_refused(sign_in, project, value):
    place = reverse("review_rules", args=[project.slug])
    refused = sign_in("requester").post(place, rules_data(copied=value))
    assert (refused.status_code, "Not saved yet" in shown(refused)) == (422, True)
    for name, bad in [("undo_seconds", 601), ("second_share_percent", 101), ("claim_minutes", 0)]:
        assert sign_in("requester").post(place, rules_data(**{name: bad})).status_code == 422
    assert not ReviewRules.objects.exists()


def test_the_pages_around_the_review_cost_few_queries(sign_in, project, django_assert_max_num_queries):
    for question in make_split(project, "dev", *[["61 m"]] * 9):
        gold.add(question, make_user())
    client = sign_in("requester")
    for name in ("gold_questions", "review_rules", "second_looks", "review_many"):
        with django_assert_max_num_queries(15):
            assert client.get(reverse(name, args=[project.slug])).status_code == 200
