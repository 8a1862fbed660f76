"""Signing in, and who may see the workers' pages."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.views import redirect_to_login
from django.db.models import Count, OuterRef, Subquery
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render

from . import doors
from .models import Message, RequesterProfile, User, WorkerProfile

View = Callable[..., HttpResponseBase]


class PasswordBackend(ModelBackend):
    """User name and password; a signed-in user comes in one query with the profiles and how many messages wait."""

    def get_user(self, user_id: int) -> User | None:
        users = User.objects.select_related("worker", "requester").annotate(
            to_worker=_unread("worker", Message.Direction.TO_WORKER),
            to_requester=_unread("requester", Message.Direction.TO_REQUESTER),
        )
        user = users.filter(pk=user_id).first()
        if user is None or not user.is_active:
            return None
        user.unread_as_worker, user.unread_as_requester = user.to_worker or 0, user.to_requester or 0
        return user


def _unread(side: str, incoming: Message.Direction) -> Subquery:
    unread = Message.objects.filter(**{side: OuterRef(side)}, direction=incoming, read_at=None)
    return Subquery(unread.order_by().values(side).annotate(number=Count("id")).values("number"))


def worker_view(view: View) -> View:
    """Give ``view`` the signed-in worker as its second argument; others are sent to the sign-in page."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        user = request.user
        if not user.is_authenticated:
            return redirect_to_login(request.get_full_path(), settings.LOGIN_URL)
        worker: WorkerProfile | None = getattr(user, "worker", None)
        if worker is None:
            if elsewhere := doors.turn_away(request, user):
                return elsewhere
            return render(request, "marketplace/not_a_worker.html", status=403)
        return doors.answer(request, worker) or view(request, worker, *args, **kwargs)

    return checked


def account_view(view: View) -> View:
    """Show ``view`` to whoever is signed in, unless the door that they came in by answers instead."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        user = request.user
        if not user.is_authenticated:
            return redirect_to_login(request.get_full_path(), settings.LOGIN_URL)
        worker: WorkerProfile | None = getattr(user, "worker", None)
        elsewhere = doors.answer(request, worker) if worker is not None else None
        return elsewhere or view(request, *args, **kwargs)

    return checked


def requester_view(view: View) -> View:
    """Give ``view`` the signed-in requester as its second argument; others are sent to the sign-in page."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        user = request.user
        if not user.is_authenticated:
            return redirect_to_login(request.get_full_path(), settings.LOGIN_URL)
        requester: RequesterProfile | None = getattr(user, "requester", None)
        if requester is None:
            return render(request, "marketplace/not_a_requester.html", status=403)
        return view(request, requester, *args, **kwargs)

    return checked


def operator_view(view: View) -> View:
    """Give ``view`` the signed-in operator as its second argument. Nobody signed in is sent to the sign-in page; for
    everybody else there is nothing at the address."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        user = request.user
        if not user.is_authenticated:
            return redirect_to_login(request.get_full_path(), settings.LOGIN_URL)
        if not user.is_operator:
            raise Http404
        return view(request, user, *args, **kwargs)

    checked.is_for_operators = True  # type: ignore[attr-defined]  # for the test that walks the area's addresses
    return checked
