"""The files of annotation.bundles over HTTP."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from annotation.bundles import PARTS, bundle

FOR_GOOD = "public, max-age=31536000, immutable"
# A page from before an update asks for files that are gone: it gets today's, which nobody is to keep.
ONCE = "no-store"


@require_safe
def code(request: HttpRequest, digest: str, name: str) -> HttpResponse:
    """The file ``name``, compressed for whoever takes that."""
    if name not in PARTS:
        raise Http404
    found = bundle(name)
    takes_gzip = "gzip" in request.headers.get("Accept-Encoding", "")
    response = HttpResponse(found.compressed if takes_gzip else found.body, content_type=found.content_type)
    if takes_gzip:
        response["Content-Encoding"] = "gzip"
    patch_vary_headers(response, ["Accept-Encoding"])
    response["Cache-Control"] = FOR_GOOD if digest == found.digest else ONCE
    # As other static files: any page may fetch it, as the work page's frame may have no origin of its own; opened by
    # itself it is a page that can do nothing.
    response["Access-Control-Allow-Origin"] = "*"
    response["Content-Security-Policy"] = "default-src 'none'; frame-ancestors 'none'; sandbox"
    response["X-Frame-Options"] = settings.X_FRAME_OPTIONS
    return response
