"""The admin's sidebar: projects first, then the rows of each room in the order of the work."""

from typing import Any

from django.apps import apps
from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.models import Project


def sidebar(request: HttpRequest) -> list[dict[str, Any]]:
    """The groups of links that unfold shows to whoever asks (``UNFOLD["SIDEBAR"]["navigation"]``).

    Rooms come in the order of INSTALLED_APPS, their models in the order of registration, projects above all.
    """
    by_label = {group["app_label"]: group for group in admin.site.get_app_list(request)}
    registered = [model for model in admin.site._registry if model is not Project]
    groups: list[dict[str, Any]] = [
        {"items": [_link(row) for group in by_label.values() for row in group["models"] if row["model"] is Project]}
    ]
    for app in apps.get_app_configs():
        if app.label not in by_label:
            continue
        rows = {row["model"]: row for row in by_label[app.label]["models"]}
        links = [_link(rows[model]) for model in registered if model in rows]
        groups.append({"title": by_label[app.label]["name"], "separator": True, "items": links})
    groups.append({"separator": True, "items": [{"title": _("API tokens"), "link": reverse("admin:accounts_tokens")}]})
    return groups


def _link(row: dict[str, Any]) -> dict[str, Any]:
    return {"title": row["name"], "link": row["admin_url"]}
