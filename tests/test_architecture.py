"""The rooms' order on the platform: for imports, foreign keys and migrations alike."""

import subprocess
from pathlib import Path
from sys import executable

from tests import architecture, environment

TOP_DOWN = ["reviewer", "hits", "annotation", "accounts"]


def test_every_room_of_the_platform_has_its_place_in_the_order():
    assert architecture.rooms() == set(TOP_DOWN)


def test_imports_keep_the_contracts_of_pyproject():
    lint = Path(executable).with_name("lint-imports")
    done = subprocess.run([lint, "--no-logo"], cwd=environment.ROOT, capture_output=True, text=True)
    assert "0 broken" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 0


def test_foreign_keys_lead_to_the_same_room_or_a_lower_one():
    references = list(architecture.references())
    assert ("hits", "Batch.project", "annotation") in references
    assert architecture.climbing(iter(references), TOP_DOWN) == []


def test_migrations_depend_on_the_same_room_or_a_lower_one():
    dependencies = list(architecture.migration_dependencies())
    assert ("annotation", "0001_initial", "accounts") in {
        (room, name, "accounts" if other == "__setting__" else other) for room, name, other in dependencies
    }
    assert architecture.climbing(iter(dependencies), TOP_DOWN) == []


def test_an_arrow_that_climbs_is_found_and_one_that_goes_down_is_not():
    arrows = [("annotation", "Task.batch", "hits"), ("hits", "HIT.task", "annotation"), ("hits", "x", "auth")]
    assert architecture.climbing(iter(arrows), TOP_DOWN) == ["annotation: Task.batch -> hits"]
