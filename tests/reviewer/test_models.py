"""What the database keeps of a review."""

import pytest
from django.db import IntegrityError, transaction

from reviewer.models import Review
from tests.reviewer.factories import make_written

pytestmark = pytest.mark.django_db


@pytest.fixture
def review(project, people):
    return Review.objects.create(assignment=make_written(project), decision="approve", reviewer=people["reviewer"])


def test_a_review_is_never_changed_or_deleted(review):
    assert Review.objects.get() == review
    for change in (lambda: Review.objects.update(decision="reject", reason="Because."), review.delete):
        with pytest.raises(IntegrityError, match="only ever added"), transaction.atomic():
            change()


def test_a_rejection_has_a_reason_and_an_approval_needs_none(review, people):
    values = {"assignment": review.assignment, "decision": "reject", "reviewer": people["reviewer"]}
    Review.objects.create(**values, reason="Every answer is the whole paragraph.")
    with pytest.raises(IntegrityError, match="a_rejecting_review_has_a_reason"), transaction.atomic():
        Review.objects.create(**values)
