"""The project and people of the annotation tests serve here too."""

import pytest

from tests.annotation.conftest import people, project

__all__ = ["people", "project"]


@pytest.fixture(autouse=True)
def quick_passwords(settings):
    """Nobody attacks these passwords, and five people are made for nearly every test."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
