"""Where templates and links begin and end in wikitext, in one pass, however deep they are nested."""

import re
from typing import NamedTuple

_BRACES = re.compile(r"\{\{|\}\}")
_BRACES_AND_LINKS = re.compile(r"\{\{|\}\}|\[\[|\]\]")


class Span(NamedTuple):
    """``text[start:end]`` is a whole template or link; ``depth`` counts the levels nested in it, itself included."""

    start: int
    end: int
    depth: int


def templates(text: str) -> list[Span]:
    """The outermost templates of ``text``, in order. Braces that nothing closes are no template."""
    if "{{" not in text:
        return []
    return _outermost(_closed(text, _BRACES, "{{"))


def links(text: str) -> list[Span]:
    """The outermost links of ``text``, in order."""
    if "[[" not in text:
        return []
    return _outermost(_closed(text, _BRACES_AND_LINKS, "[["))


def _closed(text: str, tokens: re.Pattern[str], wanted: str) -> list[Span]:
    closed = []
    stack: list[tuple[str, int, int]] = []  # opener, where, depth of what is closed in it
    open_count = {"{{": 0, "[[": 0}
    for match in tokens.finditer(text):
        brackets = match.group()
        if brackets in open_count:
            stack.append((brackets, match.start(), 0))
            open_count[brackets] += 1
            continue
        opener = "{{" if brackets == "}}" else "[["
        if not open_count[opener] or (opener == "[[" and stack[-1][0] == "{{"):
            continue  # closes nothing, or would tear a template apart
        depth = 0
        while True:  # what was left open inside is given up with this one
            kind, start, inner = stack.pop()
            open_count[kind] -= 1
            depth = max(depth, inner)
            if kind == opener:
                break
        depth += 1
        if opener == wanted:
            closed.append(Span(start, match.end(), depth))
        if stack:
            above, where, inner = stack[-1]
            stack[-1] = above, where, max(inner, depth)
    return closed


def _outermost(closed: list[Span]) -> list[Span]:
    outermost: list[Span] = []
    for span in sorted(closed):
        if not outermost or span.start >= outermost[-1].end:
            outermost.append(span)
    return outermost
