"""Faults that others have met in the field, their cases driven through the worker's page with real hands.

The cases are files beside the repository; each test skips where they are absent.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from annotation.models import Answer, ParagraphWork, QuestionSignals
from annotation.services.imports import import_file
from scoring.advice import COPIED_WORDS
from tests.annotation.factories import make_answer_task, make_offer, make_project
from tests.browser.stub import MarketplaceStub
from tests.browser.work_fixtures import MakeOffer, Open
from tests.browser.worker import WorkPage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# What assistive technology does: a selection of the paragraph's text between two UTF-16 offsets.
SELECT = """
([start, end]) => {
  const place = (units) => {
    const texts = document.createTreeWalker(document.querySelector('[data-part="passage"]'), NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      if (units <= node.data.length) return [node, units];
      units -= node.data.length;
    }
  };
  getSelection().setBaseAndExtent(...place(start), ...place(end));
}
"""


@pytest.fixture
def case(shared_dir: Path) -> Callable[[str], Any]:
    return lambda name: json.loads((shared_dir / "cases" / name).read_text(encoding="utf-8"))


def begin(open_work: Open, make_write_offer: MakeOffer, text: str) -> WorkPage:
    return open_work(make_write_offer(text, max_questions=10))


def sent(work: WorkPage) -> list[tuple[int, str]]:
    """Submit, and every answer as it was stored, in the order of the questions."""
    work.submit()
    work.page.frames[1].wait_for_selector("h1:text-is('Submitted')", timeout=40_000)
    return list(Answer.objects.order_by("question__position", "pk").values_list("start", "text"))


def test_s01_characters_that_a_browser_counts_as_two(open_work, make_write_offer, case) -> None:
    passage = case("s01_astral.json")
    text = passage["context"]
    work = begin(open_work, make_write_offer, text)
    wanted = []
    for number, selection in enumerate(passage["selections"], 1):
        units = [selection["utf16_start"], selection["utf16_end"]]
        work.ask(number, f"Number {number}?")
        if "expected_start" in selection:
            before = [text.encode("utf-16-le")[: 2 * edge].decode("utf-16-le") for edge in units]
            work.drag(*map(len, before))
            wanted.append((selection["expected_start"], selection["expected_text"]))
        else:  # it begins inside a pair, which no mouse can do: it may be widened
            work.frame.evaluate(SELECT, units)
            work.part("take").click()
            wanted.append((67, "🎉 and ended"))
            assert "start 67, text '🎉 and ended'" in selection["expected"]
    shown = work.marks()
    work.wait_until_saved()
    work = work.reload()
    assert work.marks() == shown
    assert sent(work) == wanted


def test_s02_white_space_at_the_edges(open_work, make_write_offer, case) -> None:
    passage = case("s02_edge_whitespace.json")
    work = begin(open_work, make_write_offer, passage["context"])
    wanted = []
    for selection in passage["selections"]:
        if selection["expected"] == "refuse":
            before = work.marks()
            work.drag(selection["raw_start"], selection["raw_end"])
            expect(work.part("said")).to_contain_text("Only blanks were selected")
            assert work.marks() == before
            continue
        wanted.append((selection["expected"]["start"], selection["expected"]["text"]))
        work.ask(len(wanted), f"{selection['name']}?")
        work.drag(selection["raw_start"], selection["raw_end"])
    assert len(wanted) == 6
    assert sent(work) == wanted


def test_s03_text_that_stands_more_than_once_or_inside_a_word(open_work, make_write_offer, case) -> None:
    passage = case("s03_repeated.json")
    work = begin(open_work, make_write_offer, passage["context"])
    wanted = []
    for number, selection in enumerate(passage["selections"], 1):
        work.ask(number, selection["question"])
        work.drag(selection["start"], selection["start"] + len(selection["text"]))
        wanted.append((selection["start"], selection["text"]))
    work.ask(len(wanted) + 1, "A digit inside a number?")
    work.drag(53, 54)
    assert sent(work) == [*wanted, (50, "1917")]


@pytest.mark.parametrize("name", ["s04_crlf.json", "s06_leading_space.json"])
def test_s04_and_s06_line_ends_and_blanks_of_a_file(
    open_work: Open, marketplace_stub: MarketplaceStub, shared_dir: Path, name: str
) -> None:
    project = make_project(min_paragraph_chars=0)
    import_file(project, (shared_dir / "cases" / name).read_bytes(), file_name=name, with_questions=True)
    questions = list(project.questions.order_by("position"))
    gold = [question.answers.values_list("start", "text").get() for question in questions]
    work = open_work(make_offer(make_answer_task(*questions), worker_origins=[marketplace_stub.origin]))
    for number, (start, text) in enumerate(gold, 1):
        work.card(number).locator('[data-part="number"]').click()
        work.drag(start, start + len(text))
    work.submit()
    work.page.frames[1].wait_for_selector("h1:text-is('Submitted')")
    given = Answer.objects.filter(assignment__isnull=False).order_by("question__position")
    assert list(given.values_list("start", "text")) == gold


def test_s05_what_the_browser_calls_a_selection(open_work, make_write_offer, case) -> None:
    passage = case("s05_selection.json")
    text = passage["passage"]
    expected = [
        (selection["expected_start"], selection["expected_text"])
        for selection in passage["selections"]
        if "expected_start" in selection
    ]
    assert [start for start, _text in expected] == [0, 26, 62]
    work = begin(open_work, make_write_offer, text)
    work.page.set_viewport_size({"width": 1280, "height": 1400})
    # The file has a bold and a highlighted word: here both are highlights, which split the text just so.
    for number, word in enumerate(("north", "skerry"), 1):
        work.ask(number, f"Highlight {number}?")
        work.mark(word)
    work.ask(3, "A triple click?")
    work.click(10, times=3)
    assert work.answer(3) == text
    work.ask(4, "A drag over both highlights?")
    work.drag(26, 38)
    work.ask(5, "A drag backwards?")
    work.drag(68, 62)
    work.ask(6, "A drag from the heading?")
    heading = work.part("place").bounding_box()
    assert heading is not None
    work.drag_between((heading["x"] + 2, heading["y"] + 5), work.point(12, 0.9))
    assert work.answer(6) == "Harbour seals"
    before = work.marks()
    label = work.card(1).locator('[data-part="note"]').bounding_box()
    assert label is not None
    y = label["y"] + label["height"] / 2
    work.drag_between((label["x"] + 5, y), (label["x"] + 40, y))
    work.card(6).locator('[data-part="number"]').click()
    work.click(40)
    assert work.marks() == before  # neither what is selected elsewhere nor a plain click is an answer
    # The triple click as the file words it, with its end at the beginning of what comes next.
    work.ask(7, "Ends in the next element?")
    work.frame.evaluate("""() => {
        const passage = document.querySelector('[data-part="passage"]');
        getSelection().setBaseAndExtent(passage.firstChild, 0, document.querySelector('[data-part="questions"]'), 0);
    }""")
    work.part("take").click()
    assert sent(work) == [(26, "north"), (32, "skerry"), *expected, (0, "Harbour seals"), (0, text)]


def test_s20_nothing_comes_into_a_question_but_what_is_typed(open_work, make_write_offer, case) -> None:
    inputs = case("s20_inputs.json")
    passage = inputs["passage"]
    work = begin(open_work, make_write_offer, passage)
    for number, question in enumerate(inputs["questions"], 1):
        work.ask(number, question["text"])
        work.mark(("1864 and 1870", "two", "nine shafts")[number - 1])
    work.ask(4, "")
    field, note = work.field(4), work.card(4).locator('[data-part="note"]')
    session = work.page.context.new_cdp_session(work.page)
    # Keys and the browser's own menu, which comes to the page as the same command.
    work.field(1).click()
    work.press("Control+a", "Control+c")
    field.click()
    work.press("Control+v")
    expect(note).to_contain_text("Pasting is switched off here")
    session.send("Input.dispatchKeyEvent", {"type": "keyDown", "key": "Unidentified", "commands": ["paste"]})
    # The middle button pastes what was selected last.
    box = field.bounding_box()
    assert box is not None
    work.page.mouse.click(box["x"] + 20, box["y"] + 10, button="middle")
    # Text of the passage, selected and dragged.
    work.passage.focus()
    work.press("Control+a")
    work.drag_between(work.point(10, 0.5), (box["x"] + 20, box["y"] + 10))
    expect(field).to_have_value("")
    # What stays as it is: typing, taking back, input methods, accents by dead keys.
    field.click()
    work.page.keyboard.type("Wherre")
    work.press("ArrowLeft", "Backspace", "End")
    expect(field).to_have_value("Where")
    work.page.keyboard.type(" x")
    work.press("Control+z", "Control+a", "Delete")
    for composed, committed in (("とんね", "トンネル"), ("´", "é")):
        session.send("Input.imeSetComposition", {"text": composed, "selectionStart": 1, "selectionEnd": 1})
        session.send("Input.insertText", {"text": committed})
    expect(field).to_have_value("トンネルé")
    # Marking by keyboard works on; by mouse it has above, and tests of a phone do it by finger.
    work.press("F2", "End", "Shift+ArrowLeft", "Enter")
    assert work.answer(4) == "the sky"
    expect(work.card(2)).to_contain_text("Repeats 11 words in a row")
    assert len(sent(work)) == 4
    assert ParagraphWork.objects.get().blocked_actions == 4
    copied = list(QuestionSignals.objects.order_by("question__position").values_list("copied_words", flat=True))
    assert copied[1] == inputs["questions"][1]["longest_common_run_words"]
    assert max(copied[0], copied[2]) < copied[1]
    assert copied[1] >= COPIED_WORDS  # from there on reviewers see it
