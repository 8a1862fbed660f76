"""Titles of wiki pages: ranked lists of them, and samples that can be drawn again."""

from urllib.parse import unquote


def page_title(written: str) -> str:
    """``written`` as a page's title: underscores and percent-encoding undone, the first letter a capital.

    >>> page_title("%C3%85land_Islands")
    'Åland Islands'
    """
    decoded = unquote(written, errors="strict") if "%" in written and _is_encoded(written) else written
    title = " ".join(decoded.replace("_", " ").split())
    return title[:1].upper() + title[1:]


def _is_encoded(written: str) -> bool:
    """Whether the percent signs of ``written`` begin escapes of UTF-8 text; "100%" and "50%ab" do not."""
    try:
        return unquote(written, errors="strict") != written
    except UnicodeDecodeError:
        return False
