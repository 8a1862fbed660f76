"""What a QuestionForm shows beside its fields: titles, text, lists, pictures and a restricted XHTML.

Source: QuestionForm.xsd of 2005-10-01 and the articles "QuestionForm" and "Formatted Content" of the API reference.
"""

import re
from dataclasses import dataclass
from html import escape
from html.entities import html5
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring
from django.utils.safestring import SafeString, mark_safe

from ..errors import Refused, invalid_value
from .external import is_web_address, schemes
from .xml import MAX_DEPTH, in_order, name_of, no_text, text_of, wrong_xml


@dataclass(frozen=True)
class Block:
    """One piece of content; ``kind`` names the template that shows it. What does not apply is empty.

    ``text`` is plain text (of a picture, sound or film: the words that stand for it), ``items`` a list's entries,
    ``url`` where a picture, sound or film lies, ``html`` formatted content that was checked here.
    """

    kind: str  # title, text, list, image, audio, video, formatted
    text: str = ""
    items: tuple[str, ...] = ()
    url: str = ""
    html: SafeString | str = ""


def read_content(element: Element, *, least: int = 1) -> tuple[Block, ...]:
    """The blocks inside an Overview, QuestionContent or the like. Raises Refused."""
    no_text(element)
    blocks = tuple(read_block(child, element) for child in element)
    if len(blocks) < least:
        raise wrong_xml(f"{name_of(element)} is empty; it holds {', '.join(BLOCKS)}.")
    return blocks


def read_block(child: Element, parent: Element) -> Block:
    name = name_of(child)
    if name in GONE:
        raise wrong_xml(f"{name} cannot be shown any more: no browser runs Java applets or Flash.")
    if name not in BLOCKS or _space(child) != _space(parent):
        raise wrong_xml(f"{name_of(parent)} cannot hold the element {name}; it holds {', '.join(BLOCKS)}.")
    return BLOCKS[name](child)


def _space(element: Element) -> str:
    return str(element.tag).rpartition("}")[0]


def _list(element: Element) -> Block:
    no_text(element)
    for child in element:
        if name_of(child) != "ListItem" or _space(child) != _space(element):
            raise wrong_xml(f"A List holds ListItem elements, not {name_of(child)}.")
    items = tuple(text_of(child) for child in element)
    if not items:
        raise wrong_xml("A List is empty; it holds ListItem elements.")
    return Block("list", items=items)


def _binary(element: Element) -> Block:
    parts = in_order(element, ("MimeType", "DataURL", "AltText"), (), "MimeType DataURL AltText")
    mime = in_order(parts["MimeType"], ("Type",), ("SubType",), "Type SubType")
    kind, url = text_of(mime["Type"]), text_of(parts["DataURL"])
    if kind not in ("image", "audio", "video"):
        raise wrong_xml(f"The Type of a Binary is image, audio or video, not {kind[:50]!r}.")
    if not is_web_address(url):
        raise invalid_value("Question", f"DataURL must be an {schemes()[0]} address, not {url[:200]!r}.")
    return Block(kind, text=text_of(parts["AltText"]), url=url)


BLOCKS = {
    "Title": lambda element: Block("title", text=text_of(element)),
    "Text": lambda element: Block("text", text=text_of(element)),
    "List": _list,
    "Binary": _binary,
    "FormattedContent": lambda element: Block("formatted", html=formatted(text_of(element))),
}
GONE = ("Application", "EmbeddedBinary")

# Tag to what is written for it and the attributes that are kept. Tags that mean looks alone become neutral ones.
_PLAIN = """
    b blockquote br caption cite code colgroup dd del dfn div dl dt em h1 h2 h3 h4 h5 h6 hr i ins kbd li ol p pre q s
    samp small span strong sub sup table tbody tfoot thead tr u ul var
"""
_CELL = frozenset({"colspan", "rowspan"})
TAGS: dict[str, tuple[str, frozenset[str]]] = {
    **{tag: (tag, frozenset()) for tag in _PLAIN.split()},
    "a": ("a", frozenset({"href"})),
    "img": ("img", frozenset({"src", "alt", "width", "height"})),
    "td": ("td", _CELL),
    "th": ("th", _CELL | {"scope"}),
    "col": ("col", frozenset({"span"})),
    "center": ("div", frozenset()),
    "big": ("span", frozenset()),
    "font": ("span", frozenset()),
    "tt": ("code", frozenset()),
}
# Of old HTML, about looks alone: read over without a word.
_LOOKS = """
    align bgcolor border cellpadding cellspacing clear color face hspace nowrap size start summary target title type
    valign value vspace width height
"""
LOOKS = frozenset(_LOOKS.split())
VOID = frozenset({"br", "hr", "img", "col"})
NUMBERS = frozenset({"width", "height", "colspan", "rowspan", "span"})
XHTML = "http://www.w3.org/1999/xhtml"


def formatted(source: str) -> SafeString:
    """``source``, a piece of XHTML, as HTML of TAGS alone. Raises Refused (XHTMLParseError) for anything else in it.

    The result is written anew from the parsed tree: what was not understood cannot slip through.
    """
    try:
        root = fromstring(f"<div>{_ENTITY.sub(_character, source)}</div>")
    except DefusedXmlException:
        raise _wrong_xhtml("Document type declarations and entities are not allowed.") from None
    except (ParseError, ValueError, LookupError) as error:
        raise _wrong_xhtml(f"It is not well-formed: {error}.") from None
    return mark_safe(_inside(root, 0))  # noqa: S308  # each tag and attribute is from a list, all else is escaped


_ENTITY = re.compile(r"&([A-Za-z][A-Za-z0-9]*;)")


def _character(entity: re.Match[str]) -> str:
    """HTML's own named characters, such as ``&nbsp;``, which XML does not know."""
    if entity[1] in ("amp;", "lt;", "gt;", "quot;", "apos;"):
        return entity[0]
    return escape(html5[entity[1]], quote=False) if entity[1] in html5 else entity[0]


def _inside(element: Element, depth: int) -> str:
    if depth > MAX_DEPTH:
        raise _wrong_xhtml(f"Tags stand more than {MAX_DEPTH} deep in one another.")
    parts = [escape(element.text or "")]
    for child in element:
        parts += [_tag(child, depth + 1), escape(child.tail or "")]
    return "".join(parts)


def _tag(element: Element, depth: int) -> str:
    name = str(element.tag).removeprefix(f"{{{XHTML}}}").lower()
    if name not in TAGS:
        raise _wrong_xhtml(f"The tag {name[:50]} is not allowed; these are: {', '.join(sorted(TAGS))}.")
    written, kept = TAGS[name]
    attributes = "".join(
        _attribute(name, attribute, value) for attribute, value in element.attrib.items() if _is_kept(name, attribute)
    )
    if name == "a":
        attributes += ' target="_blank" rel="noopener noreferrer nofollow"'
    if name == "img" and "alt" not in element.attrib:
        attributes += ' alt=""'
    if "alt" in kept and "src" not in element.attrib:
        raise _wrong_xhtml("An img needs a src.")
    if name in VOID:
        if len(element) or (element.text or "").strip():
            raise _wrong_xhtml(f"The tag {name} holds nothing.")
        return f"<{written}{attributes}>"
    return f"<{written}{attributes}>{_inside(element, depth)}</{written}>"


def _is_kept(tag: str, attribute: str) -> bool:
    if attribute in TAGS[tag][1]:
        return True
    if attribute in LOOKS:
        return False
    raise _wrong_xhtml(
        f"The tag {tag} cannot have the attribute {attribute[:50]} (no styles, ids, classes or scripts)."
    )


def _attribute(tag: str, name: str, value: str) -> str:
    address = value.strip()
    if name == "href" and not (is_web_address(address) or address.startswith(("http://", "mailto:"))):
        raise _wrong_xhtml(f"A link leads to a web or mail address, not {value[:200]!r}.")
    if name == "src" and not is_web_address(address):
        raise _wrong_xhtml(f"A picture has an {schemes()[0]} address, not {value[:200]!r}.")
    if name in NUMBERS and not (value.isascii() and value.isdigit() and len(value) <= 5):
        return ""  # percentages and the like are about looks
    return f' {name}="{escape(address)}"'


def _wrong_xhtml(details: str) -> Refused:
    return Refused(
        "XHTMLParseError", f"The FormattedContent in your question is not XHTML that can be shown. Details: {details}"
    )
