"""Where Prolific's webhooks arrive. They are kept and answered; ``sync_panels`` looks at what they are about."""

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from ... import clock
from ..services import webhooks


@csrf_exempt  # signed by its sender
@require_POST
def events(request: HttpRequest) -> HttpResponse:
    if not settings.PROLIFIC_WEBHOOK_SECRET:
        raise Http404
    try:
        webhooks.receive(request.body, request.headers, settings.PROLIFIC_WEBHOOK_SECRET, clock.wall_clock())
    except RequestDataTooBig:
        return HttpResponse(status=413)
    except webhooks.NotFromProlific:
        return HttpResponse(status=403)
    except webhooks.NotAnEvent:
        return HttpResponse(status=400)
    return HttpResponse(status=204)
