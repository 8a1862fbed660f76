"""Documents of every format become the paragraphs that a reader sees, and nothing outside of their folder is read."""

import gzip
import io
import os
import sys
import zipfile

import pytest

from curation.articles import Article, Drop, Passage, Reason
from curation.documents.encodings import decode
from curation.documents.files import WHOLE_BYTES
from curation.documents.markdown import read_markdown
from curation.documents.pdf import paragraphs_of_pages
from curation.documents.plain_text import passages_of_text
from curation.documents.reading import DocumentRules, read_documents
from curation.documents.web_pages import read_web_page
from scoring.json_files import FileError


def texts(passages):
    return [passage.text for passage in passages]


def read(path, rules=None, told=None):
    return list(read_documents(path, rules or DocumentRules(), told))


def one(path, **rules):
    (article,) = read(path, DocumentRules(**rules))
    return article


@pytest.mark.parametrize(
    ("text", "paragraphs"),
    [
        pytest.param("One line\nand the next.\n\n\nTwo.", ["One line and the next.", "Two."], id="hard-wrapped"),
        pytest.param("a" * 250 + "\n" + "b" * 250, ["a" * 250, "b" * 250], id="long lines are paragraphs"),
        pytest.param("A cen-\ntury. The century.", ["A century. The century."], id="a broken word known elsewhere"),
        pytest.param("A well-\nknown mill.", ["A well-known mill."], id="a hyphen that may be meant stays"),
        pytest.param("湖は\n北にある。", ["湖は北にある。"], id="no blank between characters without blanks"),
        pytest.param("  First\nline.\n  Second\nline.", ["First line.", "Second line."], id="indented first lines"),
        pytest.param("See:\n- one\n- two", ["See:", "- one", "- two"], id="list items stand alone"),
        pytest.param(" \n\t\n", [], id="nothing"),
    ],
)
def test_plain_text(text, paragraphs):
    assert texts(passages_of_text(text)) == paragraphs


def test_markdown_is_read_without_its_marks():
    title, passages = read_markdown(
        "---\ntitle: 'Tarn Velle'\n---\n"
        "# Tarn Velle\n\nA *mountain* lake, **fed** by [snow](https://example.org/a_(b) 'x') &amp; `2*3*4`\n"
        "\\*rain\\*, see ![map](m.png)[it][r].[^1]\n\n```\ncode\n```\n\n"
        "History\n-------\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"
        "> Quoted.\n\n### Early\n\n1. first_of_all\n\n<script>x()</script>\n<!-- note -->\n\n"
        "[r]: https://example.org\n[^1]: A note.\n"
    )
    assert title == "Tarn Velle"
    assert passages == [
        Passage("A mountain lake, fed by snow & 2*3*4 *rain*, see it."),
        Passage("Quoted.", ("History",)),
        Passage("first_of_all", ("History", "Early")),
    ]


def test_markdown_keeps_indented_paragraphs_of_a_list_and_drops_indented_code():
    _title, passages = read_markdown("Text.\n\n    code()\n\n- item\n\n    more of it\n")
    assert texts(passages) == ["Text.", "item", "more of it"]


PAGE = """<!doctype html><html lang="de"><head><title>Tarn Velle – Atlas</title>
<link rel="canonical" href="https://example.org/tarn"><link rel="license" href="https://example.org/by">
<script>document.write("no")</script><style>p { color: red }</style></head>
<body onload="alert(1)"><header>Atlas</header><nav><form><p>Menu</p></form></nav>
<main><h1>Tarn <i>Velle</i></h1><p>A lake<br>in the <a href="javascript:alert(1)">hills</a>.<script>no()</script></p>
<h2>History</h2>Loose <b>text</b><div>First<br><br>second</div><h1></h1><div hidden><p>hidden</p></div>
<p style="color: red; display:none">hidden</p><p aria-hidden="true">hidden</p>
<table><tr><td>1871</td><td>1,204</td></tr></table><figure><figcaption>A view</figcaption></figure>
<ul><li>Item</li></ul><noscript><p>Enable JavaScript</p></noscript></main><footer>©</footer></body></html>"""


def test_a_web_page_is_read_as_its_reader_sees_it_and_nothing_in_it_runs():
    page = read_web_page(PAGE)
    assert (page.title, page.language) == ("Tarn Velle", "de")
    assert (page.source_url, page.licence) == ("https://example.org/tarn", "https://example.org/by")
    assert page.passages == [
        Passage("A lake in the hills."),
        Passage("Loose text", ("History",)),
        Passage("First", ("History",)),
        Passage("second", ("History",)),
        Passage("Item", ("History",)),
    ]


def test_a_layout_table_is_read_and_deep_nesting_does_no_harm():
    page = read_web_page("<table><tr><td><p>Old page.</p></td></tr></table>" + "<p>" * 9_000 + "<div>" * 4_000 + "deep")
    assert texts(page.passages) == ["Old page.", "deep"]
    with pytest.raises(FileError, match=r"More than 5,000 elements of the page lie in each other\."):
        read_web_page("<div>" * 1_000_000)


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        ("Größe".encode(), "Größe", "utf-8"),
        (b"\xef\xbb\xbfa\r\nb", "a\nb", "utf-8"),
        ("Größe".encode("utf-16"), "Größe", "utf-16"),
        ("Größe".encode("utf-32"), "Größe", "utf-32"),
        ("Die Größe der Höfe wächst über Jahre, „häufig“ für längere Zeit.".encode("cp1252"), None, "cp1252"),
        ("Озеро лежит в горах на севере страны, и зимой оно замерзает.".encode("cp1251"), None, "cp1251"),
    ],
)
def test_encodings_are_found_and_named(data, text, encoding):
    found = decode(data)
    assert found == (text if text is not None else data.decode(encoding), encoding)


def test_an_encoding_that_a_page_declares_counts_where_the_bytes_agree():
    data = '<meta charset="iso-8859-2">žluťoučký kůň'.encode("iso-8859-2")
    assert decode(data, "iso-8859-2")[1] == "iso8859-2"
    assert decode("é".encode(), "iso-8859-2") == ("é", "utf-8")
    with pytest.raises(FileError):
        decode(b"PK\x03\x04\0\0\0\0\xff", "base64")


def test_json_lines_hold_our_passages_or_any_objects_with_a_text(tmp_path):
    file = tmp_path / "all.jsonl"
    file.write_text(
        '{"title": "Mill", "licence": "CC0", "paragraphs": ["a", {"text": "b", "section": ["S"]}]}\n\n'
        '{"id": "3", "revid": 7, "url": "https://example.org/w", "title": "Wall", "text": "One.\\n\\nTwo."}\n'
        '{"text": 3}\n'
        '{"text": "Last."}\n'
    )
    mill, wall, fault, last = read(file)
    assert mill == Article("Mill", [Passage("a"), Passage("b", ("S",))], licence="CC0")
    assert wall == Article("Wall", [Passage("One."), Passage("Two.")], "https://example.org/w", revision="7")
    assert (fault.reason, fault.detail) == (Reason.UNREADABLE, "Line 4: text must be text, not a number.")
    assert last.title == "all 5"
    packed = tmp_path / "all.jsonl.gz"
    packed.write_bytes(gzip.compress(file.read_bytes()))
    assert read(packed)[0] == mill
    packed.write_bytes(packed.read_bytes()[:-20])
    with pytest.raises(FileError, match="damaged gzip"):
        read(packed)


def test_rows_of_one_title_are_one_article(tmp_path):
    file = tmp_path / "rows.csv"
    file.write_bytes(
        'title;body;licence\nMühle;"One;\nstill one.";CC0\nMühle;Two.;\nTor;;\nTor;Three.;CC0\n'.encode("cp1252")
    )
    mill, empty, gate = read(file, DocumentRules(text_field="body"))
    assert mill == Article("Mühle", [Passage("One; still one."), Passage("Two.")], licence="CC0")
    assert (empty.title, empty.reason, empty.detail) == ("Tor", Reason.EMPTY, "Line 5: the cell is empty.")
    assert texts(gate.passages) == ["Three."]
    with pytest.raises(FileError, match='no column "text"; it has: title, body, licence'):
        read(file)
    tabs = tmp_path / "rows.tsv"
    tabs.write_text("text\tname\nOne, two.\tMill\nThree.\tWall\n")
    assert [article.title for article in read(tabs, DocumentRules(title_field="name"))] == ["Mill", "Wall"]


def test_squad_files_and_json_lines_under_the_name_of_json(tmp_path):
    file = tmp_path / "train.json"
    file.write_text('{"data": [{"title": "Mill", "paragraphs": [{"context": "It burned.", "qas": []}]}]}')
    assert one(file) == Article("Mill", [Passage("It burned.")])
    file.write_text('{"title": "Mill", "text": "It burned."}\n{"title": "Wall", "text": "It fell."}\n')
    assert [article.title for article in read(file)] == ["Mill", "Wall"]
    file.write_text("[1]")
    with pytest.raises(FileError, match='must be an object with a list "data"'):
        read(file)


def docx_of(build):
    docx = pytest.importorskip("docx", reason="python-docx, an optional extra, is not installed")
    document = docx.Document()
    build(document)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def test_word_documents_give_their_running_text_with_sections(tmp_path):
    from docx.oxml import parse_xml
    from docx.oxml.ns import nsdecls

    def build(document):
        document.core_properties.title = "Tarn Velle"
        document.core_properties.language = "en"
        document.add_heading("Tarn Velle", 0)
        paragraph = document.add_paragraph("A mountain ")
        paragraph.add_run("lake").bold = True
        paragraph.add_run(" secret").font.hidden = True
        paragraph._p.append(parse_xml(f"<w:ins {nsdecls('w')}><w:r><w:t>, deep</w:t></w:r></w:ins>"))
        paragraph._p.append(parse_xml(f"<w:del {nsdecls('w')}><w:r><w:delText>, old</w:delText></w:r></w:del>"))
        document.add_heading("History", 1)
        document.add_table(1, 1).cell(0, 0).text = "1871"
        document.add_paragraph("It froze.")
        formula = document.add_paragraph("Its depth is ")
        formula._p.append(parse_xml(f"<m:oMath {nsdecls('m')}><m:r><m:t>x</m:t></m:r></m:oMath>"))

    file = tmp_path / "tarn.docx"
    file.write_bytes(docx_of(build))
    assert one(file) == Article(
        "Tarn Velle",
        [
            Passage("A mountain lake, deep"),
            Passage("It froze.", ("History",)),
            Passage("Its depth is", ("History",), ("formula",)),
        ],
        language="en",
    )


def test_a_zip_bomb_is_refused_before_it_is_opened(tmp_path):
    file = tmp_path / "bomb.docx"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b" " * (32 * 2**20))
    with pytest.raises(FileError, match="would unpack to 33,554,432 bytes"):
        read(file)
    file.write_bytes(b"\xd0\xcf\x11\xe0 protected")
    with pytest.raises(FileError, match="no DOCX file"):
        read(file)


def pdf_of(*pages):
    """A PDF with a line of text at each place of ``pages``, written by hand: pypdf writes no text."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for lines in pages:
        shown = "".join(f"1 0 0 1 72 {720 - 14 * row} Tm ({line}) Tj " for row, line in enumerate(lines))
        stream = f"BT /F1 11 Tf {shown}ET" if lines else ""
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
        font = "/Resources << /Font << /F1 3 0 R >> >>"
        objects.append(f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] {font} /Contents {len(objects)} 0 R >>")
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    data, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(data))
        data += f"{number} 0 obj\n{content}\nendobj\n".encode()
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    end = (
        f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\n"
    )
    return data + f"{end}startxref\n{len(data)}\n%%EOF\n".encode()


def test_a_pdf_gives_its_paragraphs_and_one_without_text_says_so(tmp_path):
    pytest.importorskip("pypdf", reason="pypdf, an optional extra, is not installed")
    file = tmp_path / "tarn.pdf"
    file.write_bytes(
        pdf_of(
            ["The lake lies high in the hills to", "the north.", "It freezes in most winters, and the"], ["ice bears."]
        )
    )
    article = one(file)
    assert texts(article.passages) == [
        "The lake lies high in the hills to the north.",
        "It freezes in most winters, and the ice bears.",
    ]
    file.write_bytes(pdf_of([], []))
    with pytest.raises(FileError, match="It holds no text: its pages are pictures"):
        read(file)
    file.write_bytes(b"%PDF-1.4 broken")
    with pytest.raises(FileError, match="It is a damaged PDF file"):
        read(file)


def test_running_heads_and_page_numbers_of_a_pdf_are_left_out():
    names = ["Velle", "Orr", "Amber", "Gell"]
    pages = [
        ["The Atlas of Lakes", f"{name} is a lake in the north, and so", f"is {name} Tarn.", str(number)]
        for number, name in enumerate(names, start=1)
    ]
    expected = [f"{name} is a lake in the north, and so is {name} Tarn." for name in names]
    assert list(paragraphs_of_pages(pages)) == expected


@pytest.mark.parametrize(("module", "name"), [("docx", "a.docx"), ("pypdf", "a.pdf")])
def test_without_the_optional_library_a_sentence_says_what_to_run(tmp_path, monkeypatch, module, name):
    monkeypatch.setitem(sys.modules, module, None)
    with zipfile.ZipFile(tmp_path / name, "w") as archive:
        archive.writestr("word/document.xml", "")
    with pytest.raises(FileError, match=r"run pip install -r requirements-documents\.txt"):
        read(tmp_path / name)


def test_a_folder_is_read_in_the_order_of_its_names_and_a_bad_file_stops_nothing(tmp_path):
    folder = tmp_path / "documents"
    (folder / "b").mkdir(parents=True)
    (folder / "c.txt").write_text("Three.")
    (folder / "a.txt").write_bytes(b"\0\1")
    (folder / "b" / "x.txt").write_text("Two.")
    (folder / "picture.png").write_bytes(b"")
    (folder / ".git").mkdir()
    found = read(folder)
    assert [(type(item), item.title) for item in found] == [
        (Drop, ".git"), (Drop, "a.txt"), (Article, "b/x"), (Article, "c"), (Drop, "picture.png"),
    ]  # fmt: skip
    assert [item.reason for item in found if isinstance(item, Drop)] == [
        Reason.NOT_A_DOCUMENT, Reason.UNREADABLE, Reason.NOT_A_DOCUMENT,
    ]  # fmt: skip
    assert all(item.detail for item in found if isinstance(item, Drop))


def test_nothing_outside_of_the_folder_is_read(tmp_path):
    (tmp_path / "secret.txt").write_text("A secret.")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.txt").write_text("A secret.")
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "link.txt").symlink_to("../secret.txt")
    (folder / "folder").symlink_to("../outside")
    os.mkfifo(folder / "pipe.txt")
    (folder / "own.txt").write_text("Its own.")
    articles = [item for item in read(folder) if isinstance(item, Article)]
    assert [texts(article.passages) for article in articles] == [["Its own."]]
    # A folder that is named through a link is the folder that was meant.
    (tmp_path / "named").symlink_to(folder)
    assert read(tmp_path / "named") == read(folder)


def test_a_file_that_is_too_large_is_a_drop(tmp_path):
    with open(tmp_path / "large.txt", "wb") as file:
        file.truncate(WHOLE_BYTES + 1)
    (drop,) = read(tmp_path)
    assert (drop.reason, drop.detail) == (Reason.TOO_LARGE, f"It is larger than {WHOLE_BYTES:,} bytes. Split it.")


def test_documents_of_one_title_stay_two_and_what_is_said_of_the_source_fills_gaps(tmp_path):
    for name, language in (("a.html", 'lang="fr"'), ("b.html", "")):
        (tmp_path / name).write_text(f"<html {language}><title>Tarn</title><p>{name}</p>")
    files = []
    rules = DocumentRules(language="en", licence="CC0", attribution="The atlas", source_url="https://example.org")
    first, second = read(tmp_path, rules, files.append)
    assert (first.title, second.title) == ("Tarn", "Tarn (b.html)")
    assert (first.language, second.language) == ("fr", "en")
    assert (second.licence, second.attribution, second.source_url) == ("CC0", "The atlas", "https://example.org")
    assert [(file.name, file.encoding) for file in files] == [("a.html", "utf-8"), ("b.html", "utf-8")]


def test_a_source_that_is_not_there_is_one_sentence(tmp_path):
    with pytest.raises(FileError, match="There is no such file or folder"):
        read(tmp_path / "nothing")
    (tmp_path / "a.png").write_bytes(b"x")
    with pytest.raises(FileError, match="Files of this kind cannot be read"):
        read(tmp_path / "a.png")
