"""The quiz: its notation, tries that the server checks, and the fact that comes of them once the endpoint lists it."""

from datetime import UTC, datetime

import pytest
from django.db import IntegrityError, transaction

from annotation.models import Assignment, Draft, Exclusion, QuizResult, QuizTry
from annotation.services import guide_notation, guides, quiz_notation, quizzes, standing
from annotation.services.listing import record_listing
from tests.annotation.factories import make_offer, make_paragraph, make_task, make_user
from tests.annotation.quiz import PASSAGE, RIGHT, TYPED, WRONG, check, check_body, make_quiz_offer
from tests.annotation.work import data_of, frame, opened, save, send, span

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)


@pytest.fixture
def quiz_offer(project):
    return make_quiz_offer(project)


@pytest.fixture
def quiz(quiz_offer):
    return opened(quiz_offer)


def listed(offer, assignment="A1", worker="W1", status="submitted"):
    return record_listing(
        offer, mturk_assignment_id=assignment, mturk_worker_id=worker, status=status, submitted_at=NOON
    )


# The notation


def test_a_quiz_is_typed_in_plain_lines_and_written_out_the_same():
    parsed = quiz_notation.parse(TYPED)
    assert [item["kind"] for item in parsed["items"]] == ["judge", "judge", "mark", "mark"]
    assert [item["right"] for item in parsed["items"]] == ["too_long", "good", ["above Tarn", "Tarn"], []]
    assert parsed["items"][0]["hint"] == "Count the years."
    assert quiz_notation.parse(quiz_notation.written(parsed)) == parsed


def test_squad_v1_ships_a_quiz_of_both_kinds_of_items():
    shipped = guides.shipped_content("squad-v1").quiz
    judged = [item["right"] for item in shipped["items"] if item["kind"] == "judge"]
    assert sorted(judged) == sorted(quiz_notation.JUDGEMENTS)
    marked = [item["right"] for item in shipped["items"] if item["kind"] == "mark"]
    assert [] in marked
    assert len(marked) >= 3
    assert all(item["hint"] for item in shipped["items"])
    assert quiz_notation.parse(quiz_notation.written(shipped)) == shipped
    assert guides.shipped_content("own-crowd").quiz is None


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("? Q? -> A\n= good\nWhy.", "begins with its paragraph"),
        ("> P", "from 1 to 30 items"),
        ("> P\n? Q?\nWhy.", "has one line “= …” with one of: good, copied"),
        ("> P\n? Q?\n= nice\nWhy.", "has one line “= …” with one of: good, copied"),
        ("> P\n? Q?\n= good", "says why"),
        ("> P\n@ Q?\nWhy.", "has a line “= …” with its answer"),
        ("> P\n@ Q?\n= X\nWhy.", "“X” does not stand in the paragraph"),
        ("> P\n@\n= P\nWhy.", "begins with its question"),
        ("> P\n? Q?\n= good\nWhy.\n> P again", "the paragraph stands before"),
    ],
)
def test_what_is_no_quiz_is_refused(typed, said):
    with pytest.raises(guide_notation.NotAGuide, match=said):
        quiz_notation.parse(typed)


# The page


def test_the_page_shows_the_items_and_never_what_is_right(quiz_offer):
    page = frame(quiz_offer)
    data = data_of(page)
    assert data["kind"] == "quiz"
    assert data["quiz"]["items"][0] == {"id": 1, "kind": "judge", "text": "How often did it burn?", "shown": "1811"}
    text = page.content.decode()
    assert not any(secret in text for secret in ("Short and to the point", "Count the years", "It does not say"))
    assert not page.cookies
    preview = data_of(frame(quiz_offer, "ASSIGNMENT_ID_NOT_AVAILABLE"))
    assert (preview["token"], preview["quiz"]["passage"]) == (None, PASSAGE)
    assert Assignment.objects.count() == 1


def test_what_was_chosen_is_saved_as_a_draft(quiz_offer, quiz):
    draft = {"version": 1, "answers": ["good", None, RIGHT[2], None]}
    assert send(quiz["endpoints"]["draft"], draft, quiz["token"]).status_code == 200
    assert opened(quiz_offer)["draft"] == {"answers": draft["answers"]}


# Tries


def test_a_first_try_gives_hints_and_a_second_one_may_pass(quiz_offer, quiz):
    reply = check(quiz, ["copied", "good", RIGHT[2], WRONG[3]]).json()
    assert (reply["right"], reply["total"], reply["needed"], reply["left"]) == (2, 4, 3, 1)
    assert (reply["is_over"], reply["has_passed"], "submit" in reply) == (False, False, False)
    words = [item["words"] for item in reply["items"]]
    assert words[0] == "Count the years."
    assert words[1] == "Short and to the point."
    assert "Not yet" in words[3]
    assert opened(quiz_offer)["quiz"]["outcome"] == reply  # after a reload too
    reply = check(quiz, ["too_long", "good", RIGHT[2], WRONG[3]], 2).json()
    assert (reply["is_over"], reply["has_passed"], reply["left"]) == (True, True, 0)
    assert reply["items"][3]["words"] == "Right: cannot be answered from this paragraph. It does not say."
    assert reply["submit"]["fields"]["assignmentId"] == "A1"
    assert Assignment.objects.get().finished_at is not None
    assert opened(quiz_offer)["quiz"]["outcome"] == reply


def test_a_try_is_counted_once_however_often_it_is_sent(quiz):
    first = check(quiz, WRONG)
    again = check(quiz, RIGHT)  # another content under the same number
    assert (again.status_code, again.json()) == (200, first.json())
    assert QuizTry.objects.get().answers == WRONG
    last = check(quiz, WRONG, 2)
    assert check(quiz, RIGHT, 3).json() == last.json()
    assert QuizTry.objects.count() == 2
    with pytest.raises(IntegrityError, match="a_quiz_try_once"), transaction.atomic():
        QuizTry.objects.create(assignment=Assignment.objects.get(), number=1, answers=[], right_count=0)


def test_who_fails_every_try_is_told_what_was_right(quiz):
    check(quiz, WRONG)
    reply = check(quiz, WRONG, 2).json()
    assert (reply["is_over"], reply["has_passed"], reply["right"]) == (True, False, 0)
    assert reply["items"][2]["words"] == "Right: “above Tarn”. The place."
    assert reply["submit"]["url"].endswith("/mturk/externalSubmit")


@pytest.mark.parametrize(
    ("answer", "is_right"),
    [
        (span(PASSAGE, "above Tarn"), True),
        (span(PASSAGE, "Tarn"), True),
        (span(PASSAGE, "Tarn burned"), False),
        ({"start": 0, "end": 4, "text": "Tarn"}, False),
        ({"start": 0, "end": 9999, "text": "Tarn"}, False),
        ("(none)", False),
    ],
)
def test_a_marked_answer_is_right_where_it_is_one_of_those_that_count(quiz, answer, is_right):
    reply = check(quiz, [RIGHT[0], RIGHT[1], answer, WRONG[3]]).json()
    assert reply["items"][2]["is_right"] is is_right


@pytest.mark.parametrize(("percent", "passes"), [(75, True), (76, False)])
def test_the_projects_own_threshold_decides(project, percent, passes):
    page = opened(make_quiz_offer(project, pass_percent=percent))
    assert check(page, [*RIGHT[:3], WRONG[3]]).json()["has_passed"] is passes


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"answers": [None, *RIGHT[1:]]}, 422),
        ({"answers": RIGHT[:3]}, 400),
        ({"answers": [*RIGHT[:3], "nonsense"]}, 400),
        ({"answers": [*RIGHT[:3], {"start": -1, "end": 2, "text": "x"}]}, 400),
        ({"answers": [*RIGHT[:3], "a\0b"]}, 400),
        ({"answers": "all"}, 400),
        ({"answers": RIGHT * 20}, 400),
        ({"try": 2}, 400),
        ({"try": 0}, 400),
        ({"try": "1"}, 400),
    ],
)
def test_what_is_no_try_is_refused_and_counts_for_nothing(quiz, changes, status):
    refused = check_body(quiz, changes)
    assert (refused.status_code, QuizTry.objects.count()) == (status, 0)
    assert check(quiz, RIGHT).json()["has_passed"] is True


def test_a_quiz_and_other_work_do_not_take_each_others_tokens(quiz, offer):
    page = opened(offer, "A9")
    assert send("/api/v1/work/finish", {"version": 1, "paragraphs": []}, quiz["token"]).status_code == 400
    assert send("/api/v1/work/quiz", {"version": 1, "try": 1, "answers": RIGHT}, page["token"]).status_code == 400
    assert send("/api/v1/work/quiz", {"version": 1, "try": 1, "answers": RIGHT}, "forged").status_code == 403
    assert save(page, [], 1).status_code == 200


# The fact


def test_the_result_counts_once_and_only_when_the_endpoint_lists_it(project, quiz_offer, quiz):
    check(quiz, RIGHT)
    assert QuizResult.objects.count() == 0  # a frame's address proves nothing
    assignment = listed(quiz_offer)
    listed(quiz_offer, status="approved")
    result = QuizResult.objects.get()
    assert (result.passed, result.score, result.assignment) == (True, 1, assignment)
    assert list(standing.passed_workers(project)) == [{"worker": assignment.worker_id}]
    with pytest.raises(IntegrityError), transaction.atomic():
        standing.record_quiz(project, assignment.worker, passed=False, assignment=assignment)


def test_who_fails_is_kept_out_kindly_until_a_requester_lets_them_try_again(project, quiz_offer, quiz):
    check(quiz, WRONG)
    check(quiz, WRONG, 2)
    worker = listed(quiz_offer).worker
    assert Exclusion.objects.get().reason == "quiz"
    again = frame(make_quiz_offer(project), "A2")
    assert (again.status_code, "This work needs the quiz" in again.content.decode()) == (409, True)
    writing = frame(make_offer(make_task(make_paragraph(project))), "A3")
    assert writing.status_code == 409
    standing.readmit(project, worker, "quiz", user=make_user())
    page = opened(make_quiz_offer(project), "A4")
    assert check(page, RIGHT).json()["has_passed"] is True


def test_who_passed_does_not_take_it_again(project, quiz_offer, quiz):
    check(quiz, RIGHT)
    listed(quiz_offer)
    again = frame(make_quiz_offer(project), "A2")
    assert (again.status_code, "passed this quiz already" in again.content.decode()) == (409, True)
    assert frame(make_offer(make_task(make_paragraph(project))), "A3").status_code == 200


def test_a_quiz_that_was_submitted_unfinished_is_no_result(quiz_offer, quiz):
    check(quiz, WRONG)
    send(quiz["endpoints"]["draft"], {"version": 1, "answers": RIGHT}, quiz["token"])
    assert Draft.objects.exists()
    listed(quiz_offer)
    assert QuizResult.objects.count() == 0
    assert Assignment.objects.get().finished_at is None
    assert check(quiz, RIGHT, 2).status_code == 409


def test_a_quiz_uses_up_no_quota(project, quiz_offer, quiz):
    project.most_tasks_a_worker = 1
    project.save()
    check(quiz, RIGHT)
    worker = listed(quiz_offer).worker
    assert standing.tasks_done(project, worker) == 0
    assert frame(make_offer(make_task(make_paragraph(project))), "A3").status_code == 200


def test_a_result_is_worked_out_from_the_best_try(project, quiz_offer, quiz):
    check(quiz, [RIGHT[0], RIGHT[1], *WRONG[2:]])
    check(quiz, WRONG, 2)
    assert quizzes.record(listed(quiz_offer)).score == 0.5
