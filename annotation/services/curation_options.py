"""What a curation is asked to do, from the options of the command or of a page: its source, titles and filters.

``options`` are named as those of ``manage.py curate``, with underscores: ``source`` and ``titles`` are paths.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.utils import timezone

from curation.documents.reading import DocumentRules
from curation.filters import BadSetting, FilterSettings
from curation.sources import Documents, Dump, Source, Wiki, is_dump
from curation.titles import SampleRecord, draw, read_ranked, read_revisions
from curation.wikipedia.api import Api
from curation.wikipedia.reader import Rules
from scoring.json_files import FileError
from scoring.sentences import Sentence


class BadList(FileError):
    """The list of titles cannot be read, or is too short for what is asked."""


def sample_of(options: Mapping[str, Any]) -> SampleRecord | None:
    """The titles that the options choose, None for all articles. Raises BadList, BadSetting."""
    path: Path | None = options["titles"]
    if path is None:
        if any(options.get(name) is not None for name in ("top", "sample", "index")):
            raise BadSetting(Sentence("--top, --sample and --index are about a list: name it with --titles."))
        return None
    try:
        ranked = read_ranked(path, options.get("views_of", ""), options.get("tables"))
        top = len(ranked.titles) if options["top"] is None else options["top"]
        count = top if options["sample"] is None else options["sample"]
        titles = draw(ranked.titles, options["seed"], top, count)
    except FileError as error:
        raise BadList(Sentence("{path}: {problem}", path=path.name, problem=error.sentence)) from None
    today = timezone.now().date().isoformat()
    return SampleRecord(path.name, ranked.sha256, today, options["seed"], top, count, titles)


def source_of(options: Mapping[str, Any], sample: SampleRecord | None) -> Source:
    """What the options want to be read. Raises FileError, BadSetting."""
    if options.get("wiki"):
        return _live_wiki(options, sample)
    path: Path | None = options["source"]
    if path is None:
        raise BadSetting(Sentence("Name a source: a dump, documents, or a live wiki with --wiki."))
    index: Path | None = options.get("index")
    if not is_dump(path):
        if index is not None:
            raise BadSetting(Sentence("--index is that of a multistream dump, and the source is none."))
        return Documents(path, rules_of(options), sample)
    return Dump(path, _wiki_rules(options), sample, index)


def _live_wiki(options: Mapping[str, Any], sample: SampleRecord | None) -> Source:
    """The pages of a live wiki that the options name. Raises FileError, BadSetting."""
    if options["source"] is not None or options.get("index") is not None:
        raise BadSetting(Sentence("A live wiki is read with --wiki alone: name no SOURCE and no --index."))
    path: Path | None = options.get("revisions")
    if (sample is None) == (path is None):
        raise BadSetting(Sentence("Say which pages of the wiki: by --titles or by --revisions, a file either way."))
    try:
        revisions = read_revisions(path) if path else []
    except FileError as error:
        raise BadList(Sentence("{path}: {problem}", path=str(path), problem=error.sentence)) from None
    out: Path = options["out"]
    api = Api(options["wiki"], options.get("contact", ""))
    return Wiki(api, out.with_name(f"{out.name}.fetched"), _wiki_rules(options), sample, revisions)


def _wiki_rules(options: Mapping[str, Any]) -> Rules:
    return Rules(
        lists=options["lists"],
        min_article_characters=options["min_article_chars"],
        language=options["language"],
        licence=options["licence"],
        base_url=options["source_url"],
        disambiguations=_marked(options["titles"]),
    )


def _marked(titles: Path | None) -> frozenset[int]:
    """The disambiguation pages that the wiki itself marks, where its tables are what titles are drawn from."""
    if titles is None or not titles.is_dir():
        return frozenset()
    # Its libraries take a second to load, which no page need wait for.
    from curation.ranking import disambiguations, tables_in

    table = tables_in(titles).page_props
    return disambiguations(table) if table else frozenset()


def settings_of(options: Mapping[str, Any]) -> FilterSettings:
    """The filters that the options ask for. Raises BadSetting."""
    return FilterSettings(
        min_chars=options["min_chars"],
        max_chars=options["max_chars"],
        min_sentences=options["min_sentences"],
        max_digits=options["max_digits"],
        max_markup=options["max_markup"],
        max_foreign_script=options["max_foreign_script"],
        duplicate_likeness=2.0 if options["keep_duplicates"] else options["duplicates"],
        language=options["language"],
        check_language=not options["any_language"],
        check_boilerplate=not options["keep_boilerplate"],
        splitter=options["sentences"],
    )


def rules_of(options: Mapping[str, Any]) -> DocumentRules:
    """How the options want documents to be read."""
    return DocumentRules(
        text_field=options["text_field"],
        title_field=options["title_field"],
        source_url=options["source_url"],
        licence=options["licence"],
        language=options["language"],
        attribution=options["attribution"],
    )
