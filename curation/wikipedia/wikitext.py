"""An article's wikitext in sections and paragraphs, without what a reader would not call running text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from curation.articles import Passage
from curation.wikipedia import marks, spans
from curation.wikipedia.inline import text_of
from curation.wikipedia.names import APPENDICES, CATEGORIES, FILES, LANGUAGE_PREFIX, PROJECTS
from curation.wikipedia.templates import Templates


class Lists(StrEnum):
    """What becomes of bulleted, numbered and indented lines."""

    LEAVE_OUT = "leave_out"
    KEEP = "keep"  # each list is a passage, a line to each item


@dataclass(frozen=True)
class Body:
    """What was read of an article; the two lengths, in characters, tell an article from a list."""

    passages: list[Passage] = field(default_factory=list)
    prose_characters: int = 0
    list_characters: int = 0


def read_body(wikitext: str, templates: Templates, lists: Lists = Lists.LEAVE_OUT, appendices: bool = False) -> Body:
    """The passages of an article. ``appendices`` keeps what stands under "References", "See also" and their like."""
    text = _without_files(templates.expand(_without_blocks(marks.clean(wikitext))))
    passages: list[Passage] = []
    prose = listed = 0
    for block in _blocks(text):
        if block.is_list:
            listed += sum(map(len, block.lines))
        if block.is_list and lists == Lists.LEAVE_OUT:
            continue
        if not appendices and any(heading.lower() in APPENDICES for heading in block.section):
            continue
        for passage in _passages(block):
            passages.append(passage)
            prose += 0 if block.is_list else len(passage.text)
    return Body(passages, prose, listed)


@dataclass
class _Block:
    lines: list[str]
    section: tuple[str, ...]
    is_list: bool = False


def _without_comments(text: str) -> str:
    """``text`` without comments; a line that holds nothing else goes with its comment."""
    parts, at = [], 0
    while (start := text.find("<!--", at)) >= 0:
        close = text.find("-->", start)
        end = len(text) if close < 0 else close + 3
        line = text.rfind("\n", at, start) + 1 or at
        begins_line = line == 0 or text[line - 1] == "\n"
        if begins_line and not text[line:start].strip(" \t"):
            start = line
            if rest := _LINE_REST.match(text, end):
                end = rest.end()
        parts.append(text[at:start])
        at = end
    parts.append(text[at:])
    return "".join(parts)


_LINE_REST = re.compile(r"[ \t]*\n")

# Tags whose inside is no wikitext or not for a reader of running text: what is left where each of them stood.
_TAKEN = {
    "ref": marks.GAP, "references": marks.BREAK, "gallery": marks.BREAK, "math": marks.lost("math"),
    "chem": marks.lost("chem"), "ce": marks.lost("ce"), "timeline": marks.BREAK, "score": marks.lost("score"),
    "imagemap": marks.BREAK, "hiero": marks.lost("hiero"), "graph": marks.BREAK, "mapframe": marks.BREAK,
    "maplink": marks.GAP, "templatedata": marks.BREAK, "templatestyles": marks.BREAK, "syntaxhighlight": marks.BREAK,
    "source": marks.BREAK, "pre": marks.BREAK, "categorytree": marks.BREAK, "inputbox": marks.BREAK,
    "phonos": marks.SOUND, "section": marks.GAP, "ref/": marks.GAP,
}  # fmt: skip
_OPENED = re.compile(rf"<(nowiki|{'|'.join(name for name in _TAKEN if name.isalpha())})\b([^<>]*)>", re.IGNORECASE)
_ESCAPES = {ord(character): f"&#{ord(character)};" for character in "{}[]|'=<>*#:;_~-"}


def _without_blocks(text: str) -> str:
    """``text`` without comments, footnotes and the other tags that are taken as a whole, and without tables."""
    if "<" in text:
        if "<!--" in text:
            text = _without_comments(text)
        text = _without_tags(text)
    return _without_tables(text)


def _without_tags(text: str) -> str:
    parts = []
    at = 0
    lower = ""
    unclosed: set[str] = set()
    for match in _OPENED.finditer(text):
        if match.start() < at:
            continue
        name = match.group(1).lower()
        end, inside = match.end(), ""
        if not match.group(2).endswith("/"):
            lower = lower or _lower(text)
            closing = -1 if name in unclosed else lower.find(f"</{name}", end)
            if closing < 0:
                unclosed.add(name)
                # A footnote that nothing closes would run into the sentence: its line is lost.
                line_end = text.find("\n", end)
                end = len(text) if line_end < 0 else line_end
                parts += [text[at : match.start()], "" if name == "nowiki" else marks.lost(f"unclosed <{name}>")]
                at = match.end() if name == "nowiki" else end
                continue
            inside = text[end:closing]
            shut = text.find(">", closing)
            end = len(text) if shut < 0 else shut + 1
        parts.append(text[at : match.start()])
        parts.append(inside.translate(_ESCAPES) if name == "nowiki" else _left_of(name, text, match.start(), end))
        at = end
    if not parts:
        return text
    parts.append(text[at:])
    return "".join(parts)


def _lower(text: str) -> str:
    """``text`` in lower case, its length kept: some letters' lower case is two characters."""
    lower = text.lower()
    return lower if len(lower) == len(text) else re.sub("[A-Z]+", lambda match: match.group().lower(), text)


def _left_of(name: str, text: str, start: int, end: int) -> str:
    left = _TAKEN[name]
    if name == "source" and text.find("\n", start, end) < 0:
        return marks.lost("code")  # in a line of text; alone on its line it goes with the line
    return left


_TABLE_EDGE = re.compile(r"^[ \t:*#]*(?:\{\||(\|\})(?!\}))|^(==.*)", re.MULTILINE)
_HTML_TABLE = re.compile(r"<table\b.*?(?:</table\s*>|\Z)", re.IGNORECASE | re.DOTALL)


def _without_tables(text: str) -> str:
    """``text`` without tables, those within others too. One that nothing closes ends before the next heading."""
    if "{|" in text:
        parts, at, depth = [], 0, 0
        for match in _TABLE_EDGE.finditer(text):
            if match.group(2) is not None:
                if depth:
                    depth, at = 0, match.start()
                    parts.append("\n")  # a heading is one only at the beginning of a line
            elif match.group(1) is None:
                if not depth:
                    parts += [text[at : match.start()], marks.BREAK]
                depth += 1
            elif depth:
                depth -= 1
                if not depth:
                    at = match.end()
        if not depth:
            parts.append(text[at:])
        text = "".join(parts)
    return _HTML_TABLE.sub(marks.BREAK, text) if "<table" in text.lower() else text


_FILE_LINK = re.compile(r"\[\[[ ]*([^\[\]|:{}\n]+):")


def _without_files(text: str) -> str:
    """``text`` without pictures (their captions may hold links), categories and links to other languages."""
    if "[[" not in text or not any(_is_apart(match.group(1)) for match in _FILE_LINK.finditer(text)):
        return text
    parts, at = [], 0
    for span in spans.links(text):
        match = _FILE_LINK.match(text, span.start)
        if match and _is_apart(match.group(1)):
            name = match.group(1).strip().lower()
            if name not in FILES and name not in CATEGORIES and "|" in text[span.start : span.end]:
                continue
            parts += [text[at : span.start], marks.BREAK]
            at = span.end
    parts.append(text[at:])
    return "".join(parts)


def _is_apart(prefix: str) -> bool:
    name = prefix.strip().lower()
    return name in FILES or name in CATEGORIES or bool(LANGUAGE_PREFIX.match(name) and name not in PROJECTS)


_HEADING = re.compile(r"(={1,6})(.+?)\1[ \t\x03\x07]*$")
_LIST = re.compile(r"[ \t]*[*#:;]+")
# The blanks behind one are no line's beginning, which would make the line code.
_BLOCK_TAG = re.compile(
    r"(?:</?(?:blockquote|div|center|p|ul|ol|dl|h[1-6]|hr|section|noinclude|onlyinclude|poem)\b[^<>]*>"
    r"|(<(?:li|dd|dt)\b[^<>]*>)|</(?:li|dd|dt)\s*>)[ \t]*",
    re.IGNORECASE,
)
_BLOCKQUOTE = re.compile(r"<blockquote\b[^<>]*>.*?(?:</blockquote\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_INDENTED = re.compile(r"\n[ \t]+")
_MAGIC_WORD = re.compile(r"__[A-Z]{3,20}__")
_ONLY_MARKS = re.compile(
    rf"(?:[\s{marks.GAP}{marks.BREAK}{marks.SOUND}.,;:]|{marks.LOST}[^{marks.LOST_END}]*{marks.LOST_END})*$"
)
_ENDS_SENTENCE = re.compile(rf"[.!?:…。！？]['\"”’»)\]\s{marks.GAP}{marks.BREAK}]*$")


def _blocks(text: str) -> Iterator[_Block]:
    """Paragraphs and lists, each with the headings that it stands under."""
    if "<" in text:
        text = _BLOCKQUOTE.sub(lambda match: _INDENTED.sub("\n", match.group()), text)
        text = _BLOCK_TAG.sub(lambda match: "\n\n* " if match.group(1) else "\n\n", text)
    section: list[tuple[int, str]] = []
    block = _Block([], ())
    for line in text.split("\n"):
        kind = _kind(line, block)
        if kind == "text" and not block.is_list:
            block.lines.append(line)
            continue
        if kind == "item" and block.is_list:
            block.lines.append(line)
            continue
        if block.lines:
            yield block
        path = block.section
        if kind == "heading" and (match := _HEADING.match(line)):
            level = len(match.group(1))
            section = [entry for entry in section if entry[0] < level]
            section.append((level, marks.take_lost(text_of(match.group(2)))[0]))
            path = tuple(title for _level, title in section if title)
        block = _Block([line] if kind in ("text", "item") else [], path, kind == "item")
    if block.lines:
        yield block


def _kind(line: str, block: _Block) -> str:
    if not line or line.isspace():
        return "blank"
    first = line[0]
    if first == "=" and _HEADING.match(line):
        return "heading"
    if first in "*#:;":
        return "item"
    if line.startswith("----"):
        return "blank"
    if _ONLY_MARKS.match(line):
        # Alone on its line, what could not be written out is a block; in a sentence that runs on, it is part of it.
        runs_on = (
            marks.LOST in line and block.lines and not block.is_list and not _ENDS_SENTENCE.search(block.lines[-1])
        )
        return (
            "text" if runs_on or (marks.GAP in line and marks.BREAK not in line and marks.LOST not in line) else "blank"
        )
    if first in " \t":
        return "item" if _LIST.match(line) else "blank"  # a line that begins with a blank is shown as code
    return "text"


def _passages(block: _Block) -> Iterator[Passage]:
    if block.is_list:
        items = [text_of(_LIST.sub("", line, count=1)) for line in block.lines]
        shown = [item.replace("\n", " ") for item in items if item]
        texts = ["\n".join(shown)] if shown else []
    else:
        lines = "\n".join(block.lines)
        texts = [text_of(lines)]
    for marked in texts:
        text, lost = marks.take_lost(marked)
        if text := _again_tidy(text):
            yield Passage(text, block.section, lost)


def _again_tidy(text: str) -> str:
    text = _MAGIC_WORD.sub("", text) if "__" in text else text
    return re.sub("  +", " ", text).strip()
