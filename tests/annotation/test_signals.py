"""Signals of how questions were typed: kept as numbers beside the work, optional, bounded, and deletable."""

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Answer, Draft, ParagraphWork, Question, QuestionSignals
from tests.annotation import work
from tests.annotation.factories import (
    make_answer_task,
    make_article,
    make_offer,
    make_paragraph,
    make_project,
    make_question,
    make_task,
)
from tests.annotation.work import NIGHT

pytestmark = pytest.mark.django_db
COUNTS = {"active_seconds": 41, "keys": 30, "pastes": 1, "untyped_characters": 12, "late_edits": 2}


def writing():
    offer = make_offer(make_task(make_paragraph(article=make_article(make_project(slug="mills")), text=NIGHT)))
    return work.opened(offer)


def sent(page, signals=None, focus_losses=None):
    question = work.written("What was lit by hand until 1931?", work.span(NIGHT, "1931"))
    paragraph = work.paragraph(page["paragraphs"][0]["id"], question)
    if signals is not None:
        question["signals"] = signals
    if focus_losses is not None:
        paragraph["focus_losses"] = focus_losses
    return [paragraph]


def test_signals_are_kept_with_the_longest_run_of_copied_words():
    page = writing()
    assert work.finish(page, sent(page, COUNTS, 3)).status_code == 200
    kept = QuestionSignals.objects.get()
    assert {name: getattr(kept, name) for name in COUNTS} == COUNTS
    assert (kept.question, kept.copied_words) == (Question.objects.get(), 6)
    assert ParagraphWork.objects.get().focus_losses == 3


def test_a_page_that_sends_none_is_taken_as_it_was():
    page = writing()
    assert work.finish(page, sent(page)).status_code == 200
    assert (Question.objects.count(), QuestionSignals.objects.count()) == (1, 0)


@pytest.mark.parametrize(
    ("signals", "field"),
    [
        (7, "signals"),
        ({"keys": -1}, "signals.keys"),
        ({"keys": "many"}, "signals.keys"),
        ({"pastes": 10**7}, "signals.pastes"),
        ({"late_edits": True}, "signals.late_edits"),
    ],
)
def test_what_is_no_count_is_refused_with_its_place(signals, field):
    page = writing()
    reply = work.finish(page, sent(page, signals))
    assert (reply.status_code, reply.json()["field"]) == (400, f"paragraphs[0].questions[0].{field}")
    assert work.finish(page, sent(page, {"keys": 1, "letters": "abc"})).status_code == 200  # the unknown is left out
    assert "letters" not in str(Draft.objects.get().content)


def test_who_answers_leaves_signals_too():
    paragraph = make_paragraph(text=NIGHT)
    question = make_question(paragraph, "Who?", answer=None)
    page = work.opened(make_offer(make_answer_task(question)))
    paragraphs = work.whole(page)
    paragraphs[0]["questions"][0]["signals"] = {"active_seconds": 9}
    assert work.finish(page, paragraphs).status_code == 200
    kept = QuestionSignals.objects.get()
    assert (kept.question, kept.active_seconds, kept.copied_words) == (question, 9, 0)


def test_signals_are_deleted_and_the_work_stays(capsys):
    page = writing()
    work.finish(page, sent(page, COUNTS, 3))
    call_command("delete_signals", "mills")
    assert capsys.readouterr().out == "Deleted the signals of 1 question.\n"
    assert (QuestionSignals.objects.count(), ParagraphWork.objects.get().focus_losses) == (0, 0)
    assert (Question.objects.count(), Answer.objects.count()) == (1, 1)
    assert "signals" not in str(Draft.objects.get().content)
    with pytest.raises(CommandError, match="There is no project"):
        call_command("delete_signals", "nope")
