"""Files that cannot be read are refused in one sentence that names the place."""

import gzip
import json

import pytest

from scoring.json_files import FileError, read_bytes, read_json, read_text


def refusal(data, **limits):
    with pytest.raises(FileError) as caught:
        read_json(data, **limits)
    return str(caught.value)


@pytest.mark.parametrize("data", [b"", b" \n\t", b"\xef\xbb\xbf", gzip.compress(b"", mtime=0)])
def test_an_empty_file_is_said_to_be_empty(data):
    assert refusal(data) == "The file is empty."


def test_a_plain_a_packed_and_a_marked_file_read_alike():
    plain = '{"a": "é🦉"}'.encode()
    assert read_json(plain) == read_json(gzip.compress(plain)) == read_json(b"\xef\xbb\xbf" + plain) == {"a": "é🦉"}


def test_what_is_not_json_is_placed_by_line_and_column():
    assert refusal(b'{"a": 1,\n "b" 2}') == "The file is not JSON: line 2, column 6: Expecting ':' delimiter."
    assert refusal(b'{"data": [') == "The file is not JSON: line 1, column 11: Expecting value."
    assert "line 1, column 8: Invalid control character at" in refusal(b'{"a": "\0"}')


def test_latin_1_is_placed_by_byte_and_line_and_the_encoding_guessed():
    assert refusal('{"a":\n "café"}'.encode("latin-1")) == (
        "The file is not UTF-8: the byte 0xE9 at offset 11 (line 2) belongs to another encoding, perhaps Latin-1 "
        "(Windows-1252). Save it as UTF-8."
    )
    assert read_json('{"a":\n "café"}'.encode()) == {"a": "café"}


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_a_file_that_begins_like_utf_16_is_said_to(encoding):
    assert refusal('{"a": 1}'.encode(encoding)) == "The file is not UTF-8: it begins like UTF-16. Save it as UTF-8."


def test_a_damaged_gzip_file_is_refused():
    packed = gzip.compress(json.dumps({"a": list(range(1000))}).encode())
    assert len(read_json(packed)["a"]) == 1000
    for damaged in (packed[:-9], packed[:20] + b"\xff\xff\xff" + packed[23:], packed + b"rest"):
        assert refusal(damaged) == "The file is a damaged gzip file: it cannot be unpacked to its end."


def test_a_file_is_bounded_once_unpacked():
    data = b'"' + b"a" * 998 + b'"'
    assert len(read_json(data, max_bytes=1000)) == len(read_json(gzip.compress(data), max_bytes=1000)) == 998
    assert refusal(data, max_bytes=999) == "The file is larger than 999 bytes."
    assert refusal(gzip.compress(data), max_bytes=999) == "The file is larger than 999 bytes."


def test_a_file_nested_too_deeply_is_refused():
    assert read_json(b"[" * 100 + b"]" * 100)
    assert refusal(b"[" * 200_000) == "The file is nested too deeply to be read, from line 1 on."


def test_a_number_of_too_many_digits_is_refused():
    assert read_json(b"9" * 100) == 10**100 - 1
    assert refusal(b"9" * 10_000) == "The file holds a number with too many digits, from line 1 on."


def test_a_file_is_read_from_its_path_and_within_bounds(tmp_path):
    path = tmp_path / "file.json"
    path.write_bytes(b"12345")
    assert read_bytes(path) == b"12345"
    with pytest.raises(FileError, match="larger than 4 bytes"):
        read_bytes(path, max_bytes=4)
    with pytest.raises(FileError, match=r"cannot be read: No such file or directory\."):
        read_bytes(tmp_path / "none.json")
    with pytest.raises(FileError, match=r"cannot be read: Is a directory\."):
        read_bytes(tmp_path)


def test_a_text_keeps_its_line_ends():
    assert read_text(b"a\r\nb\rc\n") == "a\r\nb\rc\n"
