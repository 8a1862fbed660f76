"""What a reviewer does by mistake, twice, too late, or against a colleague; and text that is too long or odd."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.models import Answer, Verdict
from hits.models import HIT, AssignmentDecision
from reviewer.models import BulkAct, Review, ReviewRules, SecondLook, SecondOpinion
from reviewer.services import bulk, looks, review
from reviewer.services.export import survey
from reviewer.services.verdicts import give_verdict
from tests.reviewer.factories import make_answered, make_split
from tests.reviewer.test_review_decisions import fresh, post
from tests.reviewer.test_review_pages import listed, messages_of, page, queue, shown, sign_in

__all__ = ["sign_in"]

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

LONG = "word " * 2_000  # 10,000 characters


def test_a_reason_of_10000_characters_is_refused_wherever_one_is_given(sign_in, project):
    assignment, client = fresh(project), sign_in("requester")
    question = assignment.questions.get()
    refused = post(client, "review_decide", project, assignment, decision="reject", reason=LONG)
    assert "The reason has 9999 characters; the marketplace passes on 1024 at most. Shorten it." in shown(refused)
    assert LONG.strip() in refused.content.decode()  # what was typed is not lost
    for name, data in {
        "review_verdict": {"question": question.pk, "decision": "drop", "reason": LONG},
        "review_look": {"note": LONG},
    }.items():
        assert "Shorten it." in messages_of(post(client, name, project, assignment, **data))[0]
    many = reverse("review_many", args=[project.slug])
    fields = dict(client.get(many, {"all": 1, "decision": "reject"}).context["fields"])
    response = client.post(many, fields | {"reason": LONG})
    assert (response.status_code, "Shorten it." in shown(response)) == (422, True)
    look = looks.ask(assignment, question.project.memberships.get(role="reviewer").user)
    labels = {f"question_{question.pk}": "keep", "assignment": "approve", "note": LONG}
    response = client.post(reverse("second_look", args=[project.slug, look.pk]), labels)
    assert (response.status_code, "Shorten it." in shown(response)) == (422, True)
    assert not any(model.objects.exists() for model in (Review, Verdict, BulkAct, SecondOpinion))


def test_a_character_that_cannot_be_stored_is_named_as_what_it_is(sign_in, project):
    assignment, client = fresh(project), sign_in("reviewer")
    question = assignment.questions.get()
    refused = post(client, "review_verdict", project, assignment, question=question.pk, decision="drop", reason="a\0b")
    assert messages_of(refused) == ["The reason holds characters that cannot be shown. Type it again."]
    refused = post(client, "review_look", project, assignment, note="a\0b")
    assert messages_of(refused) == ["The note holds characters that cannot be shown. Type it again."]
    assert not any(model.objects.exists() for model in (Verdict, SecondLook))


@pytest.mark.parametrize(
    "text", ["\0\0\0\0\0\0\0\0\0\0\0", "a\0b said twice over", "=HYPERLINK(\"x\")&cmd|' /C calc'!A0", "💥" * 600]
)
def test_odd_text_is_a_refusal_or_text(sign_in, project, text):
    assignment, client = fresh(project), sign_in("reviewer")
    question = assignment.questions.get()
    for name, data in {
        "review_look": {"note": text},
        "review_verdict": {"question": question.pk, "decision": "drop", "reason": text},
        "review_fix": {"question": question.pk, "text": text},
        "review_decide": {"decision": "reject", "reason": text},
    }.items():
        assert post(client, name, project, assignment, **data).status_code in (200, 400, 422), name


@pytest.mark.parametrize(
    "query",
    ["?order=%00", "?signal=%00&worker=%00&batch=-1", "?after=%00", "?worker=١", f"?batch={'9' * 30}", "?kind[]=write"],
)
def test_addresses_that_nobody_made_show_the_list(sign_in, project, query):
    assignment = fresh(project)
    response = sign_in("reviewer").get(queue(project, query))
    assert (response.status_code, listed(response)) == (200, [assignment.pk])


def test_a_question_whose_every_answer_was_dropped_is_told_everywhere(sign_in, project, people):
    first, second = make_split(project, "dev", ["61 m", "61 m"], ["Abbot Ruad", "Abbot Ruad"])
    work = make_answered(first, second, texts=["1340, the year", "Abbot Ruad"], submitted_at=timezone.now())
    for answer in Answer.objects.filter(question=first):
        give_verdict(answer, "drop", people["reviewer"])
    client = sign_in("requester")
    text = shown(client.get(page(project, work)))
    assert "left out of the data" in text
    report = survey(project)
    assert report.splits["dev"].questions == 1
    for name in ("review_queue", "agreement", "releases", "dashboard", "agreement_more"):
        assert client.get(reverse(name, args=[project.slug])).status_code == 200, name
    post(client, "review_decide", project, work, decision="approve")
    assert client.get(page(project, work)).status_code == 200
    # A reviewer's own answer brings it back.
    post(client, "review_fix", project, work, question=first.pk, text="61 m deep")
    assert survey(project).splits["dev"].questions == 2


def test_work_whose_hit_expired_or_is_closed_is_still_decided(sign_in, project):
    assignment, client = fresh(project), sign_in("reviewer")
    HIT.objects.update(status=HIT.Status.CLOSED)
    assert listed(client.get(queue(project))) == [assignment.pk]
    assert "Approved" in messages_of(post(client, "review_decide", project, assignment, decision="approve"))[0]


def test_a_decision_that_is_sent_twice_is_made_once(sign_in, project):
    assignment, client = fresh(project), sign_in("reviewer")
    for _ in range(2):
        last = post(client, "review_decide", project, assignment, decision="approve")
    assert "approved this" in messages_of(last)[0]
    assert (Review.objects.count(), AssignmentDecision.objects.count()) == (1, 1)
    for _ in range(2):
        last = post(client, "review_undo", project, assignment)
    assert "There is no decision to take back" in messages_of(last)[0]
    assert Review.objects.filter(decision="undo").count() == 1


def test_a_preview_is_of_what_is_decided_and_what_came_in_since_is_not(sign_in, project):
    first, client = fresh(project, submitted_at=timezone.now() - timedelta(minutes=5)), sign_in("reviewer")
    many = reverse("review_many", args=[project.slug])
    fields = dict(client.get(many, {"all": 1, "decision": "approve", "order": "worrying"}).context["fields"])
    later = fresh(project)
    client.post(many, fields)
    assert list(Review.objects.values_list("assignment", flat=True)) == [first.pk]
    assert listed(client.get(queue(project))) == [later.pk]
    act = BulkAct.objects.get()
    for person in ("viewer", "reviewer", "reviewer"):
        client = sign_in(person)
        client.post(reverse("review_many_undo", args=[project.slug, act.pk]))
    assert Review.objects.filter(decision="undo").count() == 1


def test_a_decision_that_was_taken_back_is_no_first_review(sign_in, project, people):
    ReviewRules.objects.create(project=project, second_share_percent=100)
    taken_back, stands = fresh(project), fresh(project)
    review.approve(taken_back, people["reviewer"], hold=True)
    review.undo(taken_back, people["reviewer"])
    review.approve(stands, people["reviewer"], hold=True)
    assert SecondLook.objects.count() == 2
    client = sign_in("requester")
    second = reverse("second_looks", args=[project.slug])
    waiting = [look.assignment_id for look, _may in client.get(second).context["rows"]]
    assert waiting == [stands.pk]
    for look in SecondLook.objects.all():
        labels = {f"question_{pk}": "keep" for pk in looks.questions_of(look.assignment)}
        client.post(reverse("second_look", args=[project.slug, look.pk]), labels | {"assignment": "reject"})
    assert looks.reviewer_agreement(project).works.count == 1


def test_a_second_look_that_is_asked_for_twice_waits_once(sign_in, project, people):
    assignment, client = fresh(project), sign_in("reviewer")
    for note in ("Really?", "Really?", "And is it short?"):
        post(client, "review_look", project, assignment, note=note)
    assert list(SecondLook.objects.order_by("pk").values_list("note", flat=True)) == ["Really?", "And is it short?"]
    for look in SecondLook.objects.all():
        looks.withdraw(look, people["reviewer"])
    post(client, "review_look", project, assignment, note="Really?")
    assert SecondLook.objects.waiting().count() == 1


def test_many_that_are_done_already_are_not_told_as_done_now(sign_in, project, people):
    assignment, client = fresh(project), sign_in("reviewer")
    many = reverse("review_many", args=[project.slug])
    fields = dict(client.get(many, {"assignment": assignment.pk, "decision": "look"}).context["fields"])
    said = [messages_of(client.post(many, fields, follow=True)) for _ in range(2)]
    assert said == [["Asked for a second look at 1 assignment."], ["Nothing was left to do: it is done already."]]


def test_looks_that_wait_already_are_not_asked_for_again_by_many(project, people):
    works = [fresh(project) for _ in range(2)]
    looks.ask(works[0], people["reviewer"], note="Really?")
    act = bulk.decide_many(project, [work.pk for work in works], "look", people["reviewer"], chosen_by={})
    assert list(SecondLook.objects.values_list("assignment", "note")) == [(works[0].pk, "Really?"), (works[1].pk, "")]
    assert act.assignments == [works[1].pk]
