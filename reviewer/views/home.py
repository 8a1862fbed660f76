"""The platform's first page."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from annotation.permissions import signed_in


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The list of projects for whoever is signed in; for others what this is, and where to sign in."""
    if signed_in(request):
        return HttpResponseRedirect(reverse("admin:annotation_project_changelist"))
    return TemplateResponse(request, "reviewer/home.html")
