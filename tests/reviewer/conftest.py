"""The project and people of the annotation tests serve here too."""

from tests.annotation.conftest import people, project

__all__ = ["people", "project"]
