"""The files of a release: its formats, its metadata, and the manifest that names them all.

The same content, number and time give the same bytes. Each format is written from the spooled articles, one at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings

from reviewer.models import Release
from reviewer.services.code_version import code_commit, code_version
from reviewer.services.croissant import croissant
from reviewer.services.dataset import indented
from reviewer.services.dataset_card import card
from reviewer.services.datasheet import datasheet
from reviewer.services.release_places import PRIVATE, PUBLIC
from reviewer.services.release_reading import FORMAT, TEST, Content, articles
from scoring.question_rows import LABEL_STUDIO_CONFIG, csv_rows, json_rows, label_studio_chunks
from scoring.release_diff import KEY
from scoring.release_files import MANIFEST, described, sealed
from scoring.squad_writing import VERSION_1_1, VERSION_2_0, squad_chunks

Chunks = Iterator[bytes]
Told = Callable[[int, int], None]  # how many of how many files are written


def write(new: Release, content: Content, built: Path, told: Told) -> None:
    """The files of questions of ``new``, below ``built``. Raises OSError."""
    public, private = built / PUBLIC, built / PRIVATE
    public.mkdir(parents=True)
    formats = [
        (path, writer)
        for split, spool in content.spools.items()
        for path, writer in _formats(public, split, spool, new).items()
    ]
    for number, (path, writer) in enumerate(formats):
        told(number, len(formats))
        path.parent.mkdir(exist_ok=True)
        writer(path)
    save(public / "label-studio" / "config.xml", [LABEL_STUDIO_CONFIG.encode()])
    told(len(formats), len(formats))
    if new.holds_back_test:
        private.mkdir(mode=0o700)
        spool = content.spools.get(TEST)
        save(private / KEY, json_rows(articles(spool, new.salt), with_workers=new.names_workers) if spool else ())
        (private / KEY).chmod(0o600)  # wherever somebody moves it


def finish(new: Release, content: Content, built: Path, changes: dict[str, Any] | None) -> None:
    """Write what speaks of the written files: the cards, and the manifest, with ``changes`` since the last."""
    public, private = built / PUBLIC, built / PRIVATE
    manifest = _manifest(new, content) | {"previous": changes}
    save(public / "attribution.json", [indented(content.sources)])
    save(public / "left-out.json", [indented(content.left_out)])
    save(public / "README.md", [card(manifest, content.sources).encode()])
    save(public / "datasheet.md", [datasheet(manifest, content.sources).encode()])
    parquet = {split: described(public, public / "parquet" / f"{split}.parquet") for split in content.spools}
    save(public / "croissant.json", [indented(croissant(manifest, content.sources, parquet))])
    files = sorted(path for path in public.rglob("*") if path.is_file())
    manifest["files"] = [described(public, path) for path in files]
    manifest["private_files"] = [described(private, path) for path in sorted(private.glob("*"))]
    new.manifest = sealed(manifest)
    save(public / MANIFEST, [indented(new.manifest)])


def save(path: Path, chunks: Iterable[bytes]) -> None:
    with open(path, "wb") as file:
        file.writelines(chunks)


def _formats(public: Path, split: str, spool: Path, new: Release) -> dict[Path, Callable[[Path], None]]:
    """The files of ``split``, and what writes each."""
    from scoring.parquet_files import write_parquet  # pyarrow is large, and nothing else of the platform needs it

    held = new.holds_back_test and split == TEST
    marks: dict[str, bool] = {"without_answers": held, "with_workers": new.names_workers}

    def chunked(chunks: Callable[[], Chunks]) -> Callable[[Path], None]:
        return lambda path: save(path, chunks())

    def all_articles() -> Any:
        return articles(spool, new.salt)

    return {
        public / f"data/{split}.jsonl": chunked(lambda: json_rows(all_articles(), **marks)),
        public / f"parquet/{split}.parquet": lambda path: write_parquet(path, all_articles(), **marks),
        public / f"csv/{split}.csv": chunked(lambda: csv_rows(all_articles(), **marks)),
        public / f"label-studio/{split}.json": chunked(lambda: label_studio_chunks(all_articles(), **marks)),
        public / f"squad-v2.0/{split}-v2.0.json": chunked(
            lambda: squad_chunks(all_articles(), VERSION_2_0, without_answers=held)
        ),
        # Which test questions cannot be answered is an answer too: held back, the two versions hold the same ones.
        public / f"squad-v1.1/{split}-v1.1.json": chunked(
            lambda: squad_chunks(articles(spool, with_impossible=held), VERSION_1_1, without_answers=held)
        ),
    }


def _manifest(new: Release, content: Content) -> dict[str, Any]:
    counts = content.counts
    if new.holds_back_test and TEST in counts:
        held = ("impossible_questions", "answers")
        counts = counts | {TEST: {name: n for name, n in counts[TEST].items() if name not in held}}
    return {
        "format": FORMAT,
        "number": new.number,
        "released_at": new.released_at.isoformat(),
        "note": new.note,
        "code_version": code_version(),
        "code_commit": code_commit(settings.BASE_DIR),
        **content.about,
        "counts": counts,
        "warnings": content.warnings,
        "content_sha256": new.content_sha256,
    }
