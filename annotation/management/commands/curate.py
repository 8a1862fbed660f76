"""``manage.py curate SOURCE --out FILE.jsonl``: passages from a dump or documents; needs no database."""

import json
import sys
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from annotation.sentences import in_words
from annotation.services.curation_options import BadList, sample_of, settings_of, source_of
from curation.filters import BadSetting, FilterSettings
from curation.pipeline import OutputError, Standing, curate, report_path
from curation.sentence_counts import Splitter
from curation.titles import record_as_json
from curation.wikipedia.wikitext import Lists
from scoring.json_files import FileError

BAR_CHARS = 40
# Exit codes: 0 some paragraphs are kept, 1 a source or setting is bad, 3 nothing was kept; 2 is argparse's own.
NOTHING_KEPT = 3
DEFAULTS = FilterSettings()


class Command(BaseCommand):
    help = (
        "Write the paragraphs of SOURCE that are worth asking about to a file that import_articles takes, and beside "
        "it a report of what was left out and why. SOURCE is the XML dump of a wiki (.xml, .xml.bz2, .xml.gz), a "
        "folder of documents, or one of them: plain text, Markdown, HTML, JSON Lines, CSV, TSV, SQuAD JSON, DOCX or "
        "PDF. A run that was interrupted goes on where it was. Exits with 3 where nothing is kept."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("source", metavar="SOURCE", type=Path, help=_("a dump, a folder of documents, or one"))
        parser.add_argument("--out", metavar="FILE", type=Path, required=True, help=_("the JSON Lines file to write"))
        parser.add_argument("--json", action="store_true", help=_("print the report as JSON"))
        titles = parser.add_argument_group(_("which articles are read"))
        titles.add_argument("--titles", metavar="FILE", type=Path, help=_("a list of titles, the highest rank first"))
        titles.add_argument("--top", type=int, metavar="N", help=_("take the first N of them alone"))
        titles.add_argument("--sample", type=int, metavar="M", help=_("draw M of these, each as likely"))
        titles.add_argument("--seed", type=int, default=0, metavar="S", help=_("the seed of the draw (0)"))
        titles.add_argument(
            "--lists",
            type=Lists,
            choices=list(Lists),
            default=Lists.LEAVE_OUT,
            help=_("what becomes of lists in a dump"),
        )
        titles.add_argument(
            "--min-article-chars",
            type=int,
            default=1_000,
            metavar="N",
            help=_("shorter pages of a dump are stubs (1000)"),
        )
        filters = parser.add_argument_group(_("which paragraphs are kept"))
        filters.add_argument("--min-chars", type=int, default=DEFAULTS.min_chars, help=_("fewest characters (500)"))
        filters.add_argument("--max-chars", type=int, default=DEFAULTS.max_chars, help=_("most characters (5000)"))
        filters.add_argument(
            "--min-sentences", type=int, default=DEFAULTS.min_sentences, help=_("fewest sentences (2; 0 to not count)")
        )
        filters.add_argument(
            "--sentences",
            type=Splitter,
            choices=list(Splitter),
            default=DEFAULTS.splitter,
            help=_("who counts sentences: Stanza where its models are there, else rules (auto), or always one of them"),
        )
        filters.add_argument(
            "--max-digits", type=share, default=DEFAULTS.max_digits, metavar="SHARE", help=_("of digits (0.2)")
        )
        filters.add_argument(
            "--max-markup", type=share, default=DEFAULTS.max_markup, metavar="SHARE", help=_("of markup (0.05)")
        )
        filters.add_argument(
            "--max-foreign-script",
            type=share,
            default=DEFAULTS.max_foreign_script,
            metavar="SHARE",
            help=_("of letters in a script of another language (0.2)"),
        )
        filters.add_argument(
            "--duplicates",
            type=share,
            default=DEFAULTS.duplicate_likeness,
            metavar="SHARE",
            help=_("how alike near-duplicates are (0.8), of which the first is kept"),
        )
        filters.add_argument("--keep-duplicates", action="store_true", help=_("keep near-duplicates"))
        filters.add_argument("--keep-boilerplate", action="store_true", help=_("keep notices, prompts and filler"))
        filters.add_argument("--any-language", action="store_true", help=_("keep texts in another language"))
        stated = parser.add_argument_group(_("what is said of articles that do not say it themselves"))
        stated.add_argument("--language", default="", metavar="TAG", help=_("their language: en, de, zh ..."))
        stated.add_argument("--licence", default="", help=_("their licence: CC BY 4.0 ..."))
        stated.add_argument("--source-url", default="", metavar="ADDRESS", help=_("where they are from"))
        stated.add_argument("--attribution", default="", help=_("the words that the licence asks for"))
        fields = parser.add_argument_group(_("fields of JSON Lines, columns of CSV and TSV"))
        fields.add_argument("--text-field", default="text", metavar="NAME", help=_("which holds the text (text)"))
        fields.add_argument("--title-field", default="title", metavar="NAME", help=_("which holds the title (title)"))

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
            raise CommandError(f"{options['source']}: {in_words(error.sentence)}") from error
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
        counts = _("%(articles)s articles read, %(paragraphs)s paragraphs kept") % {
            "articles": f"{standing.articles_read:,}",
            "paragraphs": f"{standing.paragraphs_kept:,}",
        }
        bar = ""
        if standing.total_bytes:
            filled = min(BAR_CHARS, BAR_CHARS * standing.done_bytes // standing.total_bytes)
            bar = "█" * filled + "░" * (BAR_CHARS - filled) + " "
        self.stderr.write(f"\r{bar}{counts} ", ending="")
        self.stderr.flush()


def share(text: str) -> float:
    """A share from 0 to 1."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise ArgumentTypeError(_("%(text)s is no share from 0 to 1.") % {"text": text})
    return value


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
