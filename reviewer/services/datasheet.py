"""What people read first in a release: the card that ``datasets`` loads the folder by, and the datasheet.

The datasheet asks what Gebru et al. ask ("Datasheets for Datasets", 2021), in our own words, and answers what the
platform knows. The rest is left to the authors, and says so.
"""

from __future__ import annotations

from typing import Any

OPEN = "*To be answered by the authors.*"


def card(manifest: dict[str, Any], sources: list[dict[str, Any]]) -> str:
    """README.md: which file holds which split, with its columns, and how to load it."""
    splits = "".join(f"      - split: {split}\n        path: data/{split}.jsonl\n" for split in manifest["counts"])
    project = manifest["project"]
    return (
        "---\n"
        f"language:\n  - {project['language'].split('-')[0]}\n"
        "task_categories:\n  - question-answering\n"
        f"configs:\n  - config_name: default\n    data_files:\n{splits}"
        "---\n\n"
        f"# {project['name']}, release {manifest['number']}\n\n"
        "Load this folder in one line of Python:\n\n"
        '    datasets.load_dataset("PATH/OF/THIS/FOLDER")\n\n'
        f"{_counts(manifest)}\n"
        "The same questions stand in `squad-v1.1` (without those that cannot be answered), `squad-v2.0`, `csv` (a line "
        "an answer) and `label-studio`. `attribution.json` says where each article is from and under which licence; "
        "`left-out.json` names what is not in here, and why; `datasheet.md` tells how the data came about. "
        "`manifest.json` has a checksum of each file.\n\n"
        f"Licences of the passages: {_licences(sources)}.\n"
    )


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
        ("Which splits are recommended?", "Those of the files: an article is in one split as a whole."),
        ("Does it hold what could hurt, or what is confidential?", OPEN),
        (
            "Does it name or describe people?",
            "No worker is named in any file. The passages may speak of people. " + OPEN,
        ),
    ]


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
        ("Under which licence is it given on?", f"Passages: {_licences(sources)}. Questions and answers: {OPEN}"),
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


def _licences(sources: list[dict[str, Any]]) -> str:
    known = sorted({source["licence"] or "not stated" for source in sources})
    return ", ".join(known)
