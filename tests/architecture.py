"""What the installed models and migrations lean on, for the two sites' tests of the rooms' order."""

from collections.abc import Iterator, Sequence

from django.apps import apps
from django.conf import settings
from django.db.migrations.loader import MigrationLoader


def rooms() -> set[str]:
    """The installed apps that are ours: what stands in the repository."""
    return {
        app.label for app in apps.get_app_configs() if app.path == str(settings.BASE_DIR / app.name.replace(".", "/"))
    }


def references() -> Iterator[tuple[str, str, str]]:
    """Every foreign key, one-to-one and many-to-many of our models: its room, its name, the app it points to."""
    for model in apps.get_models(include_auto_created=True):
        app = model._meta.app_label
        if app in rooms():
            for field in [*model._meta.local_fields, *model._meta.local_many_to_many]:
                if field.related_model is not None:
                    yield app, f"{model.__name__}.{field.name}", field.related_model._meta.app_label


def migration_dependencies() -> Iterator[tuple[str, str, str]]:
    """Every dependency of our migrations: its room, the migration's name, the app it depends on."""
    for (app, name), migration in MigrationLoader(None, ignore_no_migrations=True).disk_migrations.items():
        if app in rooms():
            for other, _ in [*migration.dependencies, *migration.run_before]:
                yield app, name, other


def climbing(arrows: Iterator[tuple[str, str, str]], top_down: Sequence[str]) -> list[str]:
    """Those ``arrows`` that lead from a room to one above it. Django's own apps stand below every room."""
    height = {room: -index for index, room in enumerate(top_down)}
    bottom = -len(top_down)
    return [
        f"{room}: {name} -> {target}"
        for room, name, target in arrows
        if height.get(target, bottom) > height.get(room, bottom)
    ]
