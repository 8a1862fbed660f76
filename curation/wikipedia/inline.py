"""A line of wikitext, its templates written out, as a reader sees it: links, bold, tags, entities, footnotes' gaps."""

import html
import re

from curation.wikipedia import marks
from curation.wikipedia.names import CATEGORIES, FILES, LANGUAGE_PREFIX, PROJECTS

_PIPED_LINK = re.compile(r"\[\[(?![ ]*:)[^\[\]|:\n]*\|([^\[\]|\n]+)\]\]")
_PLAIN_LINK = re.compile(r"\[\[([^\[\]|:#\n]+)\]\]")
_ANY_LINK = re.compile(r"\[\[((?:(?!\[\[|\]\]).)*)\]\]", re.DOTALL)
_IN_BRACKETS = re.compile(r"(.*?)(?:[ ]*\([^()]*\))?$")
_EXTERNAL_LINK = re.compile(
    r"\[(?:(?:https?|ftp|irc|gopher|news|mailto):|//)([^\s\[\]<>\"]*)[ \t]*([^\[\]\n]*)\]", re.I
)

_QUOTES = re.compile(r"'{2,}")

_TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]*)\b[^<>]*/?>")
_SCRIPT = re.compile(r"<(su[bp])\b[^<>]*>([^<>]*)</\1\s*>", re.IGNORECASE)
_HIDDEN = re.compile(
    r"<(span|small|sup|sub)\b[^<>]*(?:display:\s*none|visibility:\s*hidden)[^<>]*>[^<>]*</\1\s*>", re.IGNORECASE
)
_BR = re.compile(r"\s*<br\b[^<>]*>\s*|\s*</br\s*>\s*", re.IGNORECASE)
_HTML_TAGS = frozenset({
    "abbr", "b", "bdi", "bdo", "big", "br", "caption", "center", "cite", "code", "data", "dd", "del", "dfn", "dl", "dt",
    "em", "font", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "ins", "kbd", "mark", "noinclude", "includeonly",
    "onlyinclude", "p", "q", "rb", "rp", "rt", "rtc", "ruby", "s", "samp", "section", "small", "span", "strike",
    "strong", "sub", "sup", "time", "tt", "u", "var", "wbr", "div", "blockquote", "li", "ul", "ol", "nowiki", "poem",
    "ref", "references", "templatestyles", "table", "tr", "td", "th", "tbody", "thead", "indicator", "languages",
    "translate", "tvar", "math",
})  # fmt: skip
_SUPERSCRIPTS = str.maketrans("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ")
_SUBSCRIPTS = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
_RAISED = re.compile(r"[0-9+\-−=()ni]+$")
_LOWERED = re.compile(r"[0-9+\-−=()]+$")

_MARKUP_LEFT = re.compile(r"\{\{+|\}\}+|\[\[+|\]\]+|\{\||\|\}")
# Every blank but the ideographic one, and line ends of the source: a page shows them as one blank.
_NO_SPACE = r"\t\n\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f"
# All of them in a row, but for one space alone, which stays as it is; and a quicker look whether there are any.
_BLANKS = re.compile(f" ?[{_NO_SPACE}][ {_NO_SPACE}]*|  [ {_NO_SPACE}]*")
_HAS_BLANKS = re.compile(f"[{_NO_SPACE}]")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{0,31});")
_VARIANTS = re.compile(r"-\{([^{}]*)\}-")


_NAMES_LEFT = {"{{": "unclosed {{", "}}": "stray }}", "[[": "unclosed [[", "]]": "stray ]]", "{|": "{|", "|}": "|}"}


def text_of(wikitext: str) -> str:
    """What a reader sees of ``wikitext``, a paragraph or a heading. A line end stands where the page breaks the line;
    the marks of what was lost are still in it, and gaps are closed."""
    text = wikitext
    if "[" in text:
        text = _unlink(text)
    if "''" in text:
        text = unquote(text)
    if "  " in text or _HAS_BLANKS.search(text):
        text = _BLANKS.sub(" ", text)
    if "<" in text:
        text = _untag(text)
    if "-{" in text:
        text = _VARIANTS.sub(_variant, text)
    if _MARKUP_LEFT.search(text):
        text = _MARKUP_LEFT.sub(lambda match: marks.lost(_NAMES_LEFT[match.group()[:2]]), text)
    if "&" in text:
        text = _unescape(text)
    return tidy(text)


def _unlink(text: str) -> str:
    if "[[" in text:
        text = _PIPED_LINK.sub(r"\1", text)
        text = _PLAIN_LINK.sub(r"\1", text)
        for _depth in range(3):  # a label may hold links of its own
            if "[[" not in text:
                break
            text = _ANY_LINK.sub(lambda match: _shown_link(match.group(1)), text)
    if "//" in text or "mailto:" in text:
        text = _EXTERNAL_LINK.sub(_shown_address, text)
    return text


def _shown_address(match: re.Match[str]) -> str:
    """The label of an address. One without a label shows a number in brackets, as a footnote does; where the sentence
    leads to it ("see the film at [1]"), it is lost."""
    if match.group(2):
        return match.group(2)
    before = match.string[max(match.start() - 10, 0) : match.start()]
    return marks.lost("link") if _LEADS_TO_ADDRESS.search(before) else marks.GAP


_LEADS_TO_ADDRESS = re.compile(r"\b(?:at|see|from|in|on|of|by|to|the|here)\s+$", re.IGNORECASE)


def _shown_link(inside: str) -> str:
    """What a page shows of the link ``[[inside]]``."""
    target, bar, label = inside.partition("|")
    target = target.strip()
    prefix, colon, rest = target.removeprefix(":").partition(":")
    prefix = prefix.strip().lower().replace("_", " ")
    if colon and not target.startswith(":"):
        if prefix in CATEGORIES or prefix in FILES:
            return marks.BREAK
        if LANGUAGE_PREFIX.match(prefix) and prefix not in PROJECTS and not bar and rest and rest[0] != " ":
            return marks.BREAK
    if bar and label.strip():
        return label
    if bar:  # the pipe trick
        short = _IN_BRACKETS.match(rest if colon else target)
        return short.group(1) if short else target
    return target.removeprefix(":")


def unquote(text: str) -> str:
    """``text`` without the apostrophes that make italics and bold; those that a page shows stay.

    Each line stands for itself. Where it leaves both italics and bold open, one bold opener was an apostrophe and
    italics: the first after a one-letter word, else after a longer word, else after a blank. Source: doQuotes in
    MediaWiki's Parser.php.
    """
    return "\n".join(_unquote_line(line) if "''" in line else line for line in text.split("\n"))


def _unquote_line(line: str) -> str:
    runs = [(match.start(), match.end()) for match in _QUOTES.finditer(line)]
    sizes = [end - start for start, end in runs]
    # Four are an apostrophe and bold; of more than five, the last five are bold and italics.
    shown = [1 if size == 4 else max(size - 5, 0) for size in sizes]
    bold = [index for index, size in enumerate(sizes) if size in (3, 4)]
    both = sum(size >= 5 for size in sizes)
    italic = sum(size == 2 for size in sizes)
    if (len(bold) + both) % 2 and (italic + both) % 2:
        candidates = [index for index in bold if sizes[index] == 3]
        if candidates:
            shown[min(candidates, key=lambda index: _opener_rank(line, runs[index][0]))] = 1
    parts, at = [], 0
    for (start, end), apostrophes in zip(runs, shown, strict=True):
        parts += [line[at:start], "'" * apostrophes]
        at = end
    parts.append(line[at:])
    return "".join(parts)


def _opener_rank(line: str, start: int) -> int:
    before = line[max(start - 2, 0) : start].rjust(2)
    if before[1] == " ":
        return 2
    return 0 if before[0] == " " else 1


def _untag(text: str) -> str:
    text = _HIDDEN.sub("", text)
    text = _SCRIPT.sub(_script, text)
    text = _BR.sub("\n", text)
    return _TAG.sub(lambda match: "" if match.group(1).lower() in _HTML_TAGS else match.group(), text)


def _script(match: re.Match[str]) -> str:
    """Raised or lowered digits as characters of their own, so that 10⁶ does not turn into 106."""
    raised = match.group(1).lower() == "sup"
    inside = html.unescape(match.group(2)).strip()
    if raised:
        return inside.translate(_SUPERSCRIPTS) if _RAISED.match(inside) else inside
    return inside.translate(_SUBSCRIPTS) if _LOWERED.match(inside) else inside


def _variant(match: re.Match[str]) -> str:
    """Text for several scripts of one language (Chinese, Serbian ...): which one, the reader chooses."""
    inside = match.group(1)
    return marks.lost("-{}-") if ":" in inside or ";" in inside else inside.rpartition("|")[2]


def _unescape(text: str) -> str:
    # Each entity by itself: the marks of what was taken out are control characters too, and stay.
    shown = _ENTITY.sub(lambda match: marks.clean(html.unescape(match.group())), text)
    return _BLANKS.sub(lambda match: "\n" if "\n" in match.group() else " ", shown)


_GAPS = re.compile(f"[{marks.GAP}{marks.SOUND}{marks.BREAK}]")
_ANY_GAP = f"{marks.GAP}{marks.SOUND}{marks.BREAK}"
_FOREIGN = f"{marks.FOREIGN}[^{marks.FOREIGN_END}()]*{marks.FOREIGN_END}"
# A bracket of a pronunciation and foreign names alone goes as a whole.
_GLOSS = re.compile(rf"[(（](?:[\s;,/]|[{_ANY_GAP}]|{_FOREIGN})*{marks.SOUND}(?:[\s;,/]|[{_ANY_GAP}]|{_FOREIGN})*[)）]")
_EMPTY = re.compile(rf"[(（][\s;,/:–—{_ANY_GAP}]*[{_ANY_GAP}][\s;,/:–—{_ANY_GAP}]*[)）]|\(\s*\)|（\s*）|\[\s*\]")
_AFTER_OPENER = re.compile(rf"([(（])\s*[{_ANY_GAP}](?:\s*[;,/:–—]|[\s{_ANY_GAP}])*")
_BEFORE_CLOSER = re.compile(rf"(?:\s|[;,/:–—])*[{_ANY_GAP}][\s;,/:–—{_ANY_GAP}]*(?=[)）])")
_BETWEEN = re.compile(rf"\s*([;,])\s*[{_ANY_GAP}][\s{_ANY_GAP}]*(?=[;,])[;,]")
_BEFORE_POINT = re.compile(rf"\s*[{_ANY_GAP}][\s{_ANY_GAP}]*(?=[.,;:!?](?:\s|$))")
# In order: whether there is one, by a quicker look, what to look for, and what is put in its place.
_CLOSINGS = (
    (re.compile(r"[(（\[]"), _EMPTY, marks.GAP),
    (re.compile(rf"[(（]\s*[{_ANY_GAP}]"), _AFTER_OPENER, r"\1"),
    (re.compile(rf"[{_ANY_GAP}][\s;,/:–—{_ANY_GAP}]*[)）]"), _BEFORE_CLOSER, ""),
    (re.compile(rf"[;,]\s*[{_ANY_GAP}]"), _BETWEEN, r"\1"),
    (re.compile(rf"[{_ANY_GAP}][\s{_ANY_GAP}]*[.,;:!?]"), _BEFORE_POINT, ""),
)


# Several in a row are as one: else a row of thousands would take hours.
_ROW_OF_GAPS = re.compile(rf"[{_ANY_GAP}](?:\s*[{_ANY_GAP}])+")


def _one_gap(row: re.Match[str]) -> str:
    whole = row.group()
    gap = marks.SOUND if marks.SOUND in whole else whole[0]
    return gap + ("\n" if "\n" in whole else " " if " " in whole else "")


# Pronunciations side by side, with the blanks around them.
_SOUNDS = re.compile(rf"[\s{_ANY_GAP}]*{marks.SOUND}[\s{_ANY_GAP}]*")
# Words that lead to a pronunciation, or from one to another: without it they lead nowhere.
_LEADS = (
    r"(?:pronounced|pronunciation|pronounce|named|called|spelled|sounds?|read|also|or|and|as|like|is|was|of|from"
    r"|for|to|with|by|than|the)"
)
_LED_TO = re.compile(rf"\b{_LEADS}:?$", re.IGNORECASE)
_LED_FROM = re.compile(r"(?:or|and|to|versus|rather than)\b", re.IGNORECASE)


def _sound(match: re.Match[str]) -> str:
    """A pronunciation that a bracket, or a name in front of it, has beside it goes unseen. One that the sentence itself
    speaks of ("named /eɪ/", "/a/ or /b/", "the vowel /a/ is") is lost."""
    before, behind = match.string[max(match.start() - 20, 0) : match.start()], match.string[match.end() :][:20]
    between_words = before[-1:].isalnum() and behind[:1].isalnum()
    if between_words or _LED_TO.search(before) or _LED_FROM.match(behind):
        return f" {marks.lost('pronunciation')} "
    return match.group()


def tidy(text: str) -> str:
    """``text`` with its gaps closed: no empty brackets, no doubled blanks or separators where something stood."""
    if _GAPS.search(text):
        text = _ROW_OF_GAPS.sub(_one_gap, text)
        text = _GLOSS.sub(marks.GAP, text)
        if marks.SOUND in text:
            text = _SOUNDS.sub(_sound, text)
        for has_one, pattern, put in _CLOSINGS:
            if has_one.search(text):
                text = pattern.sub(put, text)
        text = _GAPS.sub("", text)
    if marks.FOREIGN in text or marks.FOREIGN_END in text:
        text = text.replace(marks.FOREIGN, "").replace(marks.FOREIGN_END, "")
    if "  " in text:
        text = re.sub("  +", " ", text)
    if "\n" in text:
        text = re.sub(r" *\n[ \n]*", "\n", text)
    return text.strip()
