"""What a worker submitted, as the QuestionFormAnswers XML that the API gives out.

Source: QuestionFormAnswers.xsd of 2005-10-01 and the article "QuestionFormAnswers" of the API reference.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from xml.etree.ElementTree import ParseError
from xml.sax.saxutils import escape

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

NAMESPACE = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2005-10-01/QuestionFormAnswers.xsd"
# Names of the frame's own parameters; a field so called is no answer.
RESERVED = frozenset({"assignmentId", "hitId", "workerId", "turkSubmitTo"})
MAX_BYTES = 1_048_576  # of the XML; AWS states no limit
MAX_FIELDS = 1000

# What XML 1.0 cannot hold, not even as a character reference: control characters, half pairs, two non-characters.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class TooLarge(Exception):
    """More was submitted than an answer may hold."""


@dataclass(frozen=True)
class Answer:
    """What was given for one question: ``text``, or of a choice the ``selected`` identifiers and one's own words."""

    identifier: str
    text: str | None = None
    selected: tuple[str, ...] = ()
    other: str = ""

    def members(self) -> list[tuple[str, str]]:
        if self.text is not None:
            return [("FreeText", self.text)]
        chosen = [("SelectionIdentifier", identifier) for identifier in self.selected]
        return [*chosen, ("OtherSelectionText", self.other)] if self.other else chosen


def to_xml(fields: Iterable[tuple[str, str]]) -> str:
    """``fields`` (name, value) of a form as QuestionFormAnswers.

    Of a repeated name the last value counts, as in a form's own dictionary. Raises TooLarge.
    """
    answers = {name: value for name, value in fields if name not in RESERVED}
    return written(Answer(name, value) for name, value in answers.items())


def written(answers: Iterable[Answer]) -> str:
    """``answers`` as QuestionFormAnswers, in ASCII with character references.

    Characters that XML cannot hold become U+FFFD one for one, so that offsets into the text stay right. Raises
    TooLarge.
    """
    listed = list(answers)
    if len(listed) > MAX_FIELDS:
        raise TooLarge
    parts = ['<?xml version="1.0" encoding="ASCII"?>\n', f'<QuestionFormAnswers xmlns="{NAMESPACE}">\n']
    for answer in listed:
        members = "".join(f"<{name}>{_text(value)}</{name}>\n" for name, value in answer.members())
        parts.append(
            f"<Answer>\n<QuestionIdentifier>{_text(answer.identifier)}</QuestionIdentifier>\n{members}</Answer>\n"
        )
    xml = "".join([*parts, "</QuestionFormAnswers>"])
    if len(xml) > MAX_BYTES:
        raise TooLarge
    return xml


def values_in(xml: str) -> dict[str, list[str]]:
    """What QuestionFormAnswers hold: by question the text, or the identifiers and words that were chosen."""
    found: dict[str, list[str]] = {}
    try:
        root = fromstring(xml)
    except (DefusedXmlException, ParseError, ValueError):
        return found
    for answer in root:
        members = [(str(member.tag).rpartition("}")[2], member.text or "") for member in answer]
        identifier = next((text for name, text in members if name == "QuestionIdentifier"), "")
        kinds = ("FreeText", "SelectionIdentifier", "OtherSelectionText")
        found[identifier] = [text for name, text in members if name in kinds]
    return found


def _text(value: str) -> str:
    # A bare carriage return would come back as a line feed.
    escaped = escape(_NOT_XML.sub("\ufffd", value), {"\r": "&#13;"})
    return escaped.encode("ascii", "xmlcharrefreplace").decode()
