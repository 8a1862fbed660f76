"""Deciding about submitted work through the services, and what reaches the room that tells the endpoint."""

import threading
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import close_old_connections
from django.utils import timezone

from annotation.models import Assignment, Question
from hits.models import AssignmentDecision
from reviewer.models import Review
from reviewer.services import reasons, review
from reviewer.services.queue import State, assignments_in
from reviewer.services.verdicts import give_verdict
from tests.annotation.factories import make_paragraph, make_project, make_superuser, make_task
from tests.reviewer.factories import make_assignment, make_many_waiting, make_written, publish

pytestmark = pytest.mark.slow

REASON = "Two of the questions ask the same thing."


def decided(assignment):
    return list(AssignmentDecision.objects.filter(assignment=assignment).values_list("kind", "feedback", "asked_by"))


@pytest.mark.django_db
def test_an_approval_leaves_a_row_and_asks_the_endpoint(project, people):
    assignment = make_written(project)
    review.approve(assignment, people["reviewer"])
    assert [(row.decision, row.reviewer) for row in Review.objects.about(assignment)] == [
        ("approve", people["reviewer"])
    ]
    assert decided(assignment) == [("approve", "", people["reviewer"].pk)]
    assert Assignment.objects.get(pk=assignment.pk).status == "submitted"  # until the endpoint has said yes


@pytest.mark.django_db
def test_a_rejection_sends_its_reason(project, people):
    assignment = make_written(project)
    review.reject(assignment, people["reviewer"], f"  {REASON}\r\n ")
    assert Review.objects.get().reason == REASON
    assert decided(assignment) == [("reject", REASON, people["reviewer"].pk)]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        pytest.param("", "Say why: ", id="nothing"),
        pytest.param(" \n\t ", "Say why: ", id="blanks"),
        pytest.param("bad", "at least 10 characters", id="a word"),
        pytest.param("x" * 1025, "1025 characters; the marketplace passes on 1024 at most", id="too long"),
        pytest.param("Copied from the text\x07.", "cannot be shown", id="a control character"),
    ],
)
def test_a_rejection_without_a_usable_reason_decides_nothing(project, people, reason, sentence):
    assignment = make_written(project)
    with pytest.raises(reasons.UnusableReason, match=sentence):
        review.reject(assignment, people["reviewer"], reason)
    assert (Review.objects.count(), decided(assignment)) == (0, [])
    review.reject(assignment, people["reviewer"], "y" * 1024)
    assert Review.objects.count() == 1


@pytest.mark.django_db
def test_the_second_reviewer_is_told_who_was_first(project, people):
    assignment = make_written(project)
    people["requester"].first_name = "Anna"
    people["requester"].save()
    review.approve(assignment, people["requester"])
    AssignmentDecision.objects.update(asked_at=timezone.now() - timedelta(minutes=2))
    with pytest.raises(review.AlreadyDecided, match=r"^Anna approved this 2\sminutes ago\.$"):
        review.reject(assignment, people["reviewer"], REASON)
    assert Review.objects.count() == AssignmentDecision.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("status", "sentence"),
    [("approved", "This was approved at the marketplace, not here"), ("open", "This was not submitted")],
)
def test_work_that_does_not_wait_is_not_approved(project, people, status, sentence):
    with pytest.raises(review.AlreadyDecided, match=sentence):
        review.approve(make_written(project, status=status), people["reviewer"])
    assert not Review.objects.exists()


@pytest.mark.django_db
def test_a_rejection_can_be_taken_back_and_an_approval_cannot(project, people):
    rejected, approved = make_written(project, status="rejected"), make_written(project, status="approved")
    review.approve(rejected, people["reviewer"])
    assert decided(rejected) == [("approve", "", people["reviewer"].pk)]
    with pytest.raises(review.AlreadyDecided):
        review.reject(approved, people["reviewer"], REASON)
    assert decided(approved) == []


@pytest.mark.django_db
def test_work_that_the_endpoint_refused_to_decide_about_waits_again(project, people):
    assignment = make_written(project)
    review.approve(assignment, people["reviewer"])
    assert not review.standing_of(assignment).may_approve
    AssignmentDecision.objects.update(done_at=timezone.now(), problem="Your account has no money.")
    standing = review.standing_of(assignment)
    assert (standing.may_approve, standing.sentence()) == (True, "This waits for a decision.")
    assert standing.problem == "Your account has no money."
    review.approve(assignment, people["reviewer"])
    assert len(decided(assignment)) == 2


@pytest.mark.django_db(transaction=True)
def test_of_two_reviewers_at_once_one_decides():
    assignment = make_written(make_project())
    users, start, outcomes = [make_superuser(), make_superuser()], threading.Barrier(2), []

    def decide(act):
        start.wait()
        try:
            act()
        except review.AlreadyDecided as late:
            outcomes.append(str(late))
        finally:
            close_old_connections()

    threads = [
        threading.Thread(target=decide, args=[lambda: review.approve(assignment, users[0])]),
        threading.Thread(target=decide, args=[lambda: review.reject(assignment, users[1], REASON)]),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Review.objects.count() == AssignmentDecision.objects.count() == 1
    first = Review.objects.get()
    verb = "approved" if first.decision == "approve" else "rejected"
    assert outcomes == [f"{first.reviewer.get_username()} {verb} this just now."]
    assert AssignmentDecision.objects.get().kind == first.decision


@pytest.mark.django_db
def test_the_cost_of_approving_is_rewards_and_fees_to_the_cent(project):
    for _ in range(2):
        make_written(project, reward_usd="0.60")
    make_written(project, reward_usd="0.03")  # its fee is the least of one cent
    large = publish(make_task(make_paragraph(project)), reward_usd="0.10", max_assignments=10)
    make_assignment(large, status="submitted")  # 40 % on HITs of ten and more
    make_written(project, status="approved")
    cost = review.cost_of(assignments_in(project, State.WAITING))
    assert cost == review.Cost(4, Decimal("1.33"), Decimal("0.29"))
    assert cost.total_usd == Decimal("1.62")


@pytest.mark.slow
@pytest.mark.django_db
def test_ten_thousand_are_approved_in_few_queries(project, people, django_assert_max_num_queries):
    make_many_waiting(project, 10_000)
    early = Assignment.objects.order_by("pk").first()
    review.reject(early, people["requester"], REASON)
    with django_assert_max_num_queries(170):
        assert review.approve_all(assignments_in(project, State.ALL), people["reviewer"]) == 9_999
    assert AssignmentDecision.objects.filter(kind="approve", asked_by=people["reviewer"]).count() == 9_999
    assert Review.objects.filter(decision="approve", reviewer=people["reviewer"]).count() == 9_999
    assert [kind for kind, *_ in decided(early)] == ["reject"]


@pytest.mark.django_db
def test_a_dropped_question_does_not_count_until_it_is_kept_again(project, people):
    question = make_written(project, status="approved").questions.get()
    counting = Question.objects.in_project(project).counting()
    give_verdict(question, "drop", people["reviewer"], "Not a question.")
    assert list(counting.all()) == []
    give_verdict(question, "keep", people["reviewer"])
    assert list(counting.all()) == [question]
