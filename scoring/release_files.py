"""A release's folder, read without a database: whether it is still what was released, and what differs from another.

``manifest.json`` names every file with its size and sha256; ``field_sha256`` in it is of each of its own fields and
``manifest_sha256`` of all of it, so that an edit by hand shows, and where it was made.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from scoring.json_files import FileError
from scoring.release_diff import read_rows
from scoring.sentences import Sentence, _

MANIFEST = "manifest.json"
ATTRIBUTION = "attribution.json"
MOST_EDITS = 50  # that are named
COUNTED = ("questions", "impossible_questions", "answers")
_SEALS = ("field_sha256", "manifest_sha256")
_NOTHING = object()
_BLOCK = 1 << 20


def sealed(manifest: dict[str, Any]) -> dict[str, Any]:
    """``manifest`` with a checksum of each of its fields in it, and one of it all."""
    rest = {name: value for name, value in manifest.items() if name not in _SEALS}
    whole = rest | {"field_sha256": {name: _seal(value) for name, value in rest.items()}}
    return whole | {"manifest_sha256": _seal(whole)}


def described(folder: Path, path: Path) -> dict[str, Any]:
    """The file at ``path`` as the manifest of ``folder`` names it."""
    return {"path": path.relative_to(folder).as_posix(), "bytes": path.stat().st_size, "sha256": _sha256(path)}


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of ``folder``. Raises FileError."""
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
    except FileNotFoundError:
        raise FileError(_("{folder} has no {name}: it is no release.", folder=str(folder), name=MANIFEST)) from None
    except (OSError, ValueError, RecursionError) as error:
        raise FileError(_("{name} cannot be read: {error}", name=MANIFEST, error=str(error))) from None
    files = manifest.get("files") if isinstance(manifest, dict) else None
    if not isinstance(files, list):
        raise FileError(_("{name}: {place} is no list of files: it is no release's.", name=MANIFEST, place="files"))
    for number, file in enumerate(files):
        if not isinstance(file, dict) or not _is_inside(file.get("path")):
            place = f"files[{number}].path"
            raise FileError(_("{name}: {place} names no file of the release.", name=MANIFEST, place=place))
    return dict(manifest)


def faults(folder: Path) -> list[Sentence]:
    """What is not as it was released, a sentence each; none where all is. Raises FileError where it is no release."""
    manifest = read_manifest(folder)
    found = _edited(manifest)
    expected, intact = {MANIFEST}, set[str]()
    for file in manifest["files"]:
        path = folder / file["path"]
        expected.add(file["path"])
        if not path.is_file():
            found.append(_("{path} is missing.", path=file["path"]))
        elif _sha256(path) != file.get("sha256"):
            found.append(_("{path} was changed after the release: its checksum is another.", path=file["path"]))
        else:
            intact.add(file["path"])
    found += _unfounded(folder, manifest, intact)
    others = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    found += [_("{path} is not part of the release.", path=path) for path in others if path not in expected]
    return found


def edits(manifest: dict[str, Any], released: dict[str, Any]) -> list[Sentence]:
    """What ``manifest`` says otherwise than the one that was ``released``, a sentence each, up to ``MOST_EDITS``."""
    found = [
        _("{name}: {place} is {now}; released was {before}.", name=MANIFEST, place=place, now=now, before=before)
        for place, before, now in _differences("", released, manifest)
    ]
    return found[:MOST_EDITS]


def _differences(place: str, before: Any, now: Any) -> Iterator[tuple[str, str, str]]:
    if isinstance(before, dict) and isinstance(now, dict):
        for name in [*before, *(name for name in now if name not in before)]:
            inner = f"{place}.{name}" if place else str(name)
            yield from _differences(inner, before.get(name, _NOTHING), now.get(name, _NOTHING))
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for index, pair in enumerate(zip(before, now, strict=True)):
            yield from _differences(f"{place}[{index}]", *pair)
    elif before != now or type(before) is not type(now):
        yield place, _told(before), _told(now)


def _told(value: Any) -> str:
    return "missing" if value is _NOTHING else json.dumps(value, ensure_ascii=False)


def _seal(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _edited(manifest: dict[str, Any]) -> list[Sentence]:
    """Whether ``manifest`` is another than was sealed, and in which of its fields."""
    if sealed(manifest) == manifest:
        return []
    seals = manifest.get("field_sha256")
    known = seals if isinstance(seals, dict) else {}
    fields = [name for name in manifest if name not in _SEALS and known.get(name) != _seal(manifest[name])]
    fields += [name for name in known if name not in manifest]
    if not fields or not known:
        return [_("{name} was changed after the release: its checksum is another. Get it again.", name=MANIFEST)]
    sentence = _(
        "{name} was changed after the release, in: {fields}. Get it again.", name=MANIFEST, fields=", ".join(fields)
    )
    return [sentence]


def _unfounded(folder: Path, manifest: dict[str, Any], intact: set[str]) -> list[Sentence]:
    """What the manifest counts, and the attribution names, otherwise than the data has it: somebody may have sealed an
    edited manifest anew. Read are the files of ``intact`` alone."""
    counts = manifest.get("counts")
    has_sources = ATTRIBUTION in intact
    sources = _sources(folder) if has_sources else set()
    found: list[Sentence] = []
    for path in sorted(folder.glob("data/*.jsonl")):
        split = path.stem
        if path.relative_to(folder).as_posix() not in intact:
            continue
        actual, titles = _counted(path)
        told = counts.get(split) if isinstance(counts, dict) else None
        for what, number in actual.items():
            if isinstance(told, dict) and what in told and told[what] != number:
                sentence = _(
                    "{name}: {place} is {told}; {path} has {number}.",
                    name=MANIFEST,
                    place=f"counts.{split}.{what}",
                    told=_told(told[what]),
                    path=f"data/{path.name}",
                    number=number,
                )
                found.append(sentence)
        for title in titles if has_sources else ():
            if (split, title) not in sources:
                sentence = _(
                    "{name} does not say where “{title}” of {split} is from.",
                    name=ATTRIBUTION,
                    title=title,
                    split=split,
                )
                found.append(sentence)
    return found


def _counted(path: Path) -> tuple[dict[str, int], list[str]]:
    """How much of each of ``COUNTED`` the file of questions at ``path`` holds, and the titles in it."""
    counts = dict.fromkeys(COUNTED, 0)
    titles: dict[str, None] = {}
    for row in read_rows(path, path.stem):
        answers = row.get("answers")
        counts["questions"] += 1
        counts["impossible_questions"] += row.get("is_impossible") is True
        texts = answers.get("text") if isinstance(answers, dict) else None
        counts["answers"] += len(texts) if isinstance(texts, list) else 0
        titles[str(row.get("title"))] = None
    return counts, list(titles)


def _sources(folder: Path) -> set[tuple[str, str]]:
    """The articles that the attribution names: split and title. Raises FileError."""
    try:
        named = json.loads((folder / ATTRIBUTION).read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise FileError(_("{name} cannot be read: {error}", name=ATTRIBUTION, error=str(error))) from None
    if not isinstance(named, list):
        raise FileError(_("{name} is no list of articles.", name=ATTRIBUTION))
    return {(str(source.get("split")), str(source.get("title"))) for source in named if isinstance(source, dict)}


def _is_inside(path: Any) -> bool:
    """Whether ``path`` leads to a file below the folder, and not out of it."""
    if not isinstance(path, str) or not path or "\0" in path or "\\" in path:
        return False
    return not PurePosixPath(path).is_absolute() and ".." not in PurePosixPath(path).parts


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
