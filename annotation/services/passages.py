"""A project's passages, looked at: which there are, how long they are, where they are from, and what was left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, Exists, F, Min, OuterRef, Q, QuerySet, Sum
from django.db.models import Max as Highest
from django.db.models.functions import Least

from annotation.models import Article, Paragraph, Project, Question, TaskParagraph

# How a list may be ordered: its words are the addresses', its fields end in the key, so that no two are equal.
ORDERS = {
    "": ("article__position", "position"),
    "shortest": ("characters", "pk"),
    "longest": ("-characters", "-pk"),
    "newest": ("-pk",),
}
ARTICLE_ORDERS = {
    "": ("position",),
    "title": ("title", "pk"),
    "most": ("-paragraphs_held", "pk"),
    "fewest": ("paragraphs_held", "pk"),
}
# Which paragraphs a list holds, by what became of them.
STATES = ("", "in", "excluded", "untouched", "in_tasks", "with_questions")
SECTIONS_SHOWN = 30
KEY_WORDS_SHOWN = 40
# Bins of the histogram: their width is chosen from these, in characters, so that the longest fit into so many.
BIN_WIDTHS = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
MOST_BINS = 24
# A few very long paragraphs must not squeeze the others: what is longer than so many times the mean shares the last.
LONGEST_IN_MEANS = 4


@dataclass(frozen=True)
class Narrowing:
    """Which of a project's paragraphs are meant. Empty values narrow nothing; lengths are in characters.

    ``words`` stand in the text, ``title`` in the article's title, ``section`` is a heading that the paragraph stands
    under at any depth, ``key_word`` one of its article's, ``topic`` the one that its article's source names. ``ids``,
    where there are any, are paragraphs by key.
    """

    words: str = ""
    title: str = ""
    article: int | None = None
    split: str = ""
    state: str = ""
    section: str = ""
    key_word: str = ""
    topic: str = ""
    least: int | None = None
    most: int | None = None
    imported_from: int | None = None
    ids: tuple[int, ...] = ()

    @classmethod
    def of(cls, asked: Mapping[str, Any]) -> Narrowing:
        """From the values of a form or a stored decision; what is not known here is left out."""
        known = {name: asked[name] for name in cls.__dataclass_fields__ if asked.get(name) not in (None, "", [], ())}
        return cls(**known | ({"ids": tuple(known["ids"])} if "ids" in known else {}))

    def as_json(self) -> dict[str, Any]:
        """What narrows at all, as a decision stores it."""
        values = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {
            name: list(value) if name == "ids" else value
            for name, value in values.items()
            if value not in (None, "", ())
        }

    def rows(self, project: Project) -> QuerySet[Paragraph]:
        """The paragraphs of ``project`` that are meant, in no order."""
        lookups = {
            "text__icontains": self.words,
            "article": self.article,
            "article__split": self.split,
            "section__contains": [self.section] if self.section else None,
            "article__key_words__contains": [self.key_word] if self.key_word else None,
            "article__topic": self.topic,
            "characters__gte": self.least,
            "characters__lte": self.most,
            "imported_from": self.imported_from,
            "pk__in": self.ids,
        }
        rows = Paragraph.objects.in_project(project)
        rows = rows.filter(**{name: value for name, value in lookups.items() if value not in (None, "", ())})
        if self.title:
            rows = rows.filter(titled(self.title, "article__title"))
        return self._in_state(rows)

    def _in_state(self, rows: QuerySet[Paragraph]) -> QuerySet[Paragraph]:
        match self.state:
            case "in":
                return rows.filter(is_excluded=False)
            case "excluded":
                return rows.filter(is_excluded=True)
            case "untouched":
                return rows.filter(~Exists(in_tasks()), ~Exists(with_questions()))
            case "in_tasks":
                return rows.filter(Exists(in_tasks()))
            case "with_questions":
                return rows.filter(Exists(with_questions()))
        return rows


def titled(words: str, path: str) -> Q:
    """That ``words`` stand in the title at ``path``: those of SQuAD's files have underscores for blanks."""
    return Q(**{f"{path}__icontains": words}) | Q(**{f"{path}__icontains": words.replace(" ", "_")})


def in_tasks() -> QuerySet[TaskParagraph]:
    """Of a paragraph in an outer query: its places in tasks."""
    return TaskParagraph.objects.filter(paragraph=OuterRef("pk"))


def with_questions() -> QuerySet[Question]:
    """Of a paragraph in an outer query: its questions."""
    return Question.objects.filter(paragraph=OuterRef("pk"))


def listed(project: Project, narrowing: Narrowing, order: str) -> QuerySet[Paragraph]:
    """The paragraphs of a list, each with its article and ``is_in_tasks`` and ``has_questions``."""
    rows = narrowing.rows(project).select_related("article").order_by(*ORDERS[order])
    return rows.annotate(is_in_tasks=Exists(in_tasks()), has_questions=Exists(with_questions()))


def listed_articles(project: Project, words: str, split: str, order: str) -> QuerySet[Article]:
    """The articles of a list with what they hold: ``paragraphs_held``, ``paragraphs_excluded``, ``shortest``,
    ``longest`` and ``characters_held``."""
    rows = Article.objects.in_project(project)
    if words:
        rows = rows.filter(titled(words, "title") | Q(key_words__contains=[words.lower()]) | Q(topic__iexact=words))
    if split:
        rows = rows.filter(split=split)
    return rows.annotate(
        paragraphs_held=Count("paragraphs"),
        paragraphs_excluded=Count("paragraphs", filter=Q(paragraphs__is_excluded=True)),
        shortest=Min("paragraphs__characters"),
        longest=Highest("paragraphs__characters"),
        characters_held=Sum("paragraphs__characters"),
    ).order_by(*ARTICLE_ORDERS[order])


@dataclass(frozen=True)
class Bin:
    """How many paragraphs have ``start`` to ``end`` characters (``end`` exclusive; None: and more)."""

    start: int
    end: int | None
    included: int = 0
    excluded: int = 0


@dataclass(frozen=True)
class Lengths:
    """How long a project's paragraphs are, in characters; all of them, with those that are excluded told apart."""

    included: int = 0
    excluded: int = 0
    shortest: int = 0
    longest: int = 0
    mean: int = 0
    bins: Sequence[Bin] = field(default_factory=list)

    @property
    def paragraphs(self) -> int:
        return self.included + self.excluded


def lengths(project: Project) -> Lengths:
    """The lengths of ``project``'s paragraphs, counted in one query beside that of their extremes."""
    rows = Paragraph.objects.in_project(project)
    ends = rows.aggregate(
        count=Count("pk"), shortest=Min("characters"), longest=Highest("characters"), total=Sum("characters")
    )
    if not ends["count"]:
        return Lengths()
    mean = round(ends["total"] / ends["count"])
    top = min(ends["longest"], max(mean * LONGEST_IN_MEANS, ends["shortest"]))
    width = next(
        (width for width in BIN_WIDTHS if top // width - ends["shortest"] // width < MOST_BINS), BIN_WIDTHS[-1]
    )
    first, last = ends["shortest"] // width, top // width
    counted = (
        rows.annotate(bin=Least(F("characters") / width, last))
        .order_by()
        .values_list("bin")
        .annotate(excluded=Count("pk", filter=Q(is_excluded=True)), all=Count("pk"))
    )
    found = {number: (count - excluded, excluded) for number, excluded, count in counted}
    bins = [
        Bin(
            number * width,
            None if number == last and ends["longest"] >= (last + 1) * width else (number + 1) * width,
            *found.get(number, (0, 0)),
        )
        for number in range(first, last + 1)
    ]
    excluded = sum(one.excluded for one in bins)
    return Lengths(ends["count"] - excluded, excluded, ends["shortest"], ends["longest"], mean, bins)


@dataclass(frozen=True)
class Share:
    """Something that paragraphs or articles have in common, and how many have it."""

    name: str
    count: int


def sections(project: Project) -> list[Share]:
    """The outermost headings that most paragraphs stand under, the most frequent first."""
    rows = Paragraph.objects.in_project(project).exclude(section=[]).order_by().values_list("section__0")
    return [Share(*row) for row in rows.annotate(held=Count("pk")).order_by("-held", "section__0")[:SECTIONS_SHOWN]]
