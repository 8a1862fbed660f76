"""A release's folder, read without a database: whether it is still what was released, and what differs from another.

``manifest.json`` names every file with its size and sha256; ``manifest_sha256`` in it is of all the rest of it, so
that an edit by hand shows.
"""

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from scoring.json_files import FileError
from scoring.sentences import Sentence, _

MANIFEST = "manifest.json"
KEY = "test-key.jsonl"
# Fields of a question that are compared, in the order in which a change of them is named.
COMPARED = ("split", "title", "context", "question", "answers", "is_impossible")
_BLOCK = 1 << 20


def sealed(manifest: dict[str, Any]) -> dict[str, Any]:
    """``manifest`` with its own checksum in it."""
    rest = {name: value for name, value in manifest.items() if name != "manifest_sha256"}
    text = json.dumps(rest, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return rest | {"manifest_sha256": hashlib.sha256(text.encode()).hexdigest()}


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
    if not isinstance(files, list) or not all(
        isinstance(file, dict) and _is_inside(file.get("path")) for file in files
    ):
        raise FileError(_("{name} names no files as a release's does.", name=MANIFEST))
    return dict(manifest)


def faults(folder: Path) -> list[Sentence]:
    """What is not as it was released, a sentence each; none where all is. Raises FileError where it is no release."""
    manifest = read_manifest(folder)
    found: list[Sentence] = []
    if sealed(manifest)["manifest_sha256"] != manifest.get("manifest_sha256"):
        found.append(_("{name} was changed after the release: its checksum is another. Get it again.", name=MANIFEST))
    expected = {MANIFEST}
    for file in manifest["files"]:
        path = folder / file["path"]
        expected.add(file["path"])
        if not path.is_file():
            found.append(_("{path} is missing.", path=file["path"]))
        elif _sha256(path) != file.get("sha256"):
            found.append(_("{path} was changed after the release: its checksum is another.", path=file["path"]))
    others = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    found += [_("{path} is not part of the release.", path=path) for path in others if path not in expected]
    return found


@dataclass
class Difference:
    """Ids of questions, in the order of the later release; removed ones in the order of the earlier."""

    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    changed: dict[str, list[str]] = field(default_factory=dict)  # which fields of it, as in COMPARED


def difference(earlier: dict[str, list[bytes]], later: dict[str, list[bytes]]) -> Difference:
    """What became of the questions of ``earlier`` (as ``fingerprints`` gives them) in ``later``."""
    found = Difference(
        added=[question for question in later if question not in earlier],
        removed=[question for question in earlier if question not in later],
    )
    for question, marks in later.items():
        if question in earlier and earlier[question] != marks:
            pairs = zip(COMPARED, earlier[question], marks, strict=True)
            found.changed[question] = [name for name, before, now in pairs if before != now]
    return found


def fingerprints(folder: Path, private: Path | None = None) -> dict[str, list[bytes]]:
    """For each question of the release in ``folder``, by id, a short hash of each field of ``COMPARED``. Where answers
    of the test are held back, those in ``private`` count. Raises FileError."""
    if not (folder / "data").is_dir():
        raise FileError(_("{folder} has no folder “data”: it is no release.", folder=str(folder)))
    found: dict[str, list[bytes]] = {}
    for path in sorted(folder.glob("data/*.jsonl")):
        _read_rows(path, path.stem, found)
    if private is not None and (private / KEY).is_file():
        _read_rows(private / KEY, "test", found)
    return found


def _read_rows(path: Path, split: str, found: dict[str, list[bytes]]) -> None:
    with open(path, "rb") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                row = json.loads(line) | {"split": split}
                found[str(row["id"])] = [_mark(row.get(name)) for name in COMPARED]
            except (ValueError, TypeError, KeyError, RecursionError):
                raise FileError(
                    _("{path}, line {number}: no question stands there.", path=str(path), number=number)
                ) from None


def _mark(value: Any) -> bytes:
    return hashlib.blake2b(json.dumps(value, sort_keys=True).encode(), digest_size=8).digest()


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
