"""The queue and the review page through their addresses."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import ParagraphWork, Question, QuestionSignals, Verdict
from annotation.services.signals import delete_signals
from hits.models import AssignmentDecision
from reviewer.models import Review
from reviewer.services import review
from tests.annotation.factories import (
    NOON,
    make_answer,
    make_article,
    make_assignment,
    make_paragraph,
    make_project,
    make_question,
    make_task,
    make_worker,
)
from tests.reviewer.factories import make_answered, make_many_waiting, make_split, make_written, publish
from tests.reviewer.test_marks import Reader

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

REASON = "Two of the questions ask the same thing."


@pytest.fixture
def sign_in(client, people):
    """Signs somebody in and returns the client."""

    def as_person(name):
        client.force_login(people[name])
        return client

    return as_person


def queue(project, query=""):
    return reverse("review_queue", args=[project.slug]) + query


def page(project, assignment):
    return reverse("review_assignment", args=[project.slug, assignment.pk])


def decide(client, project, assignment, **data):
    return client.post(reverse("review_decide", args=[project.slug, assignment.pk]), data)


def shown(response):
    """The text of a page, blanks squeezed."""
    text = re.sub(r"<[^>]+>", " ", response.content.decode())
    return " ".join(unescape(text).split())


def listed(response):
    """The assignments that a list shows, in order."""
    return [
        int(pk)
        for pk in re.findall(r"<th scope=\"row\"><a href=\"[^\"]*/assignments/(\d+)/", response.content.decode())
    ]


def messages_of(response):
    return [str(message) for message in response.context["messages"]]


# Who may do what


@pytest.mark.parametrize(
    ("person", "looking", "deciding"),
    [
        ("outsider", 404, 404),
        ("viewer", 200, 403),
        ("reviewer", 200, 302),
        ("requester", 200, 302),
        ("superuser", 200, 302),
    ],
)
def test_viewers_look_and_reviewers_decide(sign_in, project, person, looking, deciding):
    assignment, client = make_written(project), sign_in(person)
    assert client.get(queue(project)).status_code == looking
    assert client.get(page(project, assignment)).status_code == looking
    assert decide(client, project, assignment, decision="approve").status_code == deciding
    assert Review.objects.count() == (deciding == 302)
    verdict = reverse("review_verdict", args=[project.slug, assignment.pk])
    data = {"question": assignment.questions.get().pk, "decision": "drop"}
    assert client.post(verdict, data).status_code == deciding
    assert Verdict.objects.count() == (deciding == 302)
    approve_many = reverse("review_many", args=[project.slug])
    assert client.get(approve_many, {"all": 1}).status_code == (200 if deciding == 302 else deciding)


def test_a_viewer_is_offered_no_decision_and_a_reviewer_is(sign_in, project):
    assignment = make_written(project)
    for person, count in [("viewer", 0), ("reviewer", 1)]:
        content = sign_in(person).get(page(project, assignment)).content.decode()
        assert content.count('value="approve"') == content.count('value="reject"') == count
        assert ('name="assignment"' in sign_in(person).get(queue(project)).content.decode()) == bool(count)


def test_signed_out_people_are_sent_to_sign_in(client, project):
    assignment = make_written(project)
    for response in (client.get(queue(project)), decide(client, project, assignment, decision="approve")):
        assert (response.status_code, response["Location"].split("?")[0]) == (302, "/admin/login/")
    assert not Review.objects.exists()


def test_decisions_are_posts_with_a_token(people, project):
    assignment, strict = make_written(project), Client(enforce_csrf_checks=True)
    strict.force_login(people["reviewer"])
    address = reverse("review_decide", args=[project.slug, assignment.pk])
    assert strict.post(address, {"decision": "approve"}).status_code == 403
    assert strict.get(address).status_code == 405
    token = re.search(
        r'name="csrfmiddlewaretoken" value="(\w+)"', strict.get(page(project, assignment)).content.decode()
    )
    assert strict.post(address, {"decision": "approve", "csrfmiddlewaretoken": token[1]}).status_code == 302


def test_an_assignment_is_found_in_its_own_project_only_and_once_it_is_listed(sign_in, project, people):
    other = make_project(requester=people["reviewer"])
    assignment, unlisted = make_written(project), make_written(project, status="open")
    client = sign_in("reviewer")
    assert client.get(page(project, assignment)).status_code == 200
    assert client.get(page(other, assignment)).status_code == 404
    assert client.get(page(project, unlisted)).status_code == 404


# The list


def test_the_list_is_filtered_by_state_and_kind_and_says_so_in_its_address(sign_in, project, people):
    (question,) = make_split(project, "dev", ["61 m"])
    waiting, answered = make_written(project), make_answered(question, texts=["1340"])
    approved, rejected = make_written(project, status="approved"), make_written(project, status="rejected")
    leaving = make_written(project)
    review.approve(leaving, people["reviewer"])
    client = sign_in("viewer")
    assert listed(client.get(queue(project))) == [waiting.pk, answered.pk]
    for query, wanted in [
        ("?kind=answer", [answered]),
        ("?kind=write", [waiting]),
        ("?state=approved", [approved]),
        ("?state=rejected", [rejected]),
        ("?state=on-its-way", [leaving]),
        ("?state=all", [leaving, rejected, approved, answered, waiting]),
        ("?state=nonsense&kind=nonsense&after=nonsense", [waiting, answered]),
    ]:
        assert listed(client.get(queue(project, query))) == [assignment.pk for assignment in wanted], query


def test_the_list_names_workers_by_pseudonym_alone(sign_in, project):
    assignment = make_written(project)
    client = sign_in("superuser")
    for address in (queue(project), page(project, assignment)):
        response = client.get(address)
        assert f"worker {assignment.worker_id}" in shown(response)
        assert assignment.worker.mturk_worker_id not in response.content.decode()
        assert assignment.mturk_assignment_id not in response.content.decode()


def test_pages_follow_each_other_without_a_gap_while_work_is_decided(sign_in, project, people, monkeypatch):
    monkeypatch.setattr("reviewer.services.queue.PAGE_ROWS", 2)
    # Two were submitted in the same moment: the key tells them apart.
    moments = [NOON, NOON, NOON + timedelta(seconds=1), NOON - timedelta(days=1), NOON + timedelta(microseconds=1)]
    made = [make_written(project, submitted_at=moment) for moment in moments]
    order = [made[index].pk for index in (3, 0, 1, 4, 2)]
    client = sign_in("reviewer")
    first = client.get(queue(project))
    assert listed(first) == order[:2]
    review.approve(made[3], people["requester"])
    second = client.get(first.context["next_address"])
    assert listed(second) == order[2:4]
    third = client.get(second.context["next_address"])
    assert (listed(third), third.context["next_address"]) == (order[4:], "")
    assert client.get(third.context["first_address"]).status_code == 200


def test_a_list_page_costs_few_queries_however_many_rows_it_has(sign_in, project, django_assert_max_num_queries):
    make_many_waiting(project, 300)
    client = sign_in("reviewer")
    with django_assert_max_num_queries(15):
        assert len(listed(client.get(queue(project)))) == 50


def test_two_works_about_one_article_have_links_that_differ(sign_in, project):
    article = make_article(project, title="Oxygen")
    for _ in range(2):
        make_assignment(publish(make_task(make_paragraph(article=article))), status="submitted")
    names = re.findall(r'<th scope="row"><a [^>]*>(.*?)</a>', sign_in("viewer").get(queue(project)).content.decode())
    assert len(names) == len(set(names)) == 2
    assert all(re.sub("<[^>]+>", "", name).startswith("Oxygen, assignment ") for name in names)


def test_an_empty_queue_says_what_comes_here(sign_in, project):
    assert "Nothing waits for you" in shown(sign_in("reviewer").get(queue(project)))
    make_written(project)
    assert "Nothing waits for you" not in shown(sign_in("reviewer").get(queue(project)))


# Approving many


def test_the_confirm_page_says_the_cost_before_anything_is_paid(sign_in, project):
    chosen = [make_written(project) for _ in range(2)]
    rest = make_written(project)
    client = sign_in("reviewer")
    address = reverse("review_many", args=[project.slug])
    confirm = client.get(address, {"assignment": [row.pk for row in chosen]})
    assert "Approve 2 assignments?" in shown(confirm)
    assert "Rewards $1.20 Fees $0.24 Total $1.44" in shown(confirm)
    assert "Our marketplace · pays people" in shown(confirm)
    assert not Review.objects.exists()
    done = client.post(address, dict(group(confirm.context["fields"])), follow=True)
    assert messages_of(done) == ["Approved 2; they are being paid."]
    assert set(AssignmentDecision.objects.values_list("assignment", flat=True)) == {row.pk for row in chosen}
    assert listed(done) == [rest.pk]


def group(fields):
    values = {}
    for name, value in fields:
        values.setdefault(name, []).append(value)
    return values


def test_all_waiting_of_a_kind_are_approved_but_not_what_came_in_since(sign_in, project):
    (question,) = make_split(project, "dev", ["61 m"])
    written, answered = make_written(project), make_answered(question, texts=["1340"])
    client = sign_in("reviewer")
    address = reverse("review_many", args=[project.slug])
    confirm = client.get(address, {"all": 1, "kind": "write"})
    late = make_written(project, submitted_at=NOON + timedelta(hours=1))
    client.post(address, group(confirm.context["fields"]))
    assert list(AssignmentDecision.objects.values_list("assignment", flat=True)) == [written.pk]
    assert listed(client.get(queue(project))) == [answered.pk, late.pk]


def test_a_sum_that_has_grown_is_shown_again_before_it_is_paid(sign_in, project):
    make_written(project)
    client = sign_in("reviewer")
    address = reverse("review_many", args=[project.slug])
    confirm = client.get(address, {"all": 1})
    # Listed late, but submitted before what was shown.
    make_written(project, submitted_at=NOON - timedelta(hours=1))
    again = client.post(address, group(confirm.context["fields"]))
    assert "More work came in since you were shown the sum." in shown(again)
    assert not Review.objects.exists()
    client.post(address, group(again.context["fields"]))
    assert Review.objects.count() == 2


def test_choosing_nothing_or_nonsense_approves_nothing(sign_in, project, people):
    decided, elsewhere = make_written(project), make_written(make_project())
    review.approve(decided, people["requester"])
    client = sign_in("reviewer")
    address = reverse("review_many", args=[project.slug])
    for chosen, heading in [
        ([], "Nothing was selected"),
        (["x", "9" * 30], "Nothing to approve"),
        ([decided.pk], "Nothing to approve"),
        ([elsewhere.pk], "Nothing to approve"),
    ]:
        text = shown(client.get(address, {"assignment": chosen}))
        assert heading in text
        assert ("a colleague was faster" in text) is bool(chosen)
        client.post(address, {"assignment": chosen, "confirmed_usd": "99999"})
    assert Review.objects.count() == 1
    for amount in ("", "NaN", "Infinity", "-1", "x"):
        client.post(address, {"assignment": [make_written(project).pk], "confirmed_usd": amount})
    assert Review.objects.count() == 1


# The review page


def test_a_writers_page_shows_each_answer_marked_beside_its_question(sign_in, project):
    text = "The year 1340 was <dry>. The well is 61 m deep & cold."
    assignment = make_written(project, text=f"{text} In 1742 it was dug again.")
    paragraph = assignment.questions.get().paragraph
    make_question(paragraph, "Which year?", assignment=assignment, answer="year 1340", position=1)
    make_question(paragraph, "What number?", assignment=assignment, answer="1340", position=2)
    half = make_question(paragraph, "How deep?", assignment=assignment, answer="61", position=3)
    half.answers.update(is_mid_word=True)
    work = assignment.task.task_paragraphs.get()
    ParagraphWork.objects.create(assignment=assignment, task_paragraph=work, active_seconds=200, blocked_actions=3)
    response = sign_in("viewer").get(page(project, assignment))
    marked = re.search(r'<p class="paragraph"[^>]*>(.*?)</p>', response.content.decode(), re.DOTALL)[1]
    read = Reader(marked)
    assert read.text == paragraph.text
    assert read.marked == {1: "1742", 2: "year 1340", 3: "1340", 4: "61"}
    text = shown(response)
    assert "3 min 20 s active here; paid for 4 min." in text
    assert "3 pastes, drops, copies or cuts were blocked." in text
    assert text.count("begins or ends inside a word") == 1


@pytest.mark.parametrize(
    ("counts", "sentence"),
    [
        (
            {"active_seconds": 14, "keys": 6, "pastes": 2, "untyped_characters": 8},
            "14 s at work · 6 keys · pasted 2 times · 80 % of the text came without keystrokes",
        ),
        (
            {"active_seconds": 75, "keys": 31, "late_edits": 1, "copied_words": 5},
            "1 min 15 s at work · 31 keys · edited again 1 time · 5 words in a row are the paragraph's",
        ),
        (
            {"active_seconds": 3, "keys": 1, "untyped_characters": 40, "copied_words": 4},
            "3 s at work · 1 key · 100 % of the text came without keystrokes",
        ),
    ],
    ids=["pasted", "typed, looked at again, taken over", "more came and was deleted again"],
)
def test_a_reviewer_reads_how_a_question_was_written(sign_in, project, counts, sentence):
    assignment = make_written(project)
    question = assignment.questions.get()
    Question.objects.filter(pk=question.pk).update(text="Which one?")
    QuestionSignals.objects.create(assignment=assignment, question=question, **counts)
    response = sign_in("viewer").get(page(project, assignment))
    assert re.findall(r"data-signals>(.*?)</p>", unescape(response.content.decode())) == [sentence]
    assert "evidence to weigh, and no reason by itself" in shown(response)


def test_a_reviewer_reads_how_an_answer_was_made_and_how_often_another_window_was_in_front(sign_in, project):
    question = make_written(project, status="approved").questions.get()
    assignment = make_answered(question, texts=[None])
    QuestionSignals.objects.create(assignment=assignment, question=question, active_seconds=9, keys=2)
    work = assignment.task.task_paragraphs.get()
    ParagraphWork.objects.create(assignment=assignment, task_paragraph=work, active_seconds=9, focus_losses=4)
    response = sign_in("viewer").get(page(project, assignment))
    assert re.findall(r"data-signals>(.*?)</p>", response.content.decode()) == ["9 s at work"]
    assert "Another window came in front 4 times." in shown(response)


def test_where_nothing_was_noted_or_it_was_deleted_the_page_says_nothing_of_it(sign_in, project):
    assignment = make_written(project)
    QuestionSignals.objects.create(assignment=assignment, question=assignment.questions.get(), active_seconds=9)
    delete_signals(project)
    text = sign_in("viewer").get(page(project, assignment)).content.decode()
    assert "data-signals" not in text
    assert "evidence to weigh" not in text


def test_an_answerers_page_shows_what_others_answered(sign_in, project):
    author = make_written(project, status="approved")
    question = author.questions.get()
    open_question = make_question(question.paragraph, "Why?", assignment=author)
    other = make_answered(question, texts=["Welsh slate"], status="approved")
    make_answered(question, texts=["1866"], status="open")
    assignment = make_answered(question, open_question, texts=["1742", None])
    text = shown(sign_in("viewer").get(page(project, assignment)))
    assert f"worker {author.worker_id}, the author: 1742 (the same)" in text
    assert f"worker {other.worker_id}: Welsh slate (another place)" in text
    assert "1866 (" not in text  # not submitted
    assert "Cannot be answered from this paragraph" in text


def test_an_others_place_is_told_where_both_answers_have_one(sign_in, project):
    (question,) = make_split(project, "dev", ["61 m deep"])
    touching = make_answered(question, texts=["deep"], status="approved")
    none = make_answered(question, texts=[None], status="approved")
    viewer = sign_in("viewer")
    text = shown(viewer.get(page(project, make_answered(question, texts=["61 m"]))))
    assert "imported: 61 m deep (overlaps)" in text
    assert f"worker {touching.worker_id}: deep (another place)" in text
    assert re.search(rf"worker {none.worker_id}: cannot be answered (?!\()", text)
    text = shown(viewer.get(page(project, make_answered(question, texts=[None]))))
    assert "imported: 61 m deep" in text
    assert re.search(rf"worker {none.worker_id}: cannot be answered (?!\()", text)
    assert not re.search(r"\((the same|overlaps|another place)\)", text)


def test_approving_leads_to_the_next_that_waits(sign_in, project):
    first, second = (make_written(project, submitted_at=NOON + timedelta(hours=hour)) for hour in (0, 1))
    client = sign_in("reviewer")
    assert client.get(page(project, first)).context["next_address"] == page(project, second)
    assert client.get(page(project, second)).context["previous_address"] == page(project, first)
    done = decide(client, project, first, decision="approve")
    assert done["Location"] == page(project, second)
    assert decide(client, project, second, decision="approve")["Location"] == queue(project)
    assert list(AssignmentDecision.objects.values_list("kind", flat=True)) == ["approve"] * 2


def test_the_kind_that_is_filtered_by_stays(sign_in, project):
    (question,) = make_split(project, "dev", ["61 m"])
    first, _written = make_answered(question, texts=["1340"]), make_written(project)
    second = make_answered(question, texts=["1340"], submitted_at=NOON + timedelta(hours=1))
    done = decide(sign_in("reviewer"), project, first, decision="approve", kind="answer")
    assert done["Location"] == page(project, second) + "?kind=answer"


def test_a_rejection_without_a_reason_stays_on_the_page_with_what_was_typed(sign_in, project):
    assignment, client = make_written(project), sign_in("reviewer")
    refused = decide(client, project, assignment, decision="reject", reason="too <bad>")
    assert refused.status_code == 422
    assert "Say why in at least 10 characters: the worker is shown your reason." in shown(refused)
    assert "too &lt;bad&gt;</textarea>" in refused.content.decode()
    assert not Review.objects.exists()
    assert decide(client, project, assignment, decision="reject", reason=REASON).status_code == 302
    assert AssignmentDecision.objects.get().feedback == REASON


def test_nothing_is_decided_without_a_decision(sign_in, project):
    assignment, client = make_written(project), sign_in("reviewer")
    assert decide(client, project, assignment).status_code == 400
    assert decide(client, project, assignment, decision="pay").status_code == 400
    assert not Review.objects.exists()


def test_the_second_of_two_reviewers_gets_a_sentence_and_decides_nothing(sign_in, project, people):
    assignment = make_written(project)
    people["requester"].first_name = "Anna"
    people["requester"].save()
    decide(sign_in("requester"), project, assignment, decision="approve")
    AssignmentDecision.objects.update(asked_at=timezone.now() - timedelta(minutes=2, seconds=5))
    late = decide(sign_in("reviewer"), project, assignment, decision="reject", reason=REASON)
    assert late["Location"] == page(project, assignment)
    text = shown(sign_in("reviewer").get(late["Location"]))
    assert text.count("Anna approved this 2 minutes ago.") == 2  # in the message, and on the page
    assert "The marketplace is being told." in text
    assert Review.objects.count() == 1


def test_a_page_says_what_was_decided_and_why(sign_in, project, people):
    assignment = make_written(project)
    review.reject(assignment, people["requester"], REASON)
    AssignmentDecision.objects.update(done_at=timezone.now())
    assignment.move_to("rejected", decided_at=timezone.now())
    response = sign_in("reviewer").get(page(project, assignment))
    assert f"Reason given: {REASON}" in shown(response)
    content = response.content.decode()
    assert ('value="approve"' in content, 'value="reject"' in content) == (True, False)


def test_where_nothing_is_left_to_decide_no_empty_bar_covers_the_page(sign_in, project):
    waiting, paid = make_written(project), make_written(project, status="approved")
    client = sign_in("reviewer")
    bars = [client.get(page(project, work)).content.decode().count('class="decide"') for work in (waiting, paid)]
    assert bars == [1, 0]


def test_work_that_never_reached_us_is_said_to_be_missing(sign_in, project):
    assignment = make_written(project)
    client = sign_in("reviewer")
    assert "no finished work reached us" not in shown(client.get(page(project, assignment)))
    assignment.finished_at = None
    assignment.save()
    assert "no finished work reached us" in shown(client.get(page(project, assignment)))


def test_a_question_is_left_out_of_the_data_and_taken_back(sign_in, project):
    assignment = make_written(project, status="approved")
    question = assignment.questions.get()
    client, address = sign_in("reviewer"), reverse("review_verdict", args=[project.slug, assignment.pk])
    client.post(address, {"question": question.pk, "decision": "drop"})
    assert not Question.objects.in_project(project).counting().exists()
    assert "left out of the data" in shown(client.get(page(project, assignment)))
    client.post(address, {"question": question.pk, "decision": "keep"})
    assert Question.objects.in_project(project).counting().exists()


def test_an_extra_answer_is_left_out_alone_and_nobody_elses_can_be(sign_in, project):
    (question,) = make_split(project, "dev", ["61 m"])
    assignment = make_answered(question, texts=["1340"], worker=make_worker())
    foreign = make_answer(question, "the Crown")
    client, address = sign_in("reviewer"), reverse("review_verdict", args=[project.slug, assignment.pk])
    client.post(address, {"answer": assignment.answers.get().pk, "decision": "drop"})
    assert [verdict.answer for verdict in Verdict.objects.all()] == [assignment.answers.get()]
    for data in ({"answer": foreign.pk}, {"question": question.pk}, {"answer": "x"}, {}):
        assert client.post(address, data | {"decision": "drop"}).status_code == 404
    assert Verdict.objects.count() == 1


def test_a_page_costs_few_queries_however_much_work_it_shows(sign_in, project, django_assert_max_num_queries):
    assignment = make_written(project)
    paragraph = assignment.questions.get().paragraph
    for number in range(20):
        make_question(paragraph, f"Question {number}?", assignment=assignment)
    client = sign_in("reviewer")
    assert client.get(page(project, assignment)).status_code == 200  # works its signals out
    with django_assert_max_num_queries(15):
        assert client.get(page(project, assignment)).status_code == 200


def test_pages_allow_nothing_inline_and_no_frame(sign_in, project):
    client = sign_in("reviewer")
    for address in (queue(project), page(project, make_written(project))):
        response = client.get(address)
        policy = response["Content-Security-Policy"]
        assert "script-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert not re.search(r"<script(?![^>]*\ssrc=)|\sstyle=|\son\w+=|<style", response.content.decode())


@pytest.mark.parametrize(("active", "is_said"), [(47, True), (48, False), (0, False)])
def test_work_done_in_less_than_a_fifth_of_its_paid_time_is_pointed_out(project, sign_in, active, is_said):
    assignment = make_written(project)
    paid = assignment.offer.paid_seconds
    assert paid == 240
    work = assignment.task.task_paragraphs.get()
    ParagraphWork.objects.create(assignment=assignment, task_paragraph=work, active_seconds=active)
    text = shown(sign_in("reviewer").get(page(project, assignment)))
    assert ("far too fast" in text) == is_said


@pytest.mark.parametrize(
    ("person", "status", "is_offered"),
    [
        ("requester", "approved", True),
        ("requester", "rejected", True),
        ("requester", "submitted", False),
        ("reviewer", "approved", False),
    ],
)
def test_requesters_reach_the_bonus_of_decided_work_from_its_review(project, sign_in, person, status, is_offered):
    assignment = make_written(project, status=status, decided_at=None if status == "submitted" else NOON)
    client = sign_in(person)
    link = f"{reverse('admin:hits_batch_money', args=[assignment.offer.hit.batch_id])}?assignment={assignment.pk}"
    assert (f'href="{link}"' in client.get(page(project, assignment)).content.decode()) == is_offered
    if is_offered:
        assert client.get(link).context["bonus_form"].initial == {"assignment": str(assignment.pk)}
