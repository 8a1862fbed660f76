"""The copy lock in Chromium, way by way, each beside what the same hands do where it is off; and what it leaves be."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Draft
from tests.browser.conftest import NewContext
from tests.browser.stub import MarketplaceStub
from tests.browser.work_fixtures import PIER, MakeOffer, Open
from tests.browser.worker import WorkPage, open_frame, work_address

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# What the page itself does with an event shows after all of its own listeners have heard it.
LISTEN = """
() => {
  window.heard = [];
  for (const type of ["copy", "cut", "contextmenu", "dragstart", "keydown", "paste", "beforeinput"]) {
    addEventListener(type, (event) => heard.push([type, event.key ?? "", event.defaultPrevented]));
  }
}
"""
EACH = pytest.mark.parametrize("lock", [True, False], ids=["locked", "open"])


def refused(work: WorkPage, kind: str, key: str = "") -> bool:
    """Whether the page refused the last event of that kind."""
    heard = work.frame.evaluate("heard")
    return [prevented for type_, pressed, prevented in heard if type_ == kind and (not key or pressed == key)][-1]


@pytest.fixture
def clipboard(context, platform_server) -> Callable[[], str]:
    """What the system's clipboard holds; it begins with a word of its own."""
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(f"{platform_server}/admin/login/")
    page.evaluate("navigator.clipboard.writeText('before')")

    def read() -> str:
        page.bring_to_front()
        return page.evaluate("navigator.clipboard.readText()")

    return read


@EACH
@pytest.mark.parametrize("keys", ["Control+c", "Control+x", "Control+Insert"])
def test_the_keyboard_copies_nothing(
    open_work: Open, make_write_offer: MakeOffer, clipboard: Callable[[], str], keys: str, lock: bool
) -> None:
    work = open_work(make_write_offer(copy_lock=lock))
    work.passage.focus()
    work.press("Control+a", keys)
    taken = clipboard()
    assert ("Ruth Amble" in taken) is (
        not lock and keys != "Control+x"
    )  # nothing can be cut from a text that only reads
    if lock:
        assert taken == "before"
        expect(work.part("said")).to_contain_text("Copying from the paragraph is switched off")


@EACH
def test_the_mouse_copies_and_drags_nothing(open_work: Open, make_write_offer: MakeOffer, lock: bool) -> None:
    work = open_work(make_write_offer(copy_lock=lock))
    work.frame.evaluate(LISTEN)
    work.page.mouse.click(*work.point(10, 0.5), button="right")
    assert refused(work, "contextmenu") is lock
    work.press("Escape")
    work.passage.focus()
    work.press("Control+a")
    box = work.field(1).bounding_box()
    assert box is not None
    work.drag_between(work.point(10, 0.5), (box["x"] + 20, box["y"] + 10))
    assert refused(work, "dragstart") is lock
    expect(work.field(1)).to_have_value("")


@EACH
@pytest.mark.parametrize("key", ["s", "u"])
def test_the_page_is_not_saved_and_its_source_not_shown_by_a_key(
    open_work: Open, make_write_offer: MakeOffer, key: str, lock: bool
) -> None:
    work = open_work(make_write_offer(copy_lock=lock))
    work.frame.evaluate(LISTEN)
    work.field(1).focus()
    work.press(f"Control+{key}")
    assert refused(work, "keydown", key) is lock
    work.press(key)
    assert refused(work, "keydown", key) is False
    expect(work.field(1)).to_have_value(key)


@EACH
def test_paper_shows_no_paragraph(open_work: Open, make_write_offer: MakeOffer, lock: bool) -> None:
    work = open_work(make_write_offer(copy_lock=lock))
    note = work.frame.locator(".print-note")
    expect(note).to_be_hidden()
    work.page.emulate_media(media="print")
    expect(work.passage).to_be_visible(visible=not lock)
    expect(note).to_be_visible(visible=lock)
    work.page.emulate_media(media="screen")
    expect(work.passage).to_be_visible()


@EACH
@pytest.mark.parametrize("way", ["Control+v", "Control+Shift+v", "Shift+Insert", "menu"])
def test_nothing_is_pasted_into_a_question(
    open_work: Open, make_write_offer: MakeOffer, clipboard: Callable[[], str], way: str, lock: bool
) -> None:
    assert clipboard() == "before"
    work = open_work(make_write_offer(copy_lock=lock))
    work.field(1).click()
    if way == "menu":  # a browser's own menu comes to the page as the same command
        work.page.context.new_cdp_session(work.page).send(
            "Input.dispatchKeyEvent", {"type": "keyDown", "key": "Unidentified", "commands": ["paste"]}
        )
    else:
        work.press(way)
    expect(work.field(1)).to_have_value("" if lock else "before")
    expect(work.card(1).get_by_text("Pasting is switched off here")).to_be_visible(visible=lock)


def test_the_sentence_comes_once_and_every_try_is_counted(open_work: Open, make_write_offer: MakeOffer) -> None:
    work = open_work(make_write_offer(), sandbox="allow-scripts allow-forms")
    work.ask(1, "own words")
    work.press("Control+a", "Control+c", "Control+v")
    expect(work.card(1)).to_contain_text("Pasting is switched off here")
    work.press("End")
    work.page.keyboard.type("!")
    work.press("Control+v", "Control+v")
    expect(work.card(1)).not_to_contain_text("Pasting is switched off here")
    expect(work.field(1)).to_have_value("own words!")
    work.mark("1931")
    work.passage.focus()
    work.press("Control+a", "Control+c")
    expect(work.part("said")).to_contain_text("Copying from the paragraph is switched off")
    work.field(1).click()
    work.mark("dusk")
    expect(work.part("said")).to_contain_text("Marked for question 1")
    work.passage.focus()
    work.press("Control+a", "Control+c")
    expect(work.part("said")).not_to_contain_text("switched off")
    work.field(1).click()
    work.page.keyboard.type("?")
    work.wait_until_saved()
    assert Draft.objects.get().content["paragraphs"][0]["blocked_actions"] == 5


def test_input_methods_dictation_and_corrections_work_as_ever(open_work: Open, make_write_offer: MakeOffer) -> None:
    work = open_work(make_write_offer())
    work.frame.evaluate(LISTEN)
    work.field(1).click()
    session = work.page.context.new_cdp_session(work.page)
    session.send("Input.imeSetComposition", {"text": "にほん", "selectionStart": 3, "selectionEnd": 3})
    session.send("Input.insertText", {"text": "日本"})
    session.send(
        "Input.insertText", {"text": " is a whole sentence that was spoken"}
    )  # as dictation puts it in at once
    expect(work.field(1)).to_have_value("日本 is a whole sentence that was spoken")
    # A correction, or what the browser fills in, comes as a replacement.
    allowed = """(field, inputType) => field.dispatchEvent(
      new InputEvent("beforeinput", { inputType, data: "x", bubbles: true, cancelable: true }))"""
    for kind in ("insertReplacementText", "insertText", "insertCompositionText", "deleteByCut", "historyUndo"):
        assert work.field(1).evaluate(allowed, kind) is True, kind
    for kind in ("insertFromPaste", "insertFromDrop", "insertFromYank"):
        assert work.field(1).evaluate(allowed, kind) is False, kind
    assert work.field(1).evaluate("field => field.spellcheck") is True
    work.press("Control+z")
    expect(work.field(1)).not_to_have_value("日本 is a whole sentence that was spoken")


def test_assistive_technology_reads_the_paragraph_as_text(open_work: Open, make_write_offer: MakeOffer) -> None:
    work = open_work(make_write_offer())
    tree = work.page.context.new_cdp_session(work.frame).send("Accessibility.getFullAXTree")
    texts = [node.get("name", {}).get("value") for node in tree["nodes"] if node["role"]["value"] == "StaticText"]
    assert PIER in texts
    assert work.passage.evaluate("passage => getComputedStyle(passage).userSelect") != "none"


def test_a_finger_selects_and_copies_nothing(
    new_context: NewContext, platform_server: str, marketplace_stub: MarketplaceStub, make_write_offer: MakeOffer
) -> None:
    page: Page = new_context(width=390, has_touch=True).new_page()
    work = open_frame(
        page, marketplace_stub, work_address(platform_server, make_write_offer(), marketplace_stub.origin)
    )
    work.frame.evaluate(LISTEN)
    page.touchscreen.tap(*work.point(10, 0.5))
    # Fingers have handles of our own: the browser's selection, whose menu copies, is not offered, and a long press is
    # no try at anything.
    assert work.passage.evaluate("passage => getComputedStyle(passage).userSelect") == "none"
    # Safari alone knows the property that keeps the callout of iOS away, so it is looked for in the style sheet itself.
    style = work.frame.evaluate("fetch(document.querySelector('link[rel=stylesheet]').href).then((it) => it.text())")
    assert re.search(r'\.passage\[data-hand="touch"\] \{[^}]*-webkit-touch-callout: none', style)
    work.passage.dispatch_event("contextmenu")
    assert refused(work, "contextmenu") is True
    expect(work.part("said")).not_to_contain_text("switched off")
