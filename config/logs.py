"""What both sites write into their logs: lines without the secrets that stand in some addresses.

Who knows an invitation's link can use it, so a line such as "Bad Request: /join/<token>/" would be a way in.
"""

import logging
import re

MASK = "…"
# An address up to its secret: an invitation's token, a study's key, that of a link for a forgotten password, the
# signature of an HTMLQuestion's page, the key of a work page.
_SECRET = re.compile(
    r"(/join/|/study/|/signin/link/|/mturk/html/[^/\s]+/|/work/)(?!waiting/|visit/|draft\b|finish\b)[^/\s?#\"']+"
)


def masked(text: str) -> str:
    return _SECRET.sub(rf"\1{MASK}", text)


class MaskedFormatter(logging.Formatter):
    """Masks the whole of what is written, with the traceback that may stand below the line."""

    def format(self, record: logging.LogRecord) -> str:
        return masked(super().format(record))
