"""PageRank from the tables of a wiki."""

import csv
import gzip

import pytest

from curation import titles
from curation.ranking import Tables, as_tsv, disambiguations, rank, tables_in
from curation.sql_dump import rows
from scoring.json_files import FileError


def table(name: str, columns: str, values: str) -> bytes:
    declared = ",\n".join(f"  `{column}` int(8) NOT NULL" for column in columns.split())
    head = f"-- dump\nCREATE TABLE `{name}` (\n{declared}\n) ENGINE=InnoDB;\n"
    return f"{head}INSERT INTO `{name}` VALUES {values};\n".encode()  # noqa: S608 - read by us, no database


@pytest.fixture
def wiki(tmp_path):
    """Three articles: A and B link to C, A over a redirect and twice; C links to itself. Talk pages do not count."""
    texts = {
        "page": table("page", "page_id page_namespace page_title page_is_redirect",
                      "(1,0,'A',0),(2,0,'B\\'s',0),(3,0,'C_d',0),(4,0,'Old',1),(5,1,'A',0)"),
        "linktarget": table("linktarget", "lt_id lt_namespace lt_title",
                            "(11,0,'C_d'),(12,0,'Old'),(13,0,'Nowhere'),(14,4,'B\\'s')"),
        "redirect": table("redirect", "rd_from rd_namespace rd_title rd_interwiki", "(4,0,'C_d',NULL)"),
        "pagelinks": table("pagelinks", "pl_from pl_from_namespace pl_target_id",
                           "(1,0,11),(1,0,12),(1,0,13),(2,0,11),(3,0,11),(5,1,11),(3,0,14)"),
        "page_props": table("page_props", "pp_page pp_propname pp_value",
                            "(2,'disambiguation',''),(1,'x',NULL),(1,'wikibase_item','Q1'),(2,'wikibase_item','Q2'),"
                            "(3,'wikibase_item','Q3'),(5,'wikibase_item','Q9')"),
    }  # fmt: skip
    for name, text in texts.items():
        (tmp_path / f"xwiki-20240501-{name}.sql.gz").write_bytes(gzip.compress(text))
    return tmp_path


def test_shares_can_be_worked_out_by_hand(wiki):
    # C, without links, gives to all three evenly: a = 0.05 + 0.85 c / 3, c = a + 1.7 a, 2 a + c = 1.
    ranked = rank(tables_in(wiki))
    assert [(entry.title, entry.page_id) for entry in ranked] == [("C d", 3), ("A", 1), ("B's", 2)]
    assert [entry.score for entry in ranked] == pytest.approx([2.7 / 4.7, 1 / 4.7, 1 / 4.7], abs=1e-9)


def test_the_ranking_is_a_list_that_titles_are_drawn_from(wiki, tmp_path):
    path = tmp_path / "ranks.tsv"
    path.write_text(as_tsv(rank(tables_in(wiki))))
    assert titles.read_ranked(path).titles == ["C d", "A", "B's"]


def test_the_wiki_names_its_disambiguation_pages(wiki):
    assert disambiguations(wiki / "xwiki-20240501-page_props.sql.gz") == {2}


def test_escapes_of_mysql_are_undone(tmp_path):
    path = tmp_path / "t.sql"
    path.write_bytes(table("t", "a b", r"(1,'it\'s \"a\\b\",(c)'),(-2.5e3,NULL)"))
    assert list(rows(path, "t", ("b", "a", "c"))) == [(b'it\'s "a\\b",(c)', b"1", None), (None, b"-2.5e3", None)]


def test_a_table_that_breaks_off_or_is_another_is_refused(wiki):
    whole = (wiki / "xwiki-20240501-page.sql.gz").read_bytes()
    with pytest.raises(FileError, match="not a dump of the table redirect"):
        list(rows(wiki / "xwiki-20240501-page.sql.gz", "redirect", ("rd_from",)))
    (wiki / "xwiki-20240501-page.sql.gz").write_bytes(whole[:-12])
    with pytest.raises(FileError, match="truncated"):
        rank(tables_in(wiki))
    (wiki / "xwiki-20240501-page.sql.gz").unlink()
    with pytest.raises(FileError, match="table page"):
        tables_in(wiki)


def test_a_whole_small_wiki_is_ranked_as_known(shared_dir):
    folder = shared_dir / "data/pagerank"
    with (folder / "chwiki-20240501-pagerank.tsv").open(encoding="utf-8", newline="") as file:
        known = {row["title"].replace("_", " "): float(row["pagerank"]) for row in csv.DictReader(file, delimiter="\t")}
    ranked = rank(tables_in(folder))
    assert {entry.title for entry in ranked} == set(known)
    assert len(known) == 582
    # The known list has eight decimals, after 100 rounds.
    assert max(abs(entry.score - known[entry.title]) for entry in ranked) < 1e-7
    assert [entry.title for entry in ranked[:20]] == sorted(known, key=lambda title: -known[title])[:20]
    assert isinstance(tables_in(folder), Tables)
