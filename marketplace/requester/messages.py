"""A requester's inbox. Workers stand in it by their worker ids alone."""

from django.contrib import messages as notices
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from .. import addresses, clock
from ..auth import requester_view
from ..forms import MessageForm
from ..models import Message, RequesterProfile, WorkerProfile
from ..services import threads
from ..worker.messages import reply_to, too_many
from .overview import page


@require_safe
@requester_view
def inbox(request: HttpRequest, requester: RequesterProfile) -> HttpResponse:
    before = addresses.number(request.GET.get("before"))
    context = {"inbox": threads.of_requester(requester, before), "is_first": before is None}
    return render(request, "marketplace/requester/inbox.html", page(requester, "messages") | context)


@require_http_methods(["GET", "HEAD", "POST"])
@requester_view
def thread(request: HttpRequest, requester: RequesterProfile, worker_id: str) -> HttpResponse:
    """What the requester and a worker wrote to each other, and a form to answer. There is a page only where
    something was written: nobody can try out worker ids here."""
    worker = get_object_or_404(WorkerProfile, worker_id=worker_id)
    before = addresses.number(request.GET.get("before"))
    read = threads.conversation(worker, requester, before)
    if not read.messages:
        raise Http404
    now = clock.now()
    form = MessageForm(request.POST if request.method == "POST" else None, initial={"subject": reply_to(read)})
    if form.is_valid():
        try:
            threads.answer_worker(requester, worker, form.cleaned_data["subject"], form.cleaned_data["text"], now)
        except threads.TooMany as most:
            form.add_error(None, too_many(most))
        else:
            notices.success(request, _("Sent."))
            return HttpResponseRedirect(request.path)
    requester.user.unread_as_requester -= threads.mark_read(read, Message.Direction.TO_REQUESTER, now)
    context = {"worker_id": worker.worker_id, "read": read, "mine": Message.Direction.TO_WORKER, "form": form}
    status = 400 if form.errors else 200
    return render(request, "marketplace/requester/thread.html", page(requester, "messages") | context, status=status)
