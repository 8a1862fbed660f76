"""ExternalQuestion: a page on the requester's own server.

Source: ExternalQuestion.xsd of 2006-07-14 and the article "ExternalQuestion" of the API reference.
"""

from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit
from xml.etree.ElementTree import Element

from django.conf import settings

from ..errors import invalid_value
from .xml import wrong_xml

EXTERNAL = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2006-07-14/ExternalQuestion.xsd"


@dataclass(frozen=True)
class ExternalQuestion:
    """A page of the requester's, shown in a frame ``height`` pixels high (0: as high as the window allows)."""

    url: str
    height: int


def read(root: Element) -> ExternalQuestion:
    expected = [f"{{{EXTERNAL}}}ExternalURL", f"{{{EXTERNAL}}}FrameHeight"]
    if [child.tag for child in root] != expected:
        raise wrong_xml("An ExternalQuestion holds an ExternalURL and a FrameHeight, in this order.")
    url, height = ((child.text or "").strip() for child in root)
    if not is_web_address(url):
        raise invalid_value("Question", f"ExternalURL must be an {schemes()[0]} address, not {url[:200]!r}.")
    return ExternalQuestion(url, frame_height(height))


def schemes() -> tuple[str, ...]:
    return ("https", "http") if settings.PLAIN_HTTP else ("https",)


def is_web_address(url: str) -> bool:
    """Whether ``url`` is an address of a page that may be shown here: https, or http where plain http is allowed."""
    try:
        address = urlsplit(url)
        return address.scheme in schemes() and bool(address.hostname) and not any(c.isspace() for c in url)
    except ValueError:
        return False


def frame_height(text: str) -> int:
    """Pixels. Raises Refused."""
    if not text.isascii() or not text.isdigit() or len(text) > 6:
        raise wrong_xml(f"FrameHeight must be a whole number of pixels, not {text[:50]!r}.")
    return int(text)


def frame_url(url: str, **parameters: str) -> str:
    """``url`` with ``parameters`` appended, so that the parameters and the fragment it has survive."""
    address, mark, fragment = url.partition("#")
    joint = "" if address.endswith(("?", "&")) else "&" if "?" in address else "?"
    return f"{address}{joint}{urlencode(parameters)}{mark}{fragment}"
