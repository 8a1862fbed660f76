"""The folder of a running stack: one holder at a time, and files that only its owner reads."""

import fcntl
import json
import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Self, TextIO

from supervisor.processes import ServerError

# Letters and digits that people do not take for one another when they type a password in.
TYPEABLE = "abcdefghjkmnpqrstuvwxyz23456789"


class AlreadyRunning(ServerError):
    """Another supervisor holds the folder; ``addresses`` is what it says about itself."""

    def __init__(self, folder: Path, addresses: str) -> None:
        self.addresses = addresses
        super().__init__(f"{folder} is in use by a run that has not ended{f': {addresses}' if addresses else ''}.")


class Hold:
    """The right to use a folder. The system takes it back when its process ends, however that happens."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    @classmethod
    def take(cls, folder: Path) -> Self:
        """Raises AlreadyRunning."""
        file = os.fdopen(os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600), "r+")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            addresses = file.read().strip()
            file.close()
            raise AlreadyRunning(folder, addresses) from error
        hold = cls(file)
        hold.tell("")
        return hold

    def tell(self, addresses: str) -> None:
        """Say where this run answers, for whoever comes second."""
        self._file.seek(0)
        self._file.truncate()
        self._file.write(addresses)
        self._file.flush()

    def release(self) -> None:
        self._file.close()


class Secrets:
    """Passwords and keys of one folder: made once, then kept in ``secrets.json`` (mode 0600)."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "secrets.json"
        self.values: dict[str, str] = {}
        with suppress(OSError, ValueError):
            self.values = dict(json.loads(self._path.read_text()))

    def keep(self, **values: str) -> None:
        """Remember ``values`` for the next run."""
        if values.items() - self.values.items():
            self.values |= values
            write_private(self._path, json.dumps(self.values, indent=2) + "\n")

    def make(self, *names: str, length: int = 12) -> dict[str, str]:
        """The secrets called ``names``; those that are not there yet are made, of so many letters and digits."""
        self.keep(
            **{
                name: "".join(secrets.choice(TYPEABLE) for _ in range(length))
                for name in names
                if name not in self.values
            }
        )
        return {name: self.values[name] for name in names}


def write_private(path: Path, text: str) -> None:
    """Write ``text`` so that only the owner can read it, and readers see all of it or the earlier content."""
    unfinished = path.with_name(f".{path.name}.new")
    unfinished.unlink(missing_ok=True)
    with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
    unfinished.replace(path)
