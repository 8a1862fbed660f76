"""Addresses of the marketplace."""

from django.urls import include, path

urlpatterns = [
    path("", include("marketplace.recruiting.urls")),
    path("", include("marketplace.urls")),
]
