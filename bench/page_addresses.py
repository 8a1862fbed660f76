"""Under the platform's settings: the address of every page and list of a project, as its requester asks for them.

They come from the routes themselves, so that a new page is measured without anybody's thinking of it; a route that
asks for something that has no value here is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from django.apps import apps
from django.db.models import Model
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from annotation.models import Article, Assignment, CurationRun, Paragraph, PassageAct, Project, Question
from hits.models import HIT, Batch, Bonus, LedgerEntry, RehearsalRun
from reviewer.models import ReasoningSample, Release, ReleaseRun, ReviewRules, SecondLook
from reviewer.services.queue import place_of

# What belongs to no project or to nobody who is signed in, what only takes in, and files, which are handed on as they
# lie on the disk; and answers weighed by crowd-kit, an extra that need not be installed.
_LEFT_OUT = (
    "api/v1/agreement/<slug:slug>/aggregation",
    *("admin/login/", "admin/logout/", "admin/password_change/", "admin/jsi18n/", "admin/autocomplete/", "admin/r/"),
    *("admin/^(?P<app_label>", "admin/(?P<url>", "admin/accounts/", "admin/search/", "styleguide/", "work/", "static/"),
    *("api/v1/schema", "api/v1/work/", "health", "accounts/"),
)
_PLACEHOLDER = re.compile(r"<(?:\w+:)?(\w+)>")


class NoValue(Exception):
    """A route asks for something that this module does not know a value of."""


def addresses(project: Project) -> dict[str, str]:
    """Every address by a name to show, long lists far in and narrowed too. Raises NoValue."""
    rows = _Rows(project)
    found = {}
    for route, name in _routes(get_resolver()):
        if not route.startswith(_LEFT_OUT) and not route.endswith("<path:object_id>/"):
            found[name or route or "home"] = f"/{rows.fill(route)}"
    return found | rows.narrowed()


def _routes(resolver: URLResolver, prefix: str = "") -> Iterator[tuple[str, str]]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLPattern):
            yield prefix + str(pattern.pattern), pattern.name or ""
        else:
            yield from _routes(pattern, prefix + str(pattern.pattern))


class _Rows:
    """The rows of ``project`` that addresses are about: the ones with the most around them."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.waiting = Assignment.objects.filter(status=Assignment.Status.SUBMITTED).latest("pk")
        self.done = Assignment.objects.filter(status=Assignment.Status.APPROVED, task__kind="answer").earliest("pk")
        self.release = Release.objects.in_project(project).latest("number")
        self.sample = ReasoningSample.objects.latest("pk")
        self.rows: dict[str, Model] = {
            "project": project,
            "paragraph": Paragraph.objects.earliest("pk"),
            "article": Article.objects.earliest("pk"),
            "question": Question.objects.filter(assignment=self.done.pk).first() or Question.objects.earliest("pk"),
            "assignment": self.waiting,
            "batch": Batch.objects.filter(kind="write").latest("pk"),
            "hit": HIT.objects.earliest("pk"),
            "ledgerentry": LedgerEntry.objects.earliest("pk"),
            "bonus": Bonus.objects.latest("pk"),
            "look": SecondLook.objects.latest("pk"),
            "curation": CurationRun.objects.latest("pk"),
            "decision": PassageAct.objects.latest("pk"),
            "release": self.release,
            "run": ReleaseRun.objects.latest("pk"),
            "rehearsal": RehearsalRun.objects.latest("pk"),
            "rules": ReviewRules.objects.latest("pk"),
            "sample": self.sample,
            "worker": self.done.worker,
        }

    def fill(self, route: str) -> str:
        """``route`` with values for its placeholders. Raises NoValue."""
        parts = route.split("/")
        subject = next((before for before, part in pairwise(parts) if part in _OF_SUBJECT), "")

        def value(match: re.Match[str]) -> str:
            name = match[1]
            if name in ("pk", "object_id"):
                return str(self._row(subject, route).pk)
            if name == "slug":
                return self.project.slug
            if name in _FIXED:
                return _FIXED[name]
            if name == "number":
                if route.startswith("releases/"):
                    return str(self.release.number)
                return "1" if "/kept/" in route else "0"
            if name == "name":
                return next((file for part, file in _FILES.items() if part in route), "manifest.json")
            return str(self._row(name.removesuffix("_pk"), route).pk)

        return _PLACEHOLDER.sub(value, route)

    def _row(self, name: str, route: str) -> Model:
        row = self.rows.get(_SINGULARS.get(name, name.removesuffix("s")))
        if row is None and (found := re.match(r"admin/(\w+)/(\w+)/<path:object_id>/", route)):
            row = apps.get_model(*found.groups())._default_manager.order_by("pk").first()
        if row is None:
            raise NoValue(f"{route}: bench/page_addresses.py has no row for {name!r}")
        return row

    def narrowed(self) -> dict[str, str]:
        """Lists narrowed, and far in."""
        slug, pk = [self.project.slug], [self.project.pk]
        queue, listed = reverse("review_queue", args=slug), reverse("admin:annotation_passage_list", args=pk)
        agreement, questions = reverse("agreement", args=slug), reverse("agreement_questions", args=slug)
        decisions = reverse("admin:annotation_passage_decisions", args=pk)
        return {
            "review_queue, approved": f"{queue}?state=approved",
            "review_queue, all, far in": f"{queue}?state=all&after={place_of(self.done)}",
            "review_queue, by worker": f"{queue}?state=all&worker={self.done.worker_id}",
            "review_queue, by signal": f"{queue}?signal=too_fast",
            "review_many, all": f"{reverse('review_many', args=slug)}?all=1",
            "review_assignment, approved": reverse("review_assignment", args=[*slug, self.done.pk]),
            "agreement, test": f"{agreement}?split=test",
            "agreement, train": f"{agreement}?split=train",
            "agreement_questions, far in": f"{questions}?page=200",
            "passage_list, far in": f"{listed}?page=400",
            "passage_list, searched": f"{listed}?q=berel",
            "passage_list, by split": f"{listed}?split=dev",
            "passage_decisions, before": f"{decisions}?before={self.rows['decision'].pk}",
        }


# Files that addresses end in, by a part of the address; else a release's.
_FILES = {"curations/": "passages.report.json", "release/": "train-v1.1.json"}
_OF_SUBJECT = {"<int:pk>", "<path:object_id>"}
_SINGULARS = {"reviews": "assignment", "batches": "batch", "bonuses": "bonus", "release-runs": "run", "runs": "run"}
_FIXED = {"action": "end", "key": "marketplace", "table": "measures", "act_pk": "1", "gold_pk": "1"}
