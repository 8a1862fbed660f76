"""The marketplace stands apart: its tables and migrations lean on nothing but itself and Django."""

from tests import architecture

TOP_DOWN = ["recruiting", "marketplace"]


def test_the_marketplace_and_its_doors_are_the_only_rooms_of_their_site():
    assert architecture.rooms() == set(TOP_DOWN)


def test_their_foreign_keys_and_migrations_stay_within_the_site():
    arrows = [*architecture.references(), *architecture.migration_dependencies()]
    assert ("marketplace", "WorkerProfile.user", "marketplace") in arrows
    assert {target for _room, _name, target in arrows} <= {*TOP_DOWN, "auth", "contenttypes", "sessions"}


def test_the_doors_lean_on_the_core_and_the_core_on_no_door():
    arrows = [*architecture.references(), *architecture.migration_dependencies()]
    assert ("recruiting", "InvitationUse.worker", "marketplace") in arrows
    assert architecture.climbing(iter(arrows), TOP_DOWN) == []
