"""The demo's file for scripts, and its part on the platform."""

import json
import subprocess

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from annotation.models import Membership, Project
from supervisor.demo import env_file


def test_the_env_file_gives_a_shell_every_value_to_the_letter(tmp_path):
    values = {"ADMIN_PASSWORD": 'it\'s $HOME; `x` \\ "q"', "DATABASE_URL": "postgres://postgres@/platform?host=%2Ftmp"}
    path = tmp_path / "env"
    path.write_text(env_file(values))
    script = f'. "{path}"; printf "%s\\n" "$ADMIN_PASSWORD" "$DATABASE_URL" "${{AWS_PROFILE-gone}}"'
    shown = subprocess.run(["sh", "-c", script], env={"AWS_PROFILE": "work"}, capture_output=True, text=True)
    assert shown.stdout.splitlines() == [*values.values(), "gone"]


@pytest.fixture
def passwords(monkeypatch):
    monkeypatch.setenv("REQUESTER_PASSWORD", "first")
    monkeypatch.setenv("ADMIN_PASSWORD", "second")


@pytest.mark.django_db
def test_the_platform_gets_two_logins_and_a_project_with_passages_once(passwords, capsys):
    call_command("seed_demo")
    said = json.loads(capsys.readouterr().out)
    project = Project.objects.get(slug=said["project"])
    paragraphs = project.paragraphs.count()
    assert paragraphs > 0
    assert said["project_name"] == project.name

    requester, admin = User.objects.get(username="requester"), User.objects.get(username="admin")
    assert (requester.is_staff, requester.is_superuser) == (True, False)
    assert (admin.is_staff, admin.is_superuser) == (True, True)
    assert requester.check_password("first")
    assert admin.check_password("second")
    assert Membership.objects.get(project=project, user=requester).role == Membership.Role.REQUESTER

    call_command("seed_demo")
    assert (User.objects.count(), Project.objects.count()) == (2, 1)
    assert project.paragraphs.count() == paragraphs


@pytest.mark.django_db
def test_a_login_without_a_password_is_not_made(passwords, monkeypatch):
    monkeypatch.delenv("ADMIN_PASSWORD")
    with pytest.raises(CommandError, match="ADMIN_PASSWORD must hold a password"):
        call_command("seed_demo")
    assert User.objects.count() == 0
