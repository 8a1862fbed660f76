"""How a guide is typed: plain lines in, a guide's structure out, and back.

::

    # How to write good questions          the title, once, first
    Text of a paragraph.
    ## A sample paragraph                  a heading
    > The lighthouse on Gull Point ...     the sample
    + Who kept the lamp? -> Ada Thorne     a good example, its answer, and on the next line the reason
      The name alone is the whole answer.
    - What is it now? -> a school          a bad one
      Nobody can tell what "it" is.
    * a point of a list

A structure is ``{"title", "sections": [{"heading", "blocks": [...]}]}``; a block is ``{"kind": "text" | "sample",
"text"}``, ``{"kind": "points", "points": [str]}`` or ``{"kind": "good" | "bad", "examples": [{"question", "answer",
"reason"}]}``. There is no markup in it: pages escape every piece of it, so nothing in a guide can act on a page.
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from scoring.line_ends import lf

MOST_CHARS = 20_000
GOOD, BAD, TEXT, SAMPLE, POINTS = "good", "bad", "text", "sample", "points"
SIGNS = {"+": GOOD, "-": BAD, ">": SAMPLE, "*": POINTS}
SIGN_OF = {kind: sign for sign, kind in SIGNS.items()}
ARROW = "->"


class NotAGuide(Exception):
    """Text that does not follow the notation; ``str()`` is a sentence with the number of the line."""

    def __init__(self, line: int, sentence: str) -> None:
        super().__init__(_("Line %(line)s: %(sentence)s") % {"line": line, "sentence": sentence})


def lines_of(text: str) -> list[tuple[int, str]]:
    """The lines of ``text`` with their numbers from 1, without blanks at their edges. Raises NotAGuide."""
    if len(text) > MOST_CHARS:
        raise NotAGuide(1, _("%(most)s characters are the most.") % {"most": f"{MOST_CHARS:,}"})
    return [(number, line.strip()) for number, line in enumerate(lf(text).split("\n"), 1)]


def split_answer(line: str) -> tuple[str, str]:
    """``question -> answer`` as its two parts; the second is empty where there is no arrow."""
    question, _arrow, answer = line.partition(ARROW)
    return question.strip(), answer.strip()


def joined(question: str, answer: str) -> str:
    return f"{question} {ARROW} {answer}" if answer else question


def parse(text: str) -> dict[str, Any]:
    """The structure of a guide in the notation. Raises NotAGuide."""
    title = ""
    sections: list[dict[str, Any]] = [{"heading": "", "blocks": []}]
    begins_anew = True  # after a blank line, a heading, or a line of another kind
    for number, line in lines_of(text):
        if not line:
            begins_anew = True
        elif line.startswith("#"):
            words, begins_anew = line.lstrip("#").strip(), True
            if not words:
                raise NotAGuide(number, _("a heading has words."))
            if line.startswith("##"):
                sections.append({"heading": words, "blocks": []})
            elif title or len(sections) > 1 or sections[0]["blocks"]:
                raise NotAGuide(number, _("a guide has one title, at its beginning."))
            else:
                title = words
        else:
            _take(number, line, sections[-1]["blocks"], begins_anew)
            begins_anew = False
    if not title:
        raise NotAGuide(1, _("a guide begins with its title, as in “# How to write good questions”."))
    _check_reasons(sections)
    return {"title": title, "sections": [part for part in sections if part["heading"] or part["blocks"]]}


def _take(number: int, line: str, blocks: list[dict[str, Any]], begins_anew: bool) -> None:
    """Put one line of content into ``blocks``."""
    sign, rest = line[0], line[1:].strip()
    kind = SIGNS.get(sign) if line[1:2] in {" ", ""} else None
    last = blocks[-1] if blocks else None
    if kind in {GOOD, BAD}:
        question, answer = split_answer(rest)
        if not question:
            raise NotAGuide(number, _("an example begins with its question."))
        if last is None or last["kind"] != kind:
            blocks.append(last := {"kind": kind, "examples": []})
        last["examples"].append({"question": question, "answer": answer, "reason": "", "line": number})
    elif kind == POINTS:
        if last is None or last["kind"] != POINTS:
            blocks.append(last := {"kind": POINTS, "points": []})
        last["points"].append(rest)
    elif kind == SAMPLE:
        if begins_anew or last is None or last["kind"] != SAMPLE:
            blocks.append({"kind": SAMPLE, "text": rest})
        else:
            last["text"] = f"{last['text']} {rest}".strip()
    elif begins_anew or last is None or last["kind"] == SAMPLE:
        blocks.append({"kind": TEXT, "text": line})
    elif last["kind"] == TEXT:
        last["text"] += f" {line}"
    elif last["kind"] == POINTS:
        last["points"][-1] = f"{last['points'][-1]} {line}".strip()
    else:
        example = last["examples"][-1]
        example["reason"] = f"{example['reason']} {line}".strip()


def _check_reasons(sections: list[dict[str, Any]]) -> None:
    """Take the line numbers out of the examples, and see to it that each has a reason."""
    for section in sections:
        for block in section["blocks"]:
            for example in block.get("examples", []):
                number = example.pop("line")
                if not example["reason"]:
                    raise NotAGuide(number, _("an example says on the next line why it is good or bad."))


def written(guide: dict[str, Any]) -> str:
    """``guide`` in the notation; :func:`parse` gives the same structure again."""
    lines = [f"# {guide['title']}"]
    for section in guide["sections"]:
        if section["heading"]:
            lines += ["", f"## {section['heading']}"]
        for block in section["blocks"]:
            lines += ["", *_lines_of_block(block)]
    return "\n".join(lines) + "\n"


def _lines_of_block(block: dict[str, Any]) -> list[str]:
    kind = block["kind"]
    if kind == TEXT:
        return [block["text"]]
    if kind == SAMPLE:
        return [f"> {block['text']}"]
    if kind == POINTS:
        return [f"* {point}" for point in block["points"]]
    lines = []
    for example in block["examples"]:
        lines += [f"{SIGN_OF[kind]} {joined(example['question'], example['answer'])}", f"  {example['reason']}"]
    return lines
