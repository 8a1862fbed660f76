"""HTMLQuestion: a page that comes with the HIT and is served by the marketplace, in an origin of its own.

Source: HTMLQuestion.xsd of 2011-11-11 and the article "HTMLQuestion" of the API reference.
"""

import re
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from django.conf import settings
from django.templatetags.static import static

from .external import frame_height
from .xml import in_order, text_of, wrong_xml

HTML = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2011-11-11/HTMLQuestion.xsd"

# Tokens of the frame's sandbox and of the page's own policy. Never allow-same-origin and never top navigation: the page
# has an origin that nothing else has, whatever address it is opened at. Pages that it opens in a new window are free of
# the sandbox, as a HIT that links to a survey would otherwise send people to a page that cannot work; a window opened
# on this page itself comes under its own policy again.
SANDBOX = "allow-scripts allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox"


@dataclass(frozen=True)
class HTMLQuestion:
    """A page of the requester's own making, as it was sent, in a frame ``height`` pixels high (0: the window's)."""

    html: str
    height: int


def read(root: Element) -> HTMLQuestion:
    parts = in_order(root, ("HTMLContent", "FrameHeight"), (), "HTMLContent FrameHeight")
    html = text_of(parts["HTMLContent"])
    if not html:
        raise wrong_xml("HTMLContent is empty; put the page into it, inside a CDATA section.")
    return HTMLQuestion(html, frame_height(text_of(parts["FrameHeight"])))


# Addresses that programs carry in the pages that they make. The scripts are our own of the same use.
SUBMIT_ADDRESS = re.compile(
    r"(?:https?:)?//(?:www|workersandbox|worker)\.mturk\.com/mturk/externalSubmit", re.IGNORECASE
)
SCRIPTS = (
    (
        re.compile(
            r"(?:https?:)?//(?:s3(?:[.-][a-z0-9-]+)?\.amazonaws\.com/mturk-public|"
            r"mturk-public\.s3(?:[.-][a-z0-9-]+)?\.amazonaws\.com)/externalHIT_v1\.js",
            re.IGNORECASE,
        ),
        "marketplace/external_hit.js",
    ),
    (re.compile(r"(?:https?:)?//assets\.crowd\.aws/crowd-html-elements\.js", re.IGNORECASE), "marketplace/crowd.js"),
)


def served(question: HTMLQuestion) -> str:
    """The page as workers get it: Mechanical Turk's own submit and script addresses replaced by the marketplace's."""
    html = _replaced(question.html, SUBMIT_ADDRESS, f"{settings.MARKETPLACE_URL}/mturk/externalSubmit")
    for address, script in SCRIPTS:
        html = _replaced(html, address, static(script))
    return html


def _replaced(html: str, address: re.Pattern[str], ours: str) -> str:
    return address.sub(lambda _found: ours, html)  # a function, as a backslash in a replacement would mean something
