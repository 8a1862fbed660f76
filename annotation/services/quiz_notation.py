"""How a quiz is typed: plain lines in, a quiz's structure out, and back.

::

    > The windmill above Tarn ...               the paragraph, once, first
    ? Who had the mill put up? -> Hanna Bluhm   a question and its answer, to be judged
    = good                                      the right judgement, one of JUDGEMENTS
    The name alone is the answer.               why: shown when the item is right, or the quiz is over
    ~ Is there anything to improve?             a hint (may be left out): shown after a wrong try
    @ What is on the lowest storey?             a question whose answer is to be marked
    = a bakery                                  a right answer, as it stands in the paragraph; may be repeated
    = (none)                                    or: it cannot be answered from the paragraph

A structure is ``{"passage", "items": [...]}``; an item is ``{"kind": "judge", "question", "answer", "right": str}`` or
``{"kind": "mark", "question", "right": [str]}`` (none right: it cannot be answered), both with ``"reason"`` and
``"hint"``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.services.guide_notation import NotAGuide, joined, lines_of, split_answer

JUDGE, MARK = "judge", "mark"
NONE = "(none)"
GOOD = "good"
JUDGEMENTS = {
    GOOD: gettext_lazy("Good as it is"),
    "copied": gettext_lazy("Repeats the paragraph's words"),
    "unanswerable": gettext_lazy("The paragraph does not answer it"),
    "too_long": gettext_lazy("The marked answer is too long"),
    "too_short": gettext_lazy("The marked answer is too short"),
    "unclear": gettext_lazy("Makes no sense without the paragraph"),
}
MOST_ITEMS = 30


def parse(text: str) -> dict[str, Any]:
    """The structure of a quiz in the notation. Raises NotAGuide."""
    passage: list[str] = []
    items: list[dict[str, Any]] = []
    for number, line in lines_of(text):
        if line.startswith(">"):
            if items:
                raise NotAGuide(number, _("the paragraph stands before the first item."))
            passage.append(line[1:].strip())
        elif line.startswith("?"):
            question, answer = split_answer(line[1:])
            items.append({"kind": JUDGE, "question": question, "answer": answer, **_blank(number)})
        elif line.startswith("@"):
            items.append({"kind": MARK, "question": line[1:].strip(), **_blank(number)})
        elif line:
            if not items:
                raise NotAGuide(number, _("a quiz begins with its paragraph, as in “> The mill …”, then its items."))
            _take(line, items[-1])
    held = " ".join(part for part in passage if part)
    if not held:
        raise NotAGuide(1, _("a quiz begins with its paragraph, as in “> The mill …”, then its items."))
    if not 0 < len(items) <= MOST_ITEMS:
        raise NotAGuide(1, _("a quiz has from 1 to %(most)s items.") % {"most": MOST_ITEMS})
    for item in items:
        _check(item, held)
    return {"passage": held, "items": items}


def _blank(number: int) -> dict[str, Any]:
    return {"right": [], "reason": "", "hint": "", "line": number}


def _take(line: str, item: dict[str, Any]) -> None:
    """Put one line of an item's own into it."""
    if line.startswith("="):
        item["right"].append(line[1:].strip())
    elif line.startswith("~"):
        item["hint"] = f"{item['hint']} {line[1:].strip()}".strip()
    else:
        item["reason"] = f"{item['reason']} {line}".strip()


def _check(item: dict[str, Any], passage: str) -> None:
    """Take the line's number out of ``item``; see to it that the item can be answered, and judged. Raises NotAGuide."""
    number, right = item.pop("line"), item["right"]
    if not item["question"]:
        raise NotAGuide(number, _("an item begins with its question."))
    if not item["reason"]:
        raise NotAGuide(number, _("an item says why its answer is the right one."))
    if item["kind"] == JUDGE:
        if len(right) != 1 or right[0] not in JUDGEMENTS:
            sentence = _("a question to be judged has one line “= …” with one of: %(known)s.")
            raise NotAGuide(number, sentence % {"known": ", ".join(JUDGEMENTS)})
        item["right"] = right[0]
        return
    if right == [NONE]:
        item["right"] = []
        return
    if not right:
        raise NotAGuide(number, _("a question to be marked has a line “= …” with its answer, or “= (none)”."))
    for answer in right:
        if not answer or answer not in passage:
            raise NotAGuide(number, _("“%(answer)s” does not stand in the paragraph.") % {"answer": answer})


def written(quiz: dict[str, Any]) -> str:
    """``quiz`` in the notation; :func:`parse` gives the same structure again."""
    lines = [f"> {quiz['passage']}"]
    write: dict[str, Callable[[dict[str, Any]], list[str]]] = {JUDGE: _judge_lines, MARK: _mark_lines}
    for item in quiz["items"]:
        lines += ["", *write[item["kind"]](item), item["reason"]]
        if item["hint"]:
            lines.append(f"~ {item['hint']}")
    return "\n".join(lines) + "\n"


def _judge_lines(item: dict[str, Any]) -> list[str]:
    return [f"? {joined(item['question'], item['answer'])}", f"= {item['right']}"]


def _mark_lines(item: dict[str, Any]) -> list[str]:
    return [f"@ {item['question']}", *[f"= {answer}" for answer in item["right"] or [NONE]]]
