"""``manage.py curate SOURCE --out FILE.jsonl``: passages from a dump or documents; needs no database."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from annotation.management.curate_options import add_options
from annotation.sentences import in_words
from annotation.services.curation_options import BadList, sample_of, settings_of, source_of
from curation.filters import BadSetting
from curation.pipeline import OutputError, Standing, curate, report_path
from curation.titles import record_as_json
from scoring.json_files import FileError

BAR_CHARS = 40
# Exit codes: 0 some paragraphs are kept, 1 a source or setting is bad, 3 nothing was kept; 2 is argparse's own.
NOTHING_KEPT = 3


class Command(BaseCommand):
    help = (
        "Write the paragraphs of SOURCE that are worth asking about to a file that import_articles takes, and beside "
        "it a report of what was left out and why. SOURCE is the XML dump of a wiki (.xml, .xml.bz2, .xml.gz), a "
        "folder of documents, or one of them: plain text, Markdown, HTML, JSON Lines, CSV, TSV, SQuAD JSON, DOCX or "
        "PDF. In its place, --wiki reads a live wiki. A run that was interrupted goes on where it was. Exits with 3 "
        "where nothing is kept."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_options(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        out: Path = options["out"]
        try:
            sample = sample_of(options)
            report = curate(
                source_of(options, sample),
                out,
                settings_of(options),
                self.show_progress if sys.stderr.isatty() else None,
            )
        except (OutputError, BadSetting, BadList) as error:
            raise CommandError(in_words(error.sentence)) from error
        except FileError as error:
            # What is wrong with a live wiki names its address.
            where = "" if options["source"] is None else f"{options['source']}: "
            raise CommandError(f"{where}{in_words(error.sentence)}") from error
        except KeyboardInterrupt:
            raise CommandError(_("Stopped. The same command goes on from here."), returncode=130) from None
        finally:
            if sys.stderr.isatty():
                self.stderr.write("")
        if sample is not None:
            out.with_suffix(".sample.json").write_text(record_as_json(sample), encoding="utf-8")
        if options["json"]:
            self.stdout.write(json.dumps(report, ensure_ascii=False, indent=1))
        else:
            self.stdout.write("\n".join(lines_of(report, out)))
        if not report["paragraphs"]["kept"]:
            raise CommandError(
                _("No paragraph is left: %(report)s says why.") % {"report": report_path(out)}, returncode=NOTHING_KEPT
            )

    def show_progress(self, standing: Standing) -> None:
        """A bar on the terminal, where the size of the source is known."""
        counts = _("articles read: %(articles)s, paragraphs kept: %(paragraphs)s") % {
            "articles": f"{standing.articles_read:,}",
            "paragraphs": f"{standing.paragraphs_kept:,}",
        }
        bar = ""
        if standing.total_bytes:
            filled = min(BAR_CHARS, BAR_CHARS * standing.done_bytes // standing.total_bytes)
            bar = "█" * filled + "░" * (BAR_CHARS - filled) + " "
        self.stderr.write(f"\r{bar}{counts} ", ending="")
        self.stderr.flush()


def lines_of(report: dict[str, Any], out: Path) -> list[str]:
    """The report in a few lines for people."""
    lines = []
    for kind, words in (
        ("articles", _("Articles: %(read)s read, %(kept)s kept.")),
        ("paragraphs", _("Paragraphs: %(read)s read, %(kept)s kept.")),
    ):
        counts = report[kind]
        lines.append(words % {"read": f"{counts['read']:,}", "kept": f"{counts['kept']:,}"})
        for reason, entry in counts["dropped"].items():
            example = entry["examples"][0]
            shown = ": ".join(filter(None, (example["title"], example.get("detail", ""))))
            lines.append(f"  {reason}: {entry['count']:,} ({shown})")
    counters = sorted(set(report["sentences_counted_by"].values()))
    if counters:
        lines.append(_("Sentences were counted by %(names)s.") % {"names": ", ".join(counters)})
    if report["languages_unchecked"]:
        names = ", ".join(name or _("no language named") for name in report["languages_unchecked"])
        lines.append(_("Languages that could not be checked: %(names)s.") % {"names": names})
    lines.append(_("Written to %(out)s; the report is %(report)s.") % {"out": out, "report": report_path(out)})
    return lines
