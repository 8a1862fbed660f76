"""Characters that stand in a text on its way for what was taken out of it; none is left when it arrives.

They are control characters, which neither XML nor a page of MediaWiki can hold; ``clean`` takes them out of any other
text before it sets off.
"""

import re

# Around the name of what could not be written out.
LOST, LOST_END = "\x01", "\x02"
# What a reader sees as a footnote's mark, or not at all.
GAP = "\x03"
# Around words of another language, whose brackets go where the pronunciation beside them goes.
FOREIGN, FOREIGN_END = "\x04", "\x05"
# A pronunciation.
SOUND = "\x06"
# What stands as a block of its own on the page.
BREAK = "\x07"

_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufdd0-\ufdef\ufffe\uffff]")
_LOST = re.compile(f"{LOST}([^{LOST_END}]*){LOST_END}")
_NAMELESS = re.compile(r"[\s\x00-\x1f]+")


def clean(text: str) -> str:
    """``text`` without control characters, its line ends LF."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROLS.sub("", text)


def lost(name: str) -> str:
    """The mark of something named ``name`` that could not be written out."""
    shown = _NAMELESS.sub(" ", name).strip()[:80]
    return f"{LOST}{shown or '?'}{LOST_END}"


def take_lost(text: str) -> tuple[str, tuple[str, ...]]:
    """``text`` without the marks of what was lost, and the names, each once, in order."""
    if LOST not in text:
        return text, ()
    names = tuple(dict.fromkeys(_LOST.findall(text)))
    return _LOST.sub("", text).replace(LOST, "").replace(LOST_END, ""), names
