"""The Question of a HIT: what the XML must be, and the address of the frame that shows it.

Source: ExternalQuestion.xsd of 2006-07-14 and the article "ExternalQuestion" of the API reference.
"""

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring
from django.conf import settings

from .errors import Refused, invalid_value

MAX_BYTES = 65535  # of the question in UTF-8
EXTERNAL = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2006-07-14/ExternalQuestion.xsd"
PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"


@dataclass(frozen=True)
class ExternalQuestion:
    """A page of the requester's, shown in a frame ``height`` pixels high (0: as high as the window allows)."""

    url: str
    height: int


def parse(question: str) -> ExternalQuestion:
    """Read a HIT's Question. Raises Refused with the Turk code for the size, the XML or a value in it."""
    if len(question.encode()) > MAX_BYTES:
        raise invalid_value("Question", f"It is longer than {MAX_BYTES} bytes.")
    try:
        root = fromstring(question.encode())
    except DefusedXmlException:
        raise _wrong_xml("Document type declarations and entities are not allowed.") from None
    except (ParseError, ValueError, LookupError) as error:
        raise _wrong_xml(str(error)) from None
    if root.tag not in KINDS:
        raise _wrong_xml(f"Cannot find the declaration of element '{root.tag}'.")
    return KINDS[root.tag](root)


def _external(root: Element) -> ExternalQuestion:
    expected = [f"{{{EXTERNAL}}}ExternalURL", f"{{{EXTERNAL}}}FrameHeight"]
    if [child.tag for child in root] != expected:
        raise _wrong_xml("An ExternalQuestion holds an ExternalURL and a FrameHeight, in this order.")
    url, height = ((child.text or "").strip() for child in root)
    schemes = ("https", "http") if settings.PLAIN_HTTP else ("https",)
    try:
        address = urlsplit(url)
        is_usable = address.scheme in schemes and bool(address.hostname) and not any(c.isspace() for c in url)
    except ValueError:
        is_usable = False
    if not is_usable:
        raise invalid_value("Question", f"ExternalURL must be an {schemes[0]} address, not {url[:200]!r}.")
    if not height.isascii() or not height.isdigit() or len(height) > 6:
        raise _wrong_xml(f"FrameHeight must be a whole number of pixels, not {height[:50]!r}.")
    return ExternalQuestion(url, int(height))


# Root element to reader.
KINDS: dict[str, Callable[[Element], ExternalQuestion]] = {f"{{{EXTERNAL}}}ExternalQuestion": _external}


def _wrong_xml(details: str) -> Refused:
    return Refused(
        "XMLParseError",
        "There was an error parsing the XML question or answer data in your request. "
        f"Please make sure the data is well-formed and validates against the appropriate schema. Details: {details}",
    )


def frame_url(url: str, **parameters: str) -> str:
    """``url`` with ``parameters`` appended, so that the parameters and the fragment it has survive."""
    address, mark, fragment = url.partition("#")
    joint = "" if address.endswith(("?", "&")) else "&" if "?" in address else "?"
    return f"{address}{joint}{urlencode(parameters)}{mark}{fragment}"
