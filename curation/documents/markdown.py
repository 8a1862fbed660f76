"""Markdown as a reader sees it: headings make sections; code, tables, pictures, raw HTML and footnotes are left out."""

import html
import re
from collections.abc import Iterator

from curation.articles import Passage
from curation.documents.lines import paragraphs_of, words_of
from curation.documents.sections import Sections
from scoring.characters import is_blank

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(?P<rest>.*)$")
_ATX_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_DEFINITION = re.compile(r" {0,3}\[[^\]\n]+\]:\s*\S")  # of a link or of a footnote
_QUOTE = re.compile(r" {0,3}(?:> ?)+")
_TABLE_RULE = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)+\|?\s*$|\s*\|\s*:?-+:?\s*\|\s*$")
_FRONT_MATTER = re.compile(r"---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FRONT_TITLE = re.compile(r"^title:[ \t]*(['\"]?)(.+?)\1[ \t]*$", re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_RAW_BLOCK = re.compile(r"<(script|style|pre|table|svg|iframe|form)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)

_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_IMAGE = re.compile(r"!\[[^\]]*\](?:\([^)\s]*(?:\s+[^)]*)?\)|\[[^\]]*\])?")
_FOOTNOTE = re.compile(r"\[\^[^\]\s]+\]")
_LINK = re.compile(r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\](?:\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:\s+[^)]*)?\)|\[[^\]]*\])")
_REFERENCE = re.compile(r"\[([^\[\]]+)\](?![(\[:])")
_AUTOLINK = re.compile(r"<((?:https?://|mailto:)[^\s<>]+)>")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_STRONG = re.compile(r"(\*\*\*|\*\*|\*|~~)(?=\S)(.+?)(?<=\S)\1", re.DOTALL)
_UNDERSCORED = re.compile(r"(?<![^\W_])(___|__|_)(?=\S)(.+?)(?<=\S)\1(?![^\W_])", re.DOTALL)
# What stands for a character that was escaped or in code, until all marks are gone: Unicode's private use area.
_KEPT = 0xE000
_KEPT_MARK = re.compile("[\ue000-\uf8ff]")


def read_markdown(text: str) -> tuple[str, list[Passage]]:
    """The title that ``text`` gives itself, empty where it gives none, and its passages. Line ends are LF."""
    title = ""
    if front := _FRONT_MATTER.match(text):
        text = text[front.end() :]
        named = _FRONT_TITLE.search(front[1])
        title = named[2].strip() if named else ""
    text = _RAW_BLOCK.sub("\n\n", _COMMENT.sub("", _without_code(text)))
    links = {match.casefold() for match in re.findall(r"^ {0,3}\[([^\]\n]+)\]:", text, re.MULTILINE)}
    sections, words = Sections(), words_of(text)
    for level, block in _blocks(text.split("\n")):
        if level:
            sections.heading(level, _shown(" ".join(block), links))
        else:
            for paragraph in paragraphs_of(block, words):
                sections.passage(_shown(_without_bullet(paragraph), links))
    title = title or sections.first_heading
    return title, list(sections.under(title))


def _without_code(text: str) -> str:
    """``text`` without its fenced and its indented code."""
    lines: list[str] = []
    fence, before_is_blank, in_list = "", True, False
    for line in text.split("\n"):
        opening = _FENCE.match(line)
        if fence:
            closes = opening and opening[1].startswith(fence) and is_blank(opening["rest"])
            fence = "" if closes else fence
        elif opening and "`" not in opening["rest"]:
            fence = opening[1]
            lines.append("")
        elif line.startswith(("    ", "\t")) and before_is_blank and not in_list:
            continue  # the blank line before goes on, and so does the code
        else:
            in_list = (in_list and (is_blank(line) or line[:1].isspace())) or _is_item(line)
            before_is_blank = is_blank(line)
            lines.append(line)
    return "\n".join(lines)


def _is_item(line: str) -> bool:
    return re.match(r" {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]", line) is not None


def _blocks(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Headings (their level and text) and runs of lines between them (level 0)."""
    block: list[str] = []
    skip_table = False
    for line in lines:
        quoted = _QUOTE.match(line)
        if quoted:
            line = line[quoted.end() :]
        heading = _ATX_HEADING.match(line)
        underlined = _UNDERLINE.match(line)
        if heading:
            yield 0, block
            yield len(heading[1]), [heading[2] or ""]
            block = []
        elif underlined and block and not is_blank(block[-1]) and not _is_item(block[-1]):
            start = len(block) - 1
            while start and not is_blank(block[start - 1]):
                start -= 1
            yield 0, block[:start]
            yield (1 if underlined[1][0] == "=" else 2), block[start:]
            block = []
        elif _TABLE_RULE.match(line):
            if block and "|" in block[-1]:
                block.pop()
            skip_table = True
        elif skip_table and "|" in line:
            continue
        else:
            skip_table = False
            block.append("" if _RULE.match(line) or _DEFINITION.match(line) else line)
    yield 0, block


def _without_bullet(paragraph: str) -> str:
    return re.sub(r"^(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?", "", paragraph)


def _shown(text: str, links: set[str]) -> str:
    """``text`` without the marks of Markdown; ``links`` are the names of links that are defined, in small letters."""
    kept: list[str] = []

    def keep(shown: str) -> str:
        if len(kept) >= 0xF900 - _KEPT:
            return shown
        kept.append(shown)
        return chr(_KEPT + len(kept) - 1)

    text = _KEPT_MARK.sub("\ufffd", text)
    text = _CODE.sub(lambda match: keep(match[2].strip()), text)
    text = _ESCAPED.sub(lambda match: keep(match[1]), text)
    text = _FOOTNOTE.sub("", _IMAGE.sub("", text))
    text = _LINK.sub(lambda match: match[1], text)
    text = _REFERENCE.sub(lambda match: match[1] if match[1].casefold() in links else match[0], text)
    text = _TAG.sub("", _AUTOLINK.sub(lambda match: keep(match[1]), text))
    for marks in (_STRONG, _STRONG, _UNDERSCORED, _UNDERSCORED):
        text = marks.sub(lambda match: match[2], text)
    text = html.unescape(text)
    text = _KEPT_MARK.sub(lambda match: kept[ord(match[0]) - _KEPT] if ord(match[0]) - _KEPT < len(kept) else "", text)
    return re.sub(r"[ \t]{2,}", " ", text).strip()
