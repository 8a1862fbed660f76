"""The arguments of ``manage.py curate``; what they ask for is in ``annotation.services.curation_options``."""

from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from curation.filters import FilterSettings
from curation.sentence_counts import Splitter
from curation.wikipedia.wikitext import Lists

DEFAULTS = FilterSettings()


def add_options(parser: ArgumentParser) -> None:
    """Give ``parser`` the arguments of the command."""
    _add_choices(parser)
    _add_wiki(parser)
    _add_filters(parser)
    _add_statements(parser)


def defaults() -> dict[str, Any]:
    """What each option is where nobody names it."""
    parser = ArgumentParser()
    add_options(parser)
    return vars(parser.parse_args(["", "--out", ""]))


def _add_choices(parser: ArgumentParser) -> None:
    parser.add_argument(
        "source", metavar="SOURCE", type=Path, nargs="?", help=_("a dump, a folder of documents, or one")
    )
    parser.add_argument("--out", metavar="FILE", type=Path, required=True, help=_("the JSON Lines file to write"))
    parser.add_argument("--json", action="store_true", help=_("print the report as JSON"))
    titles = parser.add_argument_group(_("which articles are read"))
    titles.add_argument(
        "--titles",
        metavar="FILE",
        type=Path,
        help=_("a ranked list of titles, or a folder of link tables"),
    )
    titles.add_argument(
        "--views-of", default="", metavar="WIKI", help=_("which wiki's page views are meant: en.wikipedia")
    )
    titles.add_argument(
        "--tables", metavar="FOLDER", type=Path, help=_("tables page and page_props, for a list of Wikidata's items")
    )
    titles.add_argument(
        "--index", metavar="FILE", type=Path, help=_("of a multistream dump: only blocks that hold the titles are read")
    )
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


def _add_wiki(parser: ArgumentParser) -> None:
    wiki = parser.add_argument_group(_("a live wiki, in place of SOURCE"))
    wiki.add_argument(
        "--wiki", default="", metavar="ADDRESS", help=_("its API: https://en.wikipedia.org/w/api.php; wants --titles")
    )
    wiki.add_argument("--revisions", metavar="FILE", type=Path, help=_("or ids of revisions, one a line"))
    wiki.add_argument(
        "--contact", default="", metavar="ADDRESS", help=_("how its operators can reach you: e-mail, or a web page")
    )


def _add_filters(parser: ArgumentParser) -> None:
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


def _add_statements(parser: ArgumentParser) -> None:
    stated = parser.add_argument_group(_("what is said of articles that do not say it themselves"))
    stated.add_argument("--language", default="", metavar="TAG", help=_("their language: en, de, zh ..."))
    stated.add_argument("--licence", default="", help=_("their licence: CC BY 4.0 ..."))
    stated.add_argument("--source-url", default="", metavar="ADDRESS", help=_("where they are from"))
    stated.add_argument("--attribution", default="", help=_("the words that the licence asks for"))
    fields = parser.add_argument_group(_("fields of JSON Lines, columns of CSV and TSV"))
    fields.add_argument("--text-field", default="text", metavar="NAME", help=_("which holds the text (text)"))
    fields.add_argument("--title-field", default="title", metavar="NAME", help=_("which holds the title (title)"))


def share(text: str) -> float:
    """A share from 0 to 1."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise ArgumentTypeError(_("%(text)s is no share from 0 to 1.") % {"text": text})
    return value
