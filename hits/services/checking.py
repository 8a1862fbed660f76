"""The check of an endpoint: what works and what does not, in sentences, without costing money or leaving anything."""

from __future__ import annotations

import ipaddress
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from hits import endpoints, mturk, queues
from hits.endpoints import Endpoint

SANDBOX_BALANCE = Decimal("10000.00")  # what a sandbox says it holds, always: AWS, GetAccountBalance
TOLERATED_SKEW_SECONDS = 30
PATIENCE_SECONDS = 5
OK, WARNING, PROBLEM = "ok", "warning", "problem"


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at: ``level`` is ok, warning or problem; ``sentence`` says what and what to do."""

    subject: str
    level: str
    sentence: str


def check(key: str) -> list[Finding]:
    """Look at everything that the endpoint ``key`` needs. Raises ImproperlyConfigured if there is none of that name."""
    endpoint = endpoints.get(key)
    findings = [Finding("notice", WARNING, str(endpoint.notice))] if endpoint.notice else []
    findings += _of_the_account(endpoint)
    findings += [_of_an_origin(origin) for origin in endpoint.worker_origins]
    findings.append(_of_our_page())
    findings.append(_of_the_queue(endpoint))
    return findings


def _of_the_account(endpoint: Endpoint) -> Iterator[Finding]:
    values = {"endpoint": endpoint.label, "url": endpoint.url}
    try:
        balance, ahead = mturk.probe(endpoint.key)
    except mturk.NoAccess as refusal:
        yield Finding("key", PROBLEM, str(refusal))
        return
    except (mturk.Unavailable, mturk.Rejected, mturk.MissingClient) as error:
        yield Finding("reachable", PROBLEM, str(error))
        return
    yield Finding("reachable", OK, _("{endpoint} answers at {url}.").format(**values))
    yield Finding("key", OK, _("It accepts our access key."))
    if abs(ahead) > TOLERATED_SKEW_SECONDS:
        sentence = _("Its clock and ours differ by {seconds} s: set this machine's clock by a time server.")
        yield Finding("clock", WARNING, sentence.format(seconds=round(abs(ahead))))
    else:
        yield Finding("clock", OK, _("Its clock and ours agree."))
    yield _of_the_balance(endpoint, Decimal(balance))
    yield _of_qualification_types(endpoint)


def _of_the_balance(endpoint: Endpoint, balance_usd: Decimal) -> Finding:
    is_sandbox = balance_usd == SANDBOX_BALANCE
    if endpoint.pays_people and is_sandbox:
        sentence = _("The account holds ${balance}, as sandboxes do: perhaps this endpoint pays nobody.")
    elif not endpoint.pays_people and not is_sandbox:
        sentence = _(
            "This endpoint is set to pay nobody, but its account holds ${balance}, which no sandbox says. If approved "
            "work costs money there, set pays_people before anything is launched."
        )
    elif endpoint.pays_people and balance_usd <= 0:
        sentence = _("The account holds ${balance}: nothing can be published before funds are added.")
    else:
        sentence = _("The account holds ${balance}.")
        return Finding("balance", OK, sentence.format(balance=balance_usd))
    return Finding("balance", WARNING, sentence.format(balance=balance_usd))


def _of_qualification_types(endpoint: Endpoint) -> Finding:
    subject = "qualification types"
    try:
        mturk.may_create_qualification_types(endpoint.key)
    except (mturk.Unavailable, mturk.Rejected) as error:
        sentence = _("It does not let us create qualification types, without which nothing is published: {why}")
        return Finding(subject, PROBLEM, sentence.format(why=error))
    return Finding(subject, OK, _("It lets us create qualification types."))


def _of_an_origin(origin: str) -> Finding:
    if problem := _no_answer(origin):
        sentence = _("The worker site {origin} does not answer from this machine: {why}")
        return Finding("worker site", PROBLEM, sentence.format(origin=origin, why=problem))
    return Finding("worker site", OK, _("The worker site {origin} answers.").format(origin=origin))


def _of_our_page() -> Finding:
    """Workers' browsers load our page from PLATFORM_URL; from here only its address can be judged."""
    subject, url = "work page", settings.PLATFORM_URL
    parts = urlsplit(url)
    if _is_local(parts.hostname or ""):
        sentence = _("Work pages are at {url}: only browsers on this machine or network reach it. Set PLATFORM_URL.")
        return Finding(subject, WARNING, sentence.format(url=url))
    if parts.scheme != "https":
        sentence = _("Work pages are at {url}: worker sites behind https show no page that is not. Use https.")
        return Finding(subject, PROBLEM, sentence.format(url=url))
    if problem := _no_answer(url):
        sentence = _("Work pages are at {url}, which does not answer from this machine: {why}")
        return Finding(subject, PROBLEM, sentence.format(url=url, why=problem))
    return Finding(subject, OK, _("Work pages are at {url}, which answers.").format(url=url))


def _is_local(host: str) -> bool:
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        return host == "localhost" or "." not in host or host.endswith((".localhost", ".local", ".internal"))


def _no_answer(url: str) -> str:
    """Why nothing answers at ``url``; empty if anything does, were it an error page."""
    try:
        with urllib.request.urlopen(url, timeout=PATIENCE_SECONDS):  # noqa: S310 - from the settings, checked there
            return ""
    except urllib.error.HTTPError:
        return ""
    except (OSError, ValueError) as error:
        return str(getattr(error, "reason", error))


def _of_the_queue(endpoint: Endpoint) -> Finding:
    if not endpoint.queue_url:
        return Finding("events", OK, _("No queue for events is set: what comes in is asked for every few seconds."))
    try:
        waiting = queues.waiting(endpoint)
    except queues.Unavailable as error:
        sentence = _("The queue for events does not work, and what comes in is asked for every few seconds: {why}")
        return Finding("events", WARNING, sentence.format(why=error))
    return Finding("events", OK, _("The queue for events answers. Messages in it: {n}.").format(n=waiting))
