"""Every address of the platform, as everybody who may ask for it: a route without an entry here fails.

A line gives the status of a GET for, in this order: nobody signed in, a signed-in stranger to the project, and its
viewer, reviewer, requester, and a superuser.
"""

from decimal import Decimal
from itertools import pairwise

import pytest
from django.contrib import admin
from django.contrib.contenttypes.models import ContentType
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from annotation.models import CurationRun, Membership, PassageAct, Verdict
from hits.models import HIT, Batch, Bonus, HITType, LedgerEntry, RehearsalRun
from reviewer.models import ReleaseRun, SecondLook
from reviewer.services import reasoning
from tests.annotation.factories import (
    make_article,
    make_assignment,
    make_import,
    make_member,
    make_offer,
    make_paragraph,
    make_project,
    make_question,
    make_superuser,
    make_task,
    make_user,
)
from tests.reviewer.factories import make_release

pytestmark = pytest.mark.slow

ROLES = ("nobody", "outsider", "viewer", "reviewer", "requester", "superuser")

# What Django's admin does: to its login without one; to its index where the row is not among one's own.
LIST = "302 200 200 200 200 200"
ROW = "302 302 200 200 200 200"
NOBODY_MAY = "302 403 403 403 403 403"
SUPERUSERS = "302 403 403 403 403 200"
FORWARDED = "302 302 302 302 302 302"
# A page of one project: not there for strangers.
PAGE = "302 404 200 200 200 200"
REQUESTERS_PAGE = "302 404 403 403 200 200"
REVIEWERS_PAGE = "302 404 403 200 200 200"
# The API: lists hold one's own rows alone.
OWN_ROWS = "401 200 200 200 200 200"
OWN_ROW = "401 404 200 200 200 200"
POST_ALONE = "405 405 405 405 405 405"
POST_ALONE_SIGNED_IN = "302 405 405 405 405 405"
TOKEN_ALONE = "403 403 403 403 403 403"

MODEL_ROUTES = {"changelist": LIST, "add": NOBODY_MAY, "change": ROW, "history": ROW, "delete": NOBODY_MAY}

# Where a model's admin does otherwise than MODEL_ROUTES.
EXCEPTIONS = {
    "annotation_project_add": LIST,
    "hits_batch_change": FORWARDED,
    "hits_endpointstanding_changelist": "302 403 403 403 200 200",
    "accounts_user_changelist": SUPERUSERS,
    "accounts_user_add": SUPERUSERS,
    "accounts_user_change": SUPERUSERS,
    "accounts_user_history": SUPERUSERS,
    "accounts_user_delete": SUPERUSERS,
}

ROUTES = {
    # The worker's page has no login: what it may do hangs on its signed token.
    "work/<uuid:key>/": "200 200 200 200 200 200",
    "work/<uuid:key>/guide/": "200 200 200 200 200 200",
    "work/code/<slug:digest>/<str:name>": "200 200 200 200 200 200",
    "api/v1/work/draft": TOKEN_ALONE,
    "api/v1/work/finish": TOKEN_ALONE,
    "api/v1/work/notes": TOKEN_ALONE,
    "api/v1/work/quiz": TOKEN_ALONE,
    "api/v1/batches": OWN_ROWS,
    "api/v1/batches/<int:pk>": OWN_ROW,
    "api/v1/batches/<int:pk>/<slug:action>": "401 405 405 405 405 405",
    "api/v1/hits": OWN_ROWS,
    "api/v1/hits/<int:pk>": OWN_ROW,
    "api/v1/assignments": OWN_ROWS,
    "api/v1/assignments/<int:pk>": OWN_ROW,
    "api/v1/ledger": OWN_ROWS,
    "api/v1/bonuses": OWN_ROWS,
    "api/v1/bonuses/<int:pk>": OWN_ROW,
    "styleguide/": LIST,
    "styleguide/<slug:name>/": LIST,
    "api/v1/agreement/<slug:slug>": OWN_ROW,
    "api/v1/projects/<slug:slug>/passages": OWN_ROW,
    "api/v1/projects/<slug:slug>/articles": OWN_ROW,
    "api/v1/projects/<slug:slug>/paragraphs": OWN_ROW,
    "api/v1/projects/<slug:slug>/paragraphs/<int:pk>": OWN_ROW,
    "api/v1/projects/<slug:slug>/paragraphs/<int:pk>/repair": "401 405 405 405 405 405",
    "api/v1/projects/<slug:slug>/repairs": OWN_ROW,
    "api/v1/projects/<slug:slug>/decisions": OWN_ROW,
    "api/v1/projects/<slug:slug>/decisions/<int:pk>/undo": "401 405 405 405 405 405",
    "api/v1/projects/<slug:slug>/splits": OWN_ROW,
    "api/v1/projects/<slug:slug>/curations": OWN_ROW,
    "api/v1/projects/<slug:slug>/curations/<int:pk>": OWN_ROW,
    "api/v1/projects/<slug:slug>/curations/<int:pk>/<slug:action>": "401 405 405 405 405 405",
    # The file is not there: a member is told so, and a stranger no more than that.
    "api/v1/projects/<slug:slug>/curations/<int:pk>/files/<str:name>": "401 404 404 404 404 404",
    "api/v1/agreement/<slug:slug>/more": "401 404 403 403 200 200",
    "api/v1/agreement/<slug:slug>/questions": OWN_ROW,
    # Asked without naming a method.
    "api/v1/agreement/<slug:slug>/aggregation": "401 404 400 400 400 400",
    "api/v1/agreement/<slug:slug>/aggregation/questions": "401 404 400 400 400 400",
    "api/v1/schema": "401 200 200 200 200 200",
    "": "200 302 302 302 302 302",
    "dashboard/<slug:slug>/": PAGE,
    "dashboard/<slug:slug>/standing/": PAGE,
    "dashboard/<slug:slug>/report.html": PAGE,
    "dashboard/<slug:slug>/report.pdf": PAGE,
    "api/v1/dashboard/<slug:slug>": OWN_ROW,
    "review/<slug:slug>/": PAGE,
    "review/<slug:slug>/next/": "302 404 403 302 302 302",
    "review/<slug:slug>/many/": REVIEWERS_PAGE,
    "review/<slug:slug>/many/<int:act_pk>/undo/": POST_ALONE,
    "review/<slug:slug>/many/<int:act_pk>/tell/": POST_ALONE,
    "review/<slug:slug>/second/": PAGE,
    "review/<slug:slug>/second/<int:look_pk>/": REVIEWERS_PAGE,
    "review/<slug:slug>/second/<int:look_pk>/withdraw/": POST_ALONE,
    "review/<slug:slug>/rules/": PAGE,
    "review/<slug:slug>/gold/": PAGE,
    "review/<slug:slug>/gold/<int:gold_pk>/retire/": POST_ALONE,
    "review/<slug:slug>/assignments/<int:pk>/": PAGE,
    "review/<slug:slug>/assignments/<int:pk>/decide/": POST_ALONE,
    "review/<slug:slug>/assignments/<int:pk>/undo/": POST_ALONE,
    "review/<slug:slug>/assignments/<int:pk>/fix/": POST_ALONE,
    "review/<slug:slug>/assignments/<int:pk>/look/": POST_ALONE,
    "review/<slug:slug>/assignments/<int:pk>/note/": POST_ALONE,
    "review/<slug:slug>/assignments/<int:pk>/let-on/": POST_ALONE,
    "review/<slug:slug>/assignments/<int:pk>/verdict/": POST_ALONE,
    "api/v1/reviews": OWN_ROWS,
    "api/v1/reviews/many": "401 405 405 405 405 405",
    "api/v1/reviews/many/<int:act_pk>/undo": "401 405 405 405 405 405",
    "api/v1/reviews/<int:pk>": OWN_ROW,
    "api/v1/reviews/<int:pk>/<slug:action>": "401 405 405 405 405 405",
    "api/v1/reviews/<int:pk>/questions/<int:question_pk>/<slug:action>": "401 405 405 405 405 405",
    "agreement/<slug:slug>/": PAGE,
    "agreement/<slug:slug>/figures.csv": PAGE,
    "agreement/<slug:slug>/figures.json": PAGE,
    "agreement/<slug:slug>/questions/": PAGE,
    "agreement/<slug:slug>/more/": REQUESTERS_PAGE,
    "agreement/<slug:slug>/tables/<slug:table>.csv": PAGE,
    "reasoning/<slug:slug>/": PAGE,
    "reasoning/<slug:slug>/<int:sample_pk>/": PAGE,
    "reasoning/<slug:slug>/<int:sample_pk>/table.csv": PAGE,
    "reasoning/<slug:slug>/<int:sample_pk>/table.json": PAGE,
    "reasoning/<slug:slug>/<int:sample_pk>/labels.json": PAGE,
    "reasoning/<slug:slug>/<int:sample_pk>/label/": REVIEWERS_PAGE,
    "api/v1/reasoning/<slug:slug>": OWN_ROW,
    "api/v1/reasoning/<slug:slug>/<int:sample_pk>": OWN_ROW,
    "history/": SUPERUSERS,
    "history/<slug:slug>/": REQUESTERS_PAGE,
    "privacy/<slug:slug>/": REQUESTERS_PAGE,
    "privacy/<slug:slug>/looked/": REQUESTERS_PAGE,
    "privacy/<slug:slug>/workers/<int:pk>/": REQUESTERS_PAGE,
    "privacy/<slug:slug>/workers/<int:pk>/record.json": REQUESTERS_PAGE,
    "api/v1/workers/find": "401 405 405 405 405 405",
    "api/v1/workers/<int:pk>/record": "401 404 404 404 200 200",
    "api/v1/workers/<int:pk>/erasure": "401 404 404 404 200 200",
    "release/<slug:slug>/": REQUESTERS_PAGE,
    "release/<slug:slug>/<str:name>": REQUESTERS_PAGE,
    "releases/<slug:slug>/": PAGE,
    "releases/<slug:slug>/<int:number>/": PAGE,
    "releases/<slug:slug>/<int:number>/files/<path:name>": PAGE,
    "releases/<slug:slug>/<int:number>/all.zip": PAGE,
    "releases/<slug:slug>/<int:number>/key/": POST_ALONE,
    "releases/<slug:slug>/<int:number>/changes/": PAGE,
    "releases/<slug:slug>/<int:number>/check/": PAGE,
    "releases/<slug:slug>/runs/<int:pk>/": PAGE,
    "releases/<slug:slug>/runs/<int:pk>/standing/": PAGE,
    "releases/<slug:slug>/runs/<int:pk>/give-up/": POST_ALONE,
    "api/v1/releases": OWN_ROWS,
    "api/v1/releases/<int:pk>": OWN_ROW,
    "api/v1/releases/<int:pk>/files/<path:name>": OWN_ROW,
    "api/v1/releases/<int:pk>/key": "401 404 403 403 200 200",
    "api/v1/releases/<int:pk>/changes": OWN_ROW,
    "api/v1/releases/<int:pk>/verification": OWN_ROW,
    "api/v1/release-runs/<int:pk>": OWN_ROW,
    "admin/": LIST,
    "admin/login/": "200 302 302 302 302 302",
    "admin/logout/": POST_ALONE_SIGNED_IN,
    "admin/search/": LIST,
    "admin/password_change/": LIST,
    "admin/password_change/done/": LIST,
    "admin/autocomplete/": NOBODY_MAY,  # asked without naming a field
    "admin/jsi18n/": LIST,
    "admin/r/<path:content_type_id>/<path:object_id>/": "302 404 404 404 404 404",
    "admin/^(?P<app_label>accounts|annotation|hits)/$": LIST,
    "admin/(?P<url>.*)$": "302 404 404 404 404 404",
    "admin/accounts/user/<id>/password/": "302 403 403 403 403 200",
    "admin/accounts/user/tokens/": LIST,
    "admin/annotation/project/<int:pk>/home/": PAGE,
    "admin/annotation/project/<int:pk>/import/": REQUESTERS_PAGE,
    "admin/annotation/project/<int:pk>/passages/": PAGE,
    "admin/annotation/project/<int:pk>/passages/articles/": PAGE,
    "admin/annotation/project/<int:pk>/passages/paragraphs/": PAGE,
    "admin/annotation/project/<int:pk>/passages/paragraphs/<int:paragraph_pk>/": PAGE,
    "admin/annotation/project/<int:pk>/passages/paragraphs/<int:paragraph_pk>/shown/": PAGE,
    "admin/annotation/project/<int:pk>/passages/exclude/": REQUESTERS_PAGE,
    "admin/annotation/project/<int:pk>/passages/include/": REQUESTERS_PAGE,
    "admin/annotation/project/<int:pk>/passages/decisions/": PAGE,
    "admin/annotation/project/<int:pk>/passages/split/": REQUESTERS_PAGE,
    "admin/annotation/project/<int:pk>/passages/curations/": PAGE,
    "admin/annotation/project/<int:pk>/passages/curations/new/": REQUESTERS_PAGE,
    "admin/annotation/project/<int:pk>/passages/curations/<int:curation_pk>/": PAGE,
    "admin/annotation/project/<int:pk>/passages/curations/<int:curation_pk>/standing/": PAGE,
    "admin/annotation/project/<int:pk>/passages/curations/<int:curation_pk>/act/<slug:action>/": POST_ALONE_SIGNED_IN,
    # Nothing is kept yet, and the file is not there: a member is told so, and a stranger no more than that.
    "admin/annotation/project/<int:pk>/passages/curations/<int:curation_pk>/kept/": "302 404 404 404 404 404",
    "admin/annotation/project/<int:pk>/passages/curations/<int:curation_pk>/kept/<int:number>/shown/": (
        "302 404 404 404 404 404"
    ),
    "admin/annotation/project/<int:pk>/passages/curations/<int:curation_pk>/files/<str:name>": (
        "302 404 404 404 404 404"
    ),
    "admin/annotation/project/<int:pk>/passages/decisions/<int:act_pk>/undo/": POST_ALONE_SIGNED_IN,
    "admin/annotation/project/<int:pk>/guide/": REQUESTERS_PAGE,
    "admin/annotation/project/<int:pk>/guide/preview/": POST_ALONE_SIGNED_IN,
    "admin/annotation/project/<int:pk>/guide/<int:number>/": PAGE,
    "admin/hits/endpointstanding/<slug:key>/check/": POST_ALONE_SIGNED_IN,
    "admin/hits/batch/new/<int:project_pk>/": REQUESTERS_PAGE,
    "admin/hits/batch/new/<int:project_pk>/estimate/": REQUESTERS_PAGE,
    "admin/hits/batch/<int:pk>/life/": PAGE,
    "admin/hits/batch/<int:pk>/progress/": PAGE,
    "admin/hits/batch/<int:pk>/money/": PAGE,
    "admin/hits/batch/<int:pk>/fair-pay/": PAGE,
    "admin/hits/batch/reconcile/<int:project_pk>/": PAGE,
    "admin/hits/batch/ledger/<int:project_pk>/": PAGE,
    "admin/hits/batch/ledger/<int:project_pk>/ledger.csv": PAGE,
    "admin/hits/batch/<int:pk>/pause/": POST_ALONE_SIGNED_IN,
    "admin/hits/batch/<int:pk>/close/": POST_ALONE_SIGNED_IN,
    "admin/hits/batch/<int:pk>/resume/": POST_ALONE_SIGNED_IN,
    "admin/hits/batch/rehearsals/<int:project_pk>/<int:run_pk>/": PAGE,
    "admin/hits/batch/rehearsals/<int:project_pk>/<int:run_pk>/standing/": PAGE,
    "admin/hits/batch/workers/<int:project_pk>/": PAGE,
    "admin/hits/batch/who-may-work/<int:project_pk>/": REQUESTERS_PAGE,
    "admin/hits/batch/workers/<int:project_pk>/<int:worker_pk>/": PAGE,
    "admin/hits/batch/<int:pk>/act/<slug:action>/": REQUESTERS_PAGE,
}


def routes() -> dict[str, str]:
    """Every route of the platform with its expected statuses, empty where nobody has said them."""
    of_models = {
        f"{model._meta.app_label}_{model._meta.model_name}_{name}": statuses
        for model in admin.site._registry
        for name, statuses in MODEL_ROUTES.items()
    } | EXCEPTIONS
    return {
        route: ROUTES.get(route)
        or of_models.get(name or "")
        or (FORWARDED if route.endswith("<path:object_id>/") else "")
        for route, name in _walk(get_resolver())
    }


def _walk(resolver: URLResolver, prefix: str = ""):
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLPattern):
            yield prefix + str(pattern.pattern), pattern.name
        else:
            yield from _walk(pattern, prefix + str(pattern.pattern))


@pytest.fixture
def rows(db, settings, tmp_path):
    """A project with a row of every kind that an address may ask for, by model name."""
    settings.RELEASES_DIR = tmp_path
    project = make_project(slug="mills")
    paragraph = make_paragraph(article=make_article(project, split="train"))
    offer = make_offer(make_task(paragraph))
    assignment = make_assignment(offer, status="approved")
    question = make_question(paragraph, assignment=assignment)
    batch = Batch.objects.create(
        project=project, kind="write", endpoint="marketplace", units_per_hit=1, hourly_rate_usd=9, cap_usd=5
    )
    hit_type = HITType.objects.create(
        batch=batch, reward_usd=1, paid_seconds=240, allowed_seconds=720, auto_approval_seconds=1, title="Mills"
    )
    hit = HIT.objects.create(batch=batch, hit_type=hit_type, offer=offer, max_assignments=1, lifetime_seconds=60)
    return {
        "project": project,
        "article": paragraph.article,
        "paragraph": paragraph,
        "import": make_import(project),
        "question": question,
        "answer": question.answers.get(),
        "verdict": Verdict.objects.create(question=question, decision="keep", decided_by=make_user()),
        "assignment": assignment,
        "worker": assignment.worker,
        "batch": batch,
        "hit": hit,
        "bonus": Bonus.objects.create(
            batch=batch, assignment=assignment, worker=assignment.worker, amount_usd=1, fee_usd=0, reason="Thank you."
        ),
        "ledgerentry": LedgerEntry.objects.create(
            project=project, batch=batch, hit=hit, endpoint="marketplace", kind="reserve", amount_usd=Decimal(1)
        ),
        "look": SecondLook.objects.create(assignment=assignment, cause="asked", asked_by=make_user()),
        "reasoning_sample": reasoning.draw(project, "train", 1, 7, None),
        "rehearsal": RehearsalRun.objects.create(project=project, kind="write", asked={}, status="failed"),
        "curation": CurationRun.objects.create(project=project, place="upload", source_name="a.txt", asked={}),
        "decision": PassageAct.objects.create(project=project, kind="split", why="x", articles=1, paragraphs=1),
        "release": [make_release(project, number, private="{}\n") for number in (1, 2)][-1],
        "run": ReleaseRun.objects.create(project=project, asked={}),
        "user": make_user(),
        "offer": offer,
    }


@pytest.fixture
def people(rows):
    project = rows["project"]
    members = {role: make_member(project, role) for role in Membership.Role.values}
    return {"nobody": None, "outsider": make_user(), **members, "superuser": make_superuser()}


SINGULARS = {"reviews": "assignment", "batches": "batch", "bonuses": "bonus", "release-runs": "run"}


def address_of(route: str, rows) -> str:
    """``route`` with the ids of ``rows`` in it."""
    parts = route.split("/")
    # The row that an id is of is named right before it.
    named = [before for before, part in pairwise(parts) if part in {"<int:pk>", "<path:object_id>"}]
    row = (
        rows[SINGULARS.get(named[0]) or named[0].removesuffix("s")]
        if named and not route.startswith("admin/r/")
        else rows["project"]
    )
    if route.startswith("admin/r/"):
        return f"/admin/r/{ContentType.objects.get_for_model(rows['project']).pk}/{rows['project'].pk}/"
    values = {
        "<path:object_id>": row.pk,
        "<int:pk>": row.pk,
        "<id>": rows["user"].pk,
        "<int:project_pk>": rows["project"].pk,
        "<slug:slug>": rows["project"].slug,
        "<slug:action>": "end",
        "<slug:key>": "marketplace",
        "<int:worker_pk>": rows["worker"].pk,
        "<int:paragraph_pk>": rows["paragraph"].pk,
        "<int:act_pk>": 1,
        "<int:gold_pk>": 1,
        "<int:question_pk>": rows["question"].pk,
        "<int:look_pk>": rows["look"].pk,
        "<int:curation_pk>": rows["curation"].pk,
        "<int:sample_pk>": rows["reasoning_sample"].pk,
        "<int:run_pk>": rows["rehearsal"].pk,
        "<uuid:key>/": f"{rows['offer'].key}/",
        "<int:number>": rows["release"].number if route.startswith("releases/") else 0,
        "<path:name>": "manifest.json",
        "<slug:digest>/<str:name>": "0/work.js",
        "<slug:name>": "plain",
        "<str:name>": "train-v1.1.json",
        "<slug:table>": "measures",
        "^(?P<app_label>accounts|annotation|hits)/$": "annotation/",
        "(?P<url>.*)$": "no/such/page/",
    }
    for placeholder, value in values.items():
        route = route.replace(placeholder, str(value))
    return f"/{route}?hitId={rows['offer'].mturk_hit_id}" if route.startswith("work/") else f"/{route}"


def test_every_route_says_who_may_ask_for_it():
    assert [route for route, statuses in routes().items() if not statuses] == []


def test_no_route_is_spoken_of_that_is_gone():
    assert set(ROUTES) <= set(routes())


def test_each_route_answers_each_as_it_says(rows, people):
    clients = {role: Client() for role in ROLES}
    for role, client in clients.items():
        if people[role] is not None:
            client.force_login(people[role])
    addresses = {route: address_of(route, rows) for route in routes()}
    got = {
        route: " ".join(str(clients[role].get(address).status_code) for role in ROLES)
        for route, address in addresses.items()
    }
    assert got == routes()
