"""Make signed study links for a list of people."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ...models import PanelStudy
from ...services import links


class Command(BaseCommand):
    help = "Print id and signed link for each participant id in a file, for a panel whose links are signed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", help="the study's key: what stands after /study/ in its address")
        parser.add_argument("file", type=Path, help="participant ids, one a line")

    def handle(self, *args: Any, **options: Any) -> None:
        study = PanelStudy.objects.select_related("panel").filter(key=options["study"]).first()
        if study is None:
            raise CommandError(f"There is no study {options['study']!r}.")
        people = self._people(options["file"])
        try:
            made = [(name, links.signed_link(study, self._arrival(study, name))) for name in people]
        except links.BadLink as error:
            raise CommandError(str(error)) from None
        self.stdout.write("\n".join(f"{name}\t{link}" for name, link in made))

    @staticmethod
    def _arrival(study: PanelStudy, name: str) -> links.Arrival:
        # One session for each: who opens the link again goes on where they were.
        session_id = name if study.panel.session_parameter else ""
        study_id = (study.external_id or "1") if study.panel.study_parameter else ""
        return links.Arrival(name, study_id, session_id)

    @staticmethod
    def _people(path: Path) -> list[str]:
        try:
            lines = path.read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{path.name} cannot be read: {error}") from None
        people: dict[str, int] = {}
        for number, line in enumerate(lines, 1):
            name = line.strip()
            if not name:
                continue
            if not links.ID.fullmatch(name):
                raise CommandError(f"{path.name}, line {number}: {name[:50]!r} is not an id.")
            if name in people:
                raise CommandError(f"{path.name}: {name} is there twice, in lines {people[name]} and {number}.")
            people[name] = number
        if not people:
            raise CommandError(f"{path.name} holds no ids.")
        return list(people)
