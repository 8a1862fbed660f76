"""Templates that are known by name alone, read from ``template_names.txt``."""

import re
from pathlib import Path


def _sections() -> dict[str, frozenset[str]]:
    sections: dict[str, set[str]] = {}
    for line in Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines():
        if heading := re.fullmatch(r"\[(\w+)\]", line):
            names = sections.setdefault(heading.group(1), set())
        elif line and not line.startswith("#"):
            names.update(name for part in line.split("|") if (name := part.strip()))
    return {heading: frozenset(names) for heading, names in sections.items()}


_SECTIONS = _sections()
# A raised mark in the text, or a note to editors in its place: a reader of the text does not miss them.
FOOTNOTES = _SECTIONS["footnotes"]
PRONUNCIATIONS = _SECTIONS["pronunciations"]
# What stands beside the text or between its paragraphs: boxes, notices, links to other pages.
BLOCKS = _SECTIONS["blocks"]
# Templates that show their first argument, in another type or colour.
PLAIN = _SECTIONS["plain"]

# Families of blocks: "infobox country", "us history sidebar" ...
BLOCK_FAMILY = re.compile(
    r"(?:infobox|infocaja|infotaula|ficha|taxobox|info/|карточка|картка|box |navbox|campaignbox|geobox|pp-|wp |expert "
    r"|use (?:[a-z-]+ )+(?:english|dates|spelling)$|use list-defined|expand |cleanup |r from |r to |defaultsort"
    r"|displaytitle|wikisource|wikipedia:|commons|portal|flagicon|flag icon|liens |lien web|bartable|starbox|legend"
    r"|s-(?!$)|navigationsleiste |palette |routemap|bs-|external|succession|refimprove|no footnotes|unreferenced|merge"
    r"|translated|authority|hatnote|historical pop|census|weather box)"
    r"|.*(?: sidebar| navbox| infobox| topics| series| navigation| footer| icon|-stub|campaignbox|box/start|box/end"
    r"|/navbox| succession| family tree)$"
)
