"""Paragraphs like those of an encyclopedia in length and make, drawn from a seed."""

from __future__ import annotations

import random

# Of the 23,215 paragraphs of SQuAD 1.0 (paper, section 3.1) none is shorter than 500 characters; most are near 700.
FEWEST_CHARS, USUAL_CHARS, MOST_CHARS = 500, 700, 3500
PARAGRAPHS_AN_ARTICLE = 43  # 23,215 paragraphs in 536 articles

_SYLLABLES = (
    "an",
    "ber",
    "cor",
    "del",
    "en",
    "fal",
    "gi",
    "har",
    "is",
    "jo",
    "kel",
    "lum",
    "mor",
    "nev",
    "or",
    "é",
    "ö",
)


class Texts:
    """A stream of paragraphs; equal seeds give equal streams."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._words = ["".join(self._chance.choices(_SYLLABLES, k=self._chance.randint(1, 4))) for _ in range(5000)]

    def paragraph(self) -> str:
        """At least FEWEST_CHARS characters, in sentences."""
        wanted = min(MOST_CHARS, FEWEST_CHARS + self._chance.expovariate(1 / (USUAL_CHARS - FEWEST_CHARS)))
        sentences: list[str] = []
        length = 0
        while length < wanted:
            words = self._chance.choices(self._words, k=self._chance.randint(8, 24))
            sentence = " ".join(words).capitalize() + "."
            sentences.append(sentence)
            length += len(sentence) + 1
        return " ".join(sentences)

    def articles(self, paragraphs: int) -> list[list[str]]:
        """``paragraphs`` paragraphs, cut into articles."""
        texts = [self.paragraph() for _ in range(paragraphs)]
        return [texts[at : at + PARAGRAPHS_AN_ARTICLE] for at in range(0, paragraphs, PARAGRAPHS_AN_ARTICLE)]
