"""The commands of docs/running-a-batch.md that are the marketplace's, as they stand there."""

import re
import shlex
from pathlib import Path

from django.core.management import call_command
from django.test import Client

from marketplace.models import RequesterProfile, User, WorkerProfile

from .test_invitations import sign_up

PAGE = Path(__file__).resolve().parents[3] / "docs" / "running-a-batch.md"
SETTINGS = " --settings config.settings.marketplace"


def test_ten_people_come_in_by_the_commands_of_the_page(capsys, settings):
    settings.MARKETPLACE_URL = "http://127.0.0.1:8001"
    commands = re.findall(rf"^ {{4}}manage\.py (.+){SETTINGS}$", PAGE.read_text(), re.MULTILINE)
    assert [shlex.split(command)[0] for command in commands] == ["create_operator", "create_invitation"]
    commands += re.findall(rf"`manage\.py (create_requester .+){SETTINGS}`", PAGE.read_text())
    for command in commands:
        call_command(*shlex.split(command))
    links = re.findall(r"http://127\.0\.0\.1:8001(/join/\S+)", capsys.readouterr().out)
    assert len(links) == 10
    browsers = [Client() for _ in links]
    for number, (browser, link) in enumerate(zip(browsers, links, strict=True)):
        assert sign_up(link, f"person{number}", browser).url == "/projects/"
    assert {browser.get("/projects/").status_code for browser in browsers} == {200}
    assert WorkerProfile.objects.count() == 10
    assert User.objects.get(username="lena").is_operator
    assert RequesterProfile.objects.get(name="Reading lab").available_usd == 500
