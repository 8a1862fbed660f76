"""Commands that read files alone, run as somebody does who has a release and neither a site nor a database."""

from io import StringIO

import pytest
from django.core.management import call_command

from tests.reviewer.commands import manage
from tests.reviewer.factories import make_split

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture
def folder(project, settings, tmp_path):
    settings.RELEASES_DIR = tmp_path / "kept"
    make_split(project, "dev", ["1340", "the year 1340", "1340"])
    call_command("release", project.slug, out=tmp_path / "mills-1", stdout=StringIO())
    return tmp_path / "mills-1"


def test_a_release_is_checked_and_compared(folder):
    done = manage("release", "--verify", folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(", all as they were released\n")
    done = manage("release", "--diff", folder, folder)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "added: 0\nremoved: 0\nchanged: 0\n")
    (folder / "attribution.json").unlink()
    done = manage("release", "--verify", folder)
    assert (done.returncode, done.stderr) == (1, "CommandError: attribution.json is missing.\n")


def test_a_check_against_the_database_says_that_there_is_none(folder):
    done = manage("release", "mills", "--verify", folder)
    assert done.returncode == 1
    assert done.stderr.startswith("CommandError: Projects are in the database, which DATABASE_URL names: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("command", "told"), [("human_performance", '"total": 1,'), ("agreement", "dev-v1.1.json: 1 question\n")]
)
def test_agreement_is_of_a_file_while_a_projects_is_asked_of_its_site(folder, command, told):
    done = manage(command, folder / "squad-v1.1" / "dev-v1.1.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert told in done.stdout
    done = manage(command, "--project=mills", "--split=dev")
    assert done.returncode == 1
    assert done.stderr.endswith("Set the SECRET_KEY environment variable\n")


def test_a_release_is_made_with_the_sites_own_key_and_its_own_checks(tmp_path):
    done = manage("release", "mills", "--out", tmp_path / "out")
    said = "A setting is wrong or missing; docs/production.md lists them. Set the SECRET_KEY environment variable\n"
    assert (done.returncode, done.stderr) == (1, said)
    assert "Traceback" in manage("release", "mills", "--out", tmp_path / "out", "--traceback").stderr
