"""The worker's page, which the marketplace shows in a frame.

``GET /work/<offer key>/?assignmentId=..&hitId=..&workerId=..&turkSubmitTo=..[&lang=..]`` answers with

- 200: the page; ``<script type="application/json" id="work-data">`` holds all that it shows
  (``services.work_page``). Without an assignment id, or with MTurk's ``ASSIGNMENT_ID_NOT_AVAILABLE``, it is a preview
  and nothing is stored; otherwise the worker and the assignment are, once.
- 202 with a ``Refresh`` header: the HIT is so new that its id is not known here yet.
- 400, 404 or 409: a page in words, for an address that is not whole, another HIT's id, work done or listed before, or a
  worker who is kept out; with ``Refresh`` where that ends by itself.

No cookie is read or set: browsers keep them from frames. Only the offer's worker origins may frame these pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import add_never_cache_headers
from django.utils.html import json_script
from django.utils.safestring import mark_safe
from django.utils.translation import get_language, override
from django.views.decorators.http import require_safe

from annotation import refusals
from annotation.framing import framed, rendered
from annotation.guide_views import context_of
from annotation.languages import page_language
from annotation.models import Offer, Paragraph, Task
from annotation.page_words import page_words
from annotation.services import work as services
from annotation.services.offers import find_offer
from annotation.services.work_page import page_data
from annotation.tokens import receipt

PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"  # Source: MTurk's documentation of ExternalQuestion
# Where a work page's data goes; no template and no sentence can hold it, as it would be escaped.
DATA_PLACE = mark_safe("<!-- the page's data -->")
MOST_ID_CHARS = 64  # of an assignment's or a worker's id, as botocore's service model of MTurk has it


@require_safe
def work(request: HttpRequest, key: UUID) -> HttpResponseBase:
    """The work page of the offer ``key``, or a page that says why there is none."""
    with override(page_language(request.GET.get("lang"))):
        offer = find_offer(key)
        if offer is None:
            raise Http404
        response = _answer(request, offer)
        add_never_cache_headers(response)
        return framed(request, response, offer.worker_origins)


def _answer(request: HttpRequest, offer: Offer) -> HttpResponse:
    asked = request.GET
    if not offer.mturk_hit_id:
        return _message(refusals.BEING_SET_UP)
    if asked.get("hitId") != offer.mturk_hit_id:
        return _message(refusals.ANOTHER_HIT)
    if asked.get("assignmentId", PREVIEW) in ("", PREVIEW):
        return _work_page(offer, None, "")
    return _accepted(offer, asked.get("assignmentId", ""), asked.get("workerId", ""), asked.get("turkSubmitTo", ""))


def _accepted(offer: Offer, assignment_id: str, worker_id: str, submit_to: str) -> HttpResponse:
    """The page of a worker who has accepted the HIT."""
    if not (_is_id(assignment_id) and _is_id(worker_id)):
        return _message(refusals.NOT_WHOLE)
    submit_to = submit_to.rstrip("/")
    if submit_to not in offer.worker_origins:
        return _message(refusals.ANOTHER_SITE)
    try:
        opened = services.open_assignment(offer, assignment_id, worker_id)
    except tuple(refusals.REFUSALS) as error:
        return _message(refusals.refusal_of(error))
    return _work_page(offer, opened, submit_to)


def _work_page(offer: Offer, opened: services.Opened | None, submit_to: str) -> HttpResponse:
    language = get_language() or settings.LANGUAGE_CODE
    data = page_data(offer, opened, submit_to, language)
    if opened is not None and data["finished"] and offer.task.kind != Task.Kind.QUIZ:
        return _page("annotation/finished.html", {"data": data, "receipt": receipt(opened.assignment)})
    task = offer.task
    around = _around_work(task.kind, opened is None, language, task.guide_id, task.project.preset)
    return HttpResponse(around.replace(DATA_PLACE, json_script(data, "work-data")))


def sample_page(offer: Offer, paragraphs: Sequence[Paragraph]) -> str:
    """The work page of an offer that is not stored, about ``paragraphs``: a preview of what workers will see."""
    language, task = get_language() or settings.LANGUAGE_CODE, offer.task
    around = _around_work(task.kind, True, language, task.guide_id, task.project.preset)
    return around.replace(DATA_PLACE, json_script(page_data(offer, None, "", language, paragraphs), "work-data"))


@lru_cache(maxsize=500)
def _around_work(kind: str, is_preview: bool, language: str, guide_id: int | None, preset: str) -> str:
    """All of a work page but its data, which is the only part that differs from one worker to the next."""
    context = work_context(kind, is_preview, language, guide_id, preset)
    return rendered(work_template(kind), context | {"data_place": DATA_PLACE})


def work_template(kind: str) -> str:
    """The template of a page of that kind of work."""
    return "annotation/quiz.html" if kind == Task.Kind.QUIZ else "annotation/work.html"


def work_context(kind: str, is_preview: bool, language: str, guide_id: int | None, preset: str) -> dict[str, Any]:
    """What that template shows, but for ``data_place``: where the page's data stands."""
    context = {"kind": kind, "is_preview": is_preview, "words": page_words()}
    return context | context_of(guide_id, preset, kind, language)


def _message(refusal: refusals.Refusal) -> HttpResponse:
    response = _page("annotation/message.html", {"title": refusal.title, "text": refusal.text}, refusal.status)
    if refusal.again_seconds is not None:
        response["Refresh"] = str(refusal.again_seconds)
    return response


def _page(template: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
    return HttpResponse(rendered(template, context), status=status)


def _is_id(value: str) -> bool:
    return 0 < len(value) <= MOST_ID_CHARS and value.isprintable()
