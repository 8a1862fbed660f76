"""Panels, studies and their participants, as they come in by a link."""

import itertools
import re
import threading

import pytest
from django.db import connection
from django.test import Client

from marketplace import clock
from marketplace.models import HITType
from marketplace.recruiting.models import Panel, PanelStudy, StudyHITType, Visit
from marketplace.recruiting.services import presets
from marketplace.services import accounts

from ..conftest import id_in, submit

_numbers = itertools.count(1)


def at_once(count: int, act) -> list:
    """What ``act(0)`` to ``act(count - 1)`` return, each in a thread and all at the same moment."""
    gate, results = threading.Barrier(count), [None] * count

    def run(index: int) -> None:
        gate.wait()
        try:
            results[index] = act(index)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(index,)) for index in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


@pytest.fixture
def operator() -> Client:
    """A signed-in operator's browser."""
    browser = Client()
    browser.force_login(accounts.create_operator("lena", password="pass word"))
    return browser


@pytest.fixture
def new_panel():
    def make(kind: str = "prolific", **changes) -> Panel:
        preset = presets.PRESETS[kind]
        values = {
            "key": f"panel-{next(_numbers)}",
            "name": "Prolific",
            "kind": kind,
            "participant_parameter": preset.participant,
            "study_parameter": preset.study,
            "session_parameter": preset.session,
            "created_at": clock.now(),
        }
        return Panel.objects.create(**values | changes)

    return make


@pytest.fixture
def new_study(new_panel):
    """Make a study of HIT groups: ``new_study(hit, hits_wanted=2)``, each ``hit`` as the API gave it."""

    def make(*hits: dict, panel: Panel | None = None, **changes) -> PanelStudy:
        values = {
            "panel": panel or new_panel(),
            "name": "Reading about rivers",
            "complete_code": "DONE1",
            "screened_out_code": "OUT2",
            "quota_full_code": "FULL3",
            "created_at": clock.now(),
        }
        study = PanelStudy.objects.create(**values | changes)
        for type_id in {hit["HITTypeId"] for hit in hits}:
            StudyHITType.objects.create(study=study, hit_type=HITType.objects.get(type_id=type_id))
        return study

    return make


def shown_terms(page: str) -> dict[str, str]:
    """The form's field that says which terms ``page`` showed, nothing where there are none."""
    return dict(re.findall('name="(terms)" value="([0-9]+)"', page))


class Visitor:
    """Somebody whom the panel sent: their ids and their browser."""

    def __init__(self, study: PanelStudy, participant: str = "60aa", session: str = "70bb", external: str = "80cc"):
        self.study = study
        self.browser = Client()
        self.query = {"PROLIFIC_PID": participant, "STUDY_ID": external, "SESSION_ID": session}

    @property
    def link(self) -> str:
        return f"/study/{self.study.key}/?" + "&".join(f"{name}={value}" for name, value in self.query.items())

    def start(self):
        """Open the link and press the button; the page that it leads to."""
        return self.press(self.browser.get(self.link).content.decode())

    def press(self, page: str):
        """Press the button of ``page``, which the link showed before."""
        return self.browser.post(self.link, shown_terms(page), follow=True)

    def see(self) -> str:
        return self.browser.get("/study/visit/").content.decode()

    def accept(self, hit: dict):
        return self.browser.post(f"/projects/{hit['HITGroupId']}/tasks/accept_random")

    def do(self, hit: dict, **fields) -> str:
        """Accept and submit; the assignment's id."""
        answer = self.accept(hit)
        assert answer.status_code == 302, answer.content
        assignment_id = id_in(answer.url)
        assert submit(assignment_id, **fields or {"q": "the Ilve"}).status_code == 200
        return assignment_id

    @property
    def visit(self) -> Visit:
        return Visit.objects.get(study=self.study, participant__participant_id=self.query["PROLIFIC_PID"])


@pytest.fixture
def visitor():
    return Visitor
