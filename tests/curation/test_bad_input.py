"""Input that is broken, hostile or enormous, as the command meets it: a sentence that names what is wrong, where and
what to do; and the rest is read."""

import bz2
import json
import re
import subprocess
import sys
import zipfile

import pytest
from django.core.management import CommandError, call_command

from tests.curation.test_documents import pdf_of
from tests.curation.test_dump import HEAD, PROSE, export, page


@pytest.fixture
def curate(tmp_path):
    def curate(source, *options):
        """The titles kept, and of the drops each reason with its first example."""
        out = tmp_path / "out.jsonl"
        loose = ("--min-chars=50", "--keep-duplicates", "--keep-boilerplate", "--min-sentences=1")
        call_command("curate", str(source), "--out", str(out), *loose, *options)
        report = json.loads((tmp_path / "out.report.json").read_text())
        dropped = {**report["paragraphs"]["dropped"], **report["articles"]["dropped"]}
        articles = [json.loads(line) for line in out.read_text().splitlines()]
        return articles, {reason: entry["examples"][0] for reason, entry in dropped.items()}

    return curate


@pytest.fixture
def dump_of(tmp_path):
    def dump_of(data, name="dump.xml"):
        (tmp_path / name).write_bytes(data)
        return tmp_path / name

    return dump_of


def titles(articles):
    return [article["title"] for article in articles]


def test_an_article_of_20_mb_is_left_out_and_its_neighbours_are_read(curate, dump_of):
    enormous = page("Enormous", text=PROSE * (20 * 2**20 // len(PROSE)), number=2)
    articles, dropped = curate(dump_of(export(page("A"), enormous, page("C", number=3))))
    assert titles(articles) == ["A", "C"]
    assert dropped["too_large"]["title"] == "Enormous"
    assert dropped["too_large"]["detail"] == (
        "It has more than 2,097,152 characters of wikitext, which MediaWiki lets no page have."
    )


def test_templates_200_deep_cost_their_paragraph_and_no_other(curate, dump_of):
    deep = "It is " + "{{odd|" * 200 + "deep" + "}}" * 200 + " there, and nobody can say what it is. " * 3
    articles, dropped = curate(dump_of(export(page("A", text=f"{PROSE}\n\n{deep}\n\nLast. {PROSE}"))))
    assert [paragraph["text"][:5] for paragraph in articles[0]["paragraphs"]] == ["Tarn ", "Last."]
    assert dropped["lost_text"]["detail"] == "odd"


def test_tables_that_do_not_balance_cost_nothing_behind_the_next_heading(curate, dump_of):
    text = f"{PROSE}\n\n{{|\n| a\n{{|\n| b\n|}}\n\n== Next ==\n\n|}}\n\nNext. {PROSE}\n\n&lt;table&gt;&lt;tr&gt;\n"
    (article,), _dropped = curate(dump_of(export(page("A", text=text))))
    assert [(paragraph["text"][:5], paragraph["section"]) for paragraph in article["paragraphs"]] == [
        ("Tarn ", []),
        ("Next.", ["Next"]),
    ]


BROKEN = {
    "truncated bz2": (
        bz2.compress((HEAD + page("A")).encode()) + bz2.compress(page("B").encode())[:-20],
        r"The compressed file is truncated: it ends after [\d,]+ unpacked bytes. Fetch it again.",
    ),
    "damaged bz2": (
        bz2.compress((HEAD + page("A")).encode()) + b"BZh9 nothing of the kind",
        r"The compressed file is damaged after [\d,]+ unpacked bytes: Invalid data stream. Fetch it again.",
    ),
    "invalid xml": (
        export(page("A"), "<page><title>B</text>"),
        r"The file is not valid XML: line 2, column \d+: mismatched tag. Export or fetch it again.",
    ),
    "xml that breaks off": (
        (HEAD + page("A") + "<page><title>B").encode(),
        r"The file is not valid XML: line 1, column \d+: no element found. Export or fetch it again.",
    ),
}


@pytest.mark.parametrize(("data", "sentence"), BROKEN.values(), ids=BROKEN)
def test_of_a_dump_that_breaks_off_what_came_before_is_kept(curate, dump_of, data, sentence):
    articles, dropped = curate(dump_of(data))
    assert titles(articles) == ["A"]
    assert dropped["unreadable"]["title"] == "dump.xml"
    assert re.fullmatch(sentence, dropped["unreadable"]["detail"])


def test_titles_with_bom_and_percent_encoding_are_found_and_those_that_do_not_exist_named(curate, dump_of, tmp_path):
    wanted = tmp_path / "titles.txt"
    wanted.write_bytes("\ufeff%C3%85land_Islands\r\nno such lake\r\nAT%26T\r\n50%_off\r\n".encode())
    pages = [page("Åland Islands"), page("AT&amp;T", number=2), page("50% off", number=3), page("Other", number=4)]
    articles, dropped = curate(dump_of(export(*pages)), f"--titles={wanted}")
    assert titles(articles) == ["Åland Islands", "AT&T", "50% off"]
    assert dropped["no_such_title"]["title"] == "No such lake"


@pytest.fixture
def folder(tmp_path):
    """A good document beside which the tests lay bad ones."""
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "good.txt").write_text(PROSE.replace("[[", "").replace("]]", ""))
    return folder


def zip_bomb(path):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b" " * (32 * 2**20))


DOCUMENTS = {
    "bomb.docx": (
        zip_bomb,
        r"It would unpack to 33,554,432 bytes in 1 files from [\d,]+ bytes: no document does. Leave it out.",
    ),
    "scan.pdf": (
        lambda path: path.write_bytes(pdf_of([], [])),
        r"It holds no text: its pages are pictures, as of a scan. Run text recognition on it first.",
    ),
    "damaged.docx": (
        lambda path: path.write_bytes(b"PK\3\4 damaged"),
        r"It is no DOCX file, or protected by a password, or damaged. Save it anew, without a password.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_that_cannot_be_read_is_named_and_the_others_are_kept(curate, folder, tmp_path, name):
    pytest.importorskip("docx", reason="python-docx, an optional extra, is not installed")
    pytest.importorskip("pypdf", reason="pypdf, an optional extra, is not installed")
    write, sentence = DOCUMENTS[name]
    write(folder / name)
    articles, dropped = curate(folder)
    assert titles(articles) == ["good"]
    assert dropped["unreadable"]["title"] == name
    assert re.fullmatch(sentence, dropped["unreadable"]["detail"])
    # Alone, it is what is wrong with the command; nothing is written.
    (tmp_path / "out.jsonl").unlink()
    with pytest.raises(CommandError) as refused:
        curate(folder / name)
    assert re.fullmatch(rf"{folder / name}: {sentence}", str(refused.value))
    assert not (tmp_path / "out.jsonl").exists()


def test_nothing_of_a_pages_scripts_is_taken_for_its_text(curate, folder):
    script = "<script>document.write('<p>" + "written by a script. " * 20 + "</p>')</script>"
    (folder / "page.html").write_text(
        f"<html><head>{script}<style>p {{ color: red }}</style></head><body onload='alert(1)'>{script}"
        f"<p>{PROSE}</p><noscript><p>{'Switch scripts on. ' * 20}</p></noscript><svg onload='x()'><text>no</text></svg>"
        f"<p><a href='javascript:alert(1)'>{PROSE}</a></p><iframe srcdoc='<p>no</p>'></iframe></body></html>"
    )
    articles, _dropped = curate(folder, "--max-markup=1")
    (article,) = [article for article in articles if article["title"] == "page"]
    assert [paragraph["text"] for paragraph in article["paragraphs"]] == [PROSE.strip()] * 2


def test_an_enormous_article_takes_no_more_memory_than_a_page_may_have(dump_of):
    """Its text is let go as it streams by: 60 MB of it in a process that may have 60 MB more than it begins with."""
    path = dump_of(export(page("A"), page("Enormous", text="x" * 60_000_000, number=2)))
    code = (
        "import resource, sys; from pathlib import Path; from curation.wikipedia.reader import read_dump\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "for item in read_dump(Path(sys.argv[1])): pass\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
    )
    run = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    assert int(run.stdout) < 60_000  # KiB
