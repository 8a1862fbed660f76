"""A worker rates what they did, and reports what is wrong."""

from django.contrib import messages as notices
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from .. import clock
from ..auth import worker_view
from ..forms import RatingForm, ReportForm
from ..models import Assignment, Rating, WorkerProfile
from ..services import board, ratings, reports


@require_http_methods(["GET", "HEAD", "POST"])
@worker_view
def rate(request: HttpRequest, worker: WorkerProfile, assignment_id: str) -> HttpResponse:
    """Marks and a comment on one submission, changeable for some days."""
    mine = Assignment.objects.of_worker(worker).listed().select_related("hit__hit_type", "hit__requester")
    assignment = get_object_or_404(mine.defer("answer", "hit__question"), assignment_id=assignment_id)
    now = clock.now()
    rating = Rating.objects.filter(assignment=assignment).first()
    form = RatingForm(request.POST if request.method == "POST" else None, instance=rating)
    is_open = rating is None or ratings.is_changeable(rating, now)
    if is_open and form.is_valid():
        try:
            ratings.rate(worker, assignment, form.cleaned_data, now)
        except ratings.TooLate:
            is_open = False
        else:
            notices.success(request, _("Thank you. Your marks are told together with other workers', never as yours."))
            return HttpResponseRedirect(reverse("your-work"))
    context = {
        "section": "tasks",
        "assignment": assignment,
        "form": form,
        "rating": rating,
        "is_open": is_open,
        "until": (rating.created_at if rating else now) + ratings.CHANGEABLE_FOR,
        "enough": ratings.ENOUGH_WORKERS,
    }
    refused = request.method == "POST"
    return render(request, "marketplace/rate.html", context, status=(400 if is_open else 409) if refused else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@worker_view
def report(request: HttpRequest, worker: WorkerProfile, group_id: str) -> HttpResponse:
    """Tell the operator that something is wrong with a group."""
    now = clock.now()
    hit_type = board.known(worker, group_id, now)
    if hit_type is None:
        raise Http404
    form = ReportForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            reports.report(worker, hit_type, form.cleaned_data["kind"], form.cleaned_data["text"], now)
        except reports.TooMany:
            form.add_error(None, _("You have reported %d times today. Come back tomorrow.") % reports.DAILY)
        else:
            notices.success(request, _("Reported. Whoever runs this marketplace looks at it."))
            return HttpResponseRedirect(reverse("projects"))
    context = {"section": "projects", "hit_type": hit_type, "form": form}
    return render(request, "marketplace/report.html", context, status=400 if form.errors else 200)
