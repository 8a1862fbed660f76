"""A project's guide as workers see it: inside the work page, and at an address of its own.

``GET /work/<offer key>/guide/[?lang=..]`` is the guide of the version that the offer's task refers to. It needs no
login and reads no cookie, as the work page does; only the offer's worker origins may frame it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.translation import get_language, override
from django.views.decorators.http import require_safe

from annotation.framing import framed, rendered
from annotation.languages import page_language
from annotation.models import Guide, Task
from annotation.services import guides
from annotation.services.offers import find_offer


@require_safe
def guide(request: HttpRequest, key: UUID) -> HttpResponseBase:
    """The guide of the offer ``key`` as a page."""
    asked = request.GET.get("lang") or ""
    with override(page_language(asked)):
        offer = find_offer(key)
        if offer is None:
            raise Http404
        context = guide_context(offer.task, asked or get_language() or "")
        return framed(request, HttpResponse(rendered("annotation/guide.html", context)), offer.worker_origins)


def guide_context(task: Task, language: str) -> dict[str, Any]:
    """What the templates of the guide show for ``task``."""
    return context_of(task.guide_id, task.project.preset, task.kind, language)


@lru_cache(maxsize=500)
def context_of(guide_id: int | None, preset: str, kind: str, language: str) -> dict[str, Any]:
    """As ``guide_context``; a version never changes, so that it need not be asked for again."""
    version = None if guide_id is None else Guide.objects.get(pk=guide_id)
    return shown(*guides.texts_of(version, preset, kind, language))


def shown(language: str, texts: list[dict[str, Any]]) -> dict[str, Any]:
    return {"guides": texts, "guide_language": language, "guide_direction": guides.direction(language)}
