"""What every reader of sources gives and every filter takes: articles in passages, and drops with their reasons."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Reason(StrEnum):
    """Why an article or a passage is left out; the values are the keys of a report and never change."""

    # Of articles.
    NOT_AN_ARTICLE = "not_an_article"  # another namespace: talk, user, template, category ...
    NOT_ASKED_FOR = "not_asked_for"  # not among the titles that were sampled
    REDIRECT = "redirect"
    DISAMBIGUATION = "disambiguation"
    LIST = "list"
    STUB = "stub"
    NO_SUCH_TITLE = "no_such_title"
    NOT_A_DOCUMENT = "not_a_document"  # a file that no reader is for, a link, a hidden file
    UNREADABLE = "unreadable"
    TOO_LARGE = "too_large"
    EMPTY = "empty"  # none of its passages is left
    # Of passages.
    LOST_TEXT = "lost_text"
    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    TOO_FEW_SENTENCES = "too_few_sentences"
    DIGITS = "digits"
    MARKUP = "markup"
    FOREIGN_SCRIPT = "foreign_script"
    OTHER_LANGUAGE = "other_language"
    BOILERPLATE = "boilerplate"
    NEAR_DUPLICATE = "near_duplicate"


@dataclass(frozen=True, slots=True)
class Passage:
    """One paragraph as a reader sees it, its text to the character; line ends are LF.

    ``section`` names the headings that it stands under, outermost first. ``lost`` names what stood in it and could
    not be written out (templates); a passage that lost text is never offered to anybody.
    """

    text: str
    section: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Article:
    """A document in passages and where it came from; what a source does not say is empty.

    ``language`` is a BCP 47 tag, ``revision`` the source's own mark of the version, ``attribution`` the words that
    the licence asks for, ``topic`` what it is about where its source names one.
    """

    title: str
    passages: Sequence[Passage]
    source_url: str = ""
    licence: str = ""
    language: str = ""
    revision: str = ""
    attribution: str = ""
    topic: str = ""


@dataclass(frozen=True, slots=True)
class Drop:
    """An article, or one of its passages, that was left out: why, and the beginning of it to look at.

    ``detail`` is a short addition that only some reasons have: where a redirect leads, what a near-duplicate is
    like, a share of digits.
    """

    title: str
    reason: Reason
    is_passage: bool = False
    detail: str = ""
    example: str = ""


# Readers give both in the order of their source, one at a time, so that a dump of any size takes little memory.
Read = Iterator[Article | Drop]
