"""A wiki's action API as MediaWiki 1.43 answers (formatversion 2), over a handful of pages, on a local port.

Shapes: API:Query, API:Revisions, API:Siteinfo, Manual:Maxlag parameter on mediawiki.org.
"""

import gzip
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

GENERAL = {
    "mainpage": "Main Page", "base": "https://en.wikipedia.org/wiki/Main_Page", "sitename": "Wikipedia",
    "generator": "MediaWiki 1.43.0", "case": "first-letter", "lang": "en", "server": "https://en.wikipedia.org",
    "wikiid": "enwiki", "script": "/w/index.php", "articlepath": "/wiki/$1",
}  # fmt: skip
RIGHTS = {
    "url": "https://creativecommons.org/licenses/by-sa/4.0/deed.en",
    "text": "Creative Commons Attribution-Share Alike 4.0",
}
NAMESPACES = {
    "0": {"id": 0, "case": "first-letter", "name": "", "subpages": False, "content": True, "nonincludable": False},
    "1": {"id": 1, "case": "first-letter", "name": "Talk", "subpages": True, "canonical": "Talk", "content": False},
}
LAG = {
    "error": {
        "code": "maxlag", "info": "Waiting for 10.64.16.7: 6.2 seconds lagged.", "host": "10.64.16.7", "lag": 6.2,
        "type": "db", "docref": "See https://en.wikipedia.org/w/api.php for API usage.",
    },
    "servedby": "mw1",
}  # fmt: skip


class Wiki:
    """Its pages: ``texts`` by title with the revision's id, and ``redirects``. What is in ``faults`` is answered first:
    (status, headers, body), each once. ``requests`` keeps what was asked."""

    def __init__(self):
        self.texts: dict[str, tuple[int, str]] = {}
        self.redirects: dict[str, str] = {}
        self.disambiguations: set[str] = set()
        self.hidden: set[int] = set()
        self.faults: list[tuple[int, dict[str, str], bytes]] = []
        self.requests: list[dict[str, str]] = []
        self.agents: set[str] = set()
        self.general, self.rights = dict(GENERAL), dict(RIGHTS)
        self.texts_an_answer = 50

    def answer(self, asked: dict[str, str]) -> dict:
        if asked.get("meta") == "siteinfo":
            told = {"general": self.general, "namespaces": NAMESPACES, "rightsinfo": self.rights}
            return {"batchcomplete": True, "query": told | {"namespacealiases": [{"id": 1, "alias": "T"}]}}
        names = asked.get("titles", asked.get("revids", "")).split("|")
        if len(names) > 50:
            info = 'Too many values supplied for parameter "titles". The limit is 50.'
            return {"error": {"code": "toomanyvalues", "info": info, "limit": 50}}
        query = self._by_title(names) if "titles" in asked else self._by_revision(names)
        # Texts that do not fit into one answer come with the next: the pages are in each, their texts in one.
        done = int(asked.get("rvcontinue", "0|0").split("|")[1])
        texts = [page for page in query["pages"] if "revisions" in page]
        for place, page in enumerate(texts):
            if not done <= place < done + self.texts_an_answer:
                del page["revisions"]
        if len(texts) > done + self.texts_an_answer:
            further = {"rvcontinue": f"1|{done + self.texts_an_answer}", "continue": "||pageprops"}
            return {"continue": further, "query": query}
        return {"batchcomplete": True, "query": query}

    def _by_title(self, names: list[str]) -> dict:
        normalized, redirects, found = [], [], {}
        for name in names:
            title = name.replace("_", " ")
            title = title[:1].upper() + title[1:]
            if title != name:
                normalized.append({"fromencoded": False, "from": name, "to": title})
            while (lead := {"from": title, "to": self.redirects.get(title, "")})["to"] and lead not in redirects:
                redirects.append(lead)
                title = lead["to"]
            found[title] = self._page(title)
        # The wiki answers in its own order, by page, with what is missing first.
        pages = sorted(found.values(), key=lambda page: page.get("pageid", -1))
        query = {"normalized": normalized, "redirects": redirects, "pages": pages}
        return {name: value for name, value in query.items() if value}

    def _by_revision(self, names: list[str]) -> dict:
        titles = {str(revision): title for title, (revision, _text) in self.texts.items()}
        query = {"pages": [self._page(titles[name]) for name in sorted(names) if name in titles]}
        if bad := [name for name in names if name not in titles]:
            query["badrevids"] = {name: {"revid": int(name), "missing": True} for name in bad}
        return query

    def _page(self, title: str) -> dict:
        if title not in self.texts:
            return {"ns": 0, "title": title, "missing": True}
        revision, text = self.texts[title]
        slot = {"contentmodel": "wikitext", "contentformat": "text/x-wiki", "content": text}
        if revision in self.hidden:
            slot = {"texthidden": True}
        talk = title.startswith("Talk:")
        page = {"pageid": revision // 10, "ns": int(talk), "title": title}
        if title in self.disambiguations:
            page["pageprops"] = {"disambiguation": ""}
        entry = {"revid": revision, "parentid": 0, "timestamp": "2026-11-01T00:00:00Z", "slots": {"main": slot}}
        return page | {"revisions": [entry]}


class Handler(BaseHTTPRequestHandler):
    """``GET /w/api.php?...`` of the server's ``wiki``."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        wiki = self.server.wiki
        asked = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
        wiki.requests.append(asked)
        wiki.agents.add(self.headers["User-Agent"])
        if wiki.faults:
            status, headers, body = wiki.faults.pop(0)
        else:
            body = json.dumps(wiki.answer(asked)).encode()
            status, headers = 200, {"Content-Type": "application/json; charset=utf-8"}
            if self.headers.get("Accept-Encoding") == "gzip":
                body, headers["Content-Encoding"] = gzip.compress(body), "gzip"
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


class WikiServer(ThreadingHTTPServer):
    """Serves ``wiki`` at ``address`` until it is left."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.wiki = Wiki()
        self.address = f"http://127.0.0.1:{self.server_port}/w/api.php"

    def __enter__(self):
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *error):
        self.shutdown()
        self.server_close()
