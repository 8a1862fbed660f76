"""The marketplace stands apart: its tables and migrations lean on nothing but itself and Django."""

from tests import architecture


def test_the_marketplace_is_the_only_room_of_its_site():
    assert architecture.rooms() == {"marketplace"}


def test_its_foreign_keys_and_migrations_stay_within_the_site():
    arrows = [*architecture.references(), *architecture.migration_dependencies()]
    assert ("marketplace", "WorkerProfile.user", "marketplace") in arrows
    assert {target for _room, _name, target in arrows} <= {"marketplace", "auth", "contenttypes", "sessions"}
