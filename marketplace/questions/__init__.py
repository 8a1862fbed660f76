"""The Question of a HIT: what the XML must be, by kind."""

from collections.abc import Callable
from xml.etree.ElementTree import Element

from . import external, form, html
from .external import EXTERNAL, ExternalQuestion, frame_url
from .form import QuestionForm, parse_test
from .html import HTML, HTMLQuestion
from .xml import MAX_BYTES, root_of, unknown_root

__all__ = [
    "EXTERNAL",
    "HTML",
    "MAX_BYTES",
    "PREVIEW",
    "ExternalQuestion",
    "HTMLQuestion",
    "Question",
    "QuestionForm",
    "frame_url",
    "parse",
    "parse_test",
]

PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"

Question = ExternalQuestion | HTMLQuestion | QuestionForm

# Root element to reader.
KINDS: dict[str, Callable[[Element], Question]] = {
    f"{{{EXTERNAL}}}ExternalQuestion": external.read,
    f"{{{HTML}}}HTMLQuestion": html.read,
    **form.KINDS,
}


def parse(question: str) -> Question:
    """Read a HIT's Question. Raises Refused with the Turk code for the size, the XML or a value in it."""
    root = root_of("Question", question)
    if root.tag not in KINDS:
        raise unknown_root(root)
    return KINDS[root.tag](root)
