"""Which font each letter of a PDF is set in, and which letters cannot be set at all.

Latin, Greek and Cyrillic are set in a font of ours (see ``reviewer/fonts``). Chinese, Japanese and Korean are set in
fonts that readers bring along for them, by name. Anything else needs a font in the file: ``REPORT_FONT`` names one on
the server. Scripts whose letters join or run from right to left need more than a font, and are not set at all.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from pathlib import Path
from xml.sax.saxutils import escape

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFError, TTFont

PLAIN, BOLD = "NotoSans-Regular", "NotoSans-Bold"
FONTS = Path(__file__).resolve().parents[1] / "fonts"
OWN = "ReportFont"
# By the beginning of a character's Unicode name; the first that fits.
EASTERN = {"HANGUL": "HYSMyeongJo-Medium", "HIRAGANA": "HeiseiMin-W3", "KATAKANA": "HeiseiMin-W3"}
HAN = {"ja": "HeiseiMin-W3", "ko": "HYSMyeongJo-Medium"}
SIMPLIFIED = "STSong-Light"
WIDE = ("CJK ", "FULLWIDTH ", "IDEOGRAPHIC ")
# Their letters change with their neighbours, or stand in another order than they are written down in.
SHAPED = frozenset(
    (
        *("ARABIC", "HEBREW", "SYRIAC", "THAANA", "NKO", "MONGOLIAN", "TIBETAN", "MYANMAR", "KHMER", "THAI", "LAO"),
        *("DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA", "TAMIL", "TELUGU", "KANNADA", "MALAYALAM"),
        "SINHALA",
    )
)
INSTEAD = "?"


@dataclass
class Lettering:
    """Sets texts of a project in ``language``; ``missing`` are the characters that it had to put ``INSTEAD`` for."""

    language: str
    own_font: str = ""
    missing: dict[str, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in (PLAIN, BOLD):
            _ours(name)
        self._own = _own_font(self.own_font) if self.own_font else None

    def runs(self, text: str, plain: str = PLAIN) -> Iterator[tuple[str, str]]:
        """``text`` in pieces, each with its font: ``plain`` where that holds it. Letters and their marks become one
        character where there is one."""
        composed = unicodedata.normalize("NFC", text)
        for font, group in groupby(composed, key=lambda character: self._font(character, plain)):
            piece = "".join(group)
            if font is None:
                self.missing |= dict.fromkeys(piece)
                yield plain, INSTEAD * len(piece)
            else:
                yield font, piece

    def markup(self, text: str, plain: str = PLAIN) -> str:
        """``text`` for a paragraph of reportlab."""
        pieces = [(font, escape(piece)) for font, piece in self.runs(text, plain)]
        return "".join(piece if font == plain else f'<font name="{font}">{piece}</font>' for font, piece in pieces)

    def shortened(self, text: str, size: float, most: float) -> str:
        """``text``, or as much of its beginning as is ``most`` points wide."""
        if self.width(text, size) <= most:
            return text
        while text and self.width(f"{text}…", size) > most:
            text = text[:-1]
        return f"{text.rstrip()}…"

    def width(self, text: str, size: float, plain: str = PLAIN) -> float:
        """Of ``text`` in points."""
        return float(sum(pdfmetrics.stringWidth(piece, font, size) for font, piece in self.runs(text, plain)))

    def _font(self, character: str, plain: str) -> str | None:
        if character.isprintable() and ord(character) in _ours(plain).face.charToGlyph:
            return plain
        if takes_more_than_a_font(character):
            return None
        name = unicodedata.name(character, "")
        if self._own is not None and ord(character) in self._own.face.charToGlyph:
            return OWN
        return _eastern(character, name, self.language.partition("-")[0].lower())


def takes_more_than_a_font(character: str) -> bool:
    """Whether it joins its neighbours, stands above one of them, or runs from right to left."""
    return script_of(character) in SHAPED or bool(unicodedata.combining(character))


def script_of(character: str) -> str:
    """The first word of its Unicode name, which for a letter is its script: ``ARABIC``."""
    return unicodedata.name(character, "").partition(" ")[0]


@cache
def _ours(name: str) -> TTFont:
    """The font of that name of those that come along, made known to reportlab."""
    font = TTFont(name, FONTS / f"{name}.ttf")
    pdfmetrics.registerFont(font)
    return font


def _eastern(character: str, name: str, language: str) -> str | None:
    """The font of an East Asian character; None for others, and those beyond the two bytes that these fonts have."""
    if ord(character) > 0xFFFF:
        return None
    font = next((font for begin, font in EASTERN.items() if name.startswith(begin)), None)
    if font is None and name.startswith(WIDE):
        font = HAN.get(language, SIMPLIFIED)
    if font is not None and font not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(UnicodeCIDFont(font))
    return font


@cache
def _own_font(path: str) -> TTFont | None:
    """The TrueType font in ``path``; None where there is none that a PDF can hold."""
    if not Path(path).is_file():
        return None
    try:
        font = TTFont(OWN, path)
    except TTFError:
        return None
    pdfmetrics.registerFont(font)
    return font
