"""What reviewers call each other and the past."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.timesince import timesince
from django.utils.translation import gettext as _

from accounts.models import User


def display_name(user: User | None) -> str:
    """What colleagues call ``user``; work of no user was done by the system."""
    return _("The system") if user is None else user.get_full_name() or user.get_username()


def ago(moment: datetime | None) -> str:
    """How long ago ``moment`` was, in words."""
    if moment is None or timezone.now() - moment < timedelta(minutes=1):
        return _("just now")
    return _("{time} ago").format(time=timesince(moment, depth=1))
