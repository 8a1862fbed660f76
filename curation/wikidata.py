"""Titles of a wiki's articles by their items on Wikidata ("Q42"), from its tables page and page_props."""

import re
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from curation.sql_dump import rows, table_in
from scoring.json_files import FileError
from scoring.sentences import _

_ITEM = re.compile(r"Q[1-9][0-9]{0,11}")
_LOOKED_AT = 20


def are_items(names: Iterable[str]) -> bool:
    """Whether the first of ``names`` are items of Wikidata."""
    first = list(islice(names, _LOOKED_AT))
    return bool(first) and all(_ITEM.fullmatch(name) for name in first)


def titles_by_item(folder: Path) -> dict[str, str]:
    """The article (namespace 0, no redirect) of each item, by the tables in ``folder``. Raises FileError."""
    tables = {name: table_in(folder, name) for name in ("page", "page_props")}
    page, page_props = tables["page"], tables["page_props"]
    if page is None or page_props is None:
        missing = "page" if page is None else "page_props"
        raise FileError(_("The folder holds no dump of the table {table}, “…-{table}.sql.gz”.", table=missing))
    items = {
        page_id: value.decode("ascii", "replace")
        for page_id, name, value in rows(page_props, "page_props", ("pp_page", "pp_propname", "pp_value"))
        if page_id is not None and name == b"wikibase_item" and value
    }
    columns = ("page_id", "page_namespace", "page_title", "page_is_redirect")
    return {
        items[page_id]: title.decode("utf-8", "replace")
        for page_id, namespace, title, is_redirect in rows(page, "page", columns)
        if page_id in items and namespace == b"0" and title and is_redirect != b"1"
    }
