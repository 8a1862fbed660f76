"""Addresses of what workers say: to requesters, on their tasks, to the operator."""

from django.urls import path

from . import messages, opinions

urlpatterns = [
    path("messages/", messages.inbox, name="messages"),
    path("messages/<id:customer_id>/", messages.thread, name="thread"),
    path("projects/<id:group_id>/report", opinions.report, name="report"),
    path("tasks/<id:assignment_id>/rate", opinions.rate, name="rate"),
]
