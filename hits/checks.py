"""What must hold before this room can work; Django says so at start and in ``manage.py check``."""

from typing import Any

from django.core.checks import CheckMessage, Error, register
from django.core.exceptions import ImproperlyConfigured

from . import endpoints, mturk


@register()
def the_client_is_there(**_: Any) -> list[CheckMessage]:
    problem = mturk.missing_client()
    return [Error(problem, id="hits.E001")] if problem else []


@register()
def endpoints_are_sound(**_: Any) -> list[CheckMessage]:
    try:
        endpoints.all_endpoints()
    except (ImproperlyConfigured, TypeError) as error:
        return [Error(f"CROWD_ENDPOINTS: {error}", id="hits.E002")]
    return []
