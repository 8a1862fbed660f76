"""The workers' site. Each view finds, calls one service, answers; every page works without JavaScript."""

from typing import Any

from csp.decorators import csp_replace
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import LoginView, LogoutView
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from . import addresses, answers, clock, filling, question_views, questions
from .auth import worker_view
from .forms import FindForm, SignInForm
from .models import Assignment, HITType, RequesterProfile, WorkerProfile
from .question_views import media_from_elsewhere
from .services import assignments, board, history, overdue, payouts, qualifications
from .uploads import is_too_large
from .wire.view import endpoint


@csrf_exempt  # posts are the API's, signed by their callers
@require_http_methods(["GET", "HEAD", "POST"])
def home(request: HttpRequest) -> HttpResponse:
    """POST is the API; GET says what this place is."""
    if request.method == "POST":
        return endpoint(request)
    return render(request, "marketplace/home.html", {"endpoint": settings.MARKETPLACE_URL})


class SignIn(LoginView):
    template_name = "marketplace/signin.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True
    extra_context = {"section": "signin"}

    def get_default_redirect_url(self) -> str:
        user = self.request.user
        if user.is_authenticated and not hasattr(user, "worker"):
            if user.is_operator:
                return reverse("operator")
            if hasattr(user, "requester"):
                return reverse("requester")
        return super().get_default_redirect_url()


class SignOut(LogoutView):
    next_page = "home"


@require_safe
@worker_view
def projects(request: HttpRequest, worker: WorkerProfile) -> HttpResponse:
    """The HIT groups that the worker may discover."""
    form = FindForm(request.GET)
    place = board.Place.parse(request.GET.get("before", ""))
    found = board.find(worker, clock.now(), form.wanted, place)
    wanted_requester = _requester_of(form.wanted.requester)
    context = {
        "section": "projects",
        "board": found,
        "form": form,
        "query": form.query,
        "list_fields": form.understood,
        "is_first": place is None,
        "wanted_requester": wanted_requester,
    }
    return render(request, "marketplace/projects.html", context)


def _requester_of(customer_id: str) -> RequesterProfile | None:
    return RequesterProfile.objects.filter(customer_id=customer_id).first() if customer_id else None


def _group(worker: WorkerProfile, group_id: str) -> board.Group:
    """The group of that id (an HITTypeId serves too), or 404 also where the worker may not discover it."""
    group = board.discoverable(worker, group_id, clock.now())
    if group is None:
        raise Http404
    return group


@require_safe
@media_from_elsewhere
@worker_view
def preview(request: HttpRequest, worker: WorkerProfile, group_id: str) -> HttpResponse:
    """The next HIT of the group as it will be, not yet accepted."""
    group = _group(worker, group_id)
    hit = board.next_hit(worker, group.hit_type, clock.now()) if group.may_preview else None
    found_by = FindForm(request.GET)
    # The list as the worker had it, to go back to: its own query, read by its own form.
    context: dict[str, Any] = {
        "group": group,
        "hit": hit,
        "list_query": found_by.query,
        "list_fields": found_by.understood,
    }
    if hit is None:
        context["held"] = history.held_of_group(worker, group.hit_type)
    else:
        context |= question_views.preview_of(hit)
    return render(request, "marketplace/preview.html", context)


@require_POST
@worker_view
def accept(request: HttpRequest, worker: WorkerProfile, group_id: str) -> HttpResponse:
    """Give the worker a HIT of the group; the site picks which."""
    hit_type = HITType.objects.select_related("requester").by_address(group_id).first()
    if hit_type is None:
        raise Http404
    try:
        hit_id, assignment_id = assignments.accept(worker, hit_type, clock.now())
    except assignments.NoPlace as refusal:
        return _no_place(request, worker, group_id, refusal)
    auto = "&auto=1" if request.POST.get("auto") else ""
    # The list as the worker had it goes along, to lead back to where the HIT is returned.
    found_by = FindForm(request.POST).query
    address = reverse("work", args=[hit_type.group_id, hit_id])
    return HttpResponseRedirect(f"{address}?assignment_id={assignment_id}{auto}{found_by and '&' + found_by}")


def _no_place(request: HttpRequest, worker: WorkerProfile, group_id: str, refusal: assignments.NoPlace) -> HttpResponse:
    group = _group(worker, group_id)
    reason = assignments.NoPlace.Reason
    status = {reason.NOT_QUALIFIED: 403, reason.TOO_MANY_HELD: 409, reason.NOTHING_LEFT: 409}[refusal.reason]
    context = {
        "group": group,
        "reason": refusal.reason.value,
        "unmet": qualifications.unmet_sentence(group.needs),
        "max_held": assignments.MAX_HELD,
        "held_here": len(held := history.held_of_group(worker, group.hit_type)),
        "held": held,
    }
    return render(request, "marketplace/no_place.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@media_from_elsewhere
@worker_view
def work(request: HttpRequest, worker: WorkerProfile, group_id: str, hit_id: str) -> HttpResponse:
    """An accepted HIT: the frame or the form, the time left, and returning it (by POST)."""
    assignment = assignment_of(request, worker, hit_id)
    if request.method == "POST":
        return _give_back(request, worker, assignment)
    return work_page(request, worker, assignment)


@require_POST
@media_from_elsewhere
@worker_view
def answer(request: HttpRequest, worker: WorkerProfile, group_id: str, hit_id: str) -> HttpResponse:
    """The answers to a HIT's QuestionForm: submitted, or shown again with what is wrong beside each field."""
    assignment = assignment_of(request, worker, hit_id)
    question = questions.parse(assignment.hit.question)
    if not isinstance(question, questions.QuestionForm):
        raise Http404
    now = clock.now()
    filled = filling.read(question, request.POST)
    if assignment.status == Assignment.Status.HELD and assignment.deadline > now:
        if filled.errors:
            return work_page(request, worker, assignment, filled)
        try:
            assignments.submit(assignment.assignment_id, answers.written(filled.answers), now)
        except answers.TooLarge:
            messages.error(request, _("That is more than a marketplace keeps for one HIT (about one megabyte)."))
            return work_page(request, worker, assignment, filled)
    # The working page says what became of it, also where it came too late or a second time.
    auto = "&auto=1" if request.POST.get("auto") else ""
    address = reverse("work", args=[assignment.hit.hit_type.group_id, hit_id])
    return HttpResponseRedirect(f"{address}?assignment_id={assignment.assignment_id}{auto}")


def assignment_of(request: HttpRequest, worker: WorkerProfile, hit_id: str) -> Assignment:
    """The worker's own assignment that the address names, or 404."""
    found = (
        Assignment.objects.of_worker(worker)
        .filter(assignment_id=request.GET.get("assignment_id", "").replace("\0", ""), hit__hit_id=hit_id)
        .select_related("worker", "hit__hit_type__requester")
        .first()
    )
    if found is None:
        raise Http404
    return found


def work_page(
    request: HttpRequest, worker: WorkerProfile, assignment: Assignment, filled: filling.Filled | None = None
) -> HttpResponse:
    """The page of ``assignment``; ``filled`` is a form that could not be submitted as it is."""
    now = clock.now()
    group = board.Group(assignment.hit.hit_type, assignment.hit.hit_type.requester.name, left=0, standing={})
    auto = request.POST.get("auto") if filled else request.GET.get("auto")
    context = {"group": group, "assignment": assignment, "auto": bool(auto)}
    if assignment.status != Assignment.Status.HELD or assignment.deadline <= now:
        is_late = assignment.status in (Assignment.Status.HELD, Assignment.Status.ABANDONED)
        is_more_left = board.is_anything_left(worker, group.hit_type, now)
        return render(request, "marketplace/done.html", context | {"is_late": is_late, "is_more_left": is_more_left})
    context |= {"seconds_left": int((assignment.deadline - now).total_seconds())}
    context |= question_views.work_on(assignment, filled)
    return render(request, "marketplace/work.html", context, status=422 if filled else 200)


def _give_back(request: HttpRequest, worker: WorkerProfile, assignment: Assignment) -> HttpResponse:
    try:
        assignments.give_back(worker, assignment.assignment_id, clock.now())
    except assignments.NotYours:
        messages.warning(request, _("That HIT was not in your hands any more, so there was nothing to return."))
    else:
        messages.success(request, _("Returned. Another worker can take it now; your record is not touched."))
    found_by = FindForm(request.GET).query
    return HttpResponseRedirect(reverse("projects") + (found_by and f"?{found_by}"))


@require_safe
@worker_view
def your_work(request: HttpRequest, worker: WorkerProfile) -> HttpResponse:
    """What the worker holds, and what became of what they submitted."""
    now = clock.now()
    overdue.settle(now)
    before = addresses.number(request.GET.get("before"))
    counts = history.counts_of(worker)
    state = request.GET.get("state") if request.GET.get("state") in counts else None
    labels = Assignment.Status
    context = {
        "section": "tasks",
        "held": history.held_by(worker),
        "page": history.submitted_by(worker, before, status=state),
        "is_first": before is None,
        "lapsed": history.lapsed_of(worker, now),
        "state": state,
        "states": [(value, labels(value).label, number) for value, number in counts.items()],
        "total": sum(counts.values()),
        "query": f"state={state}" if state else "",
        "now": now,
    }
    return render(request, "marketplace/your_work.html", context)


@require_safe
@worker_view
def earnings(request: HttpRequest, worker: WorkerProfile) -> HttpResponse:
    now = clock.now()
    overdue.settle(now)
    earned = history.earnings_of(worker)
    context = {"section": "earnings", "earnings": earned, "plot": history.plot_of(earned.weeks, now)}
    context["payments"] = payouts.of_worker(worker)
    return render(request, "marketplace/earnings.html", context)


# Where a frame ends up after its form was sent. The page around it is ours, but a requester's page may have put the
# form into a frame of its own; nothing here is worth protecting from being framed.
@csrf_exempt  # arrives from another site, without cookies; the assignment's id is what allows it
@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})
@require_http_methods(["GET", "HEAD", "POST"])
def external_submit(request: HttpRequest) -> HttpResponse:
    """A worker's answers, sent by the form in the frame."""
    if request.method != "POST":
        return _submit_page(request, "not_a_post", 405)
    try:
        if is_too_large(request):
            raise RequestDataTooBig
        fields = request.POST
        assignment_id = fields.get("assignmentId", "")
        answer = answers.to_xml((name, fields[name]) for name in fields)
    except (answers.TooLarge, RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent):
        return _submit_page(request, "too_large", 413)
    if not assignment_id:
        return _submit_page(request, "no_assignment", 400)
    if assignment_id == questions.PREVIEW:
        return _submit_page(request, "preview", 403)
    now = clock.now()
    if "\0" not in assignment_id and assignments.submit(assignment_id, answer, now):
        return _submit_page(request, "submitted", 200)
    return _submit_page(request, *assignments.why_not(assignment_id, now))


external_submit.takes_large_requests = True  # type: ignore[attr-defined]  # refuses them with a page for its frame


def _submit_page(request: HttpRequest, outcome: str, status: int) -> HttpResponse:
    return render(request, "marketplace/submitted.html", {"outcome": outcome}, status=status)
