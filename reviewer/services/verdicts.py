"""Keeping and dropping single questions and answers of work that is paid all the same."""

from __future__ import annotations

from accounts.models import User
from annotation.models import Answer, Question, Verdict


def give_verdict(thing: Question | Answer, decision: str, user: User, reason: str = "") -> Verdict:
    """Say that a question or an answer stays in the data (*keep*) or is left out of it (*drop*). The latest stands."""
    what = {"question": thing} if isinstance(thing, Question) else {"answer": thing}
    return Verdict.objects.create(**what, decision=decision, reason=reason, decided_by=user)
