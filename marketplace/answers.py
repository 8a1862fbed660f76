"""What a worker submitted, as the QuestionFormAnswers XML that the API gives out.

Source: QuestionFormAnswers.xsd of 2005-10-01 and the article "QuestionFormAnswers" of the API reference.
"""

import re
from collections.abc import Iterable
from xml.sax.saxutils import escape

NAMESPACE = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2005-10-01/QuestionFormAnswers.xsd"
# Names of the frame's own parameters; a field so called is no answer.
RESERVED = frozenset({"assignmentId", "hitId", "workerId", "turkSubmitTo"})
MAX_BYTES = 1_048_576  # of the XML; AWS states no limit
MAX_FIELDS = 1000

# What XML 1.0 cannot hold, not even as a character reference: control characters, half pairs, two non-characters.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class TooLarge(Exception):
    """More was submitted than an answer may hold."""


def to_xml(fields: Iterable[tuple[str, str]]) -> str:
    """``fields`` (name, value) as QuestionFormAnswers, in ASCII with character references.

    Of a repeated name the last value counts, as in a form's own dictionary. Characters that XML cannot hold become
    U+FFFD one for one, so that offsets into the text stay right. Raises TooLarge.
    """
    answers = {name: value for name, value in fields if name not in RESERVED}
    if len(answers) > MAX_FIELDS:
        raise TooLarge
    parts = ['<?xml version="1.0" encoding="ASCII"?>\n', f'<QuestionFormAnswers xmlns="{NAMESPACE}">\n']
    parts += [
        f"<Answer>\n<QuestionIdentifier>{_text(name)}</QuestionIdentifier>\n"
        f"<FreeText>{_text(value)}</FreeText>\n</Answer>\n"
        for name, value in answers.items()
    ]
    xml = "".join([*parts, "</QuestionFormAnswers>"])
    if len(xml) > MAX_BYTES:
        raise TooLarge
    return xml


def _text(value: str) -> str:
    # A bare carriage return would come back as a line feed.
    escaped = escape(_NOT_XML.sub("\ufffd", value), {"\r": "&#13;"})
    return escaped.encode("ascii", "xmlcharrefreplace").decode()
