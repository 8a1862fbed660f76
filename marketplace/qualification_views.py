"""The workers' pages about qualifications: what they hold, what they can ask for, and the tests."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from . import answers, clock, filling, questions
from .auth import worker_view
from .models import QualificationGrant, QualificationRequest, QualificationType, WorkerProfile
from .question_views import media_from_elsewhere
from .services import qualifications, qualifying


@require_safe
@worker_view
def overview(request: HttpRequest, worker: WorkerProfile) -> HttpResponse:
    """What the worker holds, asked for, and could ask for; and what their record says."""
    now = clock.now()
    search = request.GET.get("q", "").replace("\0", "").strip()[:100]
    context = {
        "section": "qualifications",
        "held": qualifying.held_by(worker),
        "requests": qualifying.requests_of(worker, now),
        "on_offer": qualifying.on_offer(worker, search),
        "search": search,
        "record": qualifications.record_of(worker),
    }
    return render(request, "marketplace/qualifications.html", context)


@require_safe
@worker_view
def detail(request: HttpRequest, worker: WorkerProfile, type_id: str) -> HttpResponse:
    """One qualification type: what it is, how the worker stands to it, and asking for it."""
    found = _type(worker, type_id)
    context = {
        "section": "qualifications",
        "type": found,
        "grant": QualificationGrant.objects.filter(worker=worker, qualification_type=found).first(),
        "last": QualificationRequest.objects.of_worker(worker).filter(qualification_type=found).order_by("-id").first(),
        "chance": qualifying.chance_of(worker, found, clock.now()),
    }
    return render(request, "marketplace/qualification.html", context)


def _type(worker: WorkerProfile, type_id: str) -> QualificationType:
    """A requester's type that is there to be asked for, or that the worker has to do with; else 404."""
    found = get_object_or_404(
        QualificationType.objects.with_privacy().filter(requester__isnull=False).select_related("requester"),
        type_id=type_id,
    )
    grants = found.grants.filter(worker=worker)
    knows_of_it = grants if found.is_for_workers else grants.filter(is_silent=False)
    is_theirs = knows_of_it.exists() or found.requests.filter(worker=worker).exists()
    if not (is_theirs or (found.is_requestable and not found.is_private)):
        raise Http404
    return found


@require_POST
@worker_view
def ask(request: HttpRequest, worker: WorkerProfile, type_id: str) -> HttpResponse:
    """Ask for a qualification; where it has a test, the test begins."""
    found = _type(worker, type_id)
    made = qualifying.ask(worker, found, clock.now())
    status = QualificationRequest.Status
    if made is not None and made.status == status.STARTED:
        return HttpResponseRedirect(reverse("qualification-test", args=[type_id]))
    if made is None:
        messages.warning(request, _("You cannot ask for this qualification now."))
    elif made.status == status.GRANTED:
        messages.success(request, _("You have this qualification now."))
    else:
        messages.success(request, _("The requester has your request and decides on it."))
    return HttpResponseRedirect(reverse("qualification", args=[type_id]))


@require_http_methods(["GET", "HEAD", "POST"])
@media_from_elsewhere
@worker_view
def test(request: HttpRequest, worker: WorkerProfile, type_id: str) -> HttpResponse:
    """The test that the worker began: its form with the time left, and handing it in (by POST)."""
    now = clock.now()
    qualifying.let_lapse(worker, now)
    rows = QualificationRequest.objects.of_worker(worker).filter(status=QualificationRequest.Status.STARTED)
    begun = rows.filter(qualification_type__type_id=type_id).select_related(
        "worker", "qualification_type__requester"
    ).first()  # fmt: skip
    if begun is None:
        _type(worker, type_id)
        messages.warning(request, _("You have no test of this open: it was handed in, or its time is over."))
        return HttpResponseRedirect(reverse("qualification", args=[type_id]))
    form = questions.parse_test(begun.test)
    filled = filling.read(form, request.POST) if request.method == "POST" else filling.blank(form)
    if request.method == "POST" and not filled.errors:
        try:
            return _handed_in(request, begun, filled)
        except answers.TooLarge:
            messages.error(request, _("That is more than a marketplace keeps for one test (about one megabyte)."))
    assert begun.deadline is not None  # noqa: S101  # a constraint says so
    context = {
        "section": "qualifications",
        "type": begun.qualification_type,
        "begun": begun,
        "filled": filled,
        "seconds_left": int((begun.deadline - now).total_seconds()),
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "marketplace/qualification_test.html", context, status=status)


def _handed_in(request: HttpRequest, begun: QualificationRequest, filled: filling.Filled) -> HttpResponse:
    if qualifying.submit_test(begun, filled.answers, clock.now()):
        messages.success(request, _("Your test was handed in."))
    else:
        messages.warning(request, _("The time for the test was over before your answers arrived."))
    return HttpResponseRedirect(reverse("qualification", args=[begun.qualification_type.type_id]))
