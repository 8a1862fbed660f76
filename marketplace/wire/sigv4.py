"""Signature Version 4: who calls, and that nobody changed the call on its way.

Source: "Create a signed AWS API request" in AWS's IAM user guide.
"""

import hashlib
import hmac
import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from urllib.parse import parse_qsl, quote

from django.http import HttpRequest

from ..clock import wall_clock
from ..models import AccessKey
from .errors import CallError

ALGORITHM = "AWS4-HMAC-SHA256"
SCOPE = ("us-east-1", "mturk-requester", "aws4_request")
MAX_SKEW = timedelta(minutes=15)
# Without these in the signature, a call could be sent again as another operation, elsewhere or later.
MUST_BE_SIGNED = {"host", "x-amz-date", "x-amz-target"}

_AUTHORIZATION = re.compile(
    r"AWS4-HMAC-SHA256\s+Credential=(?P<credential>[^,\s]+)\s*,\s*"
    r"SignedHeaders=(?P<headers>[a-z0-9;-]+)\s*,\s*Signature=(?P<signature>[0-9a-f]{64})\s*"
)


def caller(request: HttpRequest) -> AccessKey:
    """The active access key, with its requester, that signed ``request``. Raises CallError as AWS's front end does."""
    authorization = request.headers.get("Authorization")
    if not authorization:
        raise CallError("MissingAuthenticationTokenException", "Missing Authentication Token")
    match = _AUTHORIZATION.fullmatch(authorization)
    if match is None:
        raise CallError(
            "IncompleteSignatureException",
            f"Authorization must name {ALGORITHM} with Credential, SignedHeaders and Signature.",
        )
    key_id, *scope = match["credential"].split("/")
    key = AccessKey.objects.select_related("requester").filter(access_key_id=key_id, is_active=True).first()
    # Nobody is given temporary credentials here, so a session token comes with a key of somewhere else.
    if key is None or "X-Amz-Security-Token" in request.headers:
        raise CallError("UnrecognizedClientException", "The security token included in the request is invalid.")
    signed_at = _signing_time(request)
    if scope != [f"{signed_at:%Y%m%d}", *SCOPE]:
        raise CallError(
            "InvalidSignatureException",
            f"Credential should be scoped to {signed_at:%Y%m%d}/{'/'.join(SCOPE)}, not {'/'.join(scope)[:200]}.",
        )
    signed = match["headers"].split(";")
    if missing := MUST_BE_SIGNED - set(signed):
        raise CallError("InvalidSignatureException", f"SignedHeaders must hold {', '.join(sorted(missing))}.")
    text = "\n".join(
        [
            ALGORITHM,
            f"{signed_at:%Y%m%dT%H%M%SZ}",
            "/".join(scope),
            hashlib.sha256(_canonical(request, signed).encode()).hexdigest(),
        ]
    )
    expected = hmac.new(_signing_key(key.secret_key, scope[0]), text.encode(), hashlib.sha256).hexdigest()
    if not hmac.compare_digest(expected, match["signature"]):
        raise CallError(
            "InvalidSignatureException",
            "The request signature we calculated does not match the signature you provided. "
            "Check your AWS Secret Access Key and signing method.",
        )
    return key


def _signing_time(request: HttpRequest) -> datetime:
    try:
        signed_at = datetime.strptime(request.headers.get("X-Amz-Date", ""), "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    except ValueError:
        raise CallError(
            "IncompleteSignatureException", "X-Amz-Date must be there and look like 20260101T000000Z."
        ) from None
    # The wall clock and not the marketplace's, which tests may move: clients sign by theirs.
    now = wall_clock()
    if abs(now - signed_at) > MAX_SKEW:
        word, relation = ("expired", "earlier") if signed_at < now else ("not yet current", "later")
        raise CallError(
            "InvalidSignatureException",
            f"Signature {word}: {signed_at:%Y%m%dT%H%M%SZ} is {relation} than the 15 minutes around "
            f"{now:%Y%m%dT%H%M%SZ} allow.",
        )
    return signed_at


def _canonical(request: HttpRequest, signed: list[str]) -> str:
    query = sorted(
        (quote(name, safe="-_.~"), quote(value, safe="-_.~"))
        for name, value in parse_qsl(request.META.get("QUERY_STRING", ""), keep_blank_values=True)
    )
    headers = [f"{name}:{' '.join(request.headers.get(name, '').split())}\n" for name in signed]
    return "\n".join(
        [
            request.method or "",
            quote(request.path, safe="/-_.~"),
            "&".join(f"{name}={value}" for name, value in query),
            "".join(headers),
            ";".join(signed),
            hashlib.sha256(request.body).hexdigest(),
        ]
    )


@lru_cache(maxsize=1024)
def _signing_key(secret: str, date: str) -> bytes:
    key = f"AWS4{secret}".encode()
    for part in (date, *SCOPE):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return key
