"""What the players write and answer: taken from a SQuAD file, with seeded disagreement, or made up."""

from __future__ import annotations

import random
import re
import threading
import uuid
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from scoring.datasets import Dataset

# Of the extra answers: this share marks another span than the file's, and this share says "unanswerable". The SQuAD
# paper reports 2.6 % of questions so marked by at least one worker (section 3.3).
DISAGREE_SHARE = 0.2
UNANSWERABLE_SHARE = 0.01
WORD = re.compile(r"\w+(?:[.,:'’-]\w+)*")


@dataclass(frozen=True)
class Line:
    """A question with its answer's place in the paragraph, code points, ``end`` exclusive."""

    text: str
    start: int
    end: int


class Script:
    """The lines of a play, shared by its players. Safe to use from several threads.

    Each question of the file is written once, by whichever writer of its paragraph comes next; what a player who
    failed had taken goes back. Paragraphs that the file does not have get made-up questions.
    """

    def __init__(self, dataset: Dataset | None, seed: int) -> None:
        self._seed = seed
        self._lock = threading.Lock()
        self._unwritten: dict[str, list[Line]] = defaultdict(list)
        self._answers: dict[tuple[str, str], list[Line]] = defaultdict(list)
        for article in dataset.articles if dataset else ():
            for paragraph in article.paragraphs:
                for question in paragraph.questions:
                    if not question.answers:
                        continue
                    answer = question.answers[0]
                    line = Line(question.text.strip(), answer.start, answer.end)
                    self._unwritten[paragraph.text].append(line)
                    self._answers[paragraph.text, line.text].append(line)
        self._known = set(self._unwritten)

    def take(self, paragraph: str, fewest: int, most: int) -> list[Line]:
        """Up to ``most`` questions to write about ``paragraph``; made-up ones where it is not in the file."""
        with self._lock:
            lines = self._unwritten[paragraph]
            taken, self._unwritten[paragraph] = lines[:most], lines[most:]
        if paragraph in self._known and len(taken) >= fewest:
            return taken
        return taken + self._made_up(paragraph, max(1, fewest) - len(taken))

    def give_back(self, paragraph: str, lines: list[Line]) -> None:
        """Return lines that were taken and not written after all."""
        with self._lock:
            self._unwritten[paragraph] = [
                line for line in lines if line in self._answers[paragraph, line.text]
            ] + self._unwritten[paragraph]

    def unwritten(self) -> int:
        """How many questions of the file nobody has written yet."""
        with self._lock:
            return sum(map(len, self._unwritten.values()))

    def answer(self, paragraph: str, question: str, player: str) -> Line | None:
        """``player``'s answer, or None for unanswerable; the same for the same seed, player and question."""
        chance = random.Random(f"{self._seed}|{player}|{question}")  # noqa: S311 - a play, not a secret
        known = self._answers.get((paragraph, question))
        if known is None:
            return _some_span(paragraph, question, chance)
        line = chance.choice(known)
        draw = chance.random()
        if draw < UNANSWERABLE_SHARE:
            return None
        if draw < UNANSWERABLE_SHARE + DISAGREE_SHARE:
            return _nearby(paragraph, line, chance)
        return line

    def _made_up(self, paragraph: str, count: int) -> list[Line]:
        chance = random.Random(f"{self._seed}|{paragraph}")  # noqa: S311 - a play, not a secret
        words = [match for match in WORD.finditer(paragraph) if len(match[0]) > 3] or list(WORD.finditer(paragraph))
        chosen = chance.sample(words, min(count, len(words)))
        return [
            Line(f"Which word stands at character {word.start()} of this paragraph?", word.start(), word.end())
            for word in chosen
        ]


def _nearby(paragraph: str, line: Line, chance: random.Random) -> Line:
    """The span a little longer, or shorter, as people's answers differ."""
    words = list(WORD.finditer(paragraph))
    inside = [index for index, word in enumerate(words) if word.start() < line.end and word.end() > line.start]
    if not inside:
        return line
    first, last = inside[0], inside[-1]
    if first < last and chance.random() < 0.5:
        first += 1
    elif last + 1 < len(words):
        last += 1
    elif first > 0:
        first -= 1
    return Line(line.text, words[first].start(), words[last].end())


def _some_span(paragraph: str, question: str, chance: random.Random) -> Line | None:
    words = list(WORD.finditer(paragraph))
    if not words:
        return None
    word = chance.choice(words)
    return Line(question, word.start(), word.end())


def written(line: Line, paragraph: str) -> dict[str, Any]:
    """``line`` as the work page sends a written question."""
    return {"id": str(uuid.uuid4()), "text": line.text, "answer": span(line, paragraph)}


def span(line: Line, paragraph: str) -> dict[str, Any]:
    """A line's place as the work page sends it."""
    return {"start": line.start, "end": line.end, "text": paragraph[line.start : line.end]}
