"""A page of another site that holds the worker's frame, and the address that finished work is posted to.

It stands for the marketplace where a test is about the work page alone.
"""

from __future__ import annotations

import threading
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

SANDBOX = "allow-scripts allow-forms allow-same-origin"
NO_ORIGIN = "allow-scripts allow-forms"


class MarketplaceStub:
    """Serves on a free port of 127.0.0.1. ``submitted`` holds the fields of each form it was sent."""

    def __init__(self) -> None:
        self.submitted: list[dict[str, str]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        threading.Thread(target=self._server.serve_forever, args=[0.01], daemon=True).start()

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def frame(self, address: str, sandbox: str = SANDBOX) -> str:
        """The address of a page that frames ``address``."""
        return f"{self.origin}/frame?{urlencode({'src': address, 'sandbox': sandbox})}"

    def cookie_frame(self) -> str:
        """The address of a page that frames a page of a third site which sets a cookie."""
        return self.frame(f"http://localhost:{self._server.server_port}/set-cookie")

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        stub = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if self.path.endswith("/set-cookie"):
                    self._answer("Set", {"Set-Cookie": "seen=1; SameSite=None; Secure"})
                    return
                if self.path.endswith("/cookies"):
                    self._answer(f"cookies: {self.headers.get('Cookie', 'none')}")
                    return
                asked = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
                if "src" not in asked:
                    self._answer("")
                    return
                self._answer(
                    f'<iframe title="The HIT" src="{escape(asked["src"])}" sandbox="{escape(asked["sandbox"])}" '
                    'style="position:fixed;inset:0;width:100%;height:100%;border:0"></iframe>'
                )

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                stub.submitted.append({name: values[0] for name, values in parse_qs(body).items()})
                self._answer("<h1>Submitted</h1>")

            def _answer(self, body: str, headers: dict[str, str] | None = None) -> None:
                page = (
                    '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">'
                    f'<link rel="icon" href="data:,"><title>Stub</title><body>{body}</body></html>'
                ).encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(page)))
                for name, value in (headers or {}).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(page)

            def log_message(self, *_arguments: object) -> None:
                """Nothing: the test says what matters."""

        return Handler
