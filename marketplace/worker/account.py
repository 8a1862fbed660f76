"""An account: its password, and all that is kept about its worker as files."""

import csv
import json
from collections.abc import Iterator
from typing import Any

from django.contrib import messages as notices
from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, StreamingHttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from .. import clock
from ..auth import account_view, worker_view
from ..forms import NewPasswordForm
from ..models import WorkerProfile
from ..services import history, overdue, own_data


@require_safe
@account_view
def account(request: HttpRequest) -> HttpResponse:
    """Who one is here, and what can be done about it. For workers and requesters alike."""
    return render(request, "marketplace/account.html", {"section": "account"})


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
@account_view
def change_password(request: HttpRequest) -> HttpResponse:
    """A new password for the old one. Other browsers that are signed in are signed out."""
    user: Any = request.user
    form = NewPasswordForm(user, request.POST if request.method == "POST" else None)
    if form.is_valid():
        update_session_auth_hash(request, form.save())
        notices.success(request, _("Your password is changed. Other devices are signed out."))
        return HttpResponseRedirect(reverse("account"))
    context = {"section": "account", "form": form}
    return render(request, "marketplace/change_password.html", context, status=400 if form.errors else 200)


class _Line:
    """A file that gives back what is written into it."""

    def write(self, text: str) -> str:
        return text


COLUMNS = [
    "assignment_id",
    "title",
    "requester",
    "reward_usd",
    "bonus_usd",
    "accepted_at",
    "submitted_at",
    "state",
    "decided_at",
    "feedback",
    "bonus_reasons",
]


@require_safe
@worker_view
def record(request: HttpRequest, worker: WorkerProfile) -> HttpResponse | StreamingHttpResponse:
    """All that the worker submitted and what became of it, newest first; times in UTC."""
    overdue.settle(clock.now())
    return _download(_record(worker), "text/csv; charset=utf-8", "my-work.csv")


def _record(worker: WorkerProfile) -> Iterator[str]:
    writer = csv.writer(_Line())
    yield writer.writerow(COLUMNS)
    for submission in history.all_submitted_by(worker):
        row = submission.assignment
        decided_at = row.approved_at or row.rejected_at
        values = [
            row.assignment_id,
            row.hit.hit_type.title,
            row.hit.hit_type.requester.name,
            row.hit.hit_type.reward_usd,
            submission.bonus_usd,
            row.accepted_at.isoformat(timespec="seconds"),
            row.submitted_at.isoformat(timespec="seconds") if row.submitted_at else "",
            row.status,
            decided_at.isoformat(timespec="seconds") if decided_at else "",
            row.feedback,
            "; ".join(bonus.reason for bonus in submission.bonuses),
        ]
        yield writer.writerow([_no_formula(str(value)) for value in values])


def _no_formula(text: str) -> str:
    """``text`` so that no spreadsheet takes what a requester wrote for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


@require_safe
@worker_view
def data(request: HttpRequest, worker: WorkerProfile) -> HttpResponse | StreamingHttpResponse:
    """Everything that the marketplace keeps about the worker, as one JSON object."""
    return _download(_json(own_data.of_worker(worker)), "application/json", "my-data.json")


def _json(parts: Iterator[tuple[str, Any]]) -> Iterator[str]:
    """One object out of ``parts``: a name with a value, or with rows that are written one after the other."""
    before = "{"
    for name, value in parts:
        yield f"{before}\n{json.dumps(name)}: "
        before = ","
        if isinstance(value, Iterator):
            yield "["
            yield from (f"{',' if number else ''}\n  {own_data.dump(row)}" for number, row in enumerate(value))
            yield "]"
        else:
            yield own_data.dump(value)
    yield "\n}\n"


def _download(parts: Iterator[str], content_type: str, name: str) -> StreamingHttpResponse:
    response = StreamingHttpResponse(parts, content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "no-store"
    return response
