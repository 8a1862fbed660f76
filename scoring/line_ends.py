"""Line ends made alike, with the offsets moved along.

A browser shows CRLF as one character, and a form sends every line end as CRLF: only a text with plain LF keeps its
offsets on the way through a page.
"""

import re
from bisect import bisect_left, bisect_right


class LineEnds:
    """``text`` with each CRLF and each lone CR turned into LF, and where its offsets (code points) went."""

    def __init__(self, text: str) -> None:
        # The offset of the LF of each CRLF: the only characters that go.
        self._dropped = [match.start() + 1 for match in re.finditer("\r\n", text)]
        self.text = lf(text)

    def start(self, offset: int) -> int:
        """Where a span that begins at ``offset`` of the original begins now."""
        return offset - bisect_right(self._dropped, offset)

    def end(self, offset: int) -> int:
        """Where a span that ends before ``offset`` of the original ends now. A span that took half of a CRLF has
        taken the line end."""
        return offset - bisect_left(self._dropped, offset)


def lf(text: str) -> str:
    """``text`` with each CRLF and each lone CR turned into LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
