"""Addresses of the requester's corner, all behind ``auth.requester_view``."""

from django.urls import path

from . import messages, overview

urlpatterns = [
    path("", overview.overview, name="requester"),
    path("ledger/", overview.ledger, name="requester-ledger"),
    path("opinions/", overview.opinions, name="requester-opinions"),
    path("messages/", messages.inbox, name="requester-messages"),
    path("messages/<id:worker_id>/", messages.thread, name="requester-thread"),
]
