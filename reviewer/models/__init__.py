"""The room's rows, a file for each subject."""

from .release import Release
from .review import Review

__all__ = ["Release", "Review"]
