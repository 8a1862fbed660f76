"""How much of a question is taken over word for word from its paragraph."""

import re
import unicodedata
from collections import defaultdict

from scoring.characters import REGIONAL_LETTERS, is_inside_word

_FLAGS_TO_BLANKS = {ord(letter): " " for letter in REGIONAL_LETTERS}
# Texts of these characters alone have no marks, joiners or unspaced scripts: their words are a pattern's, found twenty
# times as fast. Everything up to U+02FF but the soft hyphen, and the dashes and quotation marks of typesetting.
_PLAIN = re.compile(r"[\x00-\xac\xae-\u02ff\u2010-\u2027]*")
_PLAIN_WORD = re.compile(r"(?:[^\W_]|(?<=[0-9])[.,](?=[0-9]))+")


def words(text: str) -> list[str]:
    """The words of ``text`` in order, composed (NFC) and lower-cased, punctuation and symbols left out.

    The rule is that of ``characters.is_inside_word``: "Tesla's" makes two words, "1,204" one, and in scripts
    without blanks between words every visible character is one.
    """
    # A flag is no word, and telling a long run of them apart letter by letter would take the square of its length.
    text = unicodedata.normalize("NFC", text).lower().translate(_FLAGS_TO_BLANKS)
    return _PLAIN_WORD.findall(text) if _PLAIN.fullmatch(text) else words_of_any_script(text)


def words_of_any_script(text: str) -> list[str]:
    """``words`` of a text that is composed and lower-cased, character by character."""
    found, start = [], 0
    for end in range(1, len(text) + 1):
        if not is_inside_word(text, end):
            if unicodedata.category(text[start])[0] in "LMN":
                found.append(text[start:end])
            start = end
    return found


def longest_copied_run(question: str, paragraph: str) -> int:
    """The length in words of the longest run of ``question`` that stands in ``paragraph``, whatever its case and
    punctuation."""
    places = defaultdict(list)
    for place, word in enumerate(words(paragraph)):
        places[word].append(place)
    longest = 0
    runs: dict[int, int] = {}  # the length of the run that ends at this word and place
    for word in words(question):
        runs = {place: runs.get(place - 1, 0) + 1 for place in places.get(word, [])}
        longest = max(longest, *runs.values(), 0)
    return longest
