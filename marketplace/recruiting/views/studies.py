"""A panel's participant: the study's link, the visit, and the way back to the panel."""

from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from ... import clock
from ..forms import changed_sentence
from ..models import PanelStudy, Terms, Visit
from ..panel_door import VISIT
from ..services import checks, links, visits
from .joining import PASSWORD_BACKEND

SESSION_SECONDS = 24 * 3600
COOKIE_SECONDS = 60 * 24 * 3600  # our choice: twice as long as a visit can be
COOKIE_SALT = "recruiting.visit"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def study(request: HttpRequest, key: str) -> HttpResponse:
    """Where the panel sends its participants. Nothing is made before they press the button, as browsers and mail
    scanners open links by themselves, and a link that somebody else sent must not change who is signed in unseen."""
    found = get_object_or_404(PanelStudy.objects.select_related("panel"), key=key)
    terms = Terms.in_force()
    try:
        arrival = links.read(found, dict(request.GET.lists()))
        if request.method == "POST" and terms is not None and not terms.were_shown(request.POST):
            context = {"study": found, "terms": terms, "changed": changed_sentence()}
            return render(request, "recruiting/study.html", context, status=409)
        if request.method == "POST":
            return _begin(request, found, arrival, terms)
    except links.BadLink as error:
        return _not_begun(request, found, str(error), 400)
    except visits.NoVisit as error:
        return _not_begun(request, found, str(error), 403)
    except checks.Unavailable:
        return render(request, "recruiting/study_later.html", {"study": found}, status=503)
    except visits.Full:
        ending = links.ending(found, Visit.Status.QUOTA_FULL, arrival.participant_id, arrival.session_id)
        context = {"study": found, "outcome": Visit.Status.QUOTA_FULL, "ending": ending}
        return render(request, "recruiting/outcome.html", context)
    visit = _visit_in_session(request)
    if visit is not None and visit.study_id == found.pk and _is_of(visit, arrival):
        return HttpResponseRedirect(reverse("visit"))
    # The same page for everybody: whether somebody was here before is nobody else's business.
    return render(request, "recruiting/study.html", {"study": found, "terms": terms})


def _not_begun(request: HttpRequest, study: PanelStudy, sentence: str, status: int) -> HttpResponse:
    return render(request, "recruiting/study_refused.html", {"study": study, "sentence": sentence}, status=status)


def _begin(
    request: HttpRequest, study: PanelStudy, arrival: links.Arrival, terms: Terms | None
) -> HttpResponseRedirect:
    checks.confirm(study, arrival)
    visit = visits.begin(study, arrival, clock.now(), terms=terms, begun_here=_begun_here(request, study))
    # A new session, whoever was signed in before: nothing of theirs is carried over.
    request.session.flush()
    login(request, visit.participant.worker.user, backend=PASSWORD_BACKEND)
    request.session.set_expiry(SESSION_SECONDS)
    request.session[VISIT] = visit.pk
    answer = HttpResponseRedirect(reverse("visit"))
    if study.panel.ids_can_be_guessed:
        answer.set_signed_cookie(
            f"visit_{study.key}",
            str(visit.pk),
            salt=COOKIE_SALT,
            max_age=COOKIE_SECONDS,
            path=reverse("study", args=[study.key]),
            secure=request.is_secure(),
            httponly=True,
            samesite="Lax",
        )
    return answer


def _begun_here(request: HttpRequest, study: PanelStudy) -> int | None:
    """The visit to ``study`` that this browser began, where that is what tells its participant from others."""
    value = request.get_signed_cookie(f"visit_{study.key}", default="", salt=COOKIE_SALT, max_age=COOKIE_SECONDS)
    return int(value) if value else None


def _visit_in_session(request: HttpRequest) -> Visit | None:
    if not request.user.is_authenticated or VISIT not in request.session:
        return None
    rows = Visit.objects.select_related("study__panel", "participant__worker__user")
    return rows.filter(pk=request.session[VISIT], participant__worker__user=request.user.pk).first()


def _is_of(visit: Visit, arrival: links.Arrival) -> bool:
    return (visit.session_id, visit.participant.participant_id) == (arrival.session_id, arrival.participant_id)


@never_cache
@require_safe
def visit(request: HttpRequest) -> HttpResponse:
    """How far the participant is, what to do next, and at the end the way back to the panel."""
    found = _visit_in_session(request)
    if found is None:
        raise Http404
    progress = visits.refresh(found, clock.now())
    if progress.is_over:
        context = {"study": found.study, "outcome": found.status, "ending": links.ending_of(found)}
        return render(request, "recruiting/outcome.html", context | {"progress": progress})
    context = {"study": found.study, "visit": found, "progress": progress, "auto": bool(request.GET.get("auto"))}
    return render(request, "recruiting/visit.html", context)
