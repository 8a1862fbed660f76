"""Answer texts made comparable, and cut into tokens, as the SQuAD evaluation does it."""

import re
import string
import sys
import unicodedata
from functools import cache, lru_cache

from scoring.characters import cuts_character, is_unspaced

# The words that do not count, by language; English's are those of the official evaluation.
_ARTICLE_WORDS = {"en": frozenset({"a", "an", "the"})}
_ARTICLES = {language: re.compile(rf"\b({'|'.join(sorted(words))})\b") for language, words in _ARTICLE_WORDS.items()}

# Primary subtags (BCP 47) of languages written without blanks between words: Chinese and its varieties, Japanese,
# Thai, Lao, Khmer, Burmese.
UNSPACED_LANGUAGES = frozenset({"zh", "cmn", "yue", "wuu", "nan", "hak", "lzh", "ja", "th", "lo", "km", "my"})


def normalize(text: str, language: str = "en") -> str:
    """``text`` in lower case, without ASCII punctuation, then without the articles a, an and the, its white space
    squeezed to single blanks. The same under both rules.

    Source: normalize_answer in evaluate-v1.1.py and evaluate-v2.0.py of rajpurkar/SQuAD-explorer. The order of the
    steps counts, and nothing else is done: typographic quotes, dashes and Unicode forms stay as they are.

    In a ``language`` (BCP 47) other than English all of Unicode's punctuation goes, as "。" and "؟" would otherwise
    part equal answers, and a, an and the are words like others.
    """
    return " ".join(runs(text, language))


def runs(text: str, language: str = "en") -> list[str]:
    """The pieces of ``normalize(text, language)`` that blanks part, in order."""
    language = primary_subtag(language)
    bare = text.lower().translate(_punctuation(language == "en"))
    if language not in _ARTICLES:
        return bare.split()
    if bare.isascii() and bare.isprintable():
        # Without punctuation and control characters a word ends at a blank alone: no need for the expression, which
        # takes longer than all the rest.
        articles = _ARTICLE_WORDS[language]
        return [run for run in bare.split() if run not in articles]
    return _ARTICLES[language].sub(" ", bare).split()


def tokens(normalized: str, language: str = "en") -> list[str]:
    """The tokens of a normalised text: what white space parts, as in the official evaluation.

    In a language without blanks between words (``UNSPACED_LANGUAGES``) each visible character of such a script is a
    token of its own, and what stands between them is whole.
    """
    return apart(normalized.split(), language)


def apart(found: list[str], language: str) -> list[str]:
    """The tokens of ``runs``, themselves but in a language without blanks between words."""
    if primary_subtag(language) not in UNSPACED_LANGUAGES:
        return found
    return [token for run in found for token in _characters_apart(run)]


@lru_cache(maxsize=256)
def primary_subtag(language: str) -> str:
    """The language itself of a BCP 47 tag: "zh" of "zh-Hant-TW"."""
    return language.partition("-")[0].lower()


@cache
def _punctuation(is_official: bool) -> dict[int, None]:
    """What ``str.translate`` drops: ASCII punctuation as in the official evaluation, or Unicode's as well."""
    dropped = set(string.punctuation)
    if not is_official:
        every = map(chr, range(sys.maxunicode + 1))
        dropped |= {character for character in every if unicodedata.category(character)[0] == "P"}
    return dict.fromkeys(map(ord, dropped))


def _characters_apart(run: str) -> list[str]:
    found, start = [], 0
    for end in range(1, len(run)):
        if (is_unspaced(run[start]) or is_unspaced(run[end])) and not cuts_character(run, end):
            found.append(run[start:end])
            start = end
    return [*found, run[start:]]
