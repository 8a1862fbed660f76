"""Lines of a fixed width put together to the paragraphs that they were."""

import re
from collections.abc import Iterable, Iterator, Sequence

from scoring.characters import is_blank, is_unspaced

# A line that is longer was not broken by a width: it is a paragraph of its own. Our choice.
WIDEST_LINE_CHARS = 200
LIST_ITEM = re.compile(r"\s*(?:[-*+•‣–]|\(?\d{1,3}[.)]|[a-z][.)])\s+(?=\S)")

_WORDS = re.compile(r"[^\W\d_]+")
_BROKEN_WORD = re.compile(r"([^\W\d_]+)[-\u2010\u00ad]$")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_BLANKS = re.compile(r"[^\S\n]+")


def words_of(text: str) -> set[str]:
    """The words of a document, by which a word that a line end broke is known again."""
    return {word.casefold() for word in _WORDS.findall(text)}


def paragraphs_of(lines: Iterable[str], words: set[str]) -> Iterator[str]:
    """The paragraphs of ``lines``: what blank lines, list items and indented first lines set apart. ``words`` are
    those of the whole document."""
    block: list[str] = []
    for line in lines:
        if is_blank(line):
            yield from _block(block, words)
            block = []
        else:
            block.append(line)
    yield from _block(block, words)


def joined(lines: Sequence[str], words: set[str]) -> str:
    """``lines`` as one: a blank for each line end, none between characters of scripts without blanks; a word that is
    broken with a hyphen becomes whole where the document has it whole elsewhere."""
    text = ""
    for line in (squeezed(line) for line in lines):
        if not text or not line:
            text += line
        elif broken := _BROKEN_WORD.search(text):
            text = _mended(text, broken, line, words)
        elif is_unspaced(text[-1]) and is_unspaced(line[0]):
            text += line
        else:
            text += f" {line}"
    return text


def squeezed(line: str) -> str:
    """``line`` without blanks at its ends, and one where it has several."""
    return _BLANKS.sub(_one, line).strip()


def _one(blanks: re.Match[str]) -> str:
    # A no-break space that stands alone is meant.
    return blanks[0] if len(blanks[0]) == 1 and blanks[0] != "\t" else " "


def _mended(text: str, broken: re.Match[str], line: str, words: set[str]) -> str:
    rest = _FIRST_WORD.match(line)
    if rest is None or not rest[0][0].islower():
        return text + line
    is_one_word = text[-1] == "\u00ad" or (broken[1] + rest[0]).casefold() in words
    return (text[:-1] if is_one_word else text) + line


def _block(block: Sequence[str], words: set[str]) -> Iterator[str]:
    """The paragraphs of lines among which none is blank."""
    paragraph: list[str] = []
    for line in block:
        if paragraph and _begins(line, paragraph[-1]):
            yield joined(paragraph, words)
            paragraph = []
        paragraph.append(line)
    if paragraph:
        yield joined(paragraph, words)


def _begins(line: str, before: str) -> bool:
    """Whether a paragraph begins with ``line`` though no blank line is ``before`` it."""
    if len(line) > WIDEST_LINE_CHARS or len(before) > WIDEST_LINE_CHARS or LIST_ITEM.match(line):
        return True
    return line[:1].isspace() and not before[:1].isspace() and not LIST_ITEM.match(before)
