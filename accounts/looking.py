"""Who looked at personal data: each view of a page that shows some is an entry of the audit log (django-auditlog).

An entry names what was looked at by its key and by ``str()``, which holds nothing personal; never an id of an endpoint.
The viewer's network address is not kept: their login says who they are, and it would be one thing more to guard.
"""

from __future__ import annotations

from auditlog.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model, TextChoices
from django.utils.translation import gettext_lazy as _

from accounts.models import User


class Look(TextChoices):
    """What somebody looked at."""

    LIST = "list", _("the list of workers")
    CARD = "card", _("a worker's card")
    DATA = "data", _("what is kept about a worker")
    FOUND = "found", _("whose worker id it is")
    RECORD = "record", _("a worker's record, downloaded")
    WORKER_ID = "worker_id", _("a worker's id, in the admin")
    ASSIGNMENT_ID = "assignment_id", _("the id of a worker's assignment, in the admin")


def note(user: User | None, row: Model, look: Look, project: int | None = None) -> None:
    """Note that ``user`` (None: somebody in the terminal) has looked at ``row``, on a page of ``project`` (a key)."""
    said = {"look": look.value} | ({} if project is None else {"project": project})
    LogEntry.objects.create(
        content_type=ContentType.objects.get_for_model(row),
        object_pk=str(row.pk),
        object_id=row.pk,
        object_repr=str(row),
        action=LogEntry.Action.ACCESS,
        actor=user,
        additional_data=said,
    )
