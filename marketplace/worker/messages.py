"""A worker's inbox, and writing to requesters."""

import re
from typing import Any

from django.contrib import messages as notices
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from .. import addresses, clock
from ..auth import worker_view
from ..forms import MessageForm
from ..models import Assignment, HITType, Message, RequesterProfile, WorkerProfile
from ..services import board, history, threads


@require_safe
@worker_view
def inbox(request: HttpRequest, worker: WorkerProfile) -> HttpResponse:
    before = addresses.number(request.GET.get("before"))
    context = {"section": "messages", "inbox": threads.of_worker(worker, before), "is_first": before is None}
    return render(request, "marketplace/inbox.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@worker_view
def thread(request: HttpRequest, worker: WorkerProfile, customer_id: str) -> HttpResponse:
    """What the worker and a requester wrote to each other, and a form to write on. The query may say what about: a
    ``group`` that the worker knows, or an ``assignment`` of theirs."""
    requester = get_object_or_404(RequesterProfile, customer_id=customer_id)
    now = clock.now()
    hit_type, assignment = _subject_of(request, worker, requester)
    if hit_type is None and not threads.may_write(worker, requester):
        raise Http404
    before = addresses.number(request.GET.get("before"))
    read = threads.conversation(worker, requester, before)
    form = MessageForm(request.POST if request.method == "POST" else None, initial=_draft(read, hit_type, assignment))
    if form.is_valid():
        values = form.cleaned_data
        try:
            threads.write_to_requester(
                worker, requester, values["subject"], values["text"], now, hit_type=hit_type, assignment=assignment
            )
        except threads.TooMany as most:
            form.add_error(None, too_many(most))
        else:
            notices.success(request, _("Sent. The answer will come here."))
            return HttpResponseRedirect(request.path)
    worker.user.unread_as_worker -= threads.mark_read(read, Message.Direction.TO_WORKER, now)
    context: dict[str, Any] = {
        "section": "messages",
        "requester": requester,
        "read": read,
        "mine": Message.Direction.TO_REQUESTER,
        "form": form,
        "hit_type": hit_type,
        "appeal": history.Submission(assignment, []) if assignment and assignment.is_rejected else None,
        "now": now,
    }
    return render(request, "marketplace/thread.html", context, status=400 if form.errors else 200)


def too_many(most: threads.TooMany) -> str:
    number = most.args[0]
    return ngettext(
        "You can send %d message for now. Your words are still here: send them later.",
        "You can send %d messages for now, and have. Your words are still here: send them later.",
        number,
    ) % (number,)


def _subject_of(
    request: HttpRequest, worker: WorkerProfile, requester: RequesterProfile
) -> tuple[HITType | None, Assignment | None]:
    """What the message is about, or 404 where the address names what is not the worker's to ask about."""
    assignment_id, group_id = (request.GET.get(name, "").replace("\0", "") for name in ("assignment", "group"))
    if assignment_id:
        mine = Assignment.objects.of_worker(worker).filter(hit__requester=requester)
        assignment = get_object_or_404(mine.select_related("hit__hit_type"), assignment_id=assignment_id)
        return assignment.hit.hit_type, assignment
    if group_id:
        hit_type = board.known(worker, group_id, clock.now())
        if hit_type is None or hit_type.requester_id != requester.pk:
            raise Http404
        return hit_type, None
    return None, None


def _draft(read: threads.Conversation, hit_type: HITType | None, assignment: Assignment | None) -> dict[str, str]:
    """How the form begins."""
    if assignment is not None and assignment.is_rejected:
        return {"subject": _("Please look at my submission again")}
    if hit_type is not None:
        return {"subject": (_("About: %s") % _topic(hit_type.title))[: threads.messages.SUBJECT]}
    return {"subject": reply_to(read)}


def reply_to(read: threads.Conversation) -> str:
    """The subject of an answer to the last message, as mail has it: one "Re:", however often it went to and fro."""
    if not read.messages:
        return ""
    return f"Re: {_topic(read.messages[-1].subject)}"[: threads.messages.SUBJECT]


def _topic(subject: str) -> str:
    """``subject`` without what letters put in front of it, in English, German or the language of the page."""
    about = re.escape((_("About: %s") % "").strip())
    return re.sub(rf"^(?:\s*(?:re:|aw:|about:|{about}))+\s*(?=\S)", "", subject, flags=re.IGNORECASE)
