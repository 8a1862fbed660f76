"""What a run of curation did, counted: the JSON report beside its output."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from curation.articles import Article, Drop

EXAMPLES = 3  # of each reason, the first
TEXT_CHARS = 200  # of each text in an example
BAR_CHARS = 100  # of a paragraph's length, that one bar of the histogram covers
# What has a say in which paragraphs are kept.
LIBRARIES = (
    "charset-normalizer", "datasketch", "mwparserfromhell", "numpy", "py3langid", "pypdf", "python-docx", "selectolax",
    "stanza",
)  # fmt: skip


@dataclass
class Tally:
    """What became of all that was read; it is kept as JSON while a run rests, and goes on from there."""

    articles_kept: int = 0
    paragraphs_kept: int = 0
    characters: int = 0
    lengths: Counter[int] = field(default_factory=Counter)  # by the shortest length of each bar
    dropped_articles: dict[str, dict[str, Any]] = field(default_factory=dict)
    dropped_paragraphs: dict[str, dict[str, Any]] = field(default_factory=dict)

    def keep(self, article: Article) -> None:
        """Count an article that is written out."""
        self.articles_kept += 1
        self.paragraphs_kept += len(article.passages)
        for passage in article.passages:
            self.characters += len(passage.text)
            self.lengths[len(passage.text) // BAR_CHARS * BAR_CHARS] += 1

    def drop(self, drops: Iterable[Drop]) -> None:
        """Count what was left out; the first of each reason are the examples."""
        for drop in drops:
            dropped = self.dropped_paragraphs if drop.is_passage else self.dropped_articles
            entry = dropped.setdefault(drop.reason.value, {"count": 0, "examples": []})
            entry["count"] += 1
            if len(entry["examples"]) < EXAMPLES:
                shown = {"title": drop.title, "detail": drop.detail, "text": drop.example}
                entry["examples"].append({name: str(text)[:TEXT_CHARS] for name, text in shown.items() if text})

    @property
    def articles_dropped(self) -> int:
        return sum(entry["count"] for entry in self.dropped_articles.values())

    @property
    def paragraphs_dropped(self) -> int:
        return sum(entry["count"] for entry in self.dropped_paragraphs.values())

    def as_json(self) -> dict[str, Any]:
        """The counts of a report."""
        return {
            "articles": {
                "read": self.articles_kept + self.articles_dropped,
                "kept": self.articles_kept,
                "dropped": dict(sorted(self.dropped_articles.items())),
            },
            "paragraphs": {
                "read": self.paragraphs_kept + self.paragraphs_dropped,
                "kept": self.paragraphs_kept,
                "characters": self.characters,
                "dropped": dict(sorted(self.dropped_paragraphs.items())),
            },
            "lengths": [
                {"from": least, "to": least + BAR_CHARS - 1, "paragraphs": count}
                for least, count in sorted(self.lengths.items())
            ],
        }

    @classmethod
    def from_json(cls, counts: dict[str, Any]) -> "Tally":
        """What ``as_json`` gave."""
        return cls(
            articles_kept=counts["articles"]["kept"],
            paragraphs_kept=counts["paragraphs"]["kept"],
            characters=counts["paragraphs"]["characters"],
            lengths=Counter({bar["from"]: bar["paragraphs"] for bar in counts["lengths"]}),
            dropped_articles=counts["articles"]["dropped"],
            dropped_paragraphs=counts["paragraphs"]["dropped"],
        )


def library_versions() -> dict[str, str]:
    """The versions of the libraries that decide; those that are not installed are left out."""
    found = {}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
