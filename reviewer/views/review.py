"""The queue of submitted work, and deciding about many at once."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.models import Assignment, Project, Task
from annotation.permissions import REVIEWERS
from annotation.services import first_looks
from annotation.visitor_language import in_visitors_language
from hits import endpoints
from reviewer.models import BulkAct
from reviewer.services import bulk, queue, reasons, review
from reviewer.services.queue import Filter, Order, State
from reviewer.services.signal_catalogue import Code

from .access import of_project, page, user_of

# Rows of a preview that are shown; the rest is counted.
PREVIEW_ROWS = 20


@in_visitors_language
@require_safe
@of_project()
def review_queue(request: HttpRequest, project: Project) -> HttpResponse:
    """The submitted assignments of ``project``, by ``state`` and filter; ``after`` is where a page starts."""
    state = request.GET.get("state", State.WAITING)
    state = state if state in State.values else State.WAITING
    chosen = Filter.of(request.GET)
    found = queue.page_of(project, state, chosen, request.GET.get("after", ""))
    words = chosen.words()
    context = {
        "state": state,
        "chosen": words,
        "states": [
            (value, label, queue_address(project, words | {"state": value}))
            for value, label in State.choices
            if value != State.HELD or project.tasks_before_look is not None
        ],
        "held": first_looks.waiting_workers(project).count(),
        "kinds": [
            (value, label, queue_address(project, words | {"state": state, "kind": value}))
            for value, label in [("", _("all work")), *Task.Kind.choices]
        ],
        "signals": [
            ("", _("any")),
            (Filter.NONE, _("nothing against it")),
            (Filter.ANY, _("something against it")),
            *((code.value, code.label) for code in Code),
        ],
        "orders": [
            (order.value, order.label, queue_address(project, words | {"order": order.value})) for order in Order
        ],
        "order": chosen.order,
        "is_narrowed": bool(chosen.narrowing().keys() - {"kind"}),
        "all_address": queue_address(project, {"state": state, "kind": chosen.kind, "order": words.get("order")}),
        "rows": found.rows,
        "next_address": queue_address(project, words | {"state": state, "after": found.next_place or ""})
        if found.next_place
        else "",
        "first_address": queue_address(project, words | {"state": state}) if request.GET.get("after") else "",
        "waiting": queue.assignments_in(project, State.WAITING, chosen).count(),
        "latest": bulk.latest(project),
        "query": urlencode(words),
        "decisions": BulkAct.Decision.choices,
    }
    return page(request, project, "review", "reviewer/queue.html", context)


@in_visitors_language
@require_safe
@of_project(*REVIEWERS)
def review_next(request: HttpRequest, project: Project) -> HttpResponse:
    """On to what comes first in the order that was chosen and nobody else has open."""
    chosen, user = Filter.of(request.GET), user_of(request)
    first = queue.first_ahead(project, chosen, user)
    if first is None:
        messages.info(request, _("Nothing more waits for you here."))
        return HttpResponseRedirect(queue_address(project, chosen.words()))
    return HttpResponseRedirect(assignment_address(project, first.pk, chosen))


@in_visitors_language
@require_http_methods(["GET", "HEAD", "POST"])
@of_project(*REVIEWERS)
def review_many(request: HttpRequest, project: Project) -> HttpResponse:
    """Say what a decision about the chosen assignments does and costs, and decide once that was confirmed.

    Chosen are the waiting ones named by ``assignment``, or with ``all`` every waiting one that the filter lets through
    up to ``until``.
    """
    asked = request.POST if request.method == "POST" else request.GET
    # A button says it by itself; without one it is what the list beside the other buttons was set to.
    decision = asked.get("decision") or asked.get("other_decision", "")
    decision = decision if decision in BulkAct.Decision.values else BulkAct.Decision.APPROVE
    filtered = Filter.of(asked)
    chosen, fields = _chosen(project, filtered, asked)
    reason = reasons.chosen_or_written(asked.get("chosen_reason", ""), asked.get("reason", ""))
    is_paying = decision in (BulkAct.Decision.APPROVE, BulkAct.Decision.DROP)
    cost, problem = review.cost_of(chosen), ""
    confirmed = _dollars(asked.get("confirmed_usd", ""))
    count_shown = queue.key_of(asked.get("confirmed_count"))
    has_grown = count_shown is not None and cost.assignments > count_shown
    may = confirmed is not None and cost.total_usd <= confirmed if is_paying else count_shown and not has_grown
    if request.method == "POST" and may and cost.assignments:
        ids = list(chosen.order_by("submitted_at", "pk").values_list("pk", flat=True))
        chosen_by = filtered.narrowing() if asked.get("all") else {}
        try:
            act = bulk.decide_many(project, ids, decision, user_of(request), reason=reason, chosen_by=chosen_by)
        except (reasons.UnusableReason, bulk.NotAllowed) as refusal:
            problem = str(refusal)
        else:
            if act.assignments:
                messages.success(request, _done(act))
            else:
                messages.warning(request, _("Nothing was left to do: it is done already."))
            return HttpResponseRedirect(queue_address(project, filtered.words()))
    context = {
        "cost": cost,
        "decision": decision,
        "is_paying": is_paying,
        "endpoints": _endpoints(chosen),
        "fields": [
            *fields,
            ("decision", decision),
            ("confirmed_usd", str(cost.total_usd)),
            ("confirmed_count", str(cost.assignments)),
        ],
        "has_changed": request.method == "POST" and not may,
        "is_nothing_chosen": not asked.get("all") and not asked.getlist("assignment"),
        "back": queue_address(project, filtered.words()),
        "rows": queue.rows_of(chosen.select_related("task", "worker").order_by("submitted_at", "pk")[:PREVIEW_ROWS]),
        "more": max(0, cost.assignments - PREVIEW_ROWS),
        "narrowed_by": _in_words(filtered),
        "reason": reason,
        "reasons": reasons.CHOICES.items(),
        "problem": problem,
        "min_reason_chars": reasons.MIN_REASON_CHARS,
        "max_reason_chars": reasons.MAX_REASON_CHARS,
    }
    return page(request, project, "review", "reviewer/many.html", context, 422 if problem else 200)


def _chosen(project: Project, filtered: Filter, asked: QueryDict) -> tuple[QuerySet[Assignment], list[tuple[str, str]]]:
    """The assignments that a form chose, and the fields that choose them again."""
    words = list(filtered.words().items())
    if asked.get("all"):
        last = queue.last_waiting(project, filtered)
        until = asked.get("until") or (queue.place_of(last) if last else "")
        return queue.waiting_until(project, filtered, until), [("all", "1"), *words, ("until", until)]
    keys = [key for name in asked.getlist("assignment") if (key := queue.key_of(name))]
    chosen = queue.assignments_in(project, State.WAITING).filter(pk__in=keys)
    return chosen, [*words, *(("assignment", str(key)) for key in keys)]


def _done(act: BulkAct) -> str:
    count = len(act.assignments)
    sentence = {
        BulkAct.Decision.APPROVE: ngettext(
            "Approved {count} assignment; it is being paid.", "Approved {count}; they are being paid.", count
        ),
        BulkAct.Decision.DROP: ngettext(
            "Left {count} assignment out of the data; it is being paid.",
            "Left {count} out of the data; they are being paid.",
            count,
        ),
        BulkAct.Decision.REJECT: ngettext("Rejected {count} assignment.", "Rejected {count}.", count),
        BulkAct.Decision.LOOK: ngettext(
            "Asked for a second look at {count} assignment.", "Asked for a second look at {count}.", count
        ),
    }[BulkAct.Decision(act.decision)]
    return sentence.format(count=f"{count:,}")


def _in_words(filtered: Filter) -> list[str]:
    """What a filter lets through, a phrase for each part."""
    said = []
    if filtered.kind:
        said.append(str(Task.Kind(filtered.kind).label))
    if filtered.signal == Filter.ANY:
        said.append(_("something against it"))
    elif filtered.signal == Filter.NONE:
        said.append(_("nothing against it"))
    elif filtered.signal:
        said.append(str(Code(filtered.signal).label))
    if filtered.worker:
        said.append(_("worker {number}").format(number=filtered.worker))
    if filtered.batch:
        said.append(_("batch {number}").format(number=filtered.batch))
    return said


@in_visitors_language
@require_POST
@of_project(*REVIEWERS)
def review_many_undo(request: HttpRequest, project: Project, act_pk: int) -> HttpResponse:
    """Take a decision about many back, as far as the endpoint has not been told."""
    act = get_object_or_404(BulkAct.objects.in_project(project), pk=act_pk)
    try:
        count = bulk.undo(act, user_of(request))
    except bulk.TooLate as refusal:
        messages.warning(request, str(refusal))
    else:
        whole = len(act.assignments)
        sentence = ngettext("Took the decision about {count} of {whole} back.", "Took {count} of {whole} back.", count)
        messages.success(request, sentence.format(count=f"{count:,}", whole=f"{whole:,}"))
    return HttpResponseRedirect(queue_address(project, {}))


@in_visitors_language
@require_POST
@of_project(*REVIEWERS)
def review_many_tell(request: HttpRequest, project: Project, act_pk: int) -> HttpResponse:
    """Tell the endpoints of a decision about many without waiting any longer."""
    count = bulk.tell_now(get_object_or_404(BulkAct.objects.in_project(project), pk=act_pk))
    told = ngettext("The marketplace is told of {count} now.", "The marketplace is told of {count} now.", count)
    messages.success(request, told.format(count=f"{count:,}"))
    return HttpResponseRedirect(queue_address(project, {}))


def _dollars(text: str) -> Decimal | None:
    try:
        amount = Decimal(text)
    except InvalidOperation:
        return None
    return amount if amount.is_finite() else None


def _endpoints(assignments: QuerySet[Assignment]) -> list[endpoints.Endpoint]:
    keys = assignments.order_by().values_list("offer__endpoint", flat=True).distinct()
    return [endpoints.get(key) for key in sorted(keys)]


def queue_address(project: Project, words: dict[str, Any]) -> str:
    """The list with ``words``, without those that say what it shows anyway."""
    usual = {("state", State.WAITING), ("order", Order.OLDEST)}
    told = {name: value for name, value in words.items() if value and (name, value) not in usual}
    address = reverse("review_queue", args=[project.slug])
    return f"{address}?{urlencode(told)}" if told else address


def assignment_address(project: Project, pk: int, chosen: Filter, place: str = "") -> str:
    """The page of an assignment that leads on through what ``chosen`` lets through, at one of its questions."""
    address = reverse("review_assignment", args=[project.slug, pk])
    words = chosen.words()
    return (f"{address}?{urlencode(words)}" if words else address) + (f"#{place}" if place else "")
