"""Addresses of the operator's area, all behind ``auth.operator_view``."""

from django.urls import path

from . import overview

urlpatterns = [
    path("", overview.overview, name="operator"),
    path("log/", overview.log, name="operator-log"),
]
