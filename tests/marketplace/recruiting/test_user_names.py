"""One name is one person, however it is typed: in capitals, or in the full-width letters of some keyboards."""

from importlib import import_module

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection
from django.test import Client

from marketplace import clock
from marketplace.models import User
from marketplace.services import accounts

from .test_applications import apply, is_open  # noqa: F401  # a fixture
from .test_invitations import make_link, sign_up

PASSWORD = "seven grey herons"
WIDE = "ａｄａ２"  # what a Japanese keyboard writes for ada2


def signs_in(name: str) -> bool:
    return Client().post("/signin/", {"username": name, "password": PASSWORD}).status_code == 302


def test_who_signs_up_in_full_width_signs_in_in_any():
    assert sign_up(make_link(), WIDE, password=PASSWORD, password_again=PASSWORD).status_code == 302
    assert User.objects.get().username == "ada2"
    assert [signs_in(name) for name in (WIDE, "ada2", "Ada2", "ada3")] == [True, True, True, False]


@pytest.mark.parametrize(("first", "second"), [(WIDE, "ada2"), ("ada2", WIDE), ("ADA2", WIDE)])
def test_nobody_takes_anothers_name_in_other_letters(first, second):
    link = make_link(places=2)
    assert sign_up(link, first).status_code == 302
    answer = sign_up(link, second)
    assert (answer.status_code, "Somebody has this user name already" in answer.content.decode()) == (400, True)
    assert User.objects.count() == 1


def test_an_applicants_name_is_read_the_same_way(is_open):  # noqa: F811
    assert apply(WIDE).status_code == 302
    assert apply("ada2").status_code == 400
    assert User.objects.filter(username="ada2").count() == 1


def test_a_name_that_is_too_long_once_it_is_read_is_refused():
    answer = sign_up(make_link(), "ﷺ" * 20)
    assert answer.status_code == 400
    assert not User.objects.filter(is_operator=False).exists()


def test_commands_find_who_is_there(capsys):
    person = accounts.create_worker("ada2", clock.now(), password=PASSWORD)
    assert accounts.create_worker(WIDE, clock.now()) == person
    call_command("create_workers", names=WIDE, password=None)
    assert "(password unchanged)" in capsys.readouterr().out
    call_command("create_operator", WIDE)
    person.user.refresh_from_db()
    assert person.user.is_operator
    call_command("create_requester", "Lab", username=WIDE)
    call_command("create_requester", "Lab", username="ADA2")
    assert person.user.requester.name == "Lab"
    with pytest.raises(CommandError, match="1 to 150 characters"):
        call_command("create_requester", "Other", username="ﷺ" * 20)
    with pytest.raises(CommandError, match="dollars and cents"):
        call_command("create_requester", "Rich", funds="1E999999")
    assert User.objects.count() == 1


def test_the_database_refuses_a_name_that_nobody_could_sign_in_with():
    with pytest.raises(IntegrityError, match="username_is_nfkc"):
        User.objects.create(username=WIDE)


def test_names_of_before_are_brought_into_the_form_in_which_they_are_looked_up():
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE marketplace_user DROP CONSTRAINT username_is_nfkc")
    try:
        taken, late = User.objects.create(username="ada2"), User.objects.create(username=WIDE)
        alone = User.objects.create(username="ｇｒａｃｅ")
        import_module("marketplace.migrations.0016_user_names_as_they_are_typed").normalize(apps, None)
        names = dict(User.objects.values_list("pk", "username"))
        assert names == {taken.pk: "ada2", late.pk: f"ada2-{late.pk}", alone.pk: "grace"}
    finally:
        with connection.cursor() as cursor:
            cursor.execute(
                "ALTER TABLE marketplace_user "
                "ADD CONSTRAINT username_is_nfkc CHECK (username = NORMALIZE(username, NFKC))"
            )
