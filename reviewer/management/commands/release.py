"""Release a project's dataset, hold a release against its manifest, or compare two."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from reviewer.management.projects import project_named
from reviewer.services.export import NotExportable
from scoring import release_files
from scoring.json_files import FileError

# Ids that a comparison prints of each kind.
IDS_SHOWN = 20


class Command(BaseCommand):
    help = (
        "Freeze the dataset of project SLUG as its next release and write it into a folder. Where nothing changed "
        "since the latest release, that one is written again. Or look at releases' folders, without a database."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="SLUG", nargs="?", help="the project's short name")
        parser.add_argument("--out", metavar="DIR", type=Path, help="the folder; missing or empty")
        parser.add_argument(
            "--hold-back-test",
            action="store_true",
            help="leave the answers of test out of DIR; they go into DIR-private",
        )
        parser.add_argument("--verify", metavar="DIR", type=Path, help="say what in DIR is not as it was released")
        parser.add_argument(
            "--diff", metavar=("EARLIER", "LATER"), nargs=2, type=Path, help="say what changed between two releases"
        )

    def handle(self, *, slug: str | None, out: Path | None, **options: Any) -> None:
        try:
            if options["verify"]:
                self._verify(options["verify"])
            elif options["diff"]:
                self._diff(*options["diff"])
            elif slug and out:
                self._release(slug, out, holds_back_test=options["hold_back_test"])
            else:
                raise CommandError("Name a project and a folder (SLUG --out DIR), or use --verify or --diff.")
        except (NotExportable, FileError) as refusal:
            raise CommandError(str(refusal)) from None
        except OSError as error:
            raise CommandError(f"{error.strerror or error}") from None

    def _release(self, slug: str, out: Path, *, holds_back_test: bool) -> None:
        from reviewer.services import releases

        project = project_named(slug)
        releases.targets(out, holds_back_test=holds_back_test)  # refused before a number is given
        release, is_new = releases.release(project, holds_back_test=holds_back_test)
        folders = releases.deliver(release, out)
        news = "" if is_new else ", where nothing changed since"
        self.stdout.write(f"{project.slug}, release {release.number}{news}: {', '.join(map(str, folders))}")
        for split, counts in release.manifest["counts"].items():
            told = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in counts.items())
            self.stdout.write(f"{split}: {told}")
        for warning in release.manifest["warnings"]:
            self.stdout.write(self.style.WARNING(warning))

    def _verify(self, folder: Path) -> None:
        found = release_files.faults(folder)
        if found:
            raise CommandError("\n".join(found))
        number = len(release_files.read_manifest(folder)["files"])
        self.stdout.write(f"{folder}: {number} files, all as they were released")

    def _diff(self, earlier: Path, later: Path) -> None:
        found = release_files.difference(*map(release_files.fingerprints, (earlier, later)))
        self._list("added", found.added)
        self._list("removed", found.removed)
        self._list("changed", [f"{question} ({', '.join(names)})" for question, names in found.changed.items()])

    def _list(self, what: str, questions: list[str]) -> None:
        self.stdout.write(f"{what}: {len(questions)}")
        for question in questions[:IDS_SHOWN]:
            self.stdout.write(f"  {question}")
        if len(questions) > IDS_SHOWN:
            self.stdout.write(f"  … and {len(questions) - IDS_SHOWN} more")
