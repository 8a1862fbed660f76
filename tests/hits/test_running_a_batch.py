"""The commands of docs/running-a-batch.md that are the platform's, as they stand there, with people in between."""

import json
import re
import shlex

import pytest
from django.core.management import call_command

from accounts.models import User
from annotation.models import Project
from hits.models import Batch
from hits.services import publishing
from tests import environment

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

PAGE = environment.ROOT / "docs" / "running-a-batch.md"


def commands() -> dict[str, list[list[str]]]:
    """The platform's commands of the page, by name, in their order."""
    found: dict[str, list[list[str]]] = {}
    for line in re.findall(r"^ {4}manage\.py (.+)$", PAGE.read_text(), re.MULTILINE):
        if "config.settings.marketplace" not in line:
            words = shlex.split(line)
            found.setdefault(words[0], []).append(words)
    return found


def test_a_batch_is_run_by_the_commands_of_the_page(crowd, settings, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(environment.ROOT)
    crowd.become_endpoint(settings, pays_people=True)
    page = commands()
    assert set(page) == {
        *("createsuperuser", "create_project", "import_articles", "launch_batch"),
        *("approve_submitted", "show_money", "export_dataset"),
    }
    User.objects.create_superuser("ada", "ada@example.org", "pass word")

    def run(words: list[str]) -> str:
        capsys.readouterr()
        call_command(*words)
        return capsys.readouterr().out

    run(page["create_project"][0])
    run(page["import_articles"][0])
    price, launch, answers = page["launch_batch"]
    print(run(price))
    run(launch)
    batch = Batch.objects.get()
    assert str(batch.cap_usd) == launch[launch.index("--total") + 1]
    publishing.publish(batch)
    assert len(crowd.hits()) == batch.hits.count()
    site, _worker_id = crowd.worker()
    assert crowd.accept(site) is not None  # somebody without a history finds work
    run(page["approve_submitted"][0])
    money = json.loads(run(page["show_money"][0]))
    assert money["cap_usd"] == "100.00"
    export = [tmp_path / "dataset" if word == "dataset" else word for word in page["export_dataset"][0]]
    assert Project.objects.get().slug == "rivers"
    call_command(*map(str, export))
    assert answers[-1] == "--dry-run"
