"""Reading the XML that requesters send: safely, and with a sentence for what does not fit the schema."""

import re
from collections.abc import Iterable
from decimal import Decimal
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from ..errors import Refused, invalid_value

MAX_BYTES = 65535  # of a question, a test or an answer key, in UTF-8
MAX_DEPTH = 50  # elements inside one another; what a person writes has a dozen


def root_of(parameter: str, document: str) -> Element:
    """The root element of ``document``. Raises Refused for the size and for what is not well-formed XML."""
    if len(document.encode()) > MAX_BYTES:
        raise invalid_value(parameter, f"It is longer than {MAX_BYTES} bytes.")
    try:
        root = fromstring(document.encode())
    except DefusedXmlException:
        raise wrong_xml("Document type declarations and entities are not allowed.") from None
    except (ParseError, ValueError, LookupError) as error:
        raise wrong_xml(str(error)) from None
    _check_depth(root)
    return root


def _check_depth(root: Element) -> None:
    level, depth = [root], 0
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            raise wrong_xml(f"Elements stand more than {MAX_DEPTH} deep in one another.")
        level = [child for element in level for child in element]


def wrong_xml(details: str) -> Refused:
    return Refused(
        "XMLParseError",
        "There was an error parsing the XML question or answer data in your request. "
        f"Please make sure the data is well-formed and validates against the appropriate schema. Details: {details}",
    )


def unknown_root(root: Element) -> Refused:
    return wrong_xml(f"Cannot find the declaration of element '{root.tag}'.")


def name_of(element: Element) -> str:
    """The element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]


def text_of(element: Element) -> str:
    """The text of an element that holds nothing else. Raises Refused."""
    if len(element):
        raise wrong_xml(f"{name_of(element)} holds text alone, not the element {name_of(element[0])}.")
    return (element.text or "").strip()


def no_text(element: Element) -> None:
    """Raise Refused where text stands between the children of ``element``."""
    loose = [element.text, *(child.tail for child in element)]
    if any(text and text.strip() for text in loose):
        raise wrong_xml(f"{name_of(element)} holds elements alone; text stands between them.")


def in_order(element: Element, required: Iterable[str], optional: Iterable[str], order: str) -> dict[str, Element]:
    """The children of ``element`` by name, each at most once and in the given ``order`` (names with spaces between).

    All are of the element's own namespace. Raises Refused.
    """
    no_text(element)
    names, place, found = order.split(), -1, {}
    allowed = {*required, *optional}
    space = str(element.tag).rpartition("}")[0]
    for child in element:
        name = name_of(child)
        if name not in allowed or str(child.tag).rpartition("}")[0] != space:
            raise wrong_xml(f"{name_of(element)} cannot hold the element {name}; it holds {', '.join(names)}.")
        if names.index(name) <= place:
            raise wrong_xml(f"In {name_of(element)}, {name} stands twice or too late; the order is {', '.join(names)}.")
        place = names.index(name)
        found[name] = child
    for name in required:
        if name not in found:
            raise wrong_xml(f"{name_of(element)} lacks its element {name}; the order is {', '.join(names)}.")
    return found


_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,2})?", re.ASCII)
NUMBER_CHARACTERS = 40


def number(name: str, text: str) -> Decimal:
    """``text`` as a number whose digits and exponent stay within what can be reckoned with. Raises Refused."""
    digits = text.strip()
    if len(digits) > NUMBER_CHARACTERS or not _NUMBER.fullmatch(digits):
        raise wrong_xml(f"{name} must be a number, not {digits[:50]!r}.")
    return Decimal(digits)


def whole_number(name: str, text: str, least: int, most: int) -> int:
    """``text`` as an integer from ``least`` to ``most``. Raises Refused."""
    digits = text.strip()
    plain = digits.removeprefix("-").removeprefix("+")
    if not plain.isascii() or not plain.isdigit() or len(plain) > 12 or not least <= int(digits) <= most:
        raise wrong_xml(f"{name} must be a whole number from {least} to {most}, not {digits[:50]!r}.")
    return int(digits)
