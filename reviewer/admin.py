"""Nothing of this room is in the admin: who looked at personal data has a page of its own, for whom it concerns."""

from auditlog.models import LogEntry
from django.contrib import admin

admin.site.unregister(LogEntry)
