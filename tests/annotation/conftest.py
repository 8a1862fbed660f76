"""Fixtures of the annotation tests; the rows themselves come from ``tests.annotation.factories``."""

from typing import Any

import pytest

from accounts.models import User
from annotation.models import Membership, Offer, Project
from tests.annotation import work
from tests.annotation.factories import (
    make_answer_task,
    make_member,
    make_offer,
    make_paragraph,
    make_project,
    make_question,
    make_superuser,
    make_task,
    make_user,
)
from tests.annotation.work import NIGHT


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


@pytest.fixture
def offer(db: None) -> Offer:
    """A task of two paragraphs to write on, as the HIT ``H1``."""
    return make_offer(make_task(make_paragraph(text=NIGHT), make_paragraph()), mturk_hit_id="H1")


@pytest.fixture
def page(offer: Offer) -> dict[str, Any]:
    """The data of the work page of ``offer``, opened by its worker."""
    return work.opened(offer)


@pytest.fixture
def answering(db: None) -> dict[str, Any]:
    """The page of a task that asks two questions about one paragraph."""
    paragraph = make_paragraph(text=NIGHT)
    questions = [make_question(paragraph, text, answer="1931") for text in ("Until when?", "Who kept the lamp?")]
    return work.opened(make_offer(make_answer_task(*questions)), "A7")
