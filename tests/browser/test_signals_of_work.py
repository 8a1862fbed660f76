"""What the page counts while somebody works: each signal by the act that makes it, told, stored, and deleted again."""

import pytest
from django.core.management import call_command
from playwright.sync_api import BrowserContext, expect

from annotation.models import Answer, ParagraphWork, Question, QuestionSignals
from tests.browser.work_fixtures import MakeOffer, Open

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_each_signal_is_counted_by_its_act_told_to_the_worker_and_deletable(
    open_work: Open, make_write_offer: MakeOffer, context: BrowserContext, capsys: pytest.CaptureFixture[str]
) -> None:
    context.clock.install()
    offer = make_write_offer(slug="harbour")
    work = open_work(offer)
    work.ask(1, "Who rowed out?")  # 14 keys
    work.press("Control+v")  # refused, and a key of its own beside Ctrl
    work.field(1).blur()
    work.field(1).click()
    work.press("End")
    session = context.new_cdp_session(work.page)
    session.send(
        "Input.insertText", {"text": " spoken at once"}
    )  # as dictation does: 15 characters; V and End account for two
    context.clock.run_for(50_000)
    work.mark("Ruth Amble")
    work.ask(2, "What was lit by hand until 1931?")  # six of its words stand in a row in the paragraph
    work.mark("The lamp")
    elsewhere = context.new_page()  # another window comes in front
    elsewhere.bring_to_front()
    work.page.bring_to_front()
    note = work.frame.locator("details.privacy")
    note.locator("summary").click()
    for told in ("seconds at work", "keys were pressed", "pastes", "without a key", "after its first draft",
                 "refused copies, pastes and drops", "another window was in front", "words taken over",
                 "Only numbers are kept", "can delete them"):  # fmt: skip
        expect(note).to_contain_text(told)
    work.submit()
    work.page.frames[1].wait_for_selector("h1:text-is('Submitted')", timeout=40_000)
    first, second = QuestionSignals.objects.order_by("question__position")
    assert (first.keys, first.pastes, first.untyped_characters, first.late_edits, first.copied_words) == (
        16, 1, 13, 1, 2,
    )  # fmt: skip
    assert first.active_seconds >= 50 > second.active_seconds
    assert (second.keys, second.pastes, second.untyped_characters, second.late_edits, second.copied_words) == (
        32, 0, 0, 0, 6,
    )  # fmt: skip
    whole = ParagraphWork.objects.get()
    assert (whole.blocked_actions, whole.focus_losses) == (1, 1)
    call_command("delete_signals", "harbour")
    assert capsys.readouterr().out == "Deleted the signals of 2 questions.\n"
    whole.refresh_from_db()
    assert (QuestionSignals.objects.count(), whole.focus_losses) == (0, 0)
    assert (Question.objects.count(), Answer.objects.count()) == (2, 2)
