"""Which code made something: the version of the product, and its commit where it runs out of a checkout."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from django.conf import settings

_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


def code_version() -> str:
    """Such as ``0.1.0``."""
    return str(tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text())["project"]["version"])


def code_commit(checkout: Path) -> str | None:
    """The commit that ``checkout`` is at, as git keeps it in its files; None where it is no checkout. What was changed
    since and not committed does not show."""
    try:
        git = _git_folder(checkout)
        head = (git / "HEAD").read_text().strip()
        if not head.startswith("ref: "):
            return head if _COMMIT.fullmatch(head) else None
        return _of_ref(git, head.removeprefix("ref: "))
    except (OSError, UnicodeDecodeError):
        return None


def _git_folder(checkout: Path) -> Path:
    """``.git``, or where it leads: that of a further worktree is a file that names its folder."""
    git = checkout / ".git"
    return (checkout / git.read_text().strip().removeprefix("gitdir: ")) if git.is_file() else git


def _of_ref(git: Path, ref: str) -> str | None:
    common = git / (git / "commondir").read_text().strip() if (git / "commondir").is_file() else git
    for folder in (git, common):
        if (folder / ref).is_file():
            commit = (folder / ref).read_text().strip()
            return commit if _COMMIT.fullmatch(commit) else None
    packed = common / "packed-refs"
    lines = packed.read_text().splitlines() if packed.is_file() else []
    return next((line.split(" ")[0] for line in lines if line.endswith(f" {ref}")), None)
