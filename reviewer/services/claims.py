"""Who has which work open, so that two reviewers are not led to the same. What both decide is settled by the rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, models
from django.db.models import Exists, OuterRef
from django.utils import timezone

from accounts.models import User
from annotation.models import Assignment
from reviewer.models import ReviewClaim


@dataclass(frozen=True)
class Claim:
    """Whose the work is for now. ``name`` is what colleagues call them."""

    is_mine: bool
    name: str
    until: datetime


# One statement, so that of two who open the work at once one has it and the other is told.
_CLAIM = """
    WITH mine AS (
      INSERT INTO reviewer_reviewclaim AS held (assignment_id, reviewer_id, until)
      VALUES (%(assignment)s, %(reviewer)s, %(until)s)
      ON CONFLICT (assignment_id) DO UPDATE SET reviewer_id = EXCLUDED.reviewer_id, until = EXCLUDED.until
      WHERE held.reviewer_id = EXCLUDED.reviewer_id OR held.until <= %(now)s
      RETURNING reviewer_id, until
    ), whose AS (
      SELECT reviewer_id, until FROM mine
      UNION ALL
      SELECT reviewer_id, until FROM reviewer_reviewclaim
      WHERE assignment_id = %(assignment)s AND NOT EXISTS (SELECT 1 FROM mine)
    )
    SELECT person.id, coalesce(nullif(trim(person.first_name || ' ' || person.last_name), ''), person.username), until
    FROM whose JOIN accounts_user person ON person.id = whose.reviewer_id
"""


def claim(assignment: Assignment, user: User, minutes: int) -> Claim:
    """Keep ``assignment`` for ``user`` for so many minutes from now, unless a colleague has it."""
    now = timezone.now()
    values: dict[str, Any] = {
        "assignment": assignment.pk,
        "reviewer": user.pk,
        "until": now + timedelta(minutes=minutes),
        "now": now,
    }
    with connection.cursor() as cursor:
        cursor.execute(_CLAIM, values)
        reviewer, name, until = cursor.fetchone()
    return Claim(reviewer == user.pk, name, until)


def let_go(assignment: Assignment, user: User) -> None:
    """Give ``assignment`` free again, if ``user`` holds it."""
    let_all_go([assignment], user)


def let_all_go(assignments: Iterable[Assignment], user: User) -> None:
    """Give ``assignments`` free again, as far as ``user`` holds them."""
    ReviewClaim.objects.filter(assignment__in=list(assignments), reviewer=user).delete()


def held_by_others(user: User) -> models.Q:
    """The condition that a colleague of ``user`` has an assignment open."""
    claims = ReviewClaim.objects.filter(assignment=OuterRef("pk"), until__gt=timezone.now())
    return models.Q(Exists(claims.exclude(reviewer=user)))
