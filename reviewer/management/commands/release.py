"""Release a project's dataset, hold a release against its manifest, or compare two."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.models import Article
from reviewer.management.projects import project_named
from reviewer.models import Release
from reviewer.models.release import NOTE_CHARS
from scoring import release_diff, release_files
from scoring.json_files import FileError, unstorable
from scoring.sentences import Sentence

# Ids that a comparison prints of each kind.
IDS_SHOWN = 20


class Command(BaseCommand):
    help = (
        "Freeze the dataset of project SLUG as its next release and write it into a folder. Where nothing changed "
        "since the latest release, that one is written again. Or look at releases' folders, without a database."
    )
    requires_system_checks = []  # of a site, which those who look at folders have none of

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="SLUG", nargs="?", help="the project's short name")
        parser.add_argument("--out", metavar="DIR", type=Path, help="the folder; missing or empty")
        parser.add_argument("--note", default="", help="what is to be said of this version")
        parser.add_argument(
            "--hold-back-test",
            action="store_true",
            help="leave the answers of test out of DIR; they go into DIR-private",
        )
        parser.add_argument(
            "--pseudonyms", action="store_true", help="tell workers apart, by names made for this release alone"
        )
        parser.add_argument(
            "--splits", nargs="+", choices=Article.Split.values, help="the splits that are in it; all without this"
        )
        parser.add_argument(
            "--least-answers",
            metavar="N",
            type=int,
            default=1,
            help="leave out questions of dev and test with fewer than N answers",
        )
        parser.add_argument(
            "--without-impossible", action="store_true", help="leave out questions that cannot be answered"
        )
        parser.add_argument(
            "--verify",
            metavar="DIR",
            type=Path,
            help="say what in DIR is not as it was released; with SLUG, also what the release of its number says else",
        )
        parser.add_argument(
            "--diff", metavar=("EARLIER", "LATER"), nargs=2, type=Path, help="say what changed between two releases"
        )

    def handle(self, *, slug: str | None, out: Path | None, **options: Any) -> None:
        try:
            if options["verify"]:
                self._verify(options["verify"], slug)
            elif options["diff"]:
                self._diff(*options["diff"])
            elif slug and out:
                self._release(slug, out, options)
            else:
                raise CommandError("Name a project and a folder (SLUG --out DIR), or use --verify or --diff.")
        except FileError as refusal:
            raise CommandError(str(refusal)) from None
        except OSError as error:
            raise CommandError(f"{error.strerror or error}") from None

    def _release(self, slug: str, out: Path, options: dict[str, Any]) -> None:
        from reviewer.services import release_places, release_runs, releases
        from reviewer.services.dataset import NotExportable
        from reviewer.services.release_reading import COUNTED
        from reviewer.templatetags.release_words import by_split

        self.check()
        project = project_named(slug)
        spec = _spec(options)
        release_places.targets(out, holds_back_test=spec.holds_back_test)  # refused before a number is given
        try:
            release, is_new = release_runs.release(project, spec=spec)
        except (NotExportable, release_runs.NotReleasable) as refusal:
            raise CommandError(str(refusal)) from None
        folders = releases.deliver(release, out)
        news = "" if is_new else ", where nothing changed since"
        self.stdout.write(f"{project.slug}, release {release.number}{news}: {', '.join(map(str, folders))}")
        for split, counts in by_split(release.manifest["counts"]):
            told = ", ".join(f"{name.replace('_', ' ')}: {counts[name]}" for name in COUNTED if name in counts)
            self.stdout.write(f"{split} – {told}")
        for warning in release.manifest["warnings"]:
            self.stdout.write(self.style.WARNING(warning))

    def _verify(self, folder: Path, slug: str | None) -> None:
        found = release_files.faults(folder)
        manifest = release_files.read_manifest(folder)
        if slug:
            found += self._edits(slug, manifest)
        if found:
            raise CommandError("\n".join(found))
        self.stdout.write(f"{folder}: files: {len(manifest['files'])}, all as they were released")

    def _edits(self, slug: str, manifest: dict[str, Any]) -> list[Sentence]:
        project, number = project_named(slug), manifest.get("number")
        numbered = Release.objects.in_project(project).filter(number=number) if type(number) is int else None
        release = numbered.first() if numbered is not None else None
        if release is None:
            raise CommandError(f"{project.slug} has no release of the number that the manifest says.")
        return release_files.edits(manifest, release.manifest)

    def _diff(self, earlier: Path, later: Path) -> None:
        found = release_diff.difference(release_diff.Folder(earlier), release_diff.Folder(later))
        self._list("added", found.added)
        self._list("removed", found.removed)
        self._list("changed", [f"{question} ({', '.join(names)})" for question, names in found.changed.items()])

    def _list(self, what: str, questions: list[str]) -> None:
        self.stdout.write(f"{what}: {len(questions)}")
        for question in questions[:IDS_SHOWN]:
            self.stdout.write(f"  {question}")
        if len(questions) > IDS_SHOWN:
            self.stdout.write(f"  … and {len(questions) - IDS_SHOWN} more")


def _spec(options: dict[str, Any]) -> Any:
    """The ``ReleaseSpec`` that the options ask for. Raises CommandError."""
    from reviewer.services.release_reading import MOST_LEAST_ANSWERS, ReleaseSpec

    if not 1 <= options["least_answers"] <= MOST_LEAST_ANSWERS:
        raise CommandError(f"--least-answers is from 1 to {MOST_LEAST_ANSWERS}.")
    if len(options["note"]) > NOTE_CHARS:
        raise CommandError(f"--note has at most {NOTE_CHARS} characters.")
    if fault := unstorable(options["note"]):
        raise CommandError(f"--note holds {fault}, which cannot be stored.")
    return ReleaseSpec(
        note=options["note"],
        holds_back_test=options["hold_back_test"],
        workers=Release.Workers.PSEUDONYMS if options["pseudonyms"] else Release.Workers.LEFT_OUT,
        splits=tuple(options["splits"] or Article.Split.values),
        least_answers=options["least_answers"],
        with_impossible=not options["without_impossible"],
    )
