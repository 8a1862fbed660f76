"""The signals of submitted work: each beside work of which it says nothing, and what a project may change of them."""

from datetime import timedelta

import pytest

from annotation.models import GoldQuestion, Paragraph, ParagraphWork, QuestionSignals
from reviewer.models import FoundSignal, ReviewRules, SignalRun
from reviewer.services import noticing
from reviewer.services.signal_catalogue import SPEAK_FOR, THRESHOLDS, Code
from reviewer.services.signals import sentence
from reviewer.tasks import note_signals
from tests.annotation.factories import (
    NOON,
    make_answer,
    make_answer_task,
    make_article,
    make_assignment,
    make_paragraph,
    make_question,
    make_task,
    make_user,
    make_worker,
)
from tests.reviewer.factories import CASTLE, make_answered, make_split, make_written, publish

pytestmark = pytest.mark.django_db


def noticed(project, assignment, **thresholds):
    """The signals of ``assignment`` by code, in words."""
    rules = ReviewRules(project=project, thresholds=thresholds)
    noticing.notice(project, [assignment], rules)
    return {found.signal: sentence(found) for found in FoundSignal.objects.filter(assignment=assignment)}


def write(project, *asked, article=None, active=240, **signals):
    """A writer's work of ``asked``, pairs of a question and its answer, typed key by key unless ``signals`` differ."""
    text = f"{CASTLE} It is castle number {Paragraph.objects.count()}."
    paragraph = make_paragraph(article=article or make_article(project), text=text)
    task = make_task(paragraph)
    assignment = make_assignment(publish(task), status="submitted")
    for position, (question, answer) in enumerate(asked):
        row = make_question(paragraph, question, assignment=assignment, answer=answer, position=position)
        counts = {"keys": len(question), "active_seconds": 40} | signals
        QuestionSignals.objects.create(assignment=assignment, question=row, **counts)
    ParagraphWork.objects.create(
        assignment=assignment, task_paragraph=task.task_paragraphs.get(), active_seconds=active
    )
    return assignment


GOOD = ("Which cleric had the rampart put up?", "Abbot Ruad")


def test_ordinary_work_has_nothing_against_it(project):
    assignment = write(project, GOOD, ("How deep is the well?", "61 m"))
    assert noticed(project, assignment) == {
        "typed": "57 keys",
        "usual_pace": "4 min at work; the median here is 4 min",
    }
    assert SignalRun.objects.get().against == 0


@pytest.mark.parametrize(
    ("asked", "code", "said"),
    [
        (("Who stands above the Ilve and why?", "Brann Castle"), "", ""),
        (
            ("What castle stands above the Ilve the well?", "Brann Castle"),
            "copied",
            "7 words in a row are the paragraph's",
        ),
        (("Who was it?", CASTLE[: CASTLE.index(" for the")]), "long_answer", "30 words; more than 12 "),
        (("Did Abbot Ruad raise it?", "Abbot Ruad"), "answer_in_question", "the question holds its answer"),
        (("Who raised the wall", "Abbot Ruad"), "not_a_question", "no question mark at its end"),
        (("How deep is it?", "m deep"), "", ""),
        (("How deep is it?", "61 m de"), "odd_edges", "the answer begins or ends inside a word"),
        (("How dry was it?", "the year 1340 being dry."), "odd_edges", "the answer takes punctuation along"),
        (
            ("**According to the passage**, who raised it?", "Abbot Ruad"),
            "machine",
            "phrases such as “according to the passage”, list signs or markup. Evidence",
        ),
        (("According to the passage, who raised it?", "Abbot Ruad"), "", ""),
    ],
)
def test_a_question_and_its_answer_speak_for_themselves(project, asked, code, said):
    against = {name: words for name, words in noticed(project, write(project, asked)).items() if name not in SPEAK_FOR}
    assert list(against) == ([code] if code else [])
    assert not code or against[code].startswith(said)


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ({"pastes": 2, "keys": 6}, "pasted 2 times, 6 keys"),
        ({"untyped_characters": 18, "keys": 18}, "50 % of the text came without keystrokes, 18 keys"),
        ({"untyped_characters": 17, "keys": 19}, None),
        ({"keys": 4}, None),
    ],
    ids=["pasted", "half untyped", "less than half", "few keys alone say nothing"],
)
def test_what_was_pasted_or_came_without_keys_is_said(project, counts, said):
    found = noticed(project, write(project, GOOD, **counts))
    assert found.get("pasted") == said
    assert "typed" not in found


@pytest.mark.parametrize(("active", "is_said"), [(47, True), (48, False), (0, False)])
def test_work_in_less_than_a_fifth_of_its_paid_time_is_far_too_fast(project, active, is_said):
    for _ in range(3):
        write(project, GOOD, active=200)
    found = noticed(project, write(project, GOOD, active=active))
    assert found.get("too_fast") == (
        "47 s at work for what is paid as 4 min; the median here is 3 min 20 s" if is_said else None
    )


def test_a_question_that_was_asked_before_about_the_article_is_found(project):
    article = make_article(project)
    write(project, GOOD, article=article)
    exact = write(project, ("which cleric HAD the rampart put up", "Abbot Ruad"), article=article)
    near = write(project, ("Which clerics had that rampart put up?", "Abbot Ruad"), article=article)
    other = write(project, ("How deep is the well?", "61 m"), article=article)
    elsewhere = write(project, GOOD)
    assert noticed(project, exact)["duplicate"] == f"“{GOOD[0]}”"
    assert noticed(project, near)["near_duplicate"] == f"89 % like “{GOOD[0]}”"
    for assignment in (other, elsewhere):
        assert not {"duplicate", "near_duplicate"} & noticed(project, assignment).keys()


def test_the_second_of_two_equal_questions_of_one_worker_is_the_duplicate(project):
    assignment = write(project, GOOD, GOOD)
    noticed(project, assignment)
    (found,) = FoundSignal.objects.filter(signal="duplicate")
    assert found.question == assignment.questions.order_by("position").last()


def test_questions_in_another_language_are_said_to_be(project):
    german = write(
        project, ("Wer ließ die Mauer der Burg errichten?", "Abbot Ruad"), ("Wie tief ist der Brunnen dort?", "61 m")
    )
    assert "the questions read as “de”; the project's language is “en”" in noticed(project, german).values()
    english = write(project, GOOD, ("How deep is the well of the castle?", "61 m"))
    assert "other_language" not in noticed(project, english)
    short = write(project, ("Wie tief?", "61 m"))
    assert "other_language" not in noticed(project, short)


def test_one_mould_for_all_questions_is_said(project):
    moulds = [(f"What is the {word} of it?", "61 m") for word in ("depth", "height", "name", "age", "use")]
    assert (
        noticed(project, write(project, *moulds))["straight_lining"] == "100 % of 5 questions begin with the same words"
    )
    assert "straight_lining" not in noticed(project, write(project, *moulds[:3]))


def test_who_agrees_with_nobody_is_said_once_two_others_answered(project):
    (question,) = make_split(project, "dev", ["61 m"])
    assert "lone_answer" not in noticed(project, make_answered(question, texts=["1340"]))
    make_answered(question, texts=["61 m deep"], status="approved")
    lone, near = make_answered(question, texts=["Ilve"]), make_answered(question, texts=["m deep"])
    # By now five people have answered, one of them with the year.
    assert noticed(project, lone)["lone_answer"] == "agrees with none of 4 others: 0 % F1 at best"
    found = noticed(project, near)
    assert "lone_answer" not in found
    assert found["agrees"] == "agrees with somebody on 1 of 1 question"


def test_rejected_answers_speak_for_nobody(project):
    (question,) = make_split(project, "dev", ["61 m"])
    make_answered(question, texts=["Ilve"], status="rejected")
    assert "lone_answer" not in noticed(project, make_answered(question, texts=["1340"]))


def test_a_gold_check_is_passed_or_failed_against_what_is_known(project):
    real, checked = make_split(project, "dev", ["61 m"], ["Ilve"])
    reviewer = make_user()
    GoldQuestion.objects.create(project=project, question=checked, added_by=reviewer)
    make_answer(checked, "Abbot Ruad", adjudicated_by=reviewer, is_gold=True)
    offer = publish(make_answer_task(real, checked, gold=(checked,)), max_assignments=9)

    def answered(text):
        assignment = make_assignment(offer, make_worker(), status="submitted")
        make_answer(real, "61 m", assignment=assignment)
        make_answer(checked, text, assignment=assignment, is_gold=True)
        return noticed(project, assignment)

    assert answered("the Crown")["gold_failed"] == "0 % F1 with what is known: “Abbot Ruad”"
    assert answered(None)["gold_failed"] == "0 % F1 with what is known: “Abbot Ruad”"
    passed = answered("Abbot Ruad raised")
    assert passed["gold_passed"] == "1 of 1 gold check passed"
    assert "gold_failed" not in passed


@pytest.mark.parametrize(
    ("thresholds", "expected"), [({}, True), ({"copied": 8}, False), ({"copied": 7}, True), ({"copied": None}, False)]
)
def test_a_project_moves_a_threshold_or_switches_it_off(project, thresholds, expected):
    assignment = write(project, ("What castle stands above the Ilve the well?", "Brann Castle"))
    assert ("copied" in noticed(project, assignment, **thresholds)) is expected


def test_every_signal_has_words_and_every_one_against_a_threshold(project):
    assert {threshold.code for threshold in THRESHOLDS} == set(Code) - SPEAK_FOR
    assert all(str(threshold.meaning) for threshold in THRESHOLDS)


def test_signals_are_worked_out_for_what_waits_and_again_under_new_rules(project):
    waiting = write(project, ("What castle stands above the Ilve the well?", "Brann Castle"))
    decided = make_written(project, status="approved", submitted_at=NOON + timedelta(hours=1))
    note_signals()
    assert list(SignalRun.objects.values_list("assignment", "rules", "against")) == [(waiting.pk, None, 1)]
    assert not FoundSignal.objects.filter(assignment=decided).exists()
    first = SignalRun.objects.get().noted_at
    note_signals()
    assert SignalRun.objects.get().noted_at == first
    rules = ReviewRules.objects.create(project=project, thresholds={"copied": 50})
    note_signals()
    assert list(SignalRun.objects.values_list("rules", "against")) == [(rules.pk, 0)]


def test_many_pieces_of_work_cost_as_many_queries_as_one(project, django_assert_num_queries):
    works = [write(project, GOOD) for _ in range(6)]
    for some in (works[:1], works):
        with django_assert_num_queries(13):
            noticing.notice(project, some, ReviewRules(project=project))
