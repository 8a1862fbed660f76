"""What reviewers decide beside approving and rejecting: leaving out, setting right, second looks, many, taking back."""

import threading
from datetime import timedelta

import pytest
from django.db import connections
from django.urls import reverse
from django.utils import timezone

from annotation.models import Answer, Question, Verdict
from hits.models import AssignmentDecision
from hits.services import deciding
from reviewer.models import BulkAct, Review, ReviewClaim, ReviewRules, SecondLook
from reviewer.services import bulk, claims, looks, noticing, queue, reasons, review
from reviewer.services.agreement import agreement
from reviewer.services.export import write_export
from reviewer.services.queue import Filter
from reviewer.services.record import record_of
from reviewer.services.verdicts import (
    NoSuchSpan,
    Overtaken,
    adjudicate,
    give_verdict,
    span_in,
    standing_adjudication,
)
from tests.annotation.factories import make_member, make_project, make_question, make_worker
from tests.reviewer.factories import CASTLE, make_answered, make_split, make_written
from tests.reviewer.test_review_pages import listed, messages_of, page, shown, sign_in

__all__ = ["sign_in"]

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

REASON = "Two of the questions ask the same thing."


def fresh(project, **fields):
    """Work submitted a moment ago, so that there is time to take a decision back."""
    return make_written(project, **({"submitted_at": timezone.now()} | fields))


def post(client, name, project, assignment, **data):
    return client.post(reverse(name, args=[project.slug, assignment.pk]), data, follow=True)


# Taking back


def test_a_decision_can_be_taken_back_until_the_marketplace_is_told(sign_in, project):
    assignment, client = fresh(project), sign_in("reviewer")
    done = post(client, "review_decide", project, assignment, decision="approve")
    decision = AssignmentDecision.objects.get()
    assert decision.held_until > timezone.now()
    assert f"Take {assignment.pk} back" in shown(client.get(page(project, assignment)))
    assert f"Approved: assignment {assignment.pk}" in messages_of(done)[0]
    assert not AssignmentDecision.objects.due(timezone.now()).exists()
    back = post(client, "review_undo", project, assignment)
    assert messages_of(back) == [f"Taken back: assignment {assignment.pk} waits again."]
    assert queue.assignments_in(project, "waiting").get() == assignment
    assert list(Review.objects.order_by("pk").values_list("decision", flat=True)) == ["approve", "undo"]
    decision.refresh_from_db()
    assert (decision.withdrawn_by_id, decision.done_at is None) == (Review.objects.last().reviewer_id, False)
    # Decided anew, it goes its way.
    post(client, "review_decide", project, assignment, decision="reject", reason=REASON)
    assert AssignmentDecision.objects.to_carry_out().get().kind == "reject"


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ("told", "This cannot be taken back: the marketplace is being told right now."),
        ("approved", "This cannot be taken back: the worker has been paid."),
        ("rejected", "This cannot be taken back: the worker has been told."),
        ("nothing", "There is no decision to take back: This waits for a decision."),
    ],
)
def test_after_that_the_page_says_why_not(sign_in, project, people, state, sentence):
    assignment = fresh(project)
    if state == "rejected":
        review.reject(assignment, people["reviewer"], REASON, hold=True)
    elif state != "nothing":
        review.approve(assignment, people["reviewer"], hold=True)
    AssignmentDecision.objects.update(held_until=timezone.now())
    if state in ("approved", "rejected"):
        AssignmentDecision.objects.update(done_at=timezone.now())
        assignment.move_to(state)
    answer = post(sign_in("reviewer"), "review_undo", project, assignment)
    assert messages_of(answer)[0].startswith(sentence)
    assert not Review.objects.filter(decision="undo").exists()


def test_no_decision_waits_past_the_marketplaces_own_timer(project, people):
    soon = fresh(project, submitted_at=timezone.now() - timedelta(minutes=59))
    later = fresh(project)
    for assignment in (soon, later):
        review.reject(assignment, people["reviewer"], REASON, hold=True)
    held = dict(AssignmentDecision.objects.values_list("assignment", "held_until"))
    assert held[soon.pk] is None
    assert held[later.pk] is not None


def test_a_project_chooses_how_long_a_decision_waits(project, people):
    ReviewRules.objects.create(project=project, undo_seconds=0)
    assignment = fresh(project)
    review.approve(assignment, people["reviewer"], hold=True)
    assert AssignmentDecision.objects.get().held_until is None
    with pytest.raises(review.TooLate):
        review.undo(assignment, people["reviewer"])


# Leaving out


def test_work_is_paid_and_left_out_of_the_data_and_taken_back_as_a_whole(sign_in, project):
    assignment, client = fresh(project), sign_in("reviewer")
    question = assignment.questions.get()
    kept = make_question(question.paragraph, "And the roof?", assignment=assignment, answer="Welsh slate", position=1)
    give_verdict(kept, "drop", people_of(project))
    post(client, "review_decide", project, assignment, decision="drop")
    assert AssignmentDecision.objects.get().kind == "approve"
    assert set(Question.objects.dropped()) == {question, kept}
    post(client, "review_undo", project, assignment)
    assert set(Question.objects.dropped()) == {kept}  # that was another decision


def people_of(project):
    return make_member(project, "reviewer")


def test_a_reviewer_who_has_not_seen_a_colleagues_verdict_is_told_of_it(sign_in, project, people):
    assignment, client = make_written(project), sign_in("reviewer")
    question = assignment.questions.get()
    people["requester"].first_name = "Anna"
    people["requester"].save()
    give_verdict(question, "drop", people["requester"], seen=0)
    late = post(client, "review_verdict", project, assignment, question=question.pk, decision="keep", seen=0)
    assert messages_of(late)[0].startswith("Anna left this out of the data just now. Look again")
    assert Verdict.objects.count() == 1
    seen = Verdict.objects.get().pk
    post(client, "review_verdict", project, assignment, question=question.pk, decision="keep", seen=seen)
    assert not Question.objects.dropped().exists()


@pytest.mark.parametrize("length", [1025, 10_000])
def test_reasons_and_notes_that_are_too_long_are_refused_with_their_length(sign_in, project, length):
    assignment, client = make_written(project), sign_in("reviewer")
    question, words = assignment.questions.get().pk, "x" * length
    for answer in (
        post(client, "review_verdict", project, assignment, question=question, decision="drop", reason=words),
        post(client, "review_look", project, assignment, note=words),
    ):
        assert str(length) in messages_of(answer)[0]
    refused = post(client, "review_decide", project, assignment, decision="reject", reason=words)
    assert (refused.status_code, str(length) in shown(refused)) == (422, True)
    many = client.post(
        reverse("review_many", args=[project.slug]),
        {"all": 1, "decision": "reject", "reason": words, "confirmed_count": 1},
    )
    assert (many.status_code, str(length) in shown(many)) == (422, True)
    assert not any(model.objects.exists() for model in (Verdict, SecondLook, Review, BulkAct))


# Setting an answer right


def test_an_adjudication_is_a_row_of_its_own_that_the_export_takes_first(sign_in, project, people, tmp_path):
    (question,) = make_split(project, "dev", ["61 m deep", "61 m"])
    before = agreement(project, "dev").performance.report()
    assignment = make_answered(question, texts=["61 m deep"])
    client = sign_in("reviewer")
    start = CASTLE.index("61 m")
    fixed = post(
        client, "review_fix", project, assignment, question=question.pk, text="61 m", start=start, end=start + 4, seen=0
    )
    assert messages_of(fixed) == [f"Set right: {question} → 61 m"]
    made = Answer.objects.get(adjudicated_by=people["reviewer"])
    assert (made.start, made.end, made.text, made.position, made.is_gold) == (start, start + 4, "61 m", None, False)
    assert assignment.answers.get().text == "61 m deep"
    assert agreement(project, "dev").performance.report() == before  # no worker said so
    write_export(project, tmp_path)
    exported = (tmp_path / "dev-v1.1.json").read_text()
    assert exported.index('"text": "61 m"' if '"text": "61 m"' in exported else '"text":"61 m"') < exported.index(
        '61 m deep"'
    )
    text = shown(client.get(page(project, assignment)))
    assert "✓ 61 m set right; this one is exported" in text


def test_taking_an_adjudication_back_lets_the_workers_answers_stand(sign_in, project, people):
    assignment = make_written(project)
    question = assignment.questions.get()
    made = adjudicate(question, people["reviewer"], None)
    assert standing_adjudication(question) == made
    post(sign_in("reviewer"), "review_verdict", project, assignment, answer=made.pk, decision="drop")
    assert standing_adjudication(question) is None


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({}, "Mark the answer in the paragraph, type its words, or say that it cannot be answered."),
        ({"text": "1340"}, "“1340” stands in the paragraph 2 times. Mark the right one"),
        ({"text": "1341"}, "“1341” does not stand in the paragraph, letter by letter."),
        ({"text": "Crown", "start": "3", "end": "8"}, "but the answer says 'Crown'."),
        ({"text": "Crown", "start": "9" * 30, "end": "8"}, None),
        ({"text": "x\0y", "start": "1", "end": "3"}, ""),
    ],
)
def test_an_answer_that_does_not_stand_there_is_refused_with_a_sentence(sign_in, project, data, sentence):
    (question,) = make_split(project, "dev", ["61 m"])
    assignment = make_answered(question, texts=["61 m"])
    answer = post(sign_in("reviewer"), "review_fix", project, assignment, question=question.pk, **data)
    if sentence is None:  # half a place is none, and the words stand there once
        assert Answer.objects.filter(adjudicated_by__isnull=False).get().text == "Crown"
        return
    assert sentence in messages_of(answer)[0]
    assert not Answer.objects.filter(adjudicated_by__isnull=False).exists()


def test_words_that_stand_once_are_found_and_lines_are_no_difference():
    assert span_in("a b\nc b", "b\r\nc", 2, 5) == (2, 5)
    assert span_in("a b c", " b ", None, None) == (2, 3)
    with pytest.raises(NoSuchSpan):
        span_in("a b c b", "b", None, None)
    assert [span_in("a b c b", "b", None, None, number) for number in (1, 2)] == [(2, 3), (6, 7)]
    assert span_in("aaa", "aa", None, None, 2) == (1, 3)
    for number in (0, 3):
        with pytest.raises(NoSuchSpan, match=f"2 times; there is no number {number}"):
            span_in("a b c b", "b", None, None, number)


def test_of_two_who_set_an_answer_right_the_second_is_told(project, people):
    question = make_written(project).questions.get()
    first = adjudicate(question, people["requester"], (0, 3), seen=0)
    with pytest.raises(Overtaken, match="set this answer right just now: The"):
        adjudicate(question, people["reviewer"], (0, 8), seen=0)
    assert adjudicate(question, people["reviewer"], (0, 8), seen=first.pk).text == "The mill"


def test_only_a_question_of_the_work_can_be_set_right_or_asked_about(sign_in, project):
    assignment, other, client = make_written(project), make_written(project), sign_in("reviewer")
    for key in (other.questions.get().pk, "x", "9" * 30, ""):
        for name in ("review_fix", "review_look"):
            if key == "" and name == "review_look":
                continue  # about the whole
            assert post(client, name, project, assignment, question=key, unanswerable=1).status_code == 404


# Two reviewers


def test_opened_work_is_kept_for_its_reviewer_and_others_are_led_past_it(sign_in, project, people):
    first, second = (fresh(project, submitted_at=timezone.now() - timedelta(hours=hours)) for hours in (2, 1))
    sign_in("requester").get(page(project, first))
    assert ReviewClaim.objects.get().reviewer == people["requester"]
    client = sign_in("reviewer")
    response = client.get(reverse("review_next", args=[project.slug]))
    assert response["Location"] == page(project, second)
    seen = client.get(page(project, first))
    assert f"{people['requester'].username} has this open until" in shown(seen)
    # Left alone, it is anybody's again.
    ReviewClaim.objects.update(until=timezone.now())
    assert claims.claim(first, people["reviewer"], 10).is_mine
    assert not claims.claim(first, people["requester"], 10).is_mine


def test_viewers_claim_nothing_and_a_decision_lets_go(sign_in, project, people):
    assignment = fresh(project)
    sign_in("viewer").get(page(project, assignment))
    assert not ReviewClaim.objects.exists()
    client = sign_in("reviewer")
    client.get(page(project, assignment))
    assert ReviewClaim.objects.exists()
    post(client, "review_decide", project, assignment, decision="approve")
    assert not ReviewClaim.objects.exists()


def at_once(*acts):
    """Run ``acts`` in threads of their own, started together; return what each returned or raised."""
    barrier, results = threading.Barrier(len(acts)), [None] * len(acts)

    def run(place, act):
        try:
            barrier.wait(10)
            results[place] = act()
        except Exception as problem:
            results[place] = problem
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=each) for each in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


@pytest.mark.django_db(transaction=True)
def test_of_an_undo_and_a_decision_at_once_one_is_told_what_the_other_did(project, people):
    assignment = fresh(project)
    review.approve(assignment, people["reviewer"], hold=True)
    results = at_once(*[lambda: review.undo(assignment, people["reviewer"])] * 3)
    assert sum(isinstance(result, Review) for result in results) == 1
    assert sum(isinstance(result, review.TooLate) for result in results) == 2
    assert Review.objects.filter(decision="undo").count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_verdicts_at_once_the_second_reviewer_is_told_of_the_first(project, people):
    question = make_written(project).questions.get()
    results = at_once(
        lambda: give_verdict(question, "drop", people["reviewer"], seen=0),
        lambda: give_verdict(question, "keep", people["requester"], seen=0),
    )
    assert sorted(type(result).__name__ for result in results) == ["Overtaken", "Verdict"]


# Many at once


def copied(project):
    """Work whose only fault is that it copies."""
    assignment = fresh(project)
    question = assignment.questions.get()
    Question.objects.filter(pk=question.pk).update(text="When was the mill was built in 1742 it burned?")
    return assignment


def test_a_filter_chooses_a_preview_shows_and_undo_takes_back(sign_in, project, people):
    clean, bad = [fresh(project) for _ in range(2)], copied(project)
    noticing.notice(project, noticing.unnoticed(project, ReviewRules(project=project)), ReviewRules(project=project))
    client = sign_in("reviewer")
    assert listed(client.get(reverse("review_queue", args=[project.slug]) + "?signal=none")) == [
        row.pk for row in clean
    ]
    assert listed(client.get(reverse("review_queue", args=[project.slug]) + "?signal=copied")) == [bad.pk]
    assert listed(client.get(reverse("review_queue", args=[project.slug]) + "?signal=any")) == [bad.pk]
    address = reverse("review_many", args=[project.slug])
    preview = client.get(address, {"all": 1, "signal": "none"})
    assert "Approve 2 assignments?" in shown(preview)
    assert "Chosen by: nothing against it" in shown(preview)
    done = client.post(address, group(preview.context["fields"]), follow=True)
    act = BulkAct.objects.get()
    assert (act.decision, act.chosen_by, act.assignments) == ("approve", {"signal": "none"}, [row.pk for row in clean])
    assert set(Review.objects.values_list("act", flat=True)) == {act.pk}
    assert "2 can be taken back until" in shown(done)
    undo = reverse("review_many_undo", args=[project.slug, act.pk])
    back = client.post(undo, follow=True)
    assert messages_of(back) == ["Took 2 of 2 back."]
    assert queue.assignments_in(project, "waiting").count() == 3
    assert "took this back just now." in messages_of(client.post(undo, follow=True))[0]


def group(fields):
    values = {}
    for name, value in fields:
        values.setdefault(name, []).append(value)
    return values


def test_what_was_told_meanwhile_stays_and_the_rest_is_taken_back(sign_in, project, people):
    works = [fresh(project) for _ in range(3)]
    act = bulk.decide_many(project, [row.pk for row in works], "drop", people["reviewer"], chosen_by={})
    assert Question.objects.dropped().count() == 3
    AssignmentDecision.objects.filter(assignment=works[0]).update(held_until=timezone.now())
    client = sign_in("reviewer")
    back = client.post(reverse("review_many_undo", args=[project.slug, act.pk]), follow=True)
    assert messages_of(back) == ["Took 2 of 3 back."]
    assert set(Question.objects.dropped()) == {works[0].questions.get()}
    act.refresh_from_db()
    assert (act.undone_by, act.undone_count) == (people["reviewer"], 2)


def test_once_the_marketplace_was_told_undo_says_why_not(sign_in, project, people):
    works = [fresh(project) for _ in range(2)]
    act = bulk.decide_many(project, [row.pk for row in works], "approve", people["reviewer"], chosen_by={})
    client = sign_in("reviewer")
    told = client.post(reverse("review_many_tell", args=[project.slug, act.pk]), follow=True)
    assert "It cannot be taken back any more: the marketplace has been told." in shown(told)
    late = client.post(reverse("review_many_undo", args=[project.slug, act.pk]), follow=True)
    assert messages_of(late) == ["This cannot be taken back: the marketplace has been told, and the workers with it."]


def test_many_are_rejected_with_a_chosen_reason_but_never_for_reading_as_machine_written(sign_in, project):
    works, client = [fresh(project) for _ in range(2)], sign_in("reviewer")
    address = reverse("review_many", args=[project.slug])
    data = {"all": 1, "decision": "reject", "chosen_reason": "copied"}
    preview = client.get(address, data)
    assert "Reject 2 assignments?" in shown(preview)
    refused = client.post(address, group(preview.context["fields"]))
    assert (refused.status_code, "Say why" in shown(refused)) == (422, True)
    client.post(address, group(preview.context["fields"]) | {"chosen_reason": "copied"})
    assert set(AssignmentDecision.objects.values_list("kind", "feedback")) == {
        ("reject", str(reasons.CHOICES["copied"]))
    }
    with pytest.raises(bulk.NotAllowed, match="never a reason to reject by itself"):
        bulk.decide_many(
            project,
            [row.pk for row in works],
            "reject",
            people_of(project),
            reason=REASON,
            chosen_by={"signal": "machine"},
        )
    assert BulkAct.objects.count() == 1


def test_a_second_look_is_asked_for_at_many(sign_in, project, people):
    works, client = [fresh(project) for _ in range(2)], sign_in("reviewer")
    address = reverse("review_many", args=[project.slug])
    preview = client.get(address, {"assignment": [works[0].pk], "other_decision": "look"})
    assert "Ask for a second look at 1 assignment?" in shown(preview)
    client.post(address, group(preview.context["fields"]))
    assert SecondLook.objects.get().assignment == works[0]
    assert not AssignmentDecision.objects.exists()


def test_a_filter_of_nonsense_narrows_nothing():
    assert Filter.of({"kind": "x", "signal": "'; --", "worker": "NaN", "batch": "9" * 40}) == Filter()
    chosen = Filter.of({"kind": "write", "signal": "copied", "worker": "7", "batch": "8"})
    assert Filter.of(chosen.words()) == chosen


# What expired, was paid or is unknown


def test_work_that_was_paid_or_given_up_meanwhile_is_said_to_be(sign_in, project, people):
    paid, client = fresh(project), sign_in("reviewer")
    paid.move_to("approved", decided_at=timezone.now())
    late = post(client, "review_decide", project, paid, decision="reject", reason=REASON)
    assert messages_of(late) == ["This was approved at the marketplace, not here, just now."]
    assert not AssignmentDecision.objects.exists()
    assert (
        bulk.decide_many(project, [paid.pk], "reject", people["reviewer"], reason=REASON, chosen_by={}).assignments
        == []
    )


def test_unknown_ids_are_not_found_whatever_they_are(sign_in, project, people):
    client, elsewhere = sign_in("reviewer"), make_written(make_project())
    for name in ("review_decide", "review_undo", "review_verdict", "review_fix", "review_look"):
        for pk in (elsewhere.pk, 0, 10**17):
            assert client.post(reverse(name, args=[project.slug, pk]), {"decision": "approve"}).status_code == 404
    for name in ("review_many_undo", "review_many_tell", "gold_retire", "second_withdraw"):
        assert client.post(reverse(name, args=[project.slug, 10**17])).status_code in (403, 404)
    assert client.get(reverse("second_look", args=[project.slug, 10**17])).status_code == 404


# The record, the trail and the roles


def test_the_workers_record_stands_beside_the_work_and_ends_with_the_project(sign_in, project, people):
    worker = make_worker()
    approved = make_written(project, worker=worker, status="approved")
    make_written(project, worker=worker, status="rejected")
    make_written(make_project(), worker=worker, status="rejected")
    assignment = make_written(project, worker=worker)
    give_verdict(approved.questions.get(), "drop", people["reviewer"])
    adjudicate(assignment.questions.get(), people["reviewer"], None)
    found = record_of(project, worker)
    assert (found.approved, found.rejected, found.waiting, found.made, found.dropped, found.fixed) == (1, 1, 1, 3, 1, 1)
    text = shown(sign_in("viewer").get(page(project, assignment)))
    assert "1 approved, 1 rejected (50 % approved)" in text
    assert "3 questions and answers: 1 left out, 1 set right" in text


def test_the_page_says_who_decided_what_and_when(sign_in, project, people):
    assignment = fresh(project)
    question = assignment.questions.get()
    for name in ("reviewer", "requester"):
        people[name].first_name = name.title()
        people[name].save()
    give_verdict(question, "drop", people["reviewer"])
    looks.ask(assignment, people["reviewer"], note="Really?")
    review.approve(assignment, people["requester"], hold=True)
    review.undo(assignment, people["requester"])
    text = shown(sign_in("viewer").get(page(project, assignment)))
    order = [
        f"Reviewer: left “{question}” out of the data",
        "Reviewer: asked for a second look: Really?",
        "Requester: approved",
        "Requester: took that back",
    ]
    places = [text.index(words) for words in order]
    assert places == sorted(places)
    assert "Requester: took the second look" in text


@pytest.mark.parametrize(
    ("person", "status"),
    [("outsider", 404), ("viewer", 403), ("reviewer", 302), ("requester", 302), ("superuser", 302)],
)
def test_what_changes_something_is_for_reviewers(sign_in, project, person, status):
    assignment, client = fresh(project), sign_in(person)
    question = assignment.questions.get()
    for name, data in [
        ("review_fix", {"question": question.pk, "unanswerable": 1}),
        ("review_look", {}),
        ("review_undo", {}),
    ]:
        assert client.post(reverse(name, args=[project.slug, assignment.pk]), data).status_code == status, name
    assert Answer.objects.filter(adjudicated_by__isnull=False).exists() == (status == 302)


def test_a_held_decision_is_not_carried_out_by_the_job(project, people):
    review.approve(fresh(project), people["reviewer"], hold=True)
    assert deciding.carry_out() == 0
