"""Files named on the command line."""

from collections.abc import Callable
from typing import TypeVar

from django.core.management.base import CommandError

from scoring.json_files import FileError, read_bytes

Content = TypeVar("Content")


def read_file(path: str, reader: Callable[[bytes], Content]) -> Content:
    """What ``reader`` makes of the file at ``path``. Raises CommandError, which names the file."""
    try:
        return reader(read_bytes(path))
    except FileError as error:
        raise CommandError(f"{path}: {error}") from None
