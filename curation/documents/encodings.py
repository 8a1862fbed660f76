"""From the bytes of a text file to its text: which encoding it is in, found where nothing says it."""

import codecs

from charset_normalizer import from_bytes

from scoring.json_files import FileError
from scoring.line_ends import lf
from scoring.sentences import _

# Longest first: the mark of UTF-16 LE begins that of UTF-32 LE.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Bytes from which an encoding is guessed; more makes it slower and hardly better.
_SAMPLE_BYTES = 2**16
# Where the guess holds these as good as any, they are far likelier than their rarer relatives.
_USUAL = ("cp1252", "cp1250", "cp1251", "shift_jis", "euc_jp", "gb18030", "big5", "euc_kr")


def decode(data: bytes, declared: str = "") -> tuple[str, str]:
    """The text of ``data`` without a byte order mark, line ends LF, and the name of its encoding.

    A byte order mark decides; then UTF-8 where the bytes are UTF-8; then ``declared``, what the file says of itself;
    then the best guess. Raises FileError where the bytes are no text in any of them.
    """
    encoding = encoding_of(data, declared)
    try:
        text = data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        raise FileError(_("Its encoding is unknown: it begins like {encoding}.", encoding=encoding)) from None
    if "\0" in text:
        raise FileError(_("It is no text: it holds a NUL character."))
    return lf(text.removeprefix("\ufeff")), encoding


def encoding_of(data: bytes, declared: str = "", *, is_beginning: bool = False) -> str:
    """The encoding of ``data``, by its name in Python. ``is_beginning``: more bytes follow, so that the last
    character may be cut. Raises FileError."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding
    if _is_in("utf-8", data, is_beginning):
        return "utf-8"
    if b"\0" in data[:_SAMPLE_BYTES]:
        raise FileError(_("It is no text: it holds a NUL character."))
    if declared and (named := _python_name(declared)) and _is_in(named, data, is_beginning):
        return named
    return _guess(data)


def _guess(data: bytes) -> str:
    matches = from_bytes(data[:_SAMPLE_BYTES])
    best = matches.best()
    if best is None:
        raise FileError(_("Its encoding is unknown. Save it as UTF-8."))
    as_good = {name for match in matches if match.chaos <= best.chaos for name in match.could_be_from_charset}
    return next((name for name in _USUAL if name in as_good), best.encoding)


def _is_in(encoding: str, data: bytes, is_beginning: bool) -> bool:
    try:
        codecs.getincrementaldecoder(encoding)().decode(data, final=not is_beginning)
    except UnicodeDecodeError:
        return False
    return True


def _python_name(declared: str) -> str:
    """What Python calls an encoding of text that a file names; empty where it knows none of that name. As browsers
    do, Latin-1 and ASCII are read as Windows-1252."""
    try:
        found = codecs.lookup(declared.strip())
    except (LookupError, ValueError):
        return ""
    # Some of Python's codecs, as base64, are not of text.
    if not getattr(found, "_is_text_encoding", True):
        return ""
    return "cp1252" if found.name in ("iso8859-1", "ascii") else found.name
