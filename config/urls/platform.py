"""Addresses of the platform."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("", include("annotation.urls")),
    path("", include("hits.urls")),
    path("", include("reviewer.urls")),
    path("admin/", admin.site.urls),
]
