"""A lean HTTP client: the machine's time belongs to the sites, and both kinds of site get the same client."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

TIMEOUT_SECONDS = 60
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_COOKIE = re.compile(rb"\r\nset-cookie: *([^=]+)=([^;\r]*)", re.IGNORECASE)
_LOCATION = re.compile(rb"\r\nlocation: *([^\r]+)", re.IGNORECASE)


class WrongAnswer(Exception):
    """A site answered with something that a round cannot go on from."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Status, head and body as they came."""

    status: int
    head: bytes
    body: bytes

    @property
    def location(self) -> str:
        found = _LOCATION.search(self.head)
        return found[1].decode() if found else ""

    def expect(self, *statuses: int) -> Answer:
        """This answer, if its status is one of these. Raises WrongAnswer."""
        if self.status not in statuses:
            raise WrongAnswer(f"{self.status} instead of {statuses}: {self.body[:300]!r}")
        return self


@dataclass(slots=True)
class Visitor:
    """One person's connection to one site, kept alive for a round, with the cookies that the site sets.

    ``heard`` is called after each answer. Not shared between threads.
    """

    url: str
    heard: Callable[[], None] = lambda: None
    cookies: dict[str, str] = field(default_factory=dict)
    _socket: socket.socket | None = None

    def get(self, path: str) -> Answer:
        return self.send("GET", path)

    def post_form(self, path: str, fields: Mapping[str, str]) -> Answer:
        body = urlencode(fields).encode()
        return self.send("POST", path, body, {"Content-Type": "application/x-www-form-urlencoded"})

    def send_json(self, method: str, path: str, value: Any, headers: Mapping[str, str]) -> Answer:
        return self.send(method, path, json.dumps(value).encode(), {"Content-Type": "application/json", **headers})

    def send(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """One request and its whole answer. Raises WrongAnswer where the connection ends in between."""
        lines = [f"{method} {path} HTTP/1.1", f"Host: {urlsplit(self.url).netloc}"]
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        if self.cookies:
            lines.append("Cookie: " + "; ".join(f"{name}={value}" for name, value in self.cookies.items()))
        if body is not None:
            lines.append(f"Content-Length: {len(body)}")
        connection = self._connection()
        connection.sendall("\r\n".join([*lines, "", ""]).encode() + (body or b""))
        answer = _receive(connection, f"{method} {path}")
        for name, value in _COOKIE.findall(answer.head):
            self.cookies[name.decode()] = value.decode()
        if b"onnection: close" in answer.head:
            self.leave()
        self.heard()
        return answer

    def leave(self) -> None:
        """Close the connection; the next request opens another."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _connection(self) -> socket.socket:
        if self._socket is None:
            # Both names of the sites are this machine; looking "localhost" up would try ::1 first.
            self._socket = socket.create_connection(("127.0.0.1", urlsplit(self.url).port or 80), TIMEOUT_SECONDS)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return self._socket


def _receive(connection: socket.socket, request: str) -> Answer:
    data = b""
    while (end := data.find(b"\r\n\r\n")) < 0:
        data += _more(connection, request)
    head = data[:end]
    status = int(head[9:12])
    length = _LENGTH.search(head)
    if length is None and status not in (204, 304):
        raise WrongAnswer(f"{request}: an answer without a length")
    wanted = end + 4 + (int(length[1]) if length else 0)
    parts, have = [data], len(data)
    while have < wanted:
        parts.append(_more(connection, request))
        have += len(parts[-1])
    return Answer(status, head, b"".join(parts)[end + 4 :])


def _more(connection: socket.socket, request: str) -> bytes:
    received = connection.recv(1 << 16)
    if not received:
        raise WrongAnswer(f"{request}: the connection was closed")
    return received
