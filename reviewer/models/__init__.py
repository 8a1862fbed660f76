"""The room's rows, a file for each subject."""

from .release import KeyDownload, Release
from .release_run import ReleaseRun
from .review import Review

__all__ = ["KeyDownload", "Release", "ReleaseRun", "Review"]
