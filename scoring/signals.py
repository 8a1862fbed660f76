"""What a text itself says for or against the work that made it: figures for a reviewer to weigh.

None of them is a judgement. Each function looks at texts and numbers alone, gives its unit, and leaves the threshold
to whoever asks. The signals that ``scoring.advice`` shows to workers while they write use the same rules.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from scoring.advice import LOOSE_EDGES, LOOSE_FIRST_WORDS, key_of_words, length_of
from scoring.copied_text import words
from scoring.normalization import primary_subtag
from scoring.spans import is_mid_word
from scoring.squad_metrics import Rule, token_f1

# Of these many answers or questions a pattern may be an accident; our choice.
FEWEST_FOR_A_PATTERN = 4
# Two questions that begin with the same words ask in one mould; "what is" alone is too common to tell.
MOULD_WORDS = 3
# Letters that a text needs before the frequencies of its letters say anything about its language.
FEWEST_LETTERS_FOR_A_LANGUAGE = 20

_PAIRS = {"(": ")", "[": "]", "{": "}", "\u3008": "\u3009", "\u300a": "\u300b", "\u300c": "\u300d", "\u300e": "\u300f"}
_PAIRS |= {"\uff08": "\uff09", "\u3010": "\u3011", "\u00ab": "\u00bb"}
# One closes in one language what another opens it with: any of them needs a second.
_QUOTATION_MARKS = '"', "\u201c\u201d\u201e"
_SENTENCE_ENDS = ".!?\u3002\uff01\uff1f"


def answer_words(answer: str) -> int:
    """The words of ``answer``; in scripts without blanks between words, its visible characters."""
    return len(words(answer))


@dataclass(frozen=True, slots=True)
class Wording:
    """What a question is compared with others by, worked out once however many these are.

    ``key`` is that of ``scoring.advice.question_key``. ``pairs`` are the pairs of neighbouring characters of its words,
    each repeat of one under a number of its own, so that what two questions share, counted with repeats, is what two
    sets share: some 50 members, of which a comparison costs about a microsecond.
    """

    text: str
    key: int | None
    pairs: frozenset[str]

    @classmethod
    def of(cls, text: str, language: str = "en") -> Self:
        """The wording of a question in ``language`` (a BCP 47 tag)."""
        own = words(text)
        return cls(text, key_of_words(own, language), _pairs_of(own))


def similarity(one: str, other: str) -> float:
    """How much two questions share, from 0.0 to 1.0: twice the pairs of neighbouring characters that both have, over
    the pairs of both (Dice's coefficient on bigrams, counted with repeats), whatever their case and punctuation.

    The same words in the same order give 1.0. Source: Dice, "Measures of the amount of ecologic association between
    species", 1945.
    """
    return _shared(_pairs_of(words(one)), _pairs_of(words(other)))


def _shared(mine: frozenset[str], others: frozenset[str]) -> float:
    total = len(mine) + len(others)
    # Two without a word are alike.
    return 2 * len(mine & others) / total if total else 1.0


def _pairs_of(own: Sequence[str]) -> frozenset[str]:
    if not own:
        return frozenset()
    joined, seen = f" {' '.join(own)} ", Counter[str]()
    pairs = []
    for place in range(len(joined) - 1):
        pair = joined[place : place + 2]
        pairs.append(f"{pair}{seen[pair] or ''}")
        seen[pair] += 1
    return frozenset(pairs)


def nearest(question: Wording, others: Iterable[Wording]) -> tuple[int, float] | None:
    """The place and similarity of the one among ``others`` that is most like ``question``; the first of equals, None
    where there are none."""
    best: tuple[int, float] | None = None
    mine = question.pairs
    for place, other in enumerate(others):
        # Lengths alone say how much two can share at most.
        most = 2 * min(len(mine), len(other.pairs))
        if mine and best is not None and most <= best[1] * (len(mine) + len(other.pairs)):
            continue
        found = _shared(mine, other.pairs)
        if best is None or found > best[1]:
            best = place, found
    return best


def odd_edges(paragraph: str, start: int, end: int, language: str = "en") -> list[str]:
    """What is odd about where the answer ``[start, end)`` (code points) begins and ends, as codes:

    ``mid_word`` (an edge parts a word), ``punctuation`` (it begins or ends with a comma or the like, or takes a
    sentence's end along), ``loose_word`` (English: it begins with a word that the question holds already, such as
    *in*), ``unclosed`` (a bracket or quotation mark without its other half).
    """
    text, found = paragraph[start:end], []
    if is_mid_word(paragraph, start, end):
        found.append("mid_word")
    if text[:1] in LOOSE_EDGES or text[-1:] in LOOSE_EDGES or _takes_an_end_along(text):
        found.append("punctuation")
    first, _blank, rest = text.partition(" ")
    if primary_subtag(language) == "en" and rest and first.lower() in LOOSE_FIRST_WORDS:
        found.append("loose_word")
    if _has_an_open_pair(text):
        found.append("unclosed")
    return found


def _takes_an_end_along(text: str) -> bool:
    """Whether a full stop or the like stands behind several words: behind one it may belong to an abbreviation."""
    return text[-1:] in _SENTENCE_ENDS and len(words(text)) > 1 and not re.search(r"\b\w\.$", text)


def _has_an_open_pair(text: str) -> bool:
    return any(sum(map(text.count, marks)) % 2 == 1 for marks in _QUOTATION_MARKS) or any(
        text.count(left) != text.count(right) for left, right in _PAIRS.items()
    )


def best_agreement(
    answer: str | None, others: Sequence[str | None], language: str = "en", rule: Rule = Rule.V1_1
) -> float | None:
    """The best token F1 of ``answer`` (None: unanswerable) against any of ``others``, from 0.0 to 1.0; two that find
    no answer agree fully, one of the two does not at all. None where nobody else answered."""
    if not others:
        return None
    return max(_agreement(answer, other, language, rule) for other in others)


def _agreement(one: str | None, other: str | None, language: str, rule: Rule) -> float:
    if one is None or other is None:
        return float(one is other)
    return token_f1(one, other, rule, language)


def straight_line(
    questions: Sequence[str],
    spans: Sequence[tuple[int, int] | None],
    lengths: Sequence[int],
    language: str = "en",
) -> tuple[str, float]:
    """The pattern that most of one worker's answers or questions follow, and the share of them, from 0.0 to 1.0:

    ``same_mould`` (questions in ``language`` that begin with the same three words, or as many characters where no
    blanks part words; pass none where others wrote them), ``no_answer``
    (marked unanswerable), ``at_the_start`` (an answer that begins in the first tenth of its paragraph; ``lengths`` are
    the paragraphs'), ``same_span`` (the same place). Fewer than four give no pattern: ``("", 0.0)``.
    """
    shares = {}
    mould = length_of(MOULD_WORDS, primary_subtag(language))
    moulds = Counter(tuple(words(text)[:mould]) for text in questions if len(words(text)) > mould)
    if len(questions) >= FEWEST_FOR_A_PATTERN and moulds:
        shares["same_mould"] = moulds.most_common(1)[0][1] / len(questions)
    if len(spans) >= FEWEST_FOR_A_PATTERN:
        marked = [(span, length) for span, length in zip(spans, lengths, strict=True) if span is not None]
        shares["no_answer"] = 1 - len(marked) / len(spans)
        shares["at_the_start"] = sum(span[0] * 10 < length for span, length in marked) / len(spans)
        same = Counter(span for span, _length in marked).most_common(1)
        shares["same_span"] = same[0][1] / len(spans) if same and same[0][1] > 1 else 0.0
    if not shares:
        return "", 0.0
    pattern = max(shares, key=lambda name: shares[name])
    return (pattern, shares[pattern]) if shares[pattern] else ("", 0.0)


# What people seldom type into a field for questions, and text generators often write. None of it proves anything:
# keyboards of phones make curly quotation marks too.
_PHRASES = re.compile(
    r"\b(?:as an ai|language model|according to the (?:passage|paragraph|text|article|context)"
    r"|based on the (?:passage|paragraph|text|article|context|information)"
    r"|(?:the|this) (?:passage|paragraph|text) (?:states|mentions|describes|discusses)"
    r"|certainly|here (?:is|are) (?:a|some|five|the) questions?)\b",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"\*\*|__|`|^\s*(?:[-*\u2022]|\d{1,2}[.)])\s|\bQ\d*\s*[:.]|\bQuestion\s+\d+", re.IGNORECASE)
_TYPESET = re.compile("[\u2013\u2014\u2018\u2019\u201c\u201d\u2026\u00a0\u200b\u200c\u200d\u2060\ufeff\u202f]")


# Of these, what people type in some languages: quotation marks and dashes of Chinese keyboards, joiners inside words of
# Persian and of scripts of India, blanks before French question marks.
_TYPED = {
    **dict.fromkeys(("zh", "cmn", "yue", "ja"), "\u2013\u2014\u2018\u2019\u201c\u201d\u2026"),
    **dict.fromkeys(("fa", "ur", "ps", "ckb", "hi", "mr", "ne", "bn", "ta", "te", "kn", "ml", "si"), "\u200c\u200d"),
    "fr": "\u00a0\u202f\u2019",
}


def machine_marks(question: str, paragraph: str = "", language: str = "en") -> list[str]:
    """What in ``question`` reads as if a program had written it, as codes; evidence, and never proof:

    ``phrases`` (such as "according to the passage"), ``markup`` (lists, bold, "Q1:"), ``typeset`` (dashes, quotation
    marks and blanks that keyboards for ``language`` do not have and ``paragraph`` does not either).
    """
    found = []
    if _PHRASES.search(question):
        found.append("phrases")
    if _MARKUP.search(question):
        found.append("markup")
    if set(_TYPESET.findall(question)) - {*paragraph, *_TYPED.get(primary_subtag(language), "")}:
        found.append("typeset")
    return found


def is_even(questions: Sequence[str]) -> bool:
    """Whether four questions or more are all nearly as long as each other (their words spread by less than a tenth of
    their mean): people's questions differ more."""
    counts = [len(words(text)) for text in questions]
    if len(counts) < FEWEST_FOR_A_PATTERN or not any(counts):
        return False
    mean = sum(counts) / len(counts)
    spread = (sum((count - mean) ** 2 for count in counts) / len(counts)) ** 0.5
    return mean >= 5 and spread < mean / 10  # of short ones, lengths are even by chance


def letters(text: str) -> int:
    """How many letters ``text`` has."""
    return sum(unicodedata.category(character)[0] == "L" for character in text)


def is_typed(keys: int, untyped_characters: int, text: str) -> bool:
    """Whether ``text`` came by keystrokes: a key for most of its characters, and none without one. Input methods for
    scripts with many characters need fewer keys, so half will do."""
    return untyped_characters == 0 and keys * 2 >= len(text)
