"""How many sentences a text has: by Stanza's tokenizer where its models are, else by rule."""

import os
import re
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Any

from scoring.json_files import FileError
from scoring.sentences import _

# Counts the sentences of a text; None where that cannot be told.
Count = Callable[[str], int | None]

_ABBREVIATIONS = (
    "Mr Mrs Ms Dr Prof St Sr Jr Gen Col Sgt Capt Lt Rev Hon vs etc cf ca approx No Nos Vol Fig pp ed eds Jan Feb Mar "
    "Apr Jun Jul Aug Sep Sept Oct Nov Dec bzw Nr Abb Bd Hrsg usw z B d h u a"
)
_BEFORE_POINT = "|".join(sorted(set(_ABBREVIATIONS.split()), key=len, reverse=True))
# A mark that ends a sentence, with what closes quotes and brackets, before a blank and something that may begin the
# next; ideographic marks need no blank.
_END = re.compile(
    r"[.!?…؟۔।॥։]+[\"'”’»)\]]*(?=\s+[\"'“‘«(\[¿¡]*(?:[^\W\da-z]|\d)|\s*$)"
    r"|[。！？｡]+[」』”’）]*"
)
# What its point does not end: an initial, letters with points between, a known abbreviation.
_ABBREVIATED = re.compile(rf"(?:\b[A-Z]|\.[a-z]|\b(?:{_BEFORE_POINT}))\.$")
_ABBREVIATION_CHARS = 10
# Scripts that end no sentence with a mark: Thai, Lao, Khmer.
_UNMARKED = re.compile("[\u0e00-\u0eff\u1780-\u17ff]")


class Splitter(StrEnum):
    """Whose idea of a sentence counts."""

    AUTO = "auto"  # Stanza's where its models are there
    RULES = "rules"
    STANZA = "stanza"


def counter(splitter: Splitter, language: str) -> tuple[str, Count]:
    """The name of what counts the sentences of texts in ``language``, for the report, and the counting function.

    Raises FileError where Stanza is asked for and cannot be had.
    """
    if splitter == Splitter.RULES:
        return "rules", count_by_rules
    language = language.split("-")[0].lower()
    try:
        return stanza_counter(language)
    except FileError:
        if splitter == Splitter.STANZA:
            raise
        return "rules", count_by_rules


def count_by_rules(text: str) -> int | None:
    """The sentences of ``text`` by its marks; None in scripts that set no marks between sentences.

    >>> count_by_rules("Dr. Ash built it in 1921. It burned; nobody knows why.")
    2
    """
    if len(_UNMARKED.findall(text)) * 2 > len(text):
        return None
    ends = [match.end() for match in _END.finditer(text) if not _is_abbreviation(text, match)]
    return len(ends) + (not ends or bool(text[ends[-1] :].strip()))


def _is_abbreviation(text: str, end: re.Match[str]) -> bool:
    is_one_point = end[0] == "."
    return is_one_point and bool(_ABBREVIATED.search(text[max(0, end.end() - _ABBREVIATION_CHARS) : end.end()]))


def stanza_counter(language: str) -> tuple[str, Count]:
    """Stanza's tokenizer for ``language``, from the models in STANZA_RESOURCES_DIR; it never fetches any. Raises
    FileError where Stanza or its models are absent."""
    try:
        import stanza
    except ImportError:
        raise FileError(_("Stanza is not installed: run pip install -r requirements.txt")) from None
    folder = Path(os.environ.get("STANZA_RESOURCES_DIR") or Path.home() / "stanza_resources")
    if not language or not (folder / language / "tokenize").is_dir():
        raise FileError(
            _(
                'There is no model of Stanza for the language "{language}" in {folder}. Set STANZA_RESOURCES_DIR.',
                language=language,
                folder=str(folder),
            )
        )
    pipeline: Any = stanza.Pipeline(
        language, dir=str(folder), processors="tokenize", download_method=None, use_gpu=False, verbose=False
    )
    return f"stanza {stanza.__version__} ({language})", lambda text: len(pipeline(text).sentences)
