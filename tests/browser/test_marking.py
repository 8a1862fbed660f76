"""Marking answers on the work page in Chromium, by mouse, keyboard and touch, inside another site's frame."""

import re

import pytest
from playwright.sync_api import expect

from annotation.models import Answer, Draft
from tests.browser.work_fixtures import LAKE, PIER, SEALS, MakeOffer, Open

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# By mouse


def test_a_drag_marks_the_answer_of_the_open_question(open_work: Open, make_write_offer: MakeOffer) -> None:
    work = open_work(make_write_offer())
    work.ask(1, "Until when was the lamp lit by people?")
    work.mark("until 1931")
    assert work.answer(1) == "until 1931"
    work.mark("1931")
    assert work.answer(1) == "1931"
    assert work.marks() == [("1", "1931")]
    work.ask(2, "Who looked after it?")
    work.mark("Ruth Amble")
    assert work.marks() == [("1", "1931"), ("2", "Ruth Amble")]
    work.wait_until_saved()
    start = PIER.index("1931")
    saved = Draft.objects.get().content["paragraphs"][0]["questions"]
    assert saved[0]["answer"] == {"start": start, "end": start + 4, "text": "1931"}


def test_part_of_a_word_is_widened_to_the_word(open_work: Open, make_write_offer: MakeOffer) -> None:
    work = open_work(make_write_offer())
    start = PIER.index("Ruth Amble")
    work.drag(start + 2, start + 7)
    assert work.answer(1) == "Ruth Amble"
    work.click(PIER.index("dusk") + 1, times=2)
    assert work.answer(1) == "dusk"


def test_a_click_at_one_end_and_a_shift_click_at_the_other_mark_what_is_between(
    open_work: Open, make_write_offer: MakeOffer
) -> None:
    work = open_work(make_write_offer())
    for first, last in (("keeper", "slept"), ("dusk", "rowed")):
        work.click(PIER.index(first) + 1)
        work.page.keyboard.down("Shift")
        work.click(PIER.index(last) + 2)
        work.page.keyboard.up("Shift")
        start, end = sorted((PIER.index(first), PIER.index(last)))
        assert work.answer(1) == PIER[start:end] + (last if start == PIER.index(first) else first)
    assert work.marks() == [("1", "rowed out at dusk")]


def test_marks_may_overlap_and_the_text_stays_as_it_is(open_work: Open, make_write_offer: MakeOffer) -> None:
    work = open_work(make_write_offer())
    work.mark("Its keeper, Ruth Amble")
    work.ask(2, "Who?")
    work.mark("Ruth Amble, slept")
    assert work.marks() == [("1", "Its keeper, "), ("1 2", "Ruth Amble"), ("2", ", slept")]
    assert work.passage.text_content() == PIER
    work.ask(3, "When?")
    work.mark("1917")  # after the highlights, which split the text into several nodes
    assert work.answer(3) == "1917"
    work.wait_until_saved()
    last = Draft.objects.get().content["paragraphs"][0]["questions"][-1]["answer"]
    assert last["start"] == PIER.index("1917")


OWLS = "🦉 Owls of the 𝒩orth valley hunt at dusk; the 🦉-watch began in 1987 🎉 and ended in 2004."
MIXED = "The café (cafe\u0301) on Ben-Gurion St., שדרות בן גוריון 12, sold 👩\u200d🚀 badges for 3.5€."
# By the second character of a text.
LANGUAGES = {"ن": "ar", "建": "zh", "מ": "he", "ह": "hi", "อ": "th"}
FERRY = "The  ferry\tleaves Port\u00a0Elsen at 06:40.\nIt returns at noon, most days."


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        pytest.param(
            OWLS,
            [(62, 66, 62, "1987"), (45, 52, 45, "🦉-watch"), (14, 26, 14, "𝒩orth valley"), (82, 86, 82, "2004")],
            id="characters that a browser counts as two",
        ),
        pytest.param(
            FERRY,
            [
                (5, 11, 5, "ferry"),
                (3, 10, 5, "ferry"),
                (22, 28, 23, "Elsen"),
                (18, 28, 18, "Port\u00a0Elsen"),
                (32, 39, 32, "06:40."),
                (53, 57, 53, "noon"),
            ],
            id="blanks at the edges",
        ),
        pytest.param(
            LAKE, [(87, 91, 87, "1907"), (50, 54, 50, "1917"), (53, 54, 50, "1917")], id="the same text more than once"
        ),
        pytest.param(SEALS, [(68, 62, 62, "August"), (38, 26, 26, "north skerry")], id="from right to left"),
        pytest.param("Weißt du,\r\nwie 3,5 km?\r\n Nein.", [(15, 18, 15, "3,5"), (25, 29, 25, "Nein")], id="CRLF"),
        pytest.param(
            "塔建于1742年，由防守队长负责，1866年烧毁。",
            [(3, 7, 3, "1742"), (10, 12, 10, "防守")],
            id="Chinese",
        ),
        pytest.param(
            "بني برج المدينة القديم عام 1742، وسكنه الحارس سالم مع عائلته.",
            [(46, 50, 46, "سالم"), (27, 31, 27, "1742"), (41, 49, 39, "الحارس سالم")],
            id="Arabic",
        ),
        pytest.param(
            "המגדלור נבנה בשנת 1868 על ידי עדה תורן.",
            [(18, 22, 18, "1868"), (30, 38, 30, "עדה תורן"), (37, 31, 30, "עדה תורן")],
            id="Hebrew",
        ),
        pytest.param(
            "यह किला १७४२ में राजा विक्रम ने बनवाया था।",
            [(8, 12, 8, "१७४२"), (17, 28, 17, "राजा विक्रम"), (3, 5, 3, "किला")],
            id="Hindi",
        ),
        pytest.param(
            "หอคอยเก่าสร้างในปี 1742 โดยกัปตันสมชายแห่งกรุงเทพ",
            [(19, 23, 19, "1742"), (27, 33, 27, "กัปตัน"), (42, 45, 42, "กรุงเทพ")],
            id="Thai",
        ),
        pytest.param(
            MIXED,
            [
                (10, 15, 10, "cafe\u0301"),
                (10, 13, 10, "cafe\u0301"),
                (61, 71, 61, "👩\u200d🚀 badges"),
                (76, 79, 76, "3.5"),
                (21, 23, 20, "Ben"),
            ],
            id="combining marks, joined emoji and two scripts",
        ),
        pytest.param(
            "  Brann  Castle stands above the Ilve.  Its well is 61 m deep, and the  outer wall. ",
            [(52, 56, 52, "61 m"), (29, 37, 29, "the Ilve"), (0, 8, 2, "Brann"), (78, 84, 78, "wall.")],
            id="blanks that are data",
        ),
    ],
)
def test_what_is_dragged_over_is_stored_at_its_place(
    open_work: Open,
    make_write_offer: MakeOffer,
    text: str,
    spans: list[tuple[int, int, int, str]],
) -> None:
    language = LANGUAGES.get(text[1], "en")
    offer = make_write_offer(text, max_questions=10, language=language)
    work = open_work(offer)
    for number, (start, end, _right, _kept) in enumerate(spans, 1):
        work.ask(number, f"Question {number}?")
        work.drag(start, end)
    shown = work.marks()
    assert [work.answer(number) for number in range(1, len(spans) + 1)] == [kept for *_, kept in spans]
    work.wait_until_saved()
    work = work.reload()
    assert work.marks() == shown
    work.submit()
    work.page.frames[1].wait_for_selector("h1:text-is('Submitted')")
    answers = Answer.objects.order_by("question__position").values_list("start", "text")
    assert list(answers) == [(right, kept) for _start, _end, right, kept in spans]


def test_blanks_alone_are_no_answer(open_work: Open, make_write_offer: MakeOffer) -> None:
    work = open_work(make_write_offer(FERRY))
    work.mark("ferry")
    work.drag(3, 5)
    assert work.answer(1) == "ferry"
    expect(work.part("said")).to_contain_text("Only blanks")


def test_an_answer_that_is_only_an_article_is_remarked_on(open_work: Open, make_write_offer: MakeOffer) -> None:
    work = open_work(make_write_offer())
    work.drag(0, 3)
    assert work.answer(1) == "The"
    expect(work.part("said")).to_contain_text("Only an article or punctuation")
    work.drag(0, 8)
    expect(work.part("said")).not_to_contain_text("Only an article")


def test_what_the_browser_calls_a_selection(open_work: Open, make_write_offer: MakeOffer) -> None:
    work = open_work(make_write_offer(SEALS))
    work.mark("north skerry")
    work.click(10)
    assert work.answer(1) == "north skerry"  # a plain click changes nothing
    heading = work.part("place").bounding_box()
    assert heading is not None
    work.drag_between((heading["x"] + 2, heading["y"] + 5), work.point(12, 0.9))
    assert work.answer(1) == "Harbour seals"  # cut at the paragraph's start
    work.click(10, times=3)
    assert work.answer(1) == SEALS
    work.mark("June")
    note = work.card(1).locator('[data-part="note"]').bounding_box()
    assert note is not None
    y = note["y"] + note["height"] / 2
    work.drag_between((note["x"] + 40, y), (note["x"] + 90, y))
    assert work.answer(1) == "June"  # a selection elsewhere is no answer


# By keyboard


def test_marking_by_keyboard_can_be_left_moved_by_lines_and_cleared(
    open_work: Open, make_write_offer: MakeOffer
) -> None:
    work = open_work(make_write_offer())
    work.passage.focus()
    work.press("Enter", "End", "Enter")
    assert work.answer(1) == "again"
    work.press("F2", "Home", "Shift+ArrowDown")
    said = work.part("said").text_content() or ""
    below = re.search(r"“(.*)”", said)
    assert below is not None
    assert PIER.startswith(below.group(1))
    assert len(below.group(1).split()) > 5  # a whole line and the first word of the next
    work.press("ArrowUp", "Escape")
    assert work.answer(1) == "again"
    work.press("F2", "ArrowLeft", "Enter")
    assert work.answer(1) == "froze"
    work.press("Delete")
    assert work.answer(1) == ""
    assert work.marks() == []


def test_a_mark_inside_a_word_is_made_by_letters_and_shown_to_reviewers(
    open_work: Open, make_write_offer: MakeOffer
) -> None:
    text = "The spring is 3.5km from the well-known pier."
    work = open_work(make_write_offer(text))
    work.ask(1, "How far is the spring?")
    work.drag(text.index("3.5"), text.index("km"))
    assert work.answer(1) == "3.5km"  # by words it is widened
    work.press("F2", "F2")
    expect(work.part("precise")).to_have_attribute("aria-pressed", "true")
    expect(work.part("said")).to_contain_text("By letters")
    work.press("Shift+ArrowLeft", "Shift+ArrowLeft", "Enter")
    assert work.answer(1) == "3.5"
    expect(work.part("said")).to_contain_text("begins or ends inside a word")
    work.ask(2, "Which pier?")
    work.part("precise").click()
    work.drag(text.index("known"), text.index("known") + 2)
    assert work.answer(2) == "known"
    expect(work.part("said")).not_to_contain_text("inside a word")
    work.submit()
    work.page.frames[1].wait_for_selector("h1:text-is('Submitted')")
    stored = Answer.objects.order_by("question__position").values_list("text", "is_mid_word")
    assert list(stored) == [("3.5", True), ("known", False)]


@pytest.mark.parametrize(
    ("language", "text", "word", "letters"),
    [
        pytest.param("zh", "塔建于1742年，由防守队长负责。", "防守", "防", id="Chinese"),
        pytest.param("th", "หอคอยเก่าสร้างโดยกัปตันสมชาย", "กัปตัน", "กัปตั", id="Thai"),
        pytest.param("ja", "私は東京の学生です。", "学生", "学", id="Japanese"),
    ],
)
def test_a_word_of_the_dictionary_is_one_step_and_letters_part_it(
    open_work: Open, make_write_offer: MakeOffer, language: str, text: str, word: str, letters: str
) -> None:
    work = open_work(make_write_offer(text, language=language))
    start = text.index(word)
    work.click(start, times=2)
    assert work.answer(1) == word
    work.field(1).focus()
    work.press("F2")
    expect(work.part("said")).to_contain_text(f"“{word}”, characters {start} to {start + len(word)}, words: 1")
    work.press("F2", "Shift+ArrowLeft")
    expect(work.part("said")).to_contain_text(f"“{letters}”, characters {start} to {start + len(letters)}")
    work.press("Enter")
    assert work.answer(1) == letters
    expect(work.part("said")).to_contain_text("begins or ends inside a word")
    work.part("precise").click()
    work.drag(start, start + 1)
    assert work.answer(1) == word


def test_what_is_selected_is_read_out_and_belongs_to_the_paragraph(
    open_work: Open, make_write_offer: MakeOffer
) -> None:
    work = open_work(make_write_offer())
    work.field(1).focus()
    work.press("F2")
    said = work.frame.get_by_role("status").filter(has_text="For question 1: “The”, characters 0 to 3, words: 1.")
    expect(said).to_have_count(1)
    expect(said).to_contain_text("Arrows move")  # once, as marking begins
    work.press("Shift+ArrowRight")
    expect(work.part("said")).to_have_text("For question 1: “The lamp”, characters 0 to 8, words: 2.")
    box = work.frame.get_by_role("textbox", name="Paragraph text")
    expect(box).to_be_focused()
    expect(box).to_have_accessible_description(re.compile("“The lamp”"))


def test_arrows_follow_the_reading_direction(open_work: Open, make_write_offer: MakeOffer) -> None:
    work = open_work(make_write_offer("بني برج المدينة القديم عام 1742.", language="ar"))
    work.passage.focus()
    work.press("F2", "ArrowLeft", "Shift+ArrowLeft", "Enter")
    assert work.answer(1) == "برج المدينة"
