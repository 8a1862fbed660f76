"""What people read first in a release: the card by which ``datasets`` loads the folder and a catalogue lists it."""

from __future__ import annotations

import json
from typing import Any

from reviewer.services import licences
from reviewer.services.croissant import cite_as

# Numbers of questions as Hugging Face's catalogue sorts them.
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def card(manifest: dict[str, Any], sources: list[dict[str, Any]]) -> str:
    """README.md: a dataset card, by which ``datasets`` loads the folder and a catalogue lists it."""
    project = manifest["project"]
    workers = ""
    if manifest["workers"] == "pseudonyms":
        workers = (
            "`written_by` and `answered_by` tell workers apart, by names that were made for this release alone; null "
            "is what no worker made.\n\n"
        )
    return (
        f"---\n{_catalogue(manifest, sources)}---\n\n"
        f"# {project['name']}, release {manifest['number']}\n\n"
        "Load this folder in one line of Python:\n\n"
        '    datasets.load_dataset("PATH/OF/THIS/FOLDER")\n\n'
        f"{counts_of(manifest)}\n{workers}"
        "`parquet` is what is loaded. The same questions stand in `data` (JSON Lines), `squad-v1.1` (without those "
        "that cannot be answered), `squad-v2.0`, `csv` (a line an answer) and `label-studio`. `attribution.json` says "
        "where each article is from and under which licence; `left-out.json` names what is not in here, and why; "
        "`datasheet.md` tells how the data came about. `manifest.json` has a checksum of each file, and "
        "`croissant.json` describes the Parquet files to programs.\n\n"
        f"Licences of the passages: {', '.join(licences.stated(sources))}.\n\n"
        f"## How to cite\n\n    {cite_as(manifest)}\n"
    )


def _catalogue(manifest: dict[str, Any], sources: list[dict[str, Any]]) -> str:
    """The card's head, in YAML: JSON's strings and lists are YAML's too, whatever stands in a name."""
    project = manifest["project"]
    marks = sorted({licences.mark(licence) for licence in licences.stated(sources)})
    number = sum(counts["questions"] for counts in manifest["counts"].values())
    size = next((words for most, words in SIZES if number < most), "n>1M")
    # ``datasets`` refuses a folder of which one split has no rows.
    filled = [split for split, counts in manifest["counts"].items() if counts["questions"]]
    files = [{"split": split, "path": f"parquet/{split}.parquet"} for split in filled]
    head = {
        "pretty_name": project["name"],
        "language": [project["language"].split("-")[0]],
        "license": marks,
        "task_categories": ["question-answering"],
        "task_ids": ["extractive-qa"],
        "size_categories": [size],
        "configs": [{"config_name": "default", "data_files": files}],
    }
    return "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in head.items())


def counts_of(manifest: dict[str, Any]) -> str:
    """A table of what each split holds, in Markdown."""
    names = ("articles", "paragraphs", "questions", "impossible_questions", "answers")
    head = "| split | articles | paragraphs | questions | of them unanswerable | answers |\n" + "| --- " * 6 + "|\n"
    rows = (
        f"| {split} | " + " | ".join(str(counts.get(name, "held back")) for name in names) + " |\n"
        for split, counts in manifest["counts"].items()
    )
    return head + "".join(rows)
