"""A folder of data is migrated again after any app's migrations have changed."""

from django.apps import apps

from supervisor.stack import migration_files
from tests.environment import ROOT


def test_the_migrations_of_every_app_of_ours_are_looked_at():
    looked_at = {file.parent.parent for file in migration_files()}
    for app in apps.get_app_configs():
        folder = ROOT / app.name.replace(".", "/")
        assert not (folder / "migrations").is_dir() or folder in looked_at, app.name
    assert ROOT / "marketplace" / "recruiting" in looked_at, "an app inside a room"
