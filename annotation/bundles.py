"""The worker's page's scripts, and its styles, each in one file: a page far away is ready after two round trips.

The files of ``static/annotation`` are plain modules, and stay what is written, tested and type-checked. Here a page's
modules are put behind each other, each in a scope of its own, in the order in which a browser would run them; comments
on lines of their own are left out. The address holds a digest of the content, so that browsers may keep it for good.

Only what our modules use is understood: ``import { a, b } from "./other.js";`` at the top, ``export`` before a named
function, class or constant, ``await`` at the top level of the page's own module. Anything else raises UnknownSyntax
when the bundle is made, and in the tests before that.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from django.conf import settings

FOLDER = Path(settings.BASE_DIR) / "static" / "annotation"
# The modules, or the style sheets, that each file is made of; what modules import comes along.
PARTS = {
    "work.js": ("comfort.js", "work.js"),
    "quiz.js": ("comfort.js", "quiz.js"),
    "comfort.js": ("comfort.js",),
    "work.css": ("work.css", "comfort.css"),
    "dark.css": ("dark.css",),
}
CONTENT_TYPES = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}
DIGEST_CHARS = 16

_COMMENT = re.compile(r"^[ \t]*(?:/\*(?:(?!\*/).)*\*/|//[^\n]*)[ \t]*\n", re.DOTALL | re.MULTILINE)
_IMPORT = re.compile(r'^import (\{[\w\s,]+\}) from "\./(\w+\.js)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async function|function|class|const) (\w+))", re.MULTILINE)
_LEFT_OVER = re.compile(r"^(?:import|export)\b.*|\bimport[.(].*", re.MULTILINE)


class UnknownSyntax(Exception):
    """A module says something that cannot be put into one file with others."""


@dataclass(frozen=True)
class Bundle:
    """One file as it is served."""

    name: str
    body: bytes

    @cached_property
    def digest(self) -> str:
        return hashlib.sha256(self.body).hexdigest()[:DIGEST_CHARS]

    @cached_property
    def compressed(self) -> bytes:
        """By gzip, without a time in it."""
        return gzip.compress(self.body, compresslevel=9, mtime=0)

    @property
    def content_type(self) -> str:
        return CONTENT_TYPES[Path(self.name).suffix]


@lru_cache
def bundle(name: str) -> Bundle:
    """The file ``name`` of PARTS. Raises KeyError, or UnknownSyntax."""
    parts = PARTS[name]
    joined = joined_modules(parts) if name.endswith(".js") else joined_styles(parts)
    return Bundle(name, joined.encode())


def joined_styles(names: Sequence[str]) -> str:
    """Style sheets behind each other."""
    return "".join(_COMMENT.sub("", (FOLDER / name).read_text()) for name in names)


def joined_modules(names: Sequence[str], folder: Path = FOLDER) -> str:
    """The modules ``names`` of ``folder``, run in turn, with all that they import. Raises UnknownSyntax."""
    pieces: dict[str, str] = {}
    for name in names:
        _add(name, folder, pieces, ())
    return "".join(pieces.values())


def _add(name: str, folder: Path, pieces: dict[str, str], importers: tuple[str, ...]) -> None:
    """Add ``name`` to ``pieces``, after what it imports. ``importers`` are those it is being added for."""
    if name in importers:
        raise UnknownSyntax(f"{' imports '.join((*importers, name))}: modules must not import each other in a circle")
    if name in pieces:
        return
    code = _COMMENT.sub("", (folder / name).read_text())
    for _names, imported in _IMPORT.findall(code):
        _add(imported, folder, pieces, (*importers, name))
    exports = _EXPORT.findall(code)
    body = _EXPORT.sub("", _IMPORT.sub(lambda found: f"const {_renamed(found[1])} = {_variable(found[2])};", code))
    if unknown := _LEFT_OVER.search(body):
        raise UnknownSyntax(f"{name}: {unknown[0]!r} cannot be bundled; annotation/bundles.py says what can")
    if exports:
        pieces[name] = f"const {_variable(name)} = (() => {{\n{body}return {{ {', '.join(exports)} }};\n}})();\n"
    else:
        pieces[name] = f"{{\n{body}}}\n"  # a page's own module may wait at its top level: in a block, not a function


def _renamed(names: str) -> str:
    """The names of an import as those of a constant: ``{ a as b }`` is ``{ a: b }`` there."""
    return re.sub(r"\s+as\s+", ": ", names)


def _variable(name: str) -> str:
    return f"module_{name.removesuffix('.js')}"
