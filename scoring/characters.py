"""What counts as blank, as one visible character and as one word. Offsets are code points.

The rules stand here and, for the worker's page, in ``static/annotation/spans.js``; the vectors in
``tests/scoring/span_vectors.json`` hold both to the same results.
"""

import unicodedata

# Unicode's White_Space, the four separators that str.isspace adds, and three characters without width
# (zero width space, word joiner, byte order mark): nobody can see whether they are part of an answer.
BLANKS = frozenset(
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\u200b\u2060\ufeff"
)

# Scripts whose words no blank sets apart, or (Hangul) whose words carry particles that no answer wants.
# First and last code point of each range; digits inside them are digits like others.
UNSPACED_RANGES = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1100, 0x11FF),  # Hangul jamo
    (0x1780, 0x17FF),  # Khmer
    (0x1950, 0x19FF),  # Tai Le, New Tai Lue, Khmer symbols
    (0x1A20, 0x1AAF),  # Tai Tham
    (0x2E80, 0x2FDF),  # Han radicals
    (0x3005, 0x3007),  # Han iteration mark, ideographic zero
    (0x3021, 0x4DBF),  # kana, bopomofo, compatibility jamo, Han
    (0x4E00, 0xA4CF),  # Han, Yi
    (0xA960, 0xA97F),  # Hangul jamo
    (0xA9E0, 0xA9FF),  # Myanmar
    (0xAA60, 0xAA7F),  # Myanmar
    (0xAC00, 0xD7FF),  # Hangul
    (0xF900, 0xFAFF),  # Han
    (0xFF66, 0xFFDC),  # halfwidth kana and jamo
    (0x1AFF0, 0x1B16F),  # kana
    (0x20000, 0x3FFFF),  # Han
)

# Characters that are no marks by category and yet belong to the character before them: joiners, soft hyphen,
# the vowels AM of Thai and Lao, halfwidth kana voicing marks.
TRAILING = frozenset("\u00ad\u200c\u200d\u0e33\u0eb3\uff9e\uff9f")
# Characters that also bind the one after them: soft hyphen, joiners, and the stackers of Khmer and Myanmar.
BINDING = frozenset("\u00ad\u200c\u200d\u17d2\u1039")
# A point or comma between two digits is part of the number: 1,204 and 3.5, with the Arabic marks for the same.
NUMBER_SEPARATORS = frozenset(".,\u066b\u066c")

# Two of these make a flag.
REGIONAL_LETTERS = frozenset(map(chr, range(0x1F1E6, 0x1F1FF + 1)))


def is_blank(text: str) -> bool:
    """Whether ``text`` holds nothing that can be seen."""
    return all(character in BLANKS for character in text)


def cuts_character(text: str, index: int) -> bool:
    """Whether an edge before ``text[index]`` would part one visible character: a letter from its combining marks,
    the parts of an emoji sequence, a flag's two letters, a Hangul syllable's jamo.

    Source: the extended grapheme clusters of UAX 29, with one simplification (whatever follows a joiner belongs to
    it) and one departure (a blank never takes marks, so that trimming always leaves whole characters).
    """
    if not 0 < index < len(text):
        return False
    before, after = text[index - 1], text[index]
    if before == "\r" and after == "\n":
        return True
    if before in BLANKS or after in BLANKS:
        return False
    if before in BINDING or _trails(after):
        return True
    if before in REGIONAL_LETTERS and after in REGIONAL_LETTERS:
        return _regionals_before(text, index) % 2 == 1
    return _joins_jamo(before, after)


def is_inside_word(text: str, index: int) -> bool:
    """Whether an edge before ``text[index]`` would part a word.

    A word is a run of letters, marks and digits, with points and commas that stand between digits. Apostrophes and
    hyphens are edges, since "Tesla" in "Tesla's" and "gold" in "gold-themed" are answers that people mean. In
    scripts without blanks between words every visible character stands for itself.
    """
    if not 0 < index < len(text):
        return False
    if cuts_character(text, index) or _is_inside_number(text, index):
        return True
    return runs_on(_base(text, index - 1)) and runs_on(text[index])


def runs_on(character: str) -> bool:
    """Whether ``character`` forms one word with neighbours of its kind: a letter, mark or digit of a spaced script."""
    return unicodedata.category(character)[0] in "LMN" and not is_unspaced(character)


def is_unspaced(character: str) -> bool:
    """Whether ``character`` is of a script that sets no blanks between its words. Digits never are: they run on."""
    code_point = ord(character)
    if code_point < UNSPACED_RANGES[0][0] or unicodedata.category(character) == "Nd":
        return False
    return any(first <= code_point <= last for first, last in UNSPACED_RANGES)


def _trails(character: str) -> bool:
    code_point = ord(character)
    return (
        character in TRAILING
        or unicodedata.category(character)[0] == "M"
        or 0x1F3FB <= code_point <= 0x1F3FF  # skin tones
        or 0xE0020 <= code_point <= 0xE007F  # the tags of regional flags
    )


def _regionals_before(text: str, index: int) -> int:
    first = index
    while first > 0 and text[first - 1] in REGIONAL_LETTERS:
        first -= 1
    return index - first


def _joins_jamo(before: str, after: str) -> bool:
    left, right = _jamo(before), _jamo(after)
    return (left, right) in {
        ("L", "L"), ("L", "V"), ("L", "LV"), ("L", "LVT"), ("LV", "V"), ("LV", "T"), ("V", "V"), ("V", "T"),
        ("LVT", "T"), ("T", "T"),
    }  # fmt: skip


def _jamo(character: str) -> str:
    """The Hangul_Syllable_Type of ``character``: L, V, T, LV, LVT, or nothing."""
    code_point = ord(character)
    if 0xAC00 <= code_point <= 0xD7A3:
        return "LV" if (code_point - 0xAC00) % 28 == 0 else "LVT"
    if 0x1100 <= code_point <= 0x115F or 0xA960 <= code_point <= 0xA97C:
        return "L"
    if 0x1160 <= code_point <= 0x11A7 or 0xD7B0 <= code_point <= 0xD7C6:
        return "V"
    if 0x11A8 <= code_point <= 0x11FF or 0xD7CB <= code_point <= 0xD7FB:
        return "T"
    return ""


def _is_inside_number(text: str, index: int) -> bool:
    def digit(position: int) -> bool:
        return 0 <= position < len(text) and unicodedata.category(text[position]) == "Nd"

    if text[index] in NUMBER_SEPARATORS:
        return digit(index - 1) and digit(index + 1)
    return text[index - 1] in NUMBER_SEPARATORS and digit(index - 2) and digit(index)


def _base(text: str, index: int) -> str:
    """The first character of the visible character that ``text[index]`` is part of."""
    while cuts_character(text, index):
        index -= 1
    return text[index]
