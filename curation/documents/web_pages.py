"""HTML pages as a reader sees them: the running text of the main part, its headings as sections."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from curation.articles import Passage
from curation.documents.sections import Sections
from scoring.json_files import FileError
from scoring.line_ends import lf
from scoring.sentences import _

# Never text that somebody reads in one piece.
_LEFT_OUT = (
    "script, style, noscript, template, nav, form, button, select, textarea, input, iframe, object, embed, svg, math, "
    "canvas, audio, video, map, dialog, menu, aside, footer, figure, pre, head, "
    "[hidden], [aria-hidden=true], [role=navigation], [role=banner], [role=contentinfo], [role=search], "
    "[role=complementary], [role=dialog], [role=alert], [role=menu], [role=toolbar]"
)
_HIDDEN_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))\s*(?:!|;|$)", re.I)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_INLINE = {
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i",
    "ins", "kbd", "label", "mark", "meter", "nobr", "output", "progress", "q", "rp", "rt", "ruby", "s", "samp",
    "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
}  # fmt: skip
# A table that holds these is there for the layout, and its cells are read; others hold data.
_LAYOUT = "p, h1, h2, h3, h4, h5, h6, article, section, blockquote"
_BLANKS = re.compile(r"[ \t\n\f]+")
_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.\-]{1,40})", re.I)
_CHARSET_BYTES = 4096  # twice and more where browsers look for it
_LICENCE_CHARS = 200
# Elements that lie open in each other: browsers stop at some hundreds, and a parser's time grows with the square.
_DEEPEST = 5_000
_OPENED_OR_CLOSED = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*)")
# Those that have no end, or whose end may be left out.
_NEVER_CLOSED = {
    "area", "base", "br", "col", "colgroup", "dd", "dt", "embed", "hr", "img", "input", "li", "link", "meta",
    "optgroup", "option", "p", "param", "rp", "rt", "source", "tbody", "td", "tfoot", "th", "thead", "tr", "track",
    "wbr",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class WebPage:
    """A page's passages and what it says of itself."""

    title: str
    passages: list[Passage]
    source_url: str
    licence: str
    language: str


def declared_encoding(data: bytes) -> str:
    """The encoding that the page's own head names, if it does."""
    found = _CHARSET.search(data[:_CHARSET_BYTES])
    return found[1].decode("ascii") if found else ""


def read_web_page(text: str) -> WebPage:
    """The page of the HTML ``text``. Nothing in it is ever run, and no address in it is visited. Raises FileError
    where its elements nest too deeply."""
    _check_depth(text)
    parser = LexborHTMLParser(text)
    title = _words(node.text()) if (node := parser.css_first("head title")) else ""
    language = _attribute(parser.css_first("html"), "lang")
    source_url = _web_address(_attribute(parser.css_first("link[rel=canonical]"), "href"))
    licence = _attribute(parser.css_first("link[rel=license], a[rel=license]"), "href")
    sections = Sections()
    root = _main_part(parser)
    if root is not None:
        for level, words in _blocks(root, _left_out(parser)):
            if level:
                sections.heading(level, words)
            else:
                sections.passage(words)
    # A page's title often carries the site's name behind the heading.
    if sections.first_heading and sections.first_heading in title:
        title = sections.first_heading
    title = title or sections.first_heading
    return WebPage(title, list(sections.under(title)), source_url, licence[:_LICENCE_CHARS], language)


def _check_depth(text: str) -> None:
    depth = 0
    for tag in _OPENED_OR_CLOSED.finditer(text):
        if tag[2].lower() not in _NEVER_CLOSED:
            depth = max(0, depth - 1) if tag[1] else depth + 1
            if depth > _DEEPEST:
                raise FileError(_("More than {limit} elements of the page lie in each other.", limit=f"{_DEEPEST:,}"))


def _left_out(parser: LexborHTMLParser) -> set[int]:
    """The elements that are passed over with all that is in them, by their ids."""
    nodes = [*parser.css(_LEFT_OUT), *parser.css("body > header")]
    nodes += [node for node in parser.css("[style]") if _HIDDEN_STYLE.search(_attribute(node, "style"))]
    # A selector finds the node itself too.
    nodes += [node for node in parser.css("table") if not node.css_first(_LAYOUT) and len(node.css("table")) == 1]
    return {node.mem_id for node in nodes}


def _main_part(parser: LexborHTMLParser) -> LexborNode | None:
    for selector in ("main, [role=main]", "article"):
        found = parser.css(selector)
        if len(found) == 1:
            return found[0]
    return parser.body


def _blocks(root: LexborNode, left_out: set[int]) -> Iterator[tuple[int, str]]:
    """The text of each block with its level as a heading, 0 for what is none. Walks without recursion: pages nest as
    deeply as they like."""
    pieces: list[str] = []
    level = 0
    node: LexborNode | None = root.child
    while node is not None:
        tag = node.tag or ""
        is_left_out = node.mem_id in left_out
        if is_left_out:
            pieces.append(" ")
        elif tag == "-text":
            pieces.append(lf(node.text_content or ""))
        elif tag == "br":
            # Two in a row are how old pages part paragraphs.
            if pieces and pieces[-1] == "\n":
                yield level, _words("".join(pieces))
                pieces = []
            else:
                pieces.append("\n")
        elif tag == "wbr":
            pieces.append("\u200b")
        elif tag not in _INLINE and not tag.startswith(("-", "!")):
            yield level, _words("".join(pieces))
            pieces, level = [], _HEADINGS.get(tag, 0) if node.child is not None else 0
        if node.child is not None and not is_left_out:
            node = node.child
            continue
        while node is not None and node.next is None:
            node = node.parent
            if node is None or node.mem_id == root.mem_id:
                node = None
            elif node.tag not in _INLINE:
                yield level, _words("".join(pieces))
                pieces, level = [], 0
        node = node.next if node is not None else None
    yield level, _words("".join(pieces))


def _words(text: str) -> str:
    return _BLANKS.sub(" ", text.replace("\u200b", "").replace("\u00ad", "")).strip(" ")


def _attribute(node: LexborNode | None, name: str) -> str:
    return ((node.attributes.get(name) or "") if node is not None else "").strip()


def _web_address(address: str) -> str:
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return address if parts.scheme in ("http", "https") and parts.netloc else ""
