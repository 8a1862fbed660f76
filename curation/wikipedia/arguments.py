"""What a template was called with."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from curation.wikipedia.templates import Templates


class Arguments:
    """The arguments of one call, in order; those without a name are named "1", "2" ... and a later one counts."""

    def __init__(self, pairs: list[tuple[str, str]], templates: Templates, called: str) -> None:
        self.called = called  # the template's name, lower case
        self.language = templates.language
        self._templates = templates
        self._values = dict(pairs)

    def __contains__(self, name: object) -> bool:
        return name in self._values

    def with_pairs(self, pairs: list[tuple[str, str]]) -> Arguments:
        """The same call with some arguments put in place of its own."""
        return Arguments([*self._values.items(), *pairs], self._templates, self.called)

    def names(self) -> list[str]:
        """The names of the arguments that were given, in order."""
        return list(self._values)

    def text(self, *names: str | int) -> str:
        """The first of the arguments ``names`` that is not empty, its templates written out; else nothing."""
        for name in names:
            value = self._values.get(str(name), "").strip()
            if value and (written := self._templates.expand(value).strip()):
                return written
        return ""

    def numbered(self) -> list[str]:
        """The arguments "1", "2" ... up to the first that is missing, empty ones too."""
        values: list[str] = []
        while str(len(values) + 1) in self._values:
            values.append(self.text(len(values) + 1))
        return values

    def is_on(self, name: str, *words: str) -> bool:
        """Whether the argument ``name`` is one of ``words``, or any of the usual words for yes."""
        return self._values.get(name, "").strip().lower() in (words or ("yes", "y", "on", "true", "1"))


def split_plainly(inside: str) -> list[tuple[str, str]] | None:
    """The arguments of a call, "name|a|b=c", that nests nothing and so needs no parser; otherwise None."""
    if "[[" in inside or "{{" in inside or "<" in inside:
        return None
    pairs = []
    position = 0
    for part in inside.split("|")[1:]:
        name, equals, value = part.partition("=")
        if not equals:
            position += 1
            name, value = str(position), part
        pairs.append((name.strip(), value))
    return pairs
