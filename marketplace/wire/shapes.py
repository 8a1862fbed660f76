"""Input checked and output shaped by botocore's own description of the API.

botocore's clients check required members, types and minimum lengths before they send; maxima, patterns and enums
are left to the service, and other people's clients check what they like. So everything is checked here.
"""

import json
import math
import re
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any

import botocore
from botocore.exceptions import UnknownServiceError
from botocore.loaders import Loader
from botocore.model import ListShape, OperationModel, ServiceModel, Shape, StructureShape
from django.core.exceptions import ImproperlyConfigured

from ..errors import invalid_value
from .errors import CallError

MAX_BODY_BYTES = 1_048_576
MAX_LIST_ITEMS = 1000  # no list of the API may be longer; each operation has its own, smaller limits
SHOWN_CHARACTERS = 100  # of a wrong value, in the message

Path = str


@lru_cache(maxsize=1)
def service_model() -> ServiceModel:
    """The API as botocore describes it. Raises ImproperlyConfigured where botocore no longer does."""
    try:
        return ServiceModel(Loader().load_service_model("mturk", "service-2"), "mturk")
    except UnknownServiceError:
        raise ImproperlyConfigured(
            f"The installed botocore {botocore.__version__} no longer describes the `mturk` service, which the "
            "marketplace is built on: install boto3 1.44.8, the version that requirements.txt names."
        ) from None


@lru_cache(maxsize=64)
def operation_model(name: str) -> OperationModel:
    return service_model().operation_model(name)


def is_described(name: str) -> bool:
    return name in service_model().operation_names


def read_body(body: bytes) -> dict[str, Any]:
    """The JSON object of a request. Raises CallError (SerializationException)."""
    try:
        document = json.loads(body or b"{}", parse_constant=_not_json)
    except (ValueError, RecursionError):
        raise CallError("SerializationException", "The request body is not a JSON object.") from None
    if not isinstance(document, dict):
        raise CallError("SerializationException", "The request body is not a JSON object.")
    return document


def _not_json(constant: str) -> None:
    raise ValueError(constant)


def read_input(operation: str, document: dict[str, Any]) -> dict[str, Any]:
    """``document`` checked against the operation's input shape, with timestamps as aware datetimes.

    Raises Refused (InvalidParameterValue), or CallError (SerializationException) where a type is wrong.
    """
    shape = operation_model(operation).input_shape
    return _read_structure(shape, document, "") if shape is not None else {}


def _read(shape: Shape, value: Any, path: Path) -> Any:
    return READERS[shape.type_name](shape, value, path)


def _read_structure(shape: StructureShape, value: Any, path: Path) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _wrong_type(path, "an object")
    # As everywhere at AWS, null is as good as absent.
    given = {name: member for name, member in value.items() if member is not None}
    prefix = f"{path}." if path else ""
    for name in given:
        if name not in shape.members:
            raise invalid_value(_shown(prefix + name), "There is no such parameter.")
    for name in shape.required_members:
        if name not in given:
            raise invalid_value(prefix + name, "It is required.")
    return {name: _read(shape.members[name], member, prefix + name) for name, member in given.items()}


def _read_list(shape: ListShape, value: Any, path: Path) -> list[Any]:
    if not isinstance(value, list):
        raise _wrong_type(path, "a list")
    _check_bounds(shape, len(value), path, "items")
    if len(value) > MAX_LIST_ITEMS:
        raise invalid_value(path, f"It has {len(value)} items; {MAX_LIST_ITEMS} are allowed.")
    return [_read(shape.member, item, f"{path}[{index}]") for index, item in enumerate(value)]


# What PostgreSQL and UTF-8 cannot hold: NUL, and half of a surrogate pair.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def _read_string(shape: Shape, value: Any, path: Path) -> str:
    if not isinstance(value, str):
        raise _wrong_type(path, "a string")
    if _UNSTORABLE.search(value):
        raise invalid_value(path, "It holds a character that cannot be stored (NUL, or half of a surrogate pair).")
    _check_bounds(shape, len(value), path, "characters")
    pattern = shape.metadata.get("pattern")
    # The patterns are anchored; \Z instead of $, which would let a line feed through.
    if pattern and not re.fullmatch(pattern.removeprefix("^").removesuffix("$"), value):
        raise invalid_value(path, f"{_shown(value)!r} does not match {pattern}.")
    allowed = shape.metadata.get("enum")
    if allowed and value not in allowed:
        raise invalid_value(path, f"{_shown(value)!r} is none of {', '.join(allowed)}.")
    return value


def _read_integer(shape: Shape, value: Any, path: Path) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise _wrong_type(path, "a whole number")
    bits = 64 if shape.type_name == "long" else 32
    if not -(2 ** (bits - 1)) <= value < 2 ** (bits - 1):
        raise invalid_value(path, f"It does not fit {bits} bits.")
    _check_bounds(shape, value, path, "")
    return value


def _read_boolean(shape: Shape, value: Any, path: Path) -> bool:
    if not isinstance(value, bool):
        raise _wrong_type(path, "true or false")
    return value


def _read_timestamp(shape: Shape, value: Any, path: Path) -> datetime:
    """Epoch seconds as a number; 0 is legal."""
    is_number = isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))
    if isinstance(value, bool) or not is_number:
        raise _wrong_type(path, "a number of seconds since 1970")
    try:
        return datetime.fromtimestamp(value, UTC)
    except (OverflowError, ValueError, OSError):
        raise invalid_value(path, "It is no point in time.") from None


READERS: dict[str, Callable[[Any, Any, Path], Any]] = {
    "structure": _read_structure,
    "list": _read_list,
    "string": _read_string,
    "integer": _read_integer,
    "long": _read_integer,
    "boolean": _read_boolean,
    "timestamp": _read_timestamp,
}


def _check_bounds(shape: Shape, size: int, path: Path, unit: str) -> None:
    least, most = shape.metadata.get("min"), shape.metadata.get("max")
    if least is not None and size < least:
        raise invalid_value(path, f"It is {size} {unit}".rstrip() + f"; at least {least} is needed.")
    if most is not None and size > most:
        raise invalid_value(path, f"It is {size} {unit}".rstrip() + f"; at most {most} is allowed.")


def _wrong_type(path: Path, wanted: str) -> CallError:
    return CallError("SerializationException", f"{path or 'The request body'} must be {wanted}.")


def _shown(value: str) -> str:
    return value if len(value) <= SHOWN_CHARACTERS else value[:SHOWN_CHARACTERS] + "…"


def write_output(operation: str, result: dict[str, Any]) -> dict[str, Any]:
    """``result`` as JSON data in the operation's output shape: no other members, and None left out."""
    shape = operation_model(operation).output_shape
    return _write(shape, result) if shape is not None else {}


def _write(shape: Shape, value: Any) -> Any:
    if isinstance(shape, StructureShape):
        return {
            name: _write(member, value[name]) for name, member in shape.members.items() if value.get(name) is not None
        }
    if isinstance(shape, ListShape):
        return [_write(shape.member, item) for item in value]
    if isinstance(value, datetime):
        seconds = value.timestamp()
        return int(seconds) if seconds.is_integer() else round(seconds, 3)
    if isinstance(value, Decimal):
        return f"{value:.2f}"
    return value
