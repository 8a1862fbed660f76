"""Answers held against botocore's own output shapes: its parser checks neither members nor types nor enums."""

import json
import re
from numbers import Real


def check(shape, value, path="") -> None:
    """Fail unless JSON ``value`` is of ``shape``: no other members, no nulls, right types, patterns and enums."""
    assert value is not None, f"{path} is null; an absent member is left out"
    CHECKS[shape.type_name](shape, value, path)


def check_answer(http_response, parsed, model, **_) -> None:
    """A handler of botocore's ``after-call`` event."""
    document = json.loads(http_response.content)
    headers = {name.lower(): value for name, value in http_response.headers.items()}
    assert headers["x-amzn-requestid"]
    assert headers["content-type"].startswith("application/x-amz-json-1.1")
    if http_response.status_code < 300:
        check(model.output_shape, document, model.name)
    elif document["__type"] in ("RequestError", "ServiceFault"):
        assert document["Message"]
        assert document["TurkErrorCode"].startswith("AWS.")
        assert http_response.status_code == {"RequestError": 400, "ServiceFault": 500}[document["__type"]]


def _structure(shape, value, path):
    assert isinstance(value, dict), path
    assert set(value) <= set(shape.members), f"{path} has {set(value) - set(shape.members)}"
    for name, member in value.items():
        check(shape.members[name], member, f"{path}.{name}")


def _list(shape, value, path):
    assert isinstance(value, list), path
    for index, item in enumerate(value):
        check(shape.member, item, f"{path}[{index}]")


def _string(shape, value, path):
    assert isinstance(value, str), path
    pattern, allowed = shape.metadata.get("pattern"), shape.metadata.get("enum")
    assert pattern is None or re.fullmatch(pattern.strip("^$"), value), f"{path}: {value!r} is not {pattern}"
    assert not allowed or value in allowed, f"{path}: {value!r} is none of {allowed}"


def _number(shape, value, path):
    assert isinstance(value, int), path
    assert not isinstance(value, bool), path


def _boolean(shape, value, path):
    assert isinstance(value, bool), path


def _timestamp(shape, value, path):
    assert isinstance(value, Real), f"{path}: {value!r} is no number of seconds"


CHECKS = {
    "structure": _structure,
    "list": _list,
    "string": _string,
    "integer": _number,
    "long": _number,
    "boolean": _boolean,
    "timestamp": _timestamp,
}
