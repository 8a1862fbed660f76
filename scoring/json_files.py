"""Bytes that people hand in, read as JSON; what is wrong with them is said in one sentence that names the place."""

import gzip
import io
import json
import zlib
from os import PathLike
from typing import Any

from scoring.sentences import Sentence, _

# Of a file once unpacked; SQuAD's training file has 30 MB.
MAX_BYTES = 256 * 2**20

_KINDS = {
    dict: "an object",
    list: "a list",
    str: "text",
    bool: "true or false",
    float: "a decimal number",
    type(None): "null",
}


class FileError(ValueError):
    """A file that cannot be read at all; its only argument is a ``Sentence`` that says what is wrong and where."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def read_bytes(path: str | PathLike[str], max_bytes: int = MAX_BYTES) -> bytes:
    """The bytes of the file at ``path``. Raises FileError where it cannot be read or is too large."""
    try:
        with open(path, "rb") as file:
            data = file.read(max_bytes + 1)
    except OSError as error:
        raise FileError(_("The file cannot be read: {reason}.", reason=error.strerror)) from None
    return _bounded(data, max_bytes)


def read_text(data: bytes, max_bytes: int = MAX_BYTES) -> str:
    """The text of a file in UTF-8, plain or gzip-compressed, without a byte order mark.

    Raises FileError for an empty, damaged or too large file (``max_bytes`` once unpacked) and for other encodings.
    """
    data = _unpack(data, max_bytes)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FileError(_not_utf8(data, error.start)) from None
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise FileError(_("The file is empty."))
    return text


def read_json(data: bytes, max_bytes: int = MAX_BYTES) -> Any:
    """The JSON value that the file holds. Raises FileError, with line and column where it is not JSON."""
    return parse_json(read_text(data, max_bytes))


def parse_json(text: str, first_line: int = 1) -> Any:
    """The JSON value of ``text``, which begins at line ``first_line`` of its file. Raises FileError."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise FileError(
            _(
                "The file is not JSON: line {line}, column {column}: {reason}.",
                line=error.lineno + first_line - 1,
                column=error.colno,
                reason=error.msg,
            )
        ) from None
    except RecursionError:
        raise FileError(_("The file is nested too deeply to be read, from line {line} on.", line=first_line)) from None
    except ValueError:
        # Python refuses to convert whole numbers of more than some thousand digits.
        raise FileError(
            _("The file holds a number with too many digits, from line {line} on.", line=first_line)
        ) from None


def object_at(value: Any, place: str) -> dict[str, Any]:
    """``value`` if it is an object. ``place`` says where it stands, as in every function here: "data[3]"."""
    if not isinstance(value, dict):
        raise FileError(_("{place} must be an object, not {kind}.", place=place, kind=kind(value)))
    return value


def list_at(parent: dict[str, Any], key: str, place: str) -> list[Any]:
    """The list ``parent[key]``. Raises FileError where it is missing or something else."""
    value = _present(parent, key, place)
    if not isinstance(value, list):
        raise FileError(_("{place} must be a list, not {kind}.", place=_join(place, key), kind=kind(value)))
    return value


def text_at(parent: dict[str, Any], key: str, place: str) -> str:
    """The text ``parent[key]``. Raises FileError where it is missing, something else, or cannot be stored."""
    return storable(_present(parent, key, place), _join(place, key))


def optional_text_at(parent: dict[str, Any], key: str, place: str) -> str:
    """The text ``parent[key]``, empty where it is missing or null. Raises FileError where it is something else."""
    return "" if parent.get(key) is None else text_at(parent, key, place)


def storable(value: Any, place: str) -> str:
    """``value`` if it is text that a database can store. Raises FileError."""
    if not isinstance(value, str):
        raise FileError(_("{place} must be text, not {kind}.", place=place, kind=kind(value)))
    if fault := unstorable(value):
        raise FileError(_("{place} holds {fault}, which cannot be stored.", place=place, fault=fault))
    return value


def unstorable(text: str) -> str:
    """What in ``text`` PostgreSQL cannot store, and where, or nothing: a NUL character or half a surrogate pair."""
    for position, character in enumerate(text) if not _is_plain(text) else ():
        if character == "\0":
            return f"a NUL character (U+0000, character {position + 1})"
        if "\ud800" <= character <= "\udfff":
            return f"half a surrogate pair (U+{ord(character):04X}, character {position + 1})"
    return ""


def kind(value: Any) -> str:
    """What JSON calls the type of ``value``, with its article."""
    return _KINDS.get(type(value), "a number")


def _unpack(data: bytes, max_bytes: int) -> bytes:
    if data.startswith(b"\x1f\x8b"):
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
                data = packed.read(max_bytes + 1)
        except (OSError, EOFError, zlib.error):
            raise FileError(_("The file is a damaged gzip file: it cannot be unpacked to its end.")) from None
    return _bounded(data, max_bytes)


def _bounded(data: bytes, max_bytes: int) -> bytes:
    if len(data) > max_bytes:
        raise FileError(_("The file is larger than {limit} bytes.", limit=f"{max_bytes:,}"))
    return data


def _not_utf8(data: bytes, offset: int) -> Sentence:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _("The file is not UTF-8: it begins like UTF-16. Save it as UTF-8.")
    return _(
        "The file is not UTF-8: the byte 0x{byte:02X} at offset {offset} (line {line}) belongs to another encoding, "
        "perhaps Latin-1 (Windows-1252). Save it as UTF-8.",
        byte=data[offset],
        offset=offset,
        line=data.count(b"\n", 0, offset) + 1,
    )


def _present(parent: dict[str, Any], key: str, place: str) -> Any:
    if key not in parent:
        raise FileError(_("{place} is missing.", place=_join(place, key)))
    return parent[key]


def _join(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key


def _is_plain(text: str) -> bool:
    if "\0" in text:
        return False
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
