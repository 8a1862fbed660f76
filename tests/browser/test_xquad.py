"""Answers of XQuAD in four scripts, marked through the answering page span for span and compared as stored.

A fourth of them as assistive technology marks (all of them with EVERY_ANSWER=1), some by mouse and keyboard.

Source: the XQuAD files of Google DeepMind, in the folder of shared data; each test skips where that is absent.
"""

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

from annotation.models import Answer, Offer
from scoring.spans import is_mid_word
from tests.annotation.factories import (
    make_answer_task,
    make_article,
    make_offer,
    make_paragraph,
    make_project,
    make_question,
)
from tests.browser.stub import MarketplaceStub
from tests.browser.work_fixtures import Open
from tests.browser.worker import WorkPage

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

# Of these one page has ten times the answers of real work; more would only make each mark slower.
PARAGRAPHS_A_PAGE = 24
# Of all paragraphs, spread over the articles; the longer run takes each.
EACH = 1 if os.environ.get("EVERY_ANSWER") else 4
# Paragraphs of each file that hands go through, spread over its articles: some fifteen answers a language.
PARAGRAPHS = 3
Asked = dict[str, Any]  # "text", "start", "end" of one gold answer

# Where the highlighted selection begins and ends, in code points.
SELECTED = """
() => {
  const pieces = [...document.querySelector('[data-part="passage"]').childNodes];
  const isSelected = (piece) => piece.classList?.contains("selected") ?? false;
  const length = (some) => [...some.map((piece) => piece.textContent).join("")].length;
  const [first, last] = [pieces.findIndex(isSelected), pieces.findLastIndex(isSelected)];
  return { start: length(pieces.slice(0, first)), end: length(pieces.slice(0, last + 1)) };
}
"""


# Every answer, as assistive technology marks it: a selection, and "Use the selection". Where that is not the answer,
# which does not begin and end with words, once more by letters. Gives how many were marked so.
MARK_ALL = """
async (paragraphs) => {
  const part = (name) => document.querySelector(`[data-part="${name}"]`);
  const place = (units) => {
    const texts = document.createTreeWalker(part("passage"), NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      if (units <= node.data.length) return [node, units];
      units -= node.data.length;
    }
  };
  let byLetters = 0;
  for (const [index, spans] of paragraphs.entries()) {
    if (index) part("next").click();
    const chars = [...part("passage").textContent];
    const unitsBefore = (count) => chars.slice(0, count).join("").length;
    for (const [number, { start, end, text }] of spans.entries()) {
      const card = document.querySelectorAll(".card")[number];
      const mark = () => {
        card.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
        getSelection().setBaseAndExtent(...place(unitsBefore(start)), ...place(unitsBefore(end)));
        part("take").click();
        return card.querySelector('[data-part="answer"]').textContent;
      };
      if (mark() === text) continue;
      byLetters += 1;
      part("precise").click();
      if (mark() !== text) throw new Error(`${text} came out as ${mark()}`);
      part("precise").click();
    }
    await new Promise((resolve) => setTimeout(resolve, 0));  // as between any two acts
  }
  return byLetters;
}
"""


def paragraphs_of(path: Path) -> list[tuple[str, list[Asked]]]:
    """The paragraphs of the file with their answers, each place once."""
    articles = json.loads(gzip.decompress(path.read_bytes()))["data"]
    return [(one["context"], answers_of(one)) for article in articles for one in article["paragraphs"]]


def sample(path: Path) -> list[tuple[str, list[Asked]]]:
    """Some paragraphs of the file; one answer begins or ends inside a word if any does in the file."""
    found = paragraphs_of(path)
    chosen = found[:: len(found) // PARAGRAPHS][:PARAGRAPHS]
    odd = [(text, [one]) for text, answers in found for one in answers if is_mid_word(text, one["start"], one["end"])]
    return [*chosen, *[pair for pair in odd if pair[0] not in dict(chosen)][:1]]


def answers_of(paragraph: dict[str, Any]) -> list[Asked]:
    golds = [question["answers"][0] for question in paragraph["qas"]]
    spans = {(gold["answer_start"], gold["answer_start"] + len(gold["text"])): gold["text"] for gold in golds}
    return [{"start": start, "end": end, "text": text} for (start, end), text in sorted(spans.items())]


def make_xquad_offer(language: str, paragraphs: list[tuple[str, list[Asked]]], origin: str) -> Offer:
    article = make_article(make_project(language=language))
    questions = []
    for text, answers in paragraphs:
        paragraph = make_paragraph(article=article, text=text)
        questions += [make_question(paragraph, f"{number}?", answer=None) for number in range(1, len(answers) + 1)]
    return make_offer(make_answer_task(*questions), worker_origins=[origin])


def by_mouse(work: WorkPage, number: int, span: Asked) -> None:
    work.card(number).locator('[data-part="number"]').click()
    work.drag(span["start"], span["end"])


def by_keyboard(work: WorkPage, number: int, span: Asked) -> None:
    work.card(number).locator('[data-part="mark"]').click()
    work.press("Home")
    go(work, "start", span["start"], "Arrow")
    go(work, "end", span["end"], "Shift+Arrow")
    work.press("Enter")


def go(work: WorkPage, edge: str, place: int, arrow: str) -> None:
    """Press ``arrow`` in reading direction until that edge of what is selected has reached ``place``."""
    key = arrow + ("Left" if work.passage.get_attribute("dir") == "rtl" else "Right")
    for _step in range(1000):
        if work.frame.evaluate(SELECTED)[edge] >= place:
            return
        work.press(key)
    raise AssertionError(f"{place} was never reached")


@pytest.mark.parametrize("language", ["zh", "ar", "th", "hi"])
def test_whatever_is_an_answer_in_xquad_is_stored_where_it_stands(
    open_work: Open, marketplace_stub: MarketplaceStub, shared_dir: Path, language: str
) -> None:
    paragraphs = paragraphs_of(shared_dir / "data" / "xquad" / f"xquad.{language}.json.gz")
    assert len(paragraphs) == 240
    paragraphs = paragraphs[::EACH]
    by_letters = 0
    for first in range(0, len(paragraphs), PARAGRAPHS_A_PAGE):
        held = paragraphs[first : first + PARAGRAPHS_A_PAGE]
        offer = make_xquad_offer(language, held, marketplace_stub.origin)
        work = open_work(offer, assignment=f"A{offer.pk}")
        by_letters += work.frame.evaluate(MARK_ALL, [answers for _text, answers in held])
        work.submit()
        work.page.frames[1].wait_for_selector("h1:text-is('Submitted')", timeout=40_000)
        work.page.close()
        stored = Answer.objects.filter(assignment__offer=offer).order_by("question__paragraph__pk", "question__pk")
        wanted = [span for _text, answers in held for span in answers]
        assert list(stored.values("start", "end", "text")) == wanted
    # All but a few answers are whole words; the server, which has no dictionaries, finds no fault with any other.
    assert Answer.objects.filter(is_mid_word=True).count() <= by_letters < Answer.objects.count() / 40


@pytest.mark.parametrize("language", ["zh", "ar", "th", "hi"])
def test_answers_of_xquad_are_stored_where_they_stand(
    open_work: Open, marketplace_stub: MarketplaceStub, shared_dir: Path, language: str
) -> None:
    paragraphs = sample(shared_dir / "data" / "xquad" / f"xquad.{language}.json.gz")
    work = open_work(make_xquad_offer(language, paragraphs, marketplace_stub.origin))
    work.page.set_viewport_size({"width": 1280, "height": 1100})
    widened = []
    for index, (_text, answers) in enumerate(paragraphs):
        if index:
            work.part("next").click()
        for number, span in enumerate(answers, 1):
            # In a line that runs from right to left, browsers may take either end of a number for its beginning.
            begins_with_number = language == "ar" and span["text"][0].isdigit()
            mark = by_keyboard if number == 2 or begins_with_number else by_mouse
            mark(work, number, span)
            if work.answer(number) != span["text"]:
                # Not whole words: the mark holds the answer, and by letters it is the answer.
                assert span["text"] in work.answer(number)
                widened.append(span["text"])
                work.part("precise").click()
                by_mouse(work, number, span)
                work.part("precise").click()
            assert work.answer(number) == span["text"]
    work.submit()
    work.page.frames[1].wait_for_selector("h1:text-is('Submitted')")
    stored = Answer.objects.order_by("question__paragraph__position", "question__pk").values("start", "end", "text")
    assert list(stored) == [span for _text, answers in paragraphs for span in answers]
    assert len(widened) <= len(stored) / 5
