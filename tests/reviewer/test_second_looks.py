"""Second looks: asked for, withdrawn, answered, drawn by chance; and how far reviewers agree."""

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from reviewer.models import ReviewClaim, ReviewRules, SecondLook, SecondLookWithdrawal, SecondOpinion
from reviewer.services import bulk, looks, queue, review
from reviewer.services.queue import Filter
from reviewer.services.verdicts import give_verdict
from tests.reviewer.factories import make_written
from tests.reviewer.test_review_decisions import at_once, fresh, post
from tests.reviewer.test_review_pages import listed, messages_of, page, shown, sign_in

__all__ = ["sign_in"]

pytestmark = pytest.mark.django_db


def test_who_asks_for_a_second_look_is_led_past_it_and_a_colleagues_decision_answers(sign_in, project, people):
    assignment, client = fresh(project), sign_in("reviewer")
    question = assignment.questions.get()
    post(client, "review_look", project, assignment, question=question.pk, note="Is 1742 enough?")
    assert not queue.ahead_of(project, Filter(), people["reviewer"]).exists()
    assert queue.ahead_of(project, Filter(), people["requester"]).get() == assignment
    assert listed(client.get(reverse("review_queue", args=[project.slug]) + "?state=second-look")) == [assignment.pk]
    colleague = sign_in("requester")
    text = shown(colleague.get(page(project, assignment)))
    assert f"{people['reviewer'].username} asks for a second look. “{question}” Is 1742 enough?" in text
    give_verdict(question, "drop", people["requester"])
    post(colleague, "review_decide", project, assignment, decision="approve")
    opinion = SecondOpinion.objects.get()
    assert (opinion.given_by, opinion.labels) == (
        people["requester"],
        {"assignment": "approve", "questions": {str(question.pk): "drop"}},
    )


def withdraw(client, project, look, **data):
    return client.post(reverse("second_withdraw", args=[project.slug, look.pk]), data, follow=True)


@pytest.mark.parametrize(
    ("asker", "person", "may"),
    [("reviewer", "reviewer", True), ("reviewer", "requester", True), ("requester", "reviewer", False)],
)
def test_who_asked_or_a_requester_withdraws_a_second_look(sign_in, project, people, asker, person, may):
    assignment = fresh(project)
    look = looks.ask(assignment, people[asker], note="Is it the shortest?")
    client = sign_in(person)
    assert ("Withdraw this" in shown(client.get(page(project, assignment)))) == may
    assert ("Withdraw this" in shown(client.get(reverse("second_looks", args=[project.slug])))) == may
    response = withdraw(client, project, look, work="1")
    said = "Withdrawn: the work waits" if may else "Only who asked for this second look, or a requester"
    assert said in messages_of(response)[0]
    ReviewClaim.objects.all().delete()  # who looked at it just now keeps it for a while
    assert queue.ahead_of(project, Filter(), people[asker]).exists() == may
    look = SecondLook.objects.get()
    assert look.state == ("withdrawn" if may else "waiting")
    if may:
        name = people[person].get_full_name() or people[person].username
        assert f"{name}: withdrew the second look" in shown(response)
        again = withdraw(client, project, look)
        assert messages_of(again) == [f"{name} withdrew this second look just now."]
        late = sign_in("superuser").get(reverse("second_look", args=[project.slug, look.pk]), follow=True)
        assert messages_of(late) == [f"{name} withdrew this second look just now."]


def test_a_look_that_was_taken_or_drawn_by_chance_is_not_withdrawn(sign_in, project, people):
    taken, drawn = (looks.ask(fresh(project), people["reviewer"]) for _ in range(2))
    taken_labels = {
        "assignment": "approve",
        "questions": {str(pk): "keep" for pk in looks.questions_of(taken.assignment)},
    }
    looks.give_opinion(taken, people["requester"], taken_labels)
    SecondLook.objects.bulk_create(
        [SecondLook(assignment=drawn.assignment, cause="drawn", asked_by=people["reviewer"])]
    )
    client = sign_in("reviewer")
    assert "took this second look just now." in messages_of(withdraw(client, project, taken))[0]
    by_chance = SecondLook.objects.get(cause="drawn")
    assert "drawn by chance" in messages_of(withdraw(client, project, by_chance))[0]
    for look in (taken, by_chance):
        with pytest.raises(IntegrityError), transaction.atomic():
            SecondLookWithdrawal.objects.create(look=look, withdrawn_by=people["reviewer"])
    withdrawal = looks.withdraw(drawn, people["reviewer"])
    for act in (
        lambda: SecondOpinion.objects.create(look=drawn, asked_by=people["reviewer"], given_by=people["requester"]),
        lambda: SecondLookWithdrawal.objects.filter(pk=withdrawal.pk).delete(),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            act()


@pytest.mark.django_db(transaction=True)
def test_of_an_answer_and_a_withdrawal_at_once_one_stands(project, people):
    look = looks.ask(fresh(project), people["reviewer"])
    labels = {"assignment": "approve", "questions": {str(pk): "keep" for pk in looks.questions_of(look.assignment)}}
    results = at_once(
        lambda: looks.give_opinion(look, people["requester"], labels), lambda: looks.withdraw(look, people["reviewer"])
    )
    names = sorted(type(result).__name__ for result in results)
    assert names in (["NotYours", "SecondOpinion"], ["NotYours", "SecondLookWithdrawal"])


def test_who_decides_withdraws_what_they_asked_and_answers_what_colleagues_asked(project, people):
    works = [fresh(project) for _ in range(2)]
    own = [looks.ask(work, people["reviewer"]) for work in works]
    others = [looks.ask(work, people["requester"]) for work in works]
    review.approve(works[0], people["reviewer"])
    bulk.decide_many(project, [works[1].pk], "approve", people["reviewer"], chosen_by={})
    assert {SecondLook.objects.get(pk=look.pk).state for look in own} == {"withdrawn"}
    assert {SecondLook.objects.get(pk=look.pk).state for look in others} == {"answered"}


def test_looks_that_were_asked_for_at_many_are_withdrawn_at_once(sign_in, project, people):
    works = [fresh(project) for _ in range(3)]
    looks.ask(works[0], people["requester"], note="Before.")
    ids = [work.pk for work in works]
    act = bulk.decide_many(project, ids, "look", people["reviewer"], chosen_by={})
    looks.give_opinion(
        SecondLook.objects.get(act=act, assignment=works[2]),
        people["requester"],
        {"assignment": "approve", "questions": {str(pk): "keep" for pk in looks.questions_of(works[2])}},
    )
    client = sign_in("reviewer")
    text = shown(client.get(reverse("review_queue", args=[project.slug])))
    assert "2 still wait for a colleague. Take all of it back" in text
    assert "Tell the marketplace" not in text
    client.post(reverse("review_many_undo", args=[project.slug, act.pk]))
    assert [look.state for look in SecondLook.objects.order_by("pk")] == [
        "waiting",
        "withdrawn",
        "withdrawn",
        "answered",
    ]


def test_a_share_is_drawn_by_the_seed_and_looked_at_blind_by_somebody_else(sign_in, project, people):
    ReviewRules.objects.create(project=project, second_share_percent=100)
    assignment = fresh(project)
    question = assignment.questions.get()
    give_verdict(question, "drop", people["reviewer"], "The answer is wrong.")
    review.approve(assignment, people["reviewer"])
    look = SecondLook.objects.get()
    assert look.first == {"assignment": "approve", "questions": {str(question.pk): "drop"}}
    address = reverse("second_look", args=[project.slug, look.pk])
    own = sign_in("reviewer").post(address, {f"question_{question.pk}": "keep", "assignment": "approve"}, follow=True)
    assert messages_of(own) == ["You were the first to look at this; the second look is a colleague's."]
    colleague = sign_in("requester")
    text = shown(colleague.get(address))
    assert str(question) in text
    assert not any(word in text for word in ("The answer is wrong.", "left out of the data", "approved"))
    for data in ({}, {"assignment": "approve"}, {f"question_{question.pk}": "burn", "assignment": "approve"}):
        assert colleague.post(address, data).status_code == 422
    colleague.post(address, {f"question_{question.pk}": "keep", "assignment": "approve"})
    assert "You were" not in shown(colleague.get(reverse("second_looks", args=[project.slug])))
    again = colleague.post(address, {f"question_{question.pk}": "keep", "assignment": "approve"}, follow=True)
    assert "took this second look just now." in messages_of(again)[0]
    found = looks.reviewer_agreement(project)
    assert (found.questions.count, found.questions.percent, found.questions.kappa) == (1, 0, 0)
    assert (found.works.count, found.works.percent, found.works.kappa) == (1, 100, None)
    text = shown(colleague.get(reverse("second_looks", args=[project.slug])))
    assert "undefined: both used one label alone" in text


def test_the_share_that_is_drawn_is_near_what_was_asked_and_the_same_every_time(project):
    rules = ReviewRules(project=project, second_share_percent=20, second_seed=7)
    drawn = [looks.is_drawn(rules, pk) for pk in range(2000)]
    assert 0.17 < sum(drawn) / 2000 < 0.23
    assert drawn == [looks.is_drawn(rules, pk) for pk in range(2000)]
    assert drawn != [looks.is_drawn(ReviewRules(second_share_percent=20, second_seed=8), pk) for pk in range(2000)]
    assert not any(looks.is_drawn(ReviewRules(second_share_percent=0), pk) for pk in range(100))
    assert all(looks.is_drawn(ReviewRules(second_share_percent=100), pk) for pk in range(100))


def test_the_database_lets_nobody_be_their_own_second_reviewer_or_change_a_look(project, people):
    look = looks.ask(make_written(project), people["reviewer"])
    for act in (
        lambda: SecondOpinion.objects.create(look=look, asked_by=people["reviewer"], given_by=people["reviewer"]),
        lambda: SecondLook.objects.filter(pk=look.pk).update(note="other"),
        lambda: ReviewRules.objects.create(project=project, second_share_percent=101),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            act()
