"""croissant.json: what is in the Parquet files, for programs that read MLCommons' Croissant (specification 1.1).

Each split is a set of records; a program that loads one checks the file's checksum first. Field ids hold the split, as
ids are of the whole document.
"""

from __future__ import annotations

import json
from typing import Any

from reviewer.services import licences

CONFORMS_TO = "http://mlcommons.org/croissant/1.1"
PARQUET = "application/x-parquet"  # the name under which mlcroissant reads it
TEXT, NUMBER, TRUTH = "sc:Text", "cr:Int32", "sc:Boolean"
# Terms of the document that are Croissant's own, or are read otherwise than schema.org's.
_OWN = (
    *("arrayShape", "citeAs", "column", "containedIn", "equivalentProperty", "extract", "field", "fileObject"),
    *("fileProperty", "fileSet", "format", "includes", "isArray", "isLiveDataset", "jsonPath", "key", "md5"),
    *("parentField", "path", "recordSet", "references", "regex", "repeated", "replace", "samplingRate", "separator"),
    *("source", "subField", "transform"),
)
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    **{term: f"cr:{term}" for term in _OWN},
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "description": {"@container": "@language"},
    "name": {"@container": "@language"},
}


def croissant(
    manifest: dict[str, Any], sources: list[dict[str, Any]], parquet: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    """The document for the release of ``manifest``; ``parquet`` has each split's file as the manifest names it."""
    project = manifest["project"]
    known = [licence for licence in licences.stated(sources) if licence != licences.NOT_STATED]
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": project["name"],
        "description": f"Questions about paragraphs, with answers marked in their text. {manifest['note']}".strip(),
        "version": f"{manifest['number']}.0.0",
        "datePublished": manifest["released_at"],
        "inLanguage": project["language"],
        **({"license": [licences.address(licence) for licence in known]} if known else {}),
        "citeAs": cite_as(manifest),
        "distribution": [_file(split, described) for split, described in parquet.items()],
        "recordSet": [_records(split, manifest) for split in parquet],
    }


def cite_as(manifest: dict[str, Any]) -> str:
    """A BibTeX entry of what is known; authors are not."""
    project = manifest["project"]
    title = (
        json.dumps(f"{project['name']}, release {manifest['number']}", ensure_ascii=False)
        .replace("{", "")
        .replace("}", "")
    )
    return (
        f"@misc{{{project['slug']}-{manifest['number']}, title = {title}, year = {manifest['released_at'][:4]}, "
        f'note = "content sha256 {manifest["content_sha256"]}"}}'
    )


def _file(split: str, described: dict[str, Any]) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": described["path"],
        "name": f"{split}.parquet",
        "contentUrl": described["path"],
        "contentSize": f"{described['bytes']} B",
        "encodingFormat": PARQUET,
        "sha256": described["sha256"],
    }


def _records(split: str, manifest: dict[str, Any]) -> dict[str, Any]:
    held = manifest["test_answers_held_back"] and split == "test"
    fields = [
        _field(split, "id", TEXT, "The question's id."),
        _field(split, "title", TEXT, "The article's title."),
        _field(split, "context", TEXT, "The paragraph."),
        _field(split, "question", TEXT, "What is asked."),
        {
            "@type": "cr:Field",
            "@id": f"{split}/answers",
            "name": "answers",
            "description": "The answers, none where the question cannot be answered or they are held back.",
            "subField": [
                _field(split, "answers/text", TEXT, "Its words.", of="answers"),
                _field(split, "answers/answer_start", NUMBER, "Where it begins, in code points.", of="answers"),
            ],
        },
        _field(split, "is_impossible", TRUTH, "Whether it cannot be answered; null where that is held back."),
    ]
    if manifest["workers"] == "pseudonyms":
        fields += [
            _field(split, "written_by", TEXT, "Who wrote the question: a name for this release alone."),
            _field(split, "answered_by", TEXT, "Who gave each answer, in their order.") | _array(),
        ]
    return {
        "@type": "cr:RecordSet",
        "@id": split,
        "name": split,
        "description": f"The questions of {split}{', without their answers' if held else ''}.",
        "key": {"@id": f"{split}/id"},
        "field": fields,
    }


def _field(split: str, name: str, kind: str, description: str, *, of: str = "") -> dict[str, Any]:
    """A field that is a column of the split's file, or a list inside the column ``of``."""
    column = name.rpartition("/")[2]
    source = {"fileObject": {"@id": f"parquet/{split}.parquet"}, "extract": {"column": of or column}}
    return {
        "@type": "cr:Field",
        "@id": f"{split}/{name}",
        "name": column,
        "description": description,
        "dataType": kind,
        "source": source | ({"transform": {"jsonPath": column}} if of else {}),
        **(_array() if of else {}),
    }


def _array() -> dict[str, Any]:
    return {"isArray": True, "arrayShape": "-1"}
