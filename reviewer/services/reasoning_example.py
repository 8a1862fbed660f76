"""An example of a reasoning label as the paper prints it (SQuAD, Table 3): the question, and the sentences of the
paragraph that matter, with the words that it rests on and the answer set off."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from annotation.models import Answer, Question
from reviewer.models import ReasoningLabel

# Full stops, question and exclamation marks end a sentence where a blank follows; those of Chinese and Japanese anyhow.
_SENTENCE = re.compile(r".+?(?:[.!?]+[\"'”’)\]]*(?=\s|$)|[。！？]+[」』”’）]*|$)", re.DOTALL)
Spans = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Part:
    """A run of characters, all of which are evidence, or of the answer, or not."""

    text: str
    is_evidence: bool = False
    is_answer: bool = False


@dataclass(frozen=True)
class Example:
    """``sentences`` are those that hold the answer or evidence; what lies between two of them stands as an ellipsis."""

    question: Question
    answer: str
    asked: tuple[Part, ...]
    sentences: tuple[Part, ...]

    @property
    def sentence(self) -> str:
        return "".join(part.text for part in self.sentences)

    def report(self) -> dict[str, Any]:
        """The example for JSON and for a table."""
        return {
            "example": self.question.text,
            "example_answer": self.answer or None,
            "example_sentence": self.sentence,
            "example_evidence": " | ".join(part.text for part in (*self.asked, *self.sentences) if part.is_evidence),
        }


NO_EXAMPLE = dict.fromkeys(("example", "example_answer", "example_sentence", "example_evidence"))


def example_of(question: Question, label: ReasoningLabel) -> Example:
    """``question`` with the words that ``label`` rests on."""
    rows = question.answers.counting().filter(text__isnull=False)
    answer: Answer | None = rows.order_by("position").first()
    evidence: dict[str, list[tuple[int, int]]] = {"question": [], "paragraph": []}
    for where, start, end in label.evidence:
        evidence[where].append((start, end))
    span = [] if answer is None or answer.start is None or answer.end is None else [(answer.start, answer.end)]
    text = question.paragraph.text
    shown = _around(text, [*evidence["paragraph"], *span])
    sentences: list[Part] = []
    for number, (start, end) in enumerate(shown):
        if number:
            sentences.append(Part(" … "))
        sentences += parts(text, evidence["paragraph"], span, start, end)
    asked = parts(question.text, evidence["question"], [], 0, len(question.text))
    return Example(question, answer.text or "" if answer else "", tuple(asked), tuple(sentences))


def parts(text: str, evidence: Spans, answer: Spans, start: int, end: int) -> list[Part]:
    """``text[start:end]`` cut wherever evidence or the answer begins or ends."""
    edges = {start, end} | {min(max(edge, start), end) for span in (*evidence, *answer) for edge in span}
    return [
        Part(text[first:last], _is_in(evidence, first, last), _is_in(answer, first, last))
        for first, last in pairwise(sorted(edges))
    ]


def _is_in(spans: Spans, start: int, end: int) -> bool:
    return any(first <= start and end <= last for first, last in spans)


def _around(text: str, spans: Spans) -> list[tuple[int, int]]:
    """The sentences of ``text`` that touch one of ``spans``, those side by side as one, without blanks around."""
    found: list[tuple[int, int]] = []
    for match in _SENTENCE.finditer(text):
        start, end = match.span()
        if not any(first < end and start < last for first, last in spans):
            continue
        if found and not text[found[-1][1] : start].strip():
            found[-1] = (found[-1][0], end)
        else:
            found.append((start + len(match[0]) - len(match[0].lstrip()), end))
    return found
