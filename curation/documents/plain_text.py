"""Plain text: blank lines between paragraphs, lines broken at a width or not."""

from curation.articles import Passage
from curation.documents.lines import paragraphs_of, words_of


def passages_of_text(text: str) -> list[Passage]:
    """The paragraphs of ``text``, whose line ends are LF."""
    return [Passage(paragraph) for paragraph in paragraphs_of(text.split("\n"), words_of(text)) if paragraph]
