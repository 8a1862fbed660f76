"""Headings as they come, kept as the section that the next passages stand under."""

from collections.abc import Iterator

from curation.articles import Passage
from scoring.characters import is_blank

_HEADING_CHARS = 200


class Sections:
    """The headings above the place that a reader has come to, and the passages read so far."""

    def __init__(self) -> None:
        self._headings: list[tuple[int, str]] = []
        self.passages: list[Passage] = []
        self.first_heading = ""

    def heading(self, level: int, text: str) -> None:
        """A heading of ``level`` (1 is the outermost) ends all sections of its level and below."""
        if is_blank(text):
            return
        text = text.strip()[:_HEADING_CHARS]
        self.first_heading = self.first_heading or text
        self._headings = [(above, heading) for above, heading in self._headings if above < level]
        self._headings.append((level, text))

    def passage(self, text: str, lost: tuple[str, ...] = ()) -> None:
        if not is_blank(text) or lost:
            self.passages.append(Passage(text.strip(), tuple(heading for _level, heading in self._headings), lost))

    def under(self, title: str) -> Iterator[Passage]:
        """The passages, without the ``title`` of the document among their sections: it says nothing there."""
        for passage in self.passages:
            if passage.section[:1] == (title,):
                yield Passage(passage.text, passage.section[1:], passage.lost)
            else:
                yield passage
