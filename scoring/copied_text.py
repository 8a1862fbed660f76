"""How much of a question is taken over word for word from its paragraph."""

import unicodedata
from collections import defaultdict

from scoring.characters import REGIONAL_LETTERS, is_inside_word

_FLAGS_TO_BLANKS = {ord(letter): " " for letter in REGIONAL_LETTERS}


def words(text: str) -> list[str]:
    """The words of ``text`` in order, composed (NFC) and lower-cased, punctuation and symbols left out.

    The rule is that of ``characters.is_inside_word``: "Tesla's" makes two words, "1,204" one, and in scripts
    without blanks between words every visible character is one.
    """
    # A flag is no word, and telling a long run of them apart letter by letter would take the square of its length.
    text = unicodedata.normalize("NFC", text).lower().translate(_FLAGS_TO_BLANKS)
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
