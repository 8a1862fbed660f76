"""The states that the style guide shows: what each page holds, what is done on it, and which piece it is about.

Acts are what a person does on the page, done by ``static/annotation/styleguide.js``::

    ("press", key), ("press", key, "shift")   a key, where the focus is
    ("type", selector, text)                  into a field, which is left then
    ("click", selector)                       a button, a link, a summary
    ("paste", selector), ("copy",)            which the copy lock refuses
    ("tap", text), ("hold", text)             a finger on the first place of the paragraph that says so
    ("away",)                                 another window comes in front
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation import refusals
from annotation.styleguide.sample import Sample, answered, noted, page_data, paragraph, quiz_parts, written
from annotation.tokens import Claims, TokenProblem

Data = Callable[[Sample], dict[str, Any]]
Act = tuple[str, ...]

CARD, PASSAGE_BLOCK = ".card", '[data-part="marking"]'
SAVED_LINE = '[data-part="saved"]'
FIRST_FIELD, SUBMIT = ".card textarea", '[data-part="submit"]'
# What the server says to whatever the page sends: a status and a body; or nothing at all comes back, or not yet.
Answer = tuple[int, dict[str, Any]] | str
CUT, WAITING = "cut", "waiting"
STORED: Answer = (200, {"version": 1})
OVERTAKEN: Answer = (409, {"code": "stale", "version": 7})
NO_PART = _("This question is no part of the task.")  # as annotation.services.gathering says it
MESSAGE, FINISHED, GUIDE = (f"annotation/{name}.html" for name in ("message", "finished", "guide"))
LONG_TITLE = "Rhabarberbarbarabarbarbarenbartbarbierbierbarbärbel"
LONG_TIMES = 12  # of the sample's text


@dataclass(frozen=True)
class State:
    """One piece in one state.

    ``piece`` selects it on the page; ``data`` makes the page's data from a sample; ``page`` is the template where that
    is not the kind of work's own.
    """

    name: str
    title: str | Promise
    piece: str
    data: Data
    acts: tuple[Act, ...] = ()
    answer: Answer = STORED
    page: str = ""
    refusal: refusals.Refusal | None = None


def _writing(*pairs: int, **changes: Any) -> Data:
    """A page to write on, with the sample's first questions of which those numbered in ``pairs`` are drafted."""

    def data(sample: Sample) -> dict[str, Any]:
        drafted = [sample.asked[number - 1] for number in pairs]
        draft = {"paragraphs": [written(sample, *drafted)]} if drafted else None
        return page_data("write", sample, paragraphs=[paragraph(1, sample)], draft=draft, **changes)

    return data


def _written(*make: Callable[[Sample], tuple[str, str]], stopping: tuple[str, ...] = ()) -> Data:
    """A page to write on, with the questions that ``make`` makes of the sample."""

    def data(sample: Sample) -> dict[str, Any]:
        draft = {"paragraphs": [written(sample, *(one(sample) for one in make))]}
        page = page_data("write", sample, paragraphs=[paragraph(1, sample)], draft=draft)
        page["project"]["stopping_advice"] = list(stopping)
        return page

    return data


def _answering(*marked: int | None, whole: bool = False) -> Data:
    """A page to answer on: 1 and up mark the sample's answer of that number, 0 none yet, None says that there is none.
    ``whole``: the first mark takes a sentence and more."""

    def data(sample: Sample) -> dict[str, Any]:
        answers = [None if number is None else sample.asked[number - 1][1] if number else "" for number in marked]
        if whole:
            answers[0] = sample.text[: sample.text.index(".", len(sample.text) // 3)] + "."
        draft = {"paragraphs": [answered(sample, *answers)]} if answers else None
        return page_data("answer", sample, paragraphs=[paragraph(1, sample, answering=True)], draft=draft)

    return data


def _several(sample: Sample) -> dict[str, Any]:
    """Three paragraphs, of which one is done and one is begun, after some minutes of work."""
    draft = [written(sample, sample.asked[0], number=1, seconds=95), written(sample, ("", ""), number=2, seconds=20)]
    draft[1]["questions"][0]["text"] = sample.asked[1][0]
    paragraphs = [paragraph(number, sample) for number in (1, 2, 3)]
    return page_data("write", sample, left_seconds=600, paragraphs=paragraphs, draft={"paragraphs": draft})


def _long(sample: Sample) -> dict[str, Any]:
    """More text than there is room for, under a title that has no blank."""
    text = "\n".join([sample.text] * LONG_TIMES)
    paragraphs = [paragraph(1, sample) | {"title": LONG_TITLE, "text": text}]
    return page_data("write", sample, paragraphs=paragraphs, draft={"paragraphs": [written(sample, sample.asked[0])]})


def _quiz(*tries: bool) -> Data:
    return lambda sample: page_data("quiz", sample, **quiz_parts(sample, *tries))


def _preview(kind: str) -> Data:
    def data(sample: Sample) -> dict[str, Any]:
        own = (
            quiz_parts(sample) if kind == "quiz" else {"paragraphs": [paragraph(1, sample, answering=kind == "answer")]}
        )
        page = page_data(kind, sample, token=None, endpoints=None, submit=None, **own)
        page["pay"]["opened_at"] = None
        return page

    return data


def _timed(left_seconds: int) -> Data:
    return _writing(1, left_seconds=left_seconds)


def _expired() -> Answer:
    """What the API says to a page whose permission has run out."""
    old = Claims("", "", "", "", 0, "write", 0, "", 0, 0, 0, 0)
    try:
        Claims.read(old.signed())
    except TokenProblem as problem:
        return 403, {"code": problem.code, "detail": str(problem)}
    raise AssertionError("A token of 1970 is valid.")


def _copied(sample: Sample) -> tuple[str, str]:
    return sample.copied


def _first(sample: Sample) -> tuple[str, str]:
    return sample.asked[0]


def _noted(*, is_new: bool = True) -> Data:
    """A page whose worker has two notes, one of them about words of the paragraph."""

    def data(sample: Sample) -> dict[str, Any]:
        shorter = noted(sample, 3, "shorter", sample.asked[2][1].split()[0], is_new=is_new)
        notes = [shorter, noted(sample, 1, "good", is_new=is_new)]
        return page_data("write", sample, paragraphs=[paragraph(1, sample)], notes=notes)

    return data


def _unmarked(sample: Sample) -> tuple[str, str]:
    return sample.asked[0][0], ""


TYPED = ("type", FIRST_FIELD, "?")
NONE_TICKED: Act = ("click", ".none input")
OPEN_DISPLAY: Act = ("click", ".comfort summary")
F2: Act = ("press", "F2")
FURTHER: Act = ("press", "ArrowRight", "shift")
GROUPS: list[tuple[str | Promise, list[State]]] = [
    (
        _("The paragraph"),
        [
            State("plain", _("no mark"), PASSAGE_BLOCK, _writing()),
            State("one-mark", _("one mark"), PASSAGE_BLOCK, _writing(1)),
            State("several-marks", _("five marks"), PASSAGE_BLOCK, _writing(1, 2, 3, 4, 5)),
            State("shared-mark", _("two questions with one answer"), PASSAGE_BLOCK, _written(_first, _first)),
            State("long", _("a long paragraph under a long title"), PASSAGE_BLOCK, _long),
            State(
                "marking", _("a mark being made by keyboard"), ".passage.marking", _writing(1), (F2, FURTHER, FURTHER)
            ),
            State("letters", _("letter by letter"), '[aria-pressed="true"]', _writing(1), (F2, F2, FURTHER)),
            State("tapped", _("a first word tapped"), '[data-part="take"]', _writing(), (("tap", "1931"),)),
            State("handles", _("handles at a held word"), '[data-part="handle-end"]', _writing(), (("hold", "1931"),)),
            State("copy-refused", _("copying was refused"), PASSAGE_BLOCK, _writing(), (("copy",),)),
        ],
    ),
    (
        _("Questions that are written"),
        [
            State("question-empty", _("empty"), '.card[data-state="open"]', _writing()),
            State("question-unmarked", _("without an answer"), '.card[data-state="needs-answer"]', _written(_unmarked)),
            State("question-done", _("done"), '.card[data-state="done"]', _writing(1)),
            State("question-remark", _("with a remark"), '[data-kind="warning"]', _written(_copied)),
            State("question-remarks", _("every one with remarks"), ".cards", _written(*[_copied] * 5)),
            State(
                "question-stopped",
                _("with a remark that stops"),
                '[data-kind="warning"]',
                _written(_copied, stopping=("copied",)),
            ),
            State(
                "paste-refused", _("pasting was refused"), '[data-kind="kind"]', _writing(), (("paste", FIRST_FIELD),)
            ),
            State(
                "still-open", _("what is still open"), '[data-part="open"]', _written(_unmarked), (("click", SUBMIT),)
            ),
            State(
                "still-stopped",
                _("a remark that stops, on the list"),
                '[data-part="open"]',
                _written(_first, _copied, stopping=("copied",)),
                (("click", SUBMIT),),
            ),
            State(
                "still-wrong",
                _("what the server found wrong"),
                '[data-part="open"]',
                _writing(1, 2),
                (("click", SUBMIT),),
                (422, {"errors": [{"paragraph": 1, "question": "q2", "message": NO_PART}]}),
            ),
        ],
    ),
    (
        _("Questions that are answered"),
        [
            State("answer-open", _("open"), '.card[data-state="open"]', _answering()),
            State("answer-marked", _("marked"), '.card[data-state="done"]', _answering(1, 2, 0)),
            State("answer-none", _("cannot be answered"), ".none input:checked", _answering(None, 0, 0)),
            State("answer-remark", _("with a remark"), '[data-kind="warning"]', _answering(1, 0, 0, whole=True)),
        ],
    ),
    (
        _("The quiz"),
        [
            State("quiz-before", _("before the first try"), CARD, _quiz()),
            State("quiz-right", _("a right item"), '.card[data-verdict="right"]', _quiz(False)),
            State("quiz-wrong", _("a wrong item, with its hint"), '.card[data-verdict="wrong"]', _quiz(False)),
            State("quiz-again", _("another try"), '[data-part="outcome"]', _quiz(False)),
            State("quiz-passed", _("passed"), '[data-kind="passed"]', _quiz(True)),
            State("quiz-failed", _("failed"), '[data-kind="failed"]', _quiz(False, False)),
            State(
                "quiz-open",
                _("items that are open"),
                '[data-part="open"]',
                _quiz(),
                (("click", '[data-part="check"]'),),
            ),
            State("quiz-offline", _("no connection"), '[data-part="notice"]', _quiz(), (NONE_TICKED,), CUT),
            State("quiz-conflict", _("newer work"), '[data-part="conflict"]', _quiz(), (NONE_TICKED,), OVERTAKEN),
        ],
    ),
    (
        _("Saving and sending"),
        [
            State("saving", _("saving"), f'{SAVED_LINE}[data-status="saving"]', _writing(1), (TYPED,), WAITING),
            State("saved", _("saved"), f'{SAVED_LINE}[data-status="saved"]', _writing(1), (TYPED,)),
            State("offline", _("no connection"), '[data-part="notice"]', _writing(1), (TYPED,), CUT),
            State(
                "conflict",
                _("newer work from another window"),
                '[data-part="conflict"]',
                _writing(1),
                (TYPED,),
                OVERTAKEN,
            ),
            State("refused", _("permission has run out"), '[data-part="refused"]', _writing(1), (TYPED,), _expired()),
            State("sending", _("sending"), ".work.busy", _writing(1), (("click", SUBMIT),), WAITING),
            State(
                "sent",
                _("on its way to the marketplace"),
                '[data-part="sent"]',
                _writing(1),
                (("click", SUBMIT),),
                (200, {"submit": {"url": "https://marketplace.example/mturk/externalSubmit", "fields": {}}}),
            ),
            State("submitted", _("submitted before"), "main.message", _writing(1), page=FINISHED),
        ],
    ),
    (
        _("Time"),
        [
            State("pace", _("pay, pace and progress"), ".top", _several),
            State("expiring", _("little time is left"), ".time-left.short", _timed(90)),
            State("expired", _("the time is over"), ".time-left.short", _timed(-30)),
            State("idle", _("nobody is there"), '[data-part="away"]', _timed(120), (("away",),)),
        ],
    ),
    (
        _("Panels"),
        [
            State("notes", _("notes on earlier work"), '[data-part="notes"]', _noted()),
            State("notes-read", _("notes that were read"), '[data-part="open-notes"]', _noted(is_new=False)),
            State("hold", _("the last HIT before a first look"), '[data-part="hold"]', _writing(1, hold={"left": 0})),
            State("guide", _("the guide"), "dialog[open]", _writing(1), (("press", "F1"),)),
            State("guide-page", _("the guide's own page"), ".guide-page .guide-title", _writing(), page=GUIDE),
            State("display", _("how the page looks"), ".comfort-panel", _writing(1), (OPEN_DISPLAY,)),
            State("display-quiz", _("how the quiz looks"), ".comfort-panel", _quiz(), (OPEN_DISPLAY,)),
            State("display-guide", _("how the guide looks"), ".comfort-panel", _writing(), (OPEN_DISPLAY,), page=GUIDE),
            State("keys", _("keys"), ".keys dl", _writing(1), (("click", ".keys summary"),)),
            State("privacy", _("what is noted"), ".privacy p", _writing(1), (("click", ".privacy summary"),)),
        ],
    ),
    (
        _("Previews"),
        [
            State("preview-write", _("of writing"), ".work > .banner", _preview("write")),
            State("preview-answer", _("of answering"), ".work > .banner", _preview("answer")),
            State("preview-quiz", _("of a quiz"), ".work > .banner", _preview("quiz")),
        ],
    ),
    (
        _("Pages in words"),
        [
            State(f"page-{one.name}", one.title, "main.message", _writing(), page=MESSAGE, refusal=one)
            for one in refusals.ALL
        ],
    ),
]
STATES = {state.name: state for _title, states in GROUPS for state in states}
