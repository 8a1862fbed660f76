"""What somebody sees who has applied and is no worker yet."""

from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from ..doors import Door, Entrance
from ..models import User, WorkerProfile
from .models import Application
from .services import applications


class OpenDoor(Door):
    def turn_away(self, request: HttpRequest, user: User) -> HttpResponse | None:
        has_applied = Application.objects.filter(user=user).exists()
        return HttpResponseRedirect(reverse("waiting")) if has_applied else None

    def entrance(self) -> Entrance | None:
        return Entrance(_("Ask for an account"), reverse("apply")) if applications.is_open() else None

    def own_data(self, worker: WorkerProfile) -> Iterator[tuple[str, Any]]:
        applied = Application.objects.filter(user=worker.user)
        yield "applications", list(applied.values("message", "status", "reason", "applied_at", "decided_at"))
