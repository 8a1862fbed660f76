"""What a careful reader would remark on in the questions that somebody writes for one paragraph, and in their answers.

Advice, not judgement: a name, an idiom or a list may be just right. Its rules stand here and, for the worker's page, in
``static/annotation/advice.js``; the cases in ``tests/scoring/advice_cases.json`` hold both to the same results.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from scoring.copied_text import longest_copied_run, words

# From this many words in a row of the paragraph on, a question is remarked on: four are often just a name or an idiom
# ("at the end of"). Our choice; the paper only asks for the worker's own words.
COPIED_WORDS = 5
# Answers of more words than this are rarely the shortest piece that answers: in the dev file of SQuAD 1.1 nine in ten
# have at most eight.
LONG_ANSWER_WORDS = 12
# Where no blanks part words, each visible character counts as one; so many of them are as long as a word. Chosen so
# that no more questions of XQuAD and CMRC 2018 are remarked on than of SQuAD.
CHARACTERS_A_WORD = {
    **dict.fromkeys(("cmn", "hak", "ja", "ko", "lzh", "nan", "wuu", "yue", "zh"), 2.5),
    **dict.fromkeys(("km", "lo", "my", "th"), 5.0),
}
# Languages that often or always ask without a mark.
UNMARKED_LANGUAGES = {"bo", "dz", "km", "lo", "my", "th"}
QUESTION_MARKS = "?\uff1f\u061f\u037e\u055e\u2047\u2048\u203d\u1367\u2e2e"
LOOSE_EDGES = ",;:\u3001\u060c\uff0c\uff1b\uff1a"
# English words that an answer can do without at its beginning, as they stand in the question already.
LOOSE_FIRST_WORDS = {"at", "because", "by", "for", "in", "of", "on", "since", "with"}
# Words that make no other question of one.
ARTICLES = {"en": {"a", "an", "the"}}

# FNV-1a, of 32 bits. Source: the IETF's draft-eastlake-fnv.
FNV_BASIS, FNV_PRIME, BITS_32 = 0x811C9DC5, 0x01000193, 0xFFFFFFFF

# In the order in which they are shown.
COPIED = "copied"
NOT_A_QUESTION = "not_a_question"
TWO_IN_ONE = "two_in_one"
DUPLICATE = "duplicate"
ASKED_BEFORE = "asked_before"
ANSWER_IN_QUESTION = "answer_in_question"
SAME_ANSWER = "same_answer"
OVERLAPPING_ANSWER = "overlapping_answer"
LONG_ANSWER = "long_answer"
LOOSE_ANSWER = "loose_answer"
CODES = (
    COPIED,
    NOT_A_QUESTION,
    TWO_IN_ONE,
    DUPLICATE,
    ASKED_BEFORE,
    ANSWER_IN_QUESTION,
    SAME_ANSWER,
    OVERLAPPING_ANSWER,
    LONG_ANSWER,
    LOOSE_ANSWER,
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its answer ``[start, end)`` in code points of the paragraph; None where it has none yet."""

    text: str
    answer: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Advice:
    """One remark: its code and what its sentence names (``count`` words, the ``number`` of another question from 1,
    a ``piece`` of the answer)."""

    code: str
    values: dict[str, int | str] = field(default_factory=dict)


def advise(
    paragraph: str,
    language: str,
    asked: Sequence[Asked],
    *,
    is_writing: bool = True,
    asked_before: Collection[int] = (),
) -> list[list[Advice]]:
    """The remarks on each of ``asked``, all of them on ``paragraph``, which is in ``language`` (a BCP 47 tag).

    With ``is_writing`` false only the answers are looked at, each by itself: the questions are other people's.
    ``asked_before`` are the keys (``question_key``) of questions that the paragraph has from elsewhere.
    """
    primary = language.lower().split("-")[0]
    if not is_writing:
        return [_on_span(paragraph, primary, one) for one in asked]
    return [
        [
            *_on_question(paragraph, primary, asked, place, asked_before),
            *_on_other_answers(asked, place),
            *_on_span(paragraph, primary, one),
        ]
        for place, one in enumerate(asked)
    ]


def length_of(words: int, language: str) -> int:
    """How much ``words`` words are in ``language`` (a primary subtag), as they are counted there: visible characters
    where no blanks part words."""
    return int(words * CHARACTERS_A_WORD.get(language, 1))


def question_key(text: str, language: str) -> int | None:
    """A number of 32 bits that is the same for questions of the same words, whatever their order, case, punctuation
    and, in English, articles; None where ``text`` has no word.

    It tells two questions apart and tells neither: whoever holds it can only ask whether a text of theirs is the same.
    """
    return key_of_words(words(text), language)


def key_of_words(own: list[str], language: str) -> int | None:
    """``question_key`` of a text of these words."""
    own = _telling(own, language.lower().split("-")[0])
    return sum(map(_fnv, own)) & BITS_32 if own else None


def _fnv(word: str) -> int:
    value = FNV_BASIS
    for character in word:
        value = (value ^ ord(character)) * FNV_PRIME & BITS_32
    return value


def _telling(own: list[str], language: str) -> list[str]:
    """The words of ``own`` in order of the alphabet without articles; all of them where they are articles alone."""
    return sorted([word for word in own if word not in ARTICLES.get(language, ())] or own)


def _on_question(
    paragraph: str, language: str, asked: Sequence[Asked], place: int, asked_before: Collection[int]
) -> list[Advice]:
    one, own = asked[place], words(asked[place].text)
    if not own:
        return []
    found = []
    run = longest_copied_run(one.text, paragraph)
    if run >= length_of(COPIED_WORDS, language):
        found.append(Advice(COPIED, {"count": run}))
    if not is_question(one.text, language):
        found.append(Advice(NOT_A_QUESTION))
    if sum(bool(words(piece)) for piece in re.split(f"[{QUESTION_MARKS}]", one.text)) > 1 and language != "hy":
        found.append(Advice(TWO_IN_ONE))
    # The same words in another order ask the same thing as a rule.
    telling = _telling(own, language)
    others = [(i, _telling(words(other.text), language)) for i, other in enumerate(asked) if i != place]
    twin = next((i for i, other in others if other == telling), None)
    if twin is not None:
        found.append(Advice(DUPLICATE, {"number": twin + 1}))
    if question_key(one.text, language) in asked_before:
        found.append(Advice(ASKED_BEFORE))
    if one.answer and holds_answer(one.text, paragraph[slice(*one.answer)]):
        found.append(Advice(ANSWER_IN_QUESTION))
    return found


def holds_answer(question: str, answer: str) -> bool:
    """Whether the words of ``answer`` stand in ``question`` one after the other."""
    own, wanted = words(question), words(answer)
    return bool(wanted) and any(own[i : i + len(wanted)] == wanted for i in range(len(own)))


def is_question(text: str, language: str) -> bool:
    """Whether a question mark stands behind the last word, or what ``language`` (a primary subtag) uses for it."""
    if language in UNMARKED_LANGUAGES:
        return True
    if language == "hy":  # on the vowel that is stressed
        return any(mark in text for mark in QUESTION_MARKS)
    marks = QUESTION_MARKS + (";" if language == "el" else "")
    tail = re.search(r"[\W_]*\Z", text)
    ending = tail.group() if tail else ""
    return any(mark in ending for mark in marks) or (language == "ja" and text.removesuffix(ending).endswith("か"))


def _on_other_answers(asked: Sequence[Asked], place: int) -> list[Advice]:
    mine = asked[place].answer
    if mine is None:
        return []
    others = [(i, other.answer) for i, other in enumerate(asked) if i != place and other.answer]
    for number, other in others:
        if other == mine:
            return [Advice(SAME_ANSWER, {"number": number + 1})]
    for number, other in others:
        if other[0] < mine[1] and mine[0] < other[1]:
            return [Advice(OVERLAPPING_ANSWER, {"number": number + 1})]
    return []


def _on_span(paragraph: str, language: str, one: Asked) -> list[Advice]:
    if one.answer is None:
        return []
    text = paragraph[slice(*one.answer)]
    count = len(words(text))
    found = []
    if count > length_of(LONG_ANSWER_WORDS, language):
        found.append(Advice(LONG_ANSWER, {"count": count}))
    first = text.split(" ", 1)[0]
    if language == "en" and count > 1 and first in LOOSE_FIRST_WORDS:
        found.append(Advice(LOOSE_ANSWER, {"piece": first}))
    elif text and (loose := next((edge for edge in (text[-1], text[0]) if edge in LOOSE_EDGES), "")):
        found.append(Advice(LOOSE_ANSWER, {"piece": loose}))
    return found
