"""Which paragraphs are worth asking about. Every one that is not comes out as a drop with its reason."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace

from curation.articles import Article, Drop, Passage, Reason
from curation.boilerplate import boilerplate_in
from curation.languages import can_check, other_language
from curation.near_duplicates import NearDuplicates
from curation.sentence_counts import Count, Splitter, counter
from curation.shares import digit_share, foreign_script, markup_share
from scoring.json_files import FileError, unstorable
from scoring.sentences import Sentence, _

EXAMPLE_CHARS = 200
_TWIN_CHARS = 60


class BadSetting(ValueError):
    """A setting that makes no sense; its only argument is a ``Sentence`` that says which and why."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class FilterSettings:
    """What a paragraph must be like. Lengths in Unicode code points, shares and likeness from 0.0 to 1.0.

    ``min_chars`` is the SQuAD paper's (section 3.1); the others are our choice. ``language`` (a BCP 47 tag) is what
    texts should be in where their article does not say; where neither does, languages are not checked. A likeness of
    more than 1 keeps all duplicates.
    """

    min_chars: int = 500
    max_chars: int = 5_000
    min_sentences: int = 2
    max_digits: float = 0.2
    max_markup: float = 0.05
    max_foreign_script: float = 0.2
    duplicate_likeness: float = 0.8
    language: str = ""
    check_language: bool = True
    check_boilerplate: bool = True
    splitter: Splitter = Splitter.AUTO

    def __post_init__(self) -> None:
        """Raises BadSetting."""
        if not 0 <= self.min_chars <= self.max_chars:
            raise BadSetting(
                _(
                    "The fewest characters must be 0 or more and no more than the most: {least} and {most}.",
                    least=self.min_chars,
                    most=self.max_chars,
                )
            )
        if self.min_sentences < 0:
            raise BadSetting(_("The fewest sentences must be 0 or more: {least}.", least=self.min_sentences))
        for name in ("max_digits", "max_markup", "max_foreign_script"):
            if not 0 <= getattr(self, name) <= 1:
                raise BadSetting(_("{name} must be from 0 to 1: {value}.", name=name, value=getattr(self, name)))
        if not 0 < self.duplicate_likeness <= 2:
            raise BadSetting(_("The likeness of duplicates must be above 0: {value}.", value=self.duplicate_likeness))

    def as_json(self) -> dict[str, object]:
        """By name, for a report."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


class Filters:
    """The filters over one run, in the order cheapest first; the first that refuses a paragraph names the reason.
    Near-duplicates are sought among all that the run has kept."""

    def __init__(self, settings: FilterSettings) -> None:
        """Raises FileError where Stanza is asked for by ``settings`` and absent."""
        self._settings = settings
        self._duplicates = NearDuplicates(settings.duplicate_likeness)
        self._counters: dict[str, tuple[str, Count]] = {}
        self.languages_unchecked: set[str] = set()
        if settings.splitter == Splitter.STANZA and not settings.language:
            raise FileError(_("Stanza counts sentences in one language: name it."))
        if settings.splitter == Splitter.STANZA:
            self._counter(settings.language)

    @property
    def sentence_counters(self) -> dict[str, str]:
        """What has counted sentences, by language: "rules", or Stanza with its version."""
        return {language: name for language, (name, _count) in sorted(self._counters.items())}

    def sift(self, article: Article) -> tuple[Article | None, list[Drop]]:
        """``article`` with the passages that are kept, None where none is, and all drops. As many passages as went
        in come out: each is in the article or a drop; an article that is left empty is one more drop."""
        kept, drops = [], []
        for passage in article.passages:
            drop = self._drop(article, passage)
            if drop is None:
                kept.append(passage)
            else:
                drops.append(drop)
        if kept:
            return replace(article, passages=kept), drops
        return None, [*drops, Drop(article.title, Reason.EMPTY)]

    def resume(self, counted: Iterable[str], unchecked: Iterable[str]) -> None:
        """Take over from an earlier run the languages in which sentences were counted, and those not checked."""
        for language in counted:
            self._counter(language)
        self.languages_unchecked |= set(unchecked)

    def remember(self, article: Article) -> None:
        """Take the passages of an article that an earlier run kept as kept, so that later twins of them are found."""
        for passage in article.passages:
            self._is_duplicate(article, passage)

    def _drop(self, article: Article, passage: Passage) -> Drop | None:
        language = article.language or self._settings.language
        for reason, detail in self._refusals(article, passage, language):
            if detail is not None:
                example = passage.text[:EXAMPLE_CHARS].encode("utf-8", "backslashreplace").decode().replace("\0", "\\0")
                return Drop(article.title, reason, is_passage=True, detail=detail, example=example)
        return None

    def _refusals(self, article: Article, passage: Passage, language: str) -> Iterator[tuple[Reason, str | None]]:
        """Each filter's reason, with a detail where it refuses the passage."""
        settings, text = self._settings, passage.text
        yield Reason.UNREADABLE, unstorable("\n".join((text, article.title, *passage.section))) or None
        yield Reason.LOST_TEXT, ", ".join(passage.lost) or None
        yield Reason.TOO_SHORT, _if(len(text) < settings.min_chars, f"{len(text):,}")
        yield Reason.TOO_LONG, _if(len(text) > settings.max_chars, f"{len(text):,}")
        yield Reason.MARKUP, _above(markup_share(text), settings.max_markup)
        yield Reason.DIGITS, _above(digit_share(text), settings.max_digits)
        foreign, script = foreign_script(text, language)
        yield Reason.FOREIGN_SCRIPT, _above(foreign, settings.max_foreign_script, script)
        yield Reason.BOILERPLATE, (boilerplate_in(text) or None) if settings.check_boilerplate else None
        yield Reason.TOO_FEW_SENTENCES, self._too_few_sentences(text, language)
        yield Reason.OTHER_LANGUAGE, self._other_language(text, language)
        yield Reason.NEAR_DUPLICATE, self._is_duplicate(article, passage)

    def _too_few_sentences(self, text: str, language: str) -> str | None:
        if self._settings.min_sentences < 1:
            return None
        count = self._counter(language)(text)
        return None if count is None or count >= self._settings.min_sentences else str(count)

    def _counter(self, language: str) -> Count:
        if language not in self._counters:
            self._counters[language] = counter(self._settings.splitter, language)
        return self._counters[language][1]

    def _other_language(self, text: str, language: str) -> str | None:
        if not self._settings.check_language:
            return None
        if not language or not can_check(language):
            self.languages_unchecked.add(language)
            return None
        return other_language(text, language) or None

    def _is_duplicate(self, article: Article, passage: Passage) -> str | None:
        if self._settings.duplicate_likeness > 1:
            return None
        twin = self._duplicates.twin_or_keep(passage.text, f"{article.title}: {passage.text[:_TWIN_CHARS]}")
        return None if twin is None else f"{twin.likeness:.0%} like {twin.name}"


def _if(refused: bool, detail: str) -> str | None:
    return detail if refused else None


def _above(share: float, limit: float, of: str = "") -> str | None:
    return f"{share:.0%} {of}".strip() if share > limit else None
