"""What people read first in a release: the card that ``datasets`` loads the folder by, and the datasheet.

The datasheet asks what Gebru et al. ask ("Datasheets for Datasets", 2021), in our own words, and answers what the
platform knows. The rest is left to the authors, and says so.
"""

from __future__ import annotations

import json
from typing import Any

from reviewer.services import licences
from reviewer.services.croissant import cite_as

# Numbers of questions as Hugging Face's catalogue sorts them.
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
OPEN = "*To be answered by the authors.*"


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
        f"{_counts(manifest)}\n{workers}"
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


def datasheet(manifest: dict[str, Any], sources: list[dict[str, Any]]) -> str:
    """datasheet.md"""
    sections = (
        ("Motivation", _motivation()),
        ("Composition", _composition(manifest)),
        ("Collection", _collection(manifest)),
        ("Preparation", _preparation(manifest)),
        ("Uses", _uses()),
        ("Distribution", _distribution(sources)),
        ("Maintenance", _maintenance(manifest)),
    )
    text = f"# Datasheet of {manifest['project']['name']}, release {manifest['number']}\n"
    for title, pairs in sections:
        text += f"\n## {title}\n" + "".join(f"\n**{question}** {answer}\n" for question, answer in pairs)
    return text


def _motivation() -> list[tuple[str, str]]:
    return [
        ("What was the dataset made for?", OPEN),
        ("Who made it, and for whom?", OPEN),
        ("Who paid for it?", OPEN),
    ]


def _composition(manifest: dict[str, Any]) -> list[tuple[str, str]]:
    held = "The answers of the test are held back." if manifest["test_answers_held_back"] else "Nothing is held back."
    return [
        ("What is one item?", "A question about a paragraph, with answers that are spans of the paragraph's text."),
        ("How many are there?", "\n\n" + _counts(manifest)),
        ("Is it a sample?", OPEN),
        ("Is anything missing?", f"`left-out.json` names each question that was left out, and why. {held}"),
        ("What was selected?", _selection(manifest["filters"])),
        ("Which splits are recommended?", "Those of the files: an article is in one split as a whole."),
        ("Does it hold what could hurt, or what is confidential?", OPEN),
        (
            "Does it name or describe people?",
            f"{_workers(manifest)} The passages may speak of people. {OPEN}",
        ),
    ]


def _selection(filters: dict[str, Any]) -> str:
    least = f"at least {filters['least_answers']} answers" if filters["least_answers"] > 1 else "any number of answers"
    impossible = "with" if filters["with_impossible"] else "without"
    splits = ", ".join(filters["splits"])
    return (
        f"Of the splits {splits}: questions of dev and test with {least}; {impossible} those that cannot be answered."
    )


def _workers(manifest: dict[str, Any]) -> str:
    if manifest["workers"] == "pseudonyms":
        return (
            "Workers stand under pseudonyms that were made for this release alone: they tell workers apart here, and "
            "can be linked neither with the crowd's ids nor with another release."
        )
    return "No worker is named in any file."


def _collection(manifest: dict[str, Any]) -> list[tuple[str, str]]:
    protocol = manifest["protocol"]
    guide = manifest["guide_version"]
    return [
        (
            "How was each item made?",
            f"Crowd workers read a paragraph and wrote {protocol['min_questions']} to {protocol['max_questions']} "
            "questions about it, marking the answer of each; or the questions came with an imported file. Others "
            f"marked up to {protocol['extra_answers']} further answers in dev and test.",
        ),
        ("What were workers told?", f"Version {guide} of the project's guide." if guide else OPEN),
        ("What were they paid?", OPEN),
        ("Over which time was it collected?", OPEN),
        ("Was there an ethical review, and did workers consent?", OPEN),
    ]


def _preparation(manifest: dict[str, Any]) -> list[tuple[str, str]]:
    protocol = manifest["protocol"]
    return [
        (
            "What was done to the passages?",
            f"Paragraphs under {protocol['min_paragraph_chars']} characters were dropped. Articles were drawn "
            f"into splits with the seed {protocol['split_seed']}.",
        ),
        ("What was done to the answers?", "Only approved or imported work is in here, without what reviewers dropped."),
        ("Is the raw data kept?", OPEN),
    ]


def _uses() -> list[tuple[str, str]]:
    return [
        ("What has it been used for, and what else could it serve?", OPEN),
        ("What should it not be used for?", OPEN),
    ]


def _distribution(sources: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [
        (
            "Under which licence is it given on?",
            f"Passages: {', '.join(licences.stated(sources))}. Questions and answers: {OPEN}",
        ),
        ("Whose rights are to be kept?", "`attribution.json` has source, licence and attribution of each article."),
    ]


def _maintenance(manifest: dict[str, Any]) -> list[tuple[str, str]]:
    previous = manifest["previous"]
    changes = "This is the first release."
    if previous:
        counts = previous["questions"]
        changes = (
            f"Since release {previous['number']}: {counts['added']} questions added, {counts['removed']} removed, "
            f"{counts['changed']} changed."
        )
    return [
        ("What changed?", changes),
        ("Who looks after it, and how are mistakes reported?", OPEN),
        ("What becomes of older versions?", "Each release is numbered and never changes."),
    ]


def _counts(manifest: dict[str, Any]) -> str:
    names = ("articles", "paragraphs", "questions", "impossible_questions", "answers")
    head = "| split | articles | paragraphs | questions | of them unanswerable | answers |\n" + "| --- " * 6 + "|\n"
    rows = (
        f"| {split} | " + " | ".join(str(counts.get(name, "held back")) for name in names) + " |\n"
        for split, counts in manifest["counts"].items()
    )
    return head + "".join(rows)
