"""How the question of a HIT is shown: in a frame, or as a form; and the page of an HTMLQuestion."""

from typing import Any

from csp.decorators import csp_update
from django.conf import settings
from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from . import filling, questions
from .models import HIT, Assignment
from .questions import html

ELSEWHERE = ["https:"] + (["http:"] if settings.PLAIN_HTTP else [])
# Pictures, sound and film of a QuestionForm lie on the requester's servers.
media_from_elsewhere = csp_update({"img-src": ELSEWHERE, "media-src": ELSEWHERE})

# The signature is what lets a frame read the page: it asks for no login, which a page of an opaque origin has not.
_signer = signing.Signer(salt="html-question", sep=".")


def preview_of(hit: HIT) -> dict[str, Any]:
    """What a template needs to show the question of ``hit`` to a worker who has not accepted it."""
    return _shown(hit, assignmentId=questions.PREVIEW, hitId=hit.hit_id)


def work_on(assignment: Assignment, filled: filling.Filled | None = None) -> dict[str, Any]:
    """What a template needs to show the question of ``assignment`` to the worker who holds it; ``filled`` is a form
    that is to be corrected."""
    if filled is not None:
        return {"filled": filled}
    return _shown(
        assignment.hit,
        assignmentId=assignment.assignment_id,
        hitId=assignment.hit.hit_id,
        workerId=assignment.worker.worker_id,
        turkSubmitTo=settings.MARKETPLACE_URL,
    )


def _shown(hit: HIT, **parameters: str) -> dict[str, Any]:
    question = questions.parse(hit.question)
    if isinstance(question, questions.QuestionForm):
        return {"filled": filling.blank(question)}
    if isinstance(question, questions.HTMLQuestion):
        url, sandbox = html_address(hit), html.SANDBOX
    else:
        url, sandbox = question.url, settings.MARKETPLACE_FRAME_SANDBOX
    return {
        "frame_url": questions.frame_url(url, **parameters),
        "frame_height": question.height,
        "sandbox": sandbox,
    }


def html_address(hit: HIT) -> str:
    """Where the page of an HTMLQuestion is served; given out only to workers who may see the HIT."""
    return reverse("html-question", args=[hit.hit_id, _signer.signature(hit.hit_id)])


@require_safe
@xframe_options_sameorigin
def html_question(request: HttpRequest, hit_id: str, signature: str) -> HttpResponse:
    """The page of an HTMLQuestion, in an origin that nothing else has.

    The policy holds wherever the page is opened: its scripts run, but can read no cookie, no storage and no page of
    this site. Opened outside a frame it is not shown at all, as nobody should meet a stranger's page under this site's
    address.
    """
    hit = HIT.objects.undisposed().filter(hit_id=hit_id).first()
    if hit is None or not constant_time_compare(signature, _signer.signature(hit_id)):
        raise Http404
    question = questions.parse(hit.question)
    if not isinstance(question, questions.HTMLQuestion):
        raise Http404
    if request.headers.get("Sec-Fetch-Dest", "iframe") != "iframe":
        return render(request, "marketplace/only_in_a_frame.html", status=403)
    response = HttpResponse(html.served(question), content_type="text/html; charset=utf-8")
    response.headers["Content-Security-Policy"] = f"sandbox {html.SANDBOX}; frame-ancestors 'self'"
    response.headers["Cache-Control"] = "private, no-store"
    return response
