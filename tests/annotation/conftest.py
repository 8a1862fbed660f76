"""Fixtures of the annotation tests; the rows themselves come from ``tests.annotation.factories``."""

import pytest

from accounts.models import User
from annotation.models import Membership, Project
from tests.annotation.factories import make_member, make_project, make_superuser, make_user


@pytest.fixture
def project(db: None) -> Project:
    return make_project()


@pytest.fixture
def people(project: Project) -> dict[str, User]:
    """One user for each thing that a signed-in person can be to ``project``."""
    return {
        "outsider": make_user("outsider"),
        "viewer": make_member(project, Membership.Role.VIEWER, "viewer"),
        "reviewer": make_member(project, Membership.Role.REVIEWER, "reviewer"),
        "requester": make_member(project, Membership.Role.REQUESTER, "requester"),
        "superuser": make_superuser("superuser"),
    }
