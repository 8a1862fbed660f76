"""Addresses of the requester's corner, all behind ``auth.requester_view``."""

from django.urls import path

from .. import converters  # noqa: F401  # registers <id:...>
from . import messages, overview, requests

urlpatterns = [
    path("", overview.overview, name="requester"),
    path("ledger/", overview.ledger, name="requester-ledger"),
    path("opinions/", overview.opinions, name="requester-opinions"),
    path("requests/", requests.listing, name="requester-requests"),
    path("requests/<id:request_id>/", requests.decide, name="requester-decide-request"),
    path("messages/", messages.inbox, name="requester-messages"),
    path("messages/<id:worker_id>/", messages.thread, name="requester-thread"),
]
