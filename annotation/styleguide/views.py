"""The style guide's pages, for staff: all states on one page, and each by itself.

``GET /styleguide/[?colours=dark][&direction=rtl][&passage=rtl][&text=largest][&width=390]``,
``GET /styleguide/<state>/[?..][&lang=de]``. ``direction`` is that of the page around the paragraph; the largest text is
widely spaced as well. A state is a page of the worker's own templates and scripts with a sample in it; nothing of it is
stored, here or in the browser: its policy gives it an origin of its own, and what it sends is answered by
``static/annotation/styleguide.js``.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from csp.constants import SELF
from csp.decorators import csp_replace, csp_update
from django.conf import settings
from django.contrib.admin.views.decorators import staff_member_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.html import json_script
from django.utils.translation import get_language, override
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from annotation.framing import rendered
from annotation.guide_views import context_of
from annotation.languages import page_language
from annotation.styleguide.sample import PRESET, SAMPLES, Sample
from annotation.styleguide.states import FINISHED, GROUPS, GUIDE, MESSAGE, STATES, State
from annotation.views import work_context, work_template

# What may be asked for by the address, the first of each unless it says otherwise.
CHOICES = {
    "colours": ("light", "dark"),
    "direction": ("ltr", "rtl"),
    "passage": tuple(SAMPLES),
    "text": ("normal", "largest"),
    "width": ("1280", "390"),
}
_OWN = [SELF, settings.PLATFORM_URL]
POLICY = {
    "script-src": _OWN,
    "style-src": _OWN,
    "connect-src": _OWN,
    "frame-ancestors": [SELF],
    "sandbox": ["allow-scripts"],
}


@staff_member_required
@require_safe
@csp_update({"frame-src": [SELF]})
def index(request: HttpRequest) -> HttpResponse:
    """Every state, each in a frame."""
    chosen = _chosen(request)
    asked = urlencode({name: choice for name, choice in chosen.items() if name != "width"})
    context = {"groups": GROUPS, "chosen": chosen, "asked": asked, "count": len(STATES)}
    return HttpResponse(rendered("annotation/styleguide/index.html", context))


@staff_member_required
@require_safe
@xframe_options_sameorigin
def state(request: HttpRequest, name: str) -> HttpResponseBase:
    """One state, as the page that a worker would see."""
    if name not in STATES:
        raise Http404
    with override(page_language(request.GET.get("lang"))):
        page = _page(STATES[name], _chosen(request))

    @csp_replace(POLICY)
    def respond(_request: HttpRequest) -> HttpResponse:
        return HttpResponse(page)

    return respond(request)


def _page(shown: State, chosen: dict[str, str]) -> str:
    order = {"piece": shown.piece, "acts": shown.acts, "answer": shown.answer}
    order |= {"colours": chosen["colours"], "text": chosen["text"]}
    context = {"order": order, "interface_direction": chosen["direction"]}
    return rendered("annotation/styleguide/state.html", context | _context(shown, SAMPLES[chosen["passage"]]))


def _context(shown: State, sample: Sample) -> dict[str, Any]:
    """The template that the state's page is made from, and what that shows."""
    language = get_language() or settings.LANGUAGE_CODE
    if shown.page == MESSAGE and shown.refusal:
        return {"page": MESSAGE, "title": shown.refusal.title, "text": shown.refusal.text}
    if shown.page == GUIDE:
        return {"page": GUIDE, **context_of(None, PRESET, "write", language)}
    data = shown.data(sample)
    if shown.page == FINISHED:
        return {"page": FINISHED, "data": data, "receipt": "style-guide"}
    context = work_context(data["kind"], data["token"] is None, language, None, PRESET)
    return context | {"page": work_template(data["kind"]), "data_place": json_script(data, "work-data")}


def _chosen(request: HttpRequest) -> dict[str, str]:
    asked = {name: request.GET.get(name, "") for name in CHOICES}
    return {name: asked[name] if asked[name] in options else options[0] for name, options in CHOICES.items()}
