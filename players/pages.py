"""Just enough HTML reading for the landmarks that the worker site and the work page promise to keep."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from typing import Any

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


class Page(HTMLParser):
    """A page's elements in document order, each a ``(tag, attributes)``, and the JSON inside its script elements."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self._json: dict[str, str] = {}
        self._script = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.elements.append((tag, attributes))
        is_json = tag == "script" and attributes.get("type") == "application/json"
        self._script = attributes.get("id", "") if is_json else ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self._script = ""

    def handle_data(self, data: str) -> None:
        if self._script:
            self._json[self._script] = self._json.get(self._script, "") + data

    def all(self, tag: str, attribute: str) -> list[dict[str, str]]:
        """The attributes of every ``tag`` element that has ``attribute``."""
        return [attributes for name, attributes in self.elements if name == tag and attribute in attributes]

    def first(self, tag: str, attribute: str) -> dict[str, str] | None:
        """The attributes of the first ``tag`` element that has ``attribute``."""
        return next(iter(self.all(tag, attribute)), None)

    def json(self, script_id: str) -> Any:
        """The value inside ``<script type="application/json" id=...>``. Raises KeyError if there is none."""
        return json.loads(self._json[script_id])

    @property
    def csrf_token(self) -> str:
        """The site's token against forged forms, which every form of a page carries; empty if it has no form."""
        for attributes in self.all("input", "value"):
            if attributes.get("name") == "csrfmiddlewaretoken":
                return attributes["value"]
        return ""
