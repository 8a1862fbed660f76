"""PageRank of a wiki's articles from its link tables, as Wikimedia publishes them."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix
from sknetwork.ranking import PageRank

from curation.sql_dump import rows, table_in
from scoring.json_files import FileError
from scoring.sentences import _

DAMPING = 0.85
# After so many, what is left of the power series is under 1e-10 of the whole.
ROUNDS = 150


@dataclass(frozen=True)
class Tables:
    """Where the dumped tables lie. ``linktarget`` is missing from dumps before 2023, ``page_props`` is needed for the
    disambiguation pages alone."""

    page: Path
    pagelinks: Path
    redirect: Path
    linktarget: Path | None = None
    page_props: Path | None = None


@dataclass(frozen=True)
class Ranked:
    """An article and its share of the whole, the shares of all adding up to 1."""

    title: str
    page_id: int
    score: float


def tables_in(folder: Path) -> Tables:
    """The tables in ``folder`` by their usual names, "chwiki-20240501-page.sql.gz". Raises FileError."""
    found: dict[str, Path] = {}
    for name in ("page", "pagelinks", "redirect", "linktarget", "page_props"):
        if path := table_in(folder, name):
            found[name] = path
    for name in ("page", "pagelinks", "redirect"):
        if name not in found:
            raise FileError(_("The folder holds no dump of the table {table}, “…-{table}.sql.gz”.", table=name))
    return Tables(**found)


def rank(tables: Tables) -> list[Ranked]:
    """The articles of a wiki (namespace 0, no redirects) by falling PageRank, equal ones by title.

    A link to a redirect counts for where it leads, several links between two articles count once, a link of an
    article to itself not at all. What articles without links have is spread evenly. Raises FileError.
    """
    articles, redirects = _pages(tables.page)
    by_title = {title: index for index, (title, _page_id) in enumerate(articles)}
    leads_to = _resolved(tables.redirect, redirects, by_title)
    position = {page_id: index for index, (_title, page_id) in enumerate(articles)}
    if not articles:
        raise FileError(_("The wiki has no articles."))
    links = _links(tables, position, by_title, leads_to)
    pairs = np.fromiter((source * len(articles) + target for source, target in links), np.int64)
    sources, targets = np.divmod(np.unique(pairs), len(articles))
    scores = _pagerank(sources, targets, len(articles))
    ranked = [Ranked(title, page_id, float(scores[i])) for i, (title, page_id) in enumerate(articles)]
    return sorted(ranked, key=lambda entry: (-entry.score, entry.title))


def as_tsv(ranked: list[Ranked]) -> str:
    """A list with a header that ``curation.titles`` reads."""
    lines = [f"{place}\t{entry.page_id}\t{entry.title}\t{entry.score:.10f}" for place, entry in enumerate(ranked, 1)]
    return "\n".join(["rank\tpage_id\ttitle\tpagerank", *lines]) + "\n"


def disambiguations(page_props: Path) -> frozenset[int]:
    """The ids of the pages that the wiki itself marks as disambiguation pages. Raises FileError."""
    return frozenset(
        int(page_id)
        for page_id, name in rows(page_props, "page_props", ("pp_page", "pp_propname"))
        if page_id and name == b"disambiguation"
    )


def _pagerank(sources: np.ndarray, targets: np.ndarray, count: int) -> np.ndarray:
    """The shares of ``count`` articles.

    The solver "RH" sums the power series and scales the sum to 1, which spreads evenly what articles without links
    have. The library's power iteration gives it to those articles alone (scikit-network 0.33.5).
    """
    links = csr_matrix((np.ones(len(sources)), (sources, targets)), shape=(count, count))
    return PageRank(DAMPING, solver="RH", n_iter=ROUNDS).fit_predict(links)


def _pages(path: Path) -> tuple[list[tuple[str, int]], dict[int, str]]:
    articles, redirects = [], {}
    columns = ("page_id", "page_namespace", "page_title", "page_is_redirect")
    for page_id, namespace, title, is_redirect in rows(path, "page", columns):
        if namespace != b"0" or page_id is None or title is None:
            continue
        if is_redirect == b"1":
            redirects[int(page_id)] = _decoded(title)
        else:
            articles.append((_decoded(title), int(page_id)))
    return articles, redirects


def _resolved(path: Path, redirects: dict[int, str], by_title: dict[str, int]) -> dict[str, int]:
    """Which article each redirect leads to, over further redirects; those that lead elsewhere or round are left out."""
    columns = ("rd_from", "rd_namespace", "rd_title", "rd_interwiki")
    next_title = {
        redirects[int(page_id)]: _decoded(title)
        for page_id, namespace, title, interwiki in rows(path, "redirect", columns)
        if page_id and title is not None and namespace == b"0" and not interwiki and int(page_id) in redirects
    }
    resolved = {}
    for title in next_title:
        seen, at = {title}, next_title[title]
        while at in next_title and at not in seen:
            seen.add(at)
            at = next_title[at]
        if at in by_title:
            resolved[title] = by_title[at]
    return resolved


def _links(
    tables: Tables, position: dict[int, int], by_title: dict[str, int], leads_to: dict[str, int]
) -> Iterator[tuple[int, int]]:
    """Links between articles by their positions; several between the same two are given several times."""
    targets: dict[bytes, int] = {}
    if tables.linktarget:
        for target_id, namespace, title in rows(tables.linktarget, "linktarget", ("lt_id", "lt_namespace", "lt_title")):
            if namespace == b"0" and target_id and title is not None:
                name = _decoded(title)
                target = by_title.get(name, leads_to.get(name, -1))
                if target >= 0:
                    targets[target_id] = target
    columns = ("pl_from", "pl_namespace", "pl_title", "pl_target_id")
    for source_id, namespace, title, target_id in rows(tables.pagelinks, "pagelinks", columns):
        source = position.get(int(source_id or -1), -1)
        if source < 0:
            continue
        if target_id is not None and tables.linktarget:
            target = targets.get(target_id, -1)
        elif title is not None and namespace == b"0":
            name = _decoded(title)
            target = by_title.get(name, leads_to.get(name, -1))
        else:
            continue
        if target >= 0 and target != source:
            yield source, target


def _decoded(title: bytes) -> str:
    return title.decode("utf-8", "replace").replace("_", " ")
