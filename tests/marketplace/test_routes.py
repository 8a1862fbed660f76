"""Every address of the marketplace, as everybody who may ask for it: a route without an entry here fails.

An entry gives what a GET is answered, and what an empty POST is, for each of ROLES in turn: a status, or ``signin``
for being sent to the sign-in page.
"""

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from marketplace import clock
from marketplace.models import RequesterProfile
from marketplace.services import threads

from .conftest import id_in
from .recruiting import routes as doors
from .test_qualifications import own_type

pytestmark = pytest.mark.slow

ROLES = ("nobody", "worker", "other_worker", "requester")

WORKERS = "signin 200 200 403"
OWN = "signin 200 404 403"
FOR_ALL = "200 200 200 200"
REQUESTERS = "signin 403 403 200"
OPERATORS = "signin 404 404 404"  # an operator's own answers are in test_operator.py
NOT_THIS_WAY = "405 405 405 405"  # before anybody asks who it is

# Route: what a GET is answered, what a POST is. The tests' own hooks are left out: no site that people use has them.
ROUTES = {
    "": (FOR_ALL, "400 400 400 400"),  # a POST is the API's, and these are not signed
    "signin/": ("200 302 302 302", "200 302 302 302"),
    "signin/link/<str:token>/": ("410 410 410 410", "410 410 410 410"),  # nobody's link
    "signout/": (NOT_THIS_WAY, "302 302 302 302"),
    "projects/": (WORKERS, NOT_THIS_WAY),
    "projects/<id:group_id>/tasks": (WORKERS, NOT_THIS_WAY),
    "projects/<id:group_id>/tasks/accept_random": (NOT_THIS_WAY, "signin 302 302 403"),
    "projects/<id:group_id>/tasks/<id:hit_id>": (OWN, "signin 302 404 403"),
    "projects/<id:group_id>/tasks/<id:hit_id>/answers": (NOT_THIS_WAY, "signin 404 404 403"),  # no form of this HIT's
    "tasks/": (WORKERS, NOT_THIS_WAY),
    "qualifications/": (WORKERS, NOT_THIS_WAY),
    "qualifications/<id:type_id>/": (WORKERS, NOT_THIS_WAY),
    "qualifications/<id:type_id>/ask": (NOT_THIS_WAY, "signin 302 302 403"),
    "qualifications/<id:type_id>/test": ("signin 302 302 403", "signin 302 302 403"),  # to where one begins it
    "earnings/": (WORKERS, NOT_THIS_WAY),
    "projects/<id:group_id>/report": (WORKERS, "signin 400 400 403"),
    "tasks/<id:assignment_id>/rate": (OWN, "signin 400 404 403"),
    "tasks/record.csv": (WORKERS, NOT_THIS_WAY),
    "account/": ("signin 200 200 200", NOT_THIS_WAY),
    "account/password/": ("signin 200 200 200", "signin 400 400 400"),
    "account/data.json": (WORKERS, NOT_THIS_WAY),
    "messages/": (WORKERS, NOT_THIS_WAY),
    "messages/<id:customer_id>/": (OWN, "signin 400 404 403"),  # "other_worker" never had to do with the requester
    "requester/": (REQUESTERS, NOT_THIS_WAY),
    "requester/ledger/": (REQUESTERS, NOT_THIS_WAY),
    "requester/opinions/": (REQUESTERS, NOT_THIS_WAY),
    "requester/requests/": (REQUESTERS, NOT_THIS_WAY),
    "requester/requests/<id:request_id>/": (NOT_THIS_WAY, "signin 403 403 302"),
    "requester/messages/": (REQUESTERS, NOT_THIS_WAY),
    "requester/messages/<id:worker_id>/": (REQUESTERS, "signin 403 403 400"),
    "mturk/html/<id:hit_id>/<str:signature>": ("404 404 404 404", NOT_THIS_WAY),  # signed, and in a frame alone
    "mturk/externalSubmit": (NOT_THIS_WAY, "400 400 400 400"),  # nothing that a login allows or forbids
    "operator/": (OPERATORS, NOT_THIS_WAY),
    "operator/log/": (OPERATORS, NOT_THIS_WAY),
    "operator/workers/": (OPERATORS, NOT_THIS_WAY),
    "operator/workers/<id:worker_id>/": (OPERATORS, NOT_THIS_WAY),
    "operator/workers/<id:worker_id>/standing/": (NOT_THIS_WAY, OPERATORS),
    "operator/workers/<id:worker_id>/deactivate/": (NOT_THIS_WAY, OPERATORS),
    "operator/workers/<id:worker_id>/reactivate/": (NOT_THIS_WAY, OPERATORS),
    "operator/workers/<id:worker_id>/sign-in-link/": (NOT_THIS_WAY, OPERATORS),
    "operator/requesters/<id:customer_id>/sign-in-link/": (NOT_THIS_WAY, OPERATORS),
    "operator/requesters/": (OPERATORS, NOT_THIS_WAY),
    "operator/requesters/new/": (OPERATORS, OPERATORS),
    "operator/requesters/<id:customer_id>/": (OPERATORS, NOT_THIS_WAY),
    "operator/requesters/<id:customer_id>/funds/": (NOT_THIS_WAY, OPERATORS),
    "operator/requesters/<id:customer_id>/keys/": (NOT_THIS_WAY, OPERATORS),
    "operator/requesters/<id:customer_id>/keys/<int:pk>/revoke/": (NOT_THIS_WAY, OPERATORS),
    "operator/requesters/<id:customer_id>/name/": (NOT_THIS_WAY, OPERATORS),
    "operator/requesters/<id:customer_id>/rate/": (NOT_THIS_WAY, OPERATORS),
    "operator/workers/<id:worker_id>/erase/": (NOT_THIS_WAY, OPERATORS),
    "operator/payments/": (OPERATORS, NOT_THIS_WAY),
    "operator/payments/new/": (NOT_THIS_WAY, OPERATORS),
    "operator/payments/<int:pk>/": (OPERATORS, NOT_THIS_WAY),
    "operator/payments/<int:pk>/payout.csv": (OPERATORS, NOT_THIS_WAY),
    "operator/payments/<int:pk>/paid/": (NOT_THIS_WAY, OPERATORS),
    "operator/payments/<int:pk>/cancel/": (NOT_THIS_WAY, OPERATORS),
    "account/payment/": (WORKERS, "signin 302 302 403"),
    "operator/reports/": (OPERATORS, NOT_THIS_WAY),
    "operator/reports/<int:pk>/settle/": (NOT_THIS_WAY, OPERATORS),
    "operator/faults/": (OPERATORS, OPERATORS),
    "operator/faults/off/": (NOT_THIS_WAY, OPERATORS),
    "operator/faults/<int:pk>/off/": (NOT_THIS_WAY, OPERATORS),
    **doors.ROUTES,
}


def routes() -> list[str]:
    return [route for route in _walk(get_resolver()) if not route.startswith("_test/")]


def _walk(resolver: URLResolver, prefix: str = ""):
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLPattern):
            yield prefix + str(pattern.pattern)
        else:
            yield from _walk(pattern, prefix + str(pattern.pattern))


@pytest.fixture
def address_of(requester, worker):
    """A route's address, with the ids of what ``worker`` holds of ``requester``'s in it."""
    hit_type = requester.hit_type()
    hits = [requester.hit(hit_type, MaxAssignments=5) for _ in range(3)]
    done, held = worker.do(hits[0]), worker.accept(hits[0])
    threads.write_to_requester(worker.profile, RequesterProfile.objects.get(), "A question", "How?", clock.now())
    ids = {
        "<id:group_id>": hits[1]["HITGroupId"],
        "<id:hit_id>": hits[1]["HITId"],
        "<id:assignment_id>": done,
        "<id:customer_id>": requester.customer_id,
        "<id:worker_id>": worker.worker_id,
        "<int:pk>": 1,
        "<id:request_id>": "3NOBODYSREQUEST",
        "<id:type_id>": own_type(requester),
        **doors.PLACEHOLDERS,
    }

    def address(route: str) -> str:
        if "<id:hit_id>" in route:
            route += f"?assignment_id={id_in(held)}"
        for placeholder, value in ids.items():
            route = route.replace(placeholder, str(value))
        return f"/{route}"

    return address


@pytest.fixture
def people(requester, worker, new_worker):
    users = {
        "worker": worker.profile.user,
        "other_worker": new_worker().profile.user,
        "requester": RequesterProfile.objects.get().user,
    }

    def client_of(role: str) -> Client:
        client = Client()
        if role != "nobody":
            client.force_login(users[role])
        return client

    return client_of


def test_every_route_says_who_may_ask_for_it():
    assert [route for route in routes() if route not in ROUTES] == []


def test_no_route_is_spoken_of_that_is_gone():
    assert set(ROUTES) <= set(routes())


@pytest.mark.parametrize("route", list(ROUTES), ids=lambda route: route or "/")
def test_a_route_answers_each_as_it_says(route, address_of, people):
    address = address_of(route)
    # Those who may not come first, so that nobody is refused only because the thing is gone.
    got = {
        (role, method): _answer(getattr(people(role), method)(address))
        for method in ("get", "post")
        for role in ("nobody", "requester", "other_worker", "worker")
    }
    for method, expected in zip(("get", "post"), ROUTES[route], strict=True):
        assert " ".join(got[role, method] for role in ROLES) == expected, f"{method.upper()} {address}"


def _answer(response) -> str:
    if response.status_code == 302 and response.url.startswith("/signin/"):
        return "signin"
    return str(response.status_code)
