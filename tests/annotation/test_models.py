"""What the database itself keeps, whatever code stands in front of it."""

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from accounts.models import User
from annotation.models import (
    Answer,
    Article,
    Assignment,
    IllegalMove,
    LostRace,
    Membership,
    Offer,
    Paragraph,
    Project,
    Question,
    TaskParagraph,
    Verdict,
)
from tests.annotation.factories import (
    NOON,
    make_answer,
    make_answer_task,
    make_article,
    make_assignment,
    make_import,
    make_offer,
    make_paragraph,
    make_project,
    make_question,
    make_superuser,
    make_task,
    make_user,
    make_worker,
)

pytestmark = pytest.mark.django_db


def refused(name: str):
    """The block must fail on the constraint ``name``; the transaction goes on after it."""
    return _Refused(name)


class _Refused:
    def __init__(self, name: str) -> None:
        self.name = name

    def __enter__(self) -> None:
        self._savepoint = transaction.atomic()
        self._savepoint.__enter__()

    def __exit__(self, kind, error, trace) -> bool:
        self._savepoint.__exit__(kind, error, trace)
        assert isinstance(error, IntegrityError), f"{self.name} let it pass: {error!r}"
        assert error.__cause__.diag.constraint_name == self.name
        return True


def test_the_splits_of_a_project_add_up_to_a_hundred():
    make_project(train_percent=60, dev_percent=20, test_percent=20)
    with refused("split_is_a_hundred_percent"):
        make_project(train_percent=60, dev_percent=20, test_percent=21)


def test_the_fewest_questions_are_no_more_than_the_most():
    make_project(min_questions=5, max_questions=5)
    with refused("fewest_questions_below_most"):
        make_project(min_questions=6, max_questions=5)


@pytest.mark.parametrize(
    ("field", "good", "bad"),
    [
        ("max_questions", [1, 50], [0, 51]),
        ("writers_per_paragraph", [1, 100], [0, 101]),
        ("paragraphs_per_task", [1, 100], [0, 101]),
        ("questions_per_answer_task", [1, 100], [0, 101]),
        ("extra_answers", [0, 20], [21]),
        ("hourly_rate_usd", ["0.01", 1000], [0, -1, "1000.01"]),
        ("seconds_per_paragraph", [1, 86_400], [0, 86_401]),
        ("seconds_per_answer", [1, 86_400], [0, 86_401]),
        ("time_allowance", [1, 100], [0, 101]),
        ("lifetime_days", [1, 365], [0, 366]),
        ("auto_approval_days", [0, 30], [31]),
        ("min_percent_approved", [None, 0, 100], [101]),
        ("countries", [[], ["US", "CA"]], ["US", {"US": 1}, ["us"], ["USA"], [1], ["US\n"]]),
    ],
)
def test_the_numbers_of_a_project_stay_within_what_can_be_published(project, field, good, bad):
    for value in good:
        setattr(project, field, value)
        project.full_clean()
    for value in bad:
        setattr(project, field, value)
        with pytest.raises(ValidationError) as refusal:
            project.full_clean()
        assert field in refusal.value.message_dict


def test_a_rehearsal_says_what_it_rehearses(project):
    make_project(is_rehearsal=True, origin=project)
    with refused("a_rehearsal_has_an_origin"):
        make_project(is_rehearsal=True)


def test_a_user_holds_one_role_in_a_project(project):
    user = make_user()
    Membership.objects.create(project=project, user=user, role="viewer")
    Membership.objects.create(project=make_project(), user=user, role="requester")
    with refused("one_role_per_user_and_project"):
        Membership.objects.create(project=project, user=user, role="requester")


def test_a_title_and_a_place_belong_to_one_article_of_a_project(project):
    make_article(project, title="Mill", position=0)
    make_article(make_project(), title="Mill", position=0)
    with refused("one_article_per_title"):
        make_article(project, title="Mill", position=1)
    with refused("one_article_per_position"):
        make_article(project, title="Ferry", position=0)


def test_a_text_stands_once_in_a_project(project):
    make_paragraph(project, text="The ferry left at noon.")
    make_paragraph(make_project(), text="The ferry left at noon.")
    with refused("no_paragraph_twice"):
        make_paragraph(project, text="The ferry left at noon.")


def test_a_paragraph_has_text(project):
    article = make_article(project)
    with refused("paragraph_is_not_empty"):
        Paragraph.objects.create(project=project, article=article, position=0, text="", text_sha256="0" * 64)


def test_a_paragraphs_text_can_change_until_a_question_stands_on_it(project):
    paragraph = make_paragraph(project)
    assert Paragraph.objects.filter(pk=paragraph.pk).update(text=f"{paragraph.text} More.") == 1
    make_question(paragraph)
    with refused("paragraph_text_is_frozen"):
        Paragraph.objects.filter(pk=paragraph.pk).update(text="Something else.")


def test_a_frozen_paragraph_can_still_be_saved_unchanged(project):
    paragraph = make_question(make_paragraph(project)).paragraph
    paragraph.refresh_from_db()
    paragraph.save()
    paragraph.position = 7
    paragraph.save()
    assert Paragraph.objects.get(pk=paragraph.pk).position == 7


def test_a_question_id_stands_once_in_a_project(project):
    paragraph = make_paragraph(project)
    make_question(paragraph, public_id="56be4db0acb8001400a502ec")
    make_question(make_paragraph(make_project()), public_id="56be4db0acb8001400a502ec")
    with refused("a_question_id_once_per_project"):
        make_question(paragraph, public_id="56be4db0acb8001400a502ec")


def test_a_question_has_exactly_one_source(project):
    paragraph = make_paragraph(project)
    assignment = make_assignment(make_offer(make_task(paragraph)))
    Question.objects.create(project=project, paragraph=paragraph, text="Why?", assignment=assignment)
    with refused("question_has_one_source"):
        Question.objects.create(project=project, paragraph=paragraph, text="Why?")
    with refused("question_has_one_source"):
        Question.objects.create(
            project=project, paragraph=paragraph, text="Why?", assignment=assignment, imported_from=make_import(project)
        )


def test_a_question_has_text(project):
    with refused("question_is_not_empty"):
        make_question(make_paragraph(project), text="")


def test_a_question_sent_twice_is_stored_once(project):
    paragraph = make_paragraph(project)
    offer = make_offer(make_task(paragraph))
    mine, hers = make_assignment(offer), make_assignment(offer)
    client_id = "0b1f4a66-5b38-4d9e-9c3e-0d6a4f1b2c3d"
    make_question(paragraph, assignment=mine, client_id=client_id)
    make_question(paragraph, assignment=hers, client_id=client_id)
    with refused("a_question_once_per_assignment"):
        make_question(paragraph, assignment=mine, client_id=client_id)


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"start": 0, "end": 3, "text": ""}, id="empty text"),
        pytest.param({"start": 3, "end": 3, "text": "The"}, id="no length"),
        pytest.param({"start": 4, "end": 3, "text": "The"}, id="end before start"),
        pytest.param({"start": 0, "end": 3}, id="no text"),
        pytest.param({"start": 0, "text": "The"}, id="no end"),
        pytest.param({"end": 3, "text": "The"}, id="no start"),
        pytest.param({"text": "The"}, id="text alone"),
        pytest.param({"start": 0, "end": 3, "text": None}, id="place without text"),
    ],
)
def test_an_answer_is_a_whole_span_or_says_unanswerable(project, fields):
    question = make_question(make_paragraph(project), answer=None)
    source = {"question": question, "imported_from": question.imported_from}
    Answer.objects.create(**source, start=0, end=3, text="The")
    assert Answer.objects.create(**source).is_unanswerable
    with refused("span_or_unanswerable"):
        Answer.objects.create(**source, **fields)


def test_an_answer_has_exactly_one_source(project):
    question = make_question(make_paragraph(project))
    make_answer(question, "1742", adjudicated_by=make_user())
    with refused("answer_has_one_source"):
        Answer.objects.create(question=question)
    with refused("answer_has_one_source"):
        make_answer(question, "1742", adjudicated_by=make_user(), imported_from=question.imported_from)


def test_an_adjudication_and_a_gold_answer_have_no_position(project):
    question = make_question(make_paragraph(project))
    make_answer(question, "1742", adjudicated_by=make_user())
    make_answer(question, "1742", is_gold=True)
    with refused("only_real_answers_have_a_position"):
        make_answer(question, "1742", adjudicated_by=make_user(), position=1)
    with refused("only_real_answers_have_a_position"):
        make_answer(question, "1742", is_gold=True, position=1)


def test_an_assignment_answers_a_question_once(project):
    question = make_question(make_paragraph(project))
    offer = make_offer(make_answer_task(question))
    mine, hers = make_assignment(offer), make_assignment(offer)
    make_answer(question, "1742", assignment=mine)
    make_answer(question, "1742", assignment=hers)
    with refused("one_answer_per_assignment"):
        make_answer(question, "1866", assignment=mine)


@pytest.mark.django_db(transaction=True)
def test_answers_can_change_places_within_one_transaction_but_not_share_one(project):
    question = make_question(make_paragraph(project))
    first, second = question.answers.get(), make_answer(question, "1866", position=1)
    with transaction.atomic():
        Answer.objects.filter(pk=first.pk).update(position=1)
        Answer.objects.filter(pk=second.pk).update(position=0)
    assert list(question.answers.order_by("position")) == [second, first]
    with pytest.raises(IntegrityError, match="one_answer_per_position"), transaction.atomic():
        Answer.objects.filter(pk=first.pk).update(position=0)


def test_an_answer_stands_at_its_place_in_the_paragraph(project):
    question = make_question(make_paragraph(project), answer=None)
    Answer(question=question, start=22, end=26, text="1742").clean()
    with pytest.raises(ValidationError):
        Answer(question=question, start=21, end=25, text="1742").clean()


def test_verdicts_are_only_ever_added(project):
    question = make_question(make_paragraph(project))
    first = Verdict.objects.create(question=question, decision="drop", decided_by=make_user())
    Verdict.objects.create(question=question, decision="keep", decided_by=make_user())
    with refused("verdict_is_append_only"):
        Verdict.objects.filter(pk=first.pk).update(decision="keep")
    with refused("verdict_is_append_only"):
        first.delete()


def test_a_verdict_is_on_one_thing(project):
    question = make_question(make_paragraph(project))
    reviewer = make_user()
    with refused("verdict_on_one_thing"):
        Verdict.objects.create(decision="drop", decided_by=reviewer)
    with refused("verdict_on_one_thing"):
        Verdict.objects.create(question=question, answer=question.answers.get(), decision="drop", decided_by=reviewer)


def test_a_task_holds_a_paragraph_and_a_place_once(project):
    paragraph, other = make_paragraph(project), make_paragraph(project)
    task = make_task(paragraph)
    TaskParagraph.objects.create(task=task, position=1, paragraph=other)
    with refused("one_task_paragraph_per_position"):
        TaskParagraph.objects.create(task=task, position=1, paragraph=make_paragraph(project))
    with refused("a_paragraph_once_in_a_task"):
        TaskParagraph.objects.create(task=task, position=2, paragraph=paragraph)


def test_a_hit_id_stands_once_at_an_endpoint_and_may_be_unknown_for_many(project):
    task = make_task(make_paragraph(project))
    make_offer(task, mturk_hit_id="")
    make_offer(task, mturk_hit_id="")
    make_offer(task, mturk_hit_id="H1")
    make_offer(task, mturk_hit_id="H1", endpoint="sandbox")
    with refused("one_offer_per_hit"):
        make_offer(task, mturk_hit_id="H1")
    assert Offer.objects.count() == 4


def test_a_worker_is_one_row_at_an_endpoint():
    make_worker(mturk_worker_id="W1")
    make_worker(mturk_worker_id="W1", endpoint="sandbox")
    with refused("a_worker_once_per_endpoint"):
        make_worker(mturk_worker_id="W1")


def test_two_workers_may_bring_the_same_assignment_id_and_one_worker_brings_it_once():
    offer = make_offer()
    worker = make_worker()
    make_assignment(offer, worker, mturk_assignment_id="A1")
    make_assignment(offer, mturk_assignment_id="A1")
    with refused("an_assignment_once_per_worker"):
        make_assignment(offer, worker, mturk_assignment_id="A1")


def test_a_worker_does_a_task_once_whichever_hit_it_came_through():
    task, worker = make_task(), make_worker()
    first = make_assignment(make_offer(task), worker, status="submitted")
    make_assignment(make_offer(task), worker)  # opened alone: nothing is listed yet
    with refused("a_worker_does_a_task_once"):
        make_assignment(make_offer(task), worker, status="submitted")
    make_assignment(make_offer(task), worker, status="submitted", repeat_of=first)


def test_listed_work_has_its_time_of_submission():
    make_assignment(status="submitted", submitted_at=NOON)
    with refused("listed_work_has_its_time"):
        make_assignment(status="submitted", submitted_at=None)


ALL_STATUSES = list(Assignment.Status)


@pytest.mark.parametrize("old", ALL_STATUSES)
@pytest.mark.parametrize("new", ALL_STATUSES)
def test_an_assignment_moves_along_the_table_and_nowhere_else(old, new):
    assignment = make_assignment(status=old)
    if new in Assignment.MOVES[old]:
        assignment.move_to(new, submitted_at=NOON)
        assert assignment.status == new
    else:
        with pytest.raises(IllegalMove):
            assignment.move_to(new)
        assert Assignment.objects.get(pk=assignment.pk).status == old


def test_of_two_who_move_an_assignment_one_loses():
    assignment = make_assignment(status="submitted")
    other = Assignment.objects.get(pk=assignment.pk)
    other.move_to("approved", decided_at=NOON)
    with pytest.raises(LostRace):
        assignment.move_to("rejected")
    assert Assignment.objects.get(pk=assignment.pk).status == "approved"


@pytest.mark.parametrize(("language", "direction"), [("en", "ltr"), ("ar", "rtl"), ("zh-Hant", "ltr"), ("xx", "ltr")])
def test_a_projects_language_gives_the_direction_of_its_text(language, direction):
    assert Project(language=language).text_direction == direction


@pytest.mark.parametrize("language", ["en", "pt-BR", "zh-Hant", "gsw"])
def test_a_language_is_a_bcp_47_tag(language):
    Project(name="P", slug="p", language=language).clean_fields()


@pytest.mark.parametrize("language", ["", "e", "en_GB", "english please", "en-"])
def test_what_is_no_bcp_47_tag_is_no_language(language):
    with pytest.raises(ValidationError) as refusal:
        Project(name="P", slug="p", language=language).clean_fields()
    assert set(refusal.value.message_dict) == {"language"}


def test_every_row_starts_from_what_the_user_may_see(project, people):
    paragraph = make_question(make_paragraph(project)).paragraph
    for name, sees in [("outsider", 0), ("viewer", 1), ("reviewer", 1), ("requester", 1), ("superuser", 1)]:
        user: User = people[name]
        for model in (Project, Article, Paragraph, Question):
            assert model.objects.visible_to(user).count() == sees, (name, model)
        assert Answer.objects.visible_to(user).filter(question__paragraph=paragraph).count() == sees


def test_a_role_opens_what_it_opens(project, people):
    make_paragraph(project)
    for name, edits in [("outsider", 0), ("viewer", 0), ("reviewer", 0), ("requester", 1), ("superuser", 1)]:
        assert Project.objects.with_role(people[name], "requester").count() == edits
        assert Paragraph.objects.in_projects_where(people[name], "requester").count() == edits


def test_a_question_counts_from_an_import_or_approved_work_until_it_is_dropped(project):
    paragraph = make_paragraph(project)
    offer = make_offer(make_task(paragraph))
    imported = make_question(paragraph)
    approved = make_question(paragraph, assignment=make_assignment(offer, status="approved"))
    make_question(paragraph, assignment=make_assignment(offer, status="submitted"))
    make_question(paragraph, assignment=make_assignment(offer, status="rejected"))
    assert set(Question.objects.counting()) == {imported, approved}
    reviewer = make_superuser()
    Verdict.objects.create(question=approved, decision="drop", decided_by=reviewer)
    assert set(Question.objects.counting()) == {imported}
    Verdict.objects.create(question=approved, decision="keep", decided_by=reviewer)
    assert set(Question.objects.counting()) == {imported, approved}


def test_a_question_needs_answers_until_it_has_as_many_extra_ones_as_wanted(project):
    question = make_question(make_paragraph(project))
    make_answer(question, "1866", position=1)
    assert list(Question.objects.needing_answers(1)) == []
    assert list(Question.objects.needing_answers(2)) == [question]
    make_answer(question, None, position=2)
    assert list(Question.objects.needing_answers(2)) == []
