"""Templates written out as a reader sees them: those that are known; the others are taken out and named as lost."""

import re
from collections.abc import Callable

import mwparserfromhell
from mwparserfromhell.nodes import Template

from curation.wikipedia import marks, spans
from curation.wikipedia.arguments import Arguments, split_plainly
from curation.wikipedia.template_names import BLOCK_FAMILY, BLOCKS, FOOTNOTES, PRONUNCIATIONS
from curation.wikipedia.template_texts import TEXTS

# mwparserfromhell reads 40 levels and no more.
MAX_DEPTH = 30
# One template of a sentence; a longer one is a table or a box.
MAX_CHARACTERS = 20_000

_NAME_END = re.compile(r"[|}<\n{\[]")
_FUNCTION = re.compile(r"(#?[^:|{}\[\]]{1,20}):(.*)", re.DOTALL)
_SUBSTITUTION = re.compile(r"(?:subst|safesubst|msg|msgnw|raw)\s*:\s*", re.IGNORECASE)


class Templates:
    """Writes out the templates of a wiki's pages. ``language`` is the wiki's: labels are in its words."""

    def __init__(self, language: str = "en") -> None:
        self.language = language

    def expand(self, text: str) -> str:
        """``text`` as wikitext without templates: each written out, or a mark in its place."""
        found = spans.templates(text)
        if not found:
            return text
        parts, at = [], 0
        for span in found:
            parts += [text[at : span.start], self._written_out(text, span)]
            at = span.end
        parts.append(text[at:])
        return "".join(parts)

    def _written_out(self, text: str, span: spans.Span) -> str:
        inside = text[span.start + 2 : span.end - 2]
        name, known = _name(inside)
        mark = _mark(known)
        if mark is not None:
            # "At {{coord|...}}," and "by {{harvnb|...}}" miss what a page shows there.
            is_missed = _SHOWN.match(known) and _LEADS_ON.search(text[max(span.start - 30, 0) : span.start])
            return marks.lost(name) if is_missed else mark
        if span.depth > MAX_DEPTH or len(inside) > MAX_CHARACTERS:
            return marks.lost(name)
        written = self._called(inside, known)
        if written is not None:
            return written
        return marks.GAP if _is_footnote(text, span) else marks.lost(name)

    def _called(self, inside: str, known: str) -> str | None:
        writer: Callable[[Arguments], str | None] | None = TEXTS.get(known)
        if writer is not None and not known.endswith(":"):
            return writer(self._arguments(inside, known))
        function = _FUNCTION.match(inside.strip())
        if function and (writer := TEXTS.get(function.group(1).strip().lower() + ":")):
            first, second = _split_once(function.group(2))
            return writer(Arguments([("1", first), ("2", second)], self, known))
        return None

    def _arguments(self, inside: str, known: str) -> Arguments:
        pairs = split_plainly(inside)
        if pairs is None:
            nodes = mwparserfromhell.parse("{{" + inside + "}}", skip_style_tags=True).nodes
            if len(nodes) != 1 or not isinstance(nodes[0], Template):
                return Arguments([], self, known)
            pairs = [(str(param.name).strip(), str(param.value)) for param in nodes[0].params]
        return Arguments(pairs, self, known)


# What goes from beside a name, in brackets and behind a sentence, and shows a few words where it stands.
_SHOWN = re.compile(r"coord$|coor |harv(?:nb|col|colnb|ard citation no brackets)?$|isbn$|doi$")
_LEADS_ON = re.compile(
    r"\b(?:an?|the|of|in|on|at|by|to|from|with|near|around|about|between|and|or|is|was|are|were|as|see|than|for) +$",
    re.IGNORECASE,
)


def _split_once(text: str) -> tuple[str, str]:
    """What stands before the first bar of ``text`` that is in no template or link, and what behind it."""
    inner = [*spans.templates(text), *spans.links(text)]
    for bar in re.finditer(r"\|", text):
        if not any(span.start < bar.start() < span.end for span in inner):
            return text[: bar.start()], text[bar.end() :]
    return text, ""


def _name(inside: str) -> tuple[str, str]:
    """The name of a template as written, and as a key: lower case, blanks single."""
    end = _NAME_END.search(inside.lstrip())
    stripped = inside.lstrip()
    name = " ".join(stripped[: end.start() if end else len(stripped)].replace("_", " ").split())
    name = _SUBSTITUTION.sub("", name)
    if name[:9].lower() == "template:":
        name = name[9:].strip()
    return name or "{{}}", name.lower()


def _mark(known: str) -> str | None:
    if known in FOOTNOTES:
        return marks.GAP
    if known in PRONUNCIATIONS or known.startswith(("ipa-", "ipac-", "ipa/")):
        return marks.SOUND
    if known in BLOCKS or BLOCK_FAMILY.match(known):
        return marks.BREAK
    return marks.GAP if known.startswith(("cite ", "sfn", "#tag:ref")) else None


_SENTENCE_END = re.compile(rf"[.!?。！？][\"'”’»)\]]*[{marks.GAP}]*$")


def _is_footnote(text: str, span: spans.Span) -> bool:
    """Whether something unknown hangs on a sentence's end, as only footnotes and maintenance marks do."""
    before = text[max(span.start - 12, 0) : span.start]
    after = text[span.end : span.end + 1]
    return bool(_SENTENCE_END.search(before)) and (not after or after.isspace() or after in "{<")
