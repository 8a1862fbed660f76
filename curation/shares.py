"""Shares of a text, from 0.0 to 1.0: of digits, of markup, of letters in a script that its language does not use."""

import re
import unicodedata
from collections import Counter
from functools import lru_cache

from scoring.characters import BLANKS

# What clean text never has: tags, templates, links and tables of wikitext and Markdown, entities, addresses, TeX.
_MARKUP = re.compile(
    r"</?[A-Za-z][^<>]{0,200}>|\{\{|\}\}|\[\[|\]\]|\{\||\|\}|\]\(|&(?:[A-Za-z]{2,8}|#\d{1,6});|https?://\S+"
    r"|\\[A-Za-z]{2,20}\b|'{2,}|={2,}|[|^~`_#*\\{}<>]"
)
_IN_LATIN = (
    "af", "ca", "cs", "cy", "da", "de", "en", "es", "et", "eu", "fi", "fr", "ga", "gl", "hr", "hu", "id", "is",
    "it", "la", "lt", "lv", "ms", "nb", "nl", "nn", "no", "pl", "pt", "ro", "sk", "sl", "sq", "sv", "sw", "tl",
    "tr", "vi",
)  # fmt: skip
_IN_CYRILLIC = ("be", "bg", "kk", "ky", "mk", "mn", "ru", "tg", "tt", "uk")
# The scripts of languages, by the first word of Unicode's names for their letters. For other languages, and where
# none is named, a text's commonest script counts as its own.
_SCRIPTS = {
    **dict.fromkeys(_IN_LATIN, ("LATIN",)),
    **dict.fromkeys(_IN_CYRILLIC, ("CYRILLIC",)),
    **dict.fromkeys(("ar", "fa", "ps", "ug", "ur"), ("ARABIC",)),
    **dict.fromkeys(("hi", "mr", "ne", "sa"), ("DEVANAGARI",)),
    "am": ("ETHIOPIC",), "bn": ("BENGALI",), "el": ("GREEK",), "gu": ("GUJARATI",), "he": ("HEBREW",),
    "hy": ("ARMENIAN",), "ja": ("CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"), "ka": ("GEORGIAN",),
    "km": ("KHMER",), "kn": ("KANNADA",), "ko": ("HANGUL", "CJK"), "lo": ("LAO",), "ml": ("MALAYALAM",),
    "my": ("MYANMAR",), "pa": ("GURMUKHI",), "si": ("SINHALA",), "sr": ("CYRILLIC", "LATIN"), "ta": ("TAMIL",),
    "te": ("TELUGU",), "th": ("THAI",), "zh": ("CJK", "BOPOMOFO"),
}  # fmt: skip


_NO_SCRIPTS = {"FULLWIDTH", "HALFWIDTH", "MATHEMATICAL", "MODIFIER", "FEMININE", "MASCULINE", "MICRO"}


def digit_share(text: str) -> float:
    """Of the characters that can be seen, how many are digits of any script."""
    counts = Counter(text)
    seen = sum(count for character, count in counts.items() if character not in BLANKS)
    digits = sum(count for character, count in counts.items() if character.isdigit())
    return digits / seen if seen else 0.0


def markup_share(text: str) -> float:
    """Of all characters, how many belong to what is left of a markup."""
    return sum(len(match[0]) for match in _MARKUP.finditer(text)) / len(text) if text else 0.0


def foreign_script(text: str, language: str) -> tuple[float, str]:
    """Of the letters, how many are of a script that ``language`` (a BCP 47 tag, or nothing) is not written in, and
    the name of the commonest such script."""
    scripts: Counter[str] = Counter()
    for character, count in Counter(text).items():
        if name := _script(character):
            scripts[name] += count
    if not scripts:
        return 0.0, ""
    # Ties go by name, so that the same text always gives the same answer.
    by_count = sorted(scripts, key=lambda name: (-scripts[name], name))
    own = _SCRIPTS.get(language.split("-")[0].lower(), (by_count[0],))
    foreign = [name for name in by_count if name not in own]
    return sum(scripts[name] for name in foreign) / scripts.total(), foreign[0].capitalize() if foreign else ""


@lru_cache(maxsize=20_000)
def _script(character: str) -> str:
    """The script of a letter, empty for what is none. Fullwidth and mathematical letters count as none."""
    if not character.isalpha():
        return ""
    name = unicodedata.name(character, "").split(" ")[0]
    return "" if name in _NO_SCRIPTS else name
