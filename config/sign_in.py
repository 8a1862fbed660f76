"""Sign-in protection of both sites: whose attempts count together, and what somebody who is locked out sees.

django-axes counts wrong passwords for a user name from an address; this says what those two are.
"""

import unicodedata
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

from axes.backends import AxesStandaloneBackend
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

USER_NAME_CHARACTERS = 255  # that axes keeps
IPV6_PREFIX = 64  # bits: whoever has one address has all with the same beginning


class SignInThrottle(AxesStandaloneBackend):
    """Stands before the site's own backend and turns away who has tried too often.

    A program of ours that checks a password without a request is not throttled.
    """

    def authenticate(self, request: HttpRequest | None, *args: Any, **kwargs: Any) -> None:
        if request is not None:
            super().authenticate(request, *args, **kwargs)


def user_name(request: HttpRequest, credentials: dict[str, Any] | None) -> str | None:
    """The user name under which an attempt counts: in capitals, as the marketplace takes a name in any case."""
    name = (credentials or {}).get("username") or request.POST.get("username")
    return name_counted(name) if name else None


def name_counted(name: str) -> str:
    name = unicodedata.normalize("NFKC", name.strip()[:USER_NAME_CHARACTERS])
    return name.upper().replace("\0", "")[:USER_NAME_CHARACTERS]


def client_address(request: HttpRequest) -> str | None:
    """The address that the request came from, None where that is not known (a socket file without a proxy's word).

    Each of PROXIES_IN_FRONT adds the address that it was called from at the end of X-Forwarded-For; what stands before
    those was written by the client and is not believed.
    """
    proxies = settings.PROXIES_IN_FRONT
    forwarded = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")]
    is_forwarded = 0 < proxies <= len(forwarded)
    address = forwarded[-proxies] if is_forwarded else request.META.get("REMOTE_ADDR", "")
    try:
        parsed = ip_address(address)
    except ValueError:
        return None
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped:
            return str(parsed.ipv4_mapped)
        return str(ip_network((parsed.packed, IPV6_PREFIX), strict=False).network_address)
    return str(parsed)


def locked_out(request: HttpRequest, response: HttpResponse | None, credentials: dict[str, Any] | None) -> HttpResponse:
    """The page of somebody who has tried too often. It says nothing about whether the user name exists."""
    minutes = settings.SIGN_IN_LOCKOUT_MINUTES
    page = render(request, "locked_out.html", {"minutes": minutes}, status=settings.AXES_HTTP_RESPONSE_CODE)
    page.headers["Retry-After"] = str(minutes * 60)
    return page
