"""Help while writing: remarks come once a worker pauses, and only those that the project chose stop."""

import pytest
from playwright.sync_api import expect

from annotation.models import Assignment, Offer, Question
from tests.annotation.factories import make_assignment, make_question
from tests.browser.work_fixtures import MakeOffer, Open

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_remarks_wait_until_the_field_is_left_or_the_worker_pauses(
    open_work: Open, make_write_offer: MakeOffer
) -> None:
    work = open_work(make_write_offer())
    work.ask(1, "Tell me who rowed out")
    note = work.card(1).locator('[data-part="note"]')
    expect(note).to_have_attribute("data-kind", "hint")  # while keys still fall
    work.press("Tab")
    expect(note).to_have_text("This does not read like a question: does a question mark belong at its end?")
    work.field(1).click()
    work.press("End")
    work.page.keyboard.type("?")
    expect(note).to_have_attribute("data-kind", "hint")
    work.mark("Its keeper, Ruth Amble")
    work.ask(2, "Who kept the light?")
    work.mark("Ruth Amble")
    expect(note).to_have_text("The answer overlaps that of question 2: would a shorter piece do?")
    work.card(2).get_by_role("button", name="Remove question 2").click()
    expect(note).to_have_text("Done.")


def test_a_question_of_another_worker_is_remarked_on_as_it_is_asked_again_and_never_shown(
    open_work: Open, make_write_offer: MakeOffer
) -> None:
    offer = make_write_offer(max_questions=2)
    paragraph = offer.task.task_paragraphs.get().paragraph
    kept = make_assignment(offer, status=Assignment.Status.APPROVED)
    make_question(paragraph, "Who slept by day?", assignment=kept, answer="Ruth Amble")
    work = open_work(offer)
    assert "Who slept" not in work.frame.content()
    note = work.card(1).locator('[data-part="note"]')
    work.ask(1, "By day, who slept")
    expect(note).not_to_contain_text("asked about the paragraph before")
    work.press("Tab")
    expect(note).to_contain_text("This was asked about the paragraph before: could you ask for something else?")
    work.field(1).click()
    work.press("End")
    work.page.keyboard.type(" until dusk?")
    work.press("Tab")
    expect(note).not_to_contain_text("asked about the paragraph before")
    expect(note).to_have_text("Needs an answer: mark it in the paragraph.")


def test_a_remark_that_stops_is_listed_and_one_that_informs_is_not(
    open_work: Open, make_write_offer: MakeOffer
) -> None:
    work = open_work(make_write_offer(stopping_advice=["not_a_question"]))
    work.ask(1, "Until when was it lit by hand until 1931")
    work.mark("until 1931")
    work.submit()
    entries = work.part("open").get_by_role("listitem")
    expect(entries).to_have_count(1)
    expect(entries).to_contain_text("Please change this before you send the work.")
    assert Question.objects.count() == 0
    work.part("open").get_by_role("button").first.click()
    work.press("End")
    work.page.keyboard.type("?")
    expect(work.part("open")).to_be_hidden()
    work.submit()
    work.page.frames[1].wait_for_selector("h1:text-is('Submitted')")
    assert Question.objects.count() == 1


def test_who_answers_is_asked_for_the_shortest_piece(open_work: Open, answer_offer: Offer) -> None:
    work = open_work(answer_offer)
    work.mark("The lamp of the east pier was lit by hand until 1931. Its keeper")
    expect(work.card(1)).to_contain_text("The answer has 14 words: is there a shorter piece that answers?")
    work.mark("1931")
    expect(work.card(1)).not_to_contain_text("shorter piece")
