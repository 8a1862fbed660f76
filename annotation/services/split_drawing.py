"""Drawing a project's splits anew: looked at before, drawn by article with a seed, balanced by length or topic.

Splits freeze with the first launch of work: from then on a trigger refuses to change one. Articles that come in later
are drawn by ``services.splits``, under the project's seed and shares.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from itertools import pairwise

from django.db import transaction
from django.db.models import Count, Q, Sum
from django.utils.translation import gettext as _

from accounts.models import User
from annotation.models import Article, PassageAct, Project, Task
from annotation.sentences import grouped
from annotation.services import choosing
from annotation.services.splits import Split
from annotation.services.topics import topics_of

# By what articles may be balanced: nothing; how much text each has, in so many groups of equal size; what it is about.
BY_LENGTH, BY_TOPIC = "length", "topic"
STRATA = ("", BY_LENGTH, BY_TOPIC)
GROUPS = 4
MOST_SEED = 2**31 - 1


class NotDrawn(Exception):
    """A split that cannot be drawn; the message says why and what to do."""


@dataclass(frozen=True)
class SplitRequest:
    """How to draw: shares in percent that add up to a hundred, a seed, and what to balance by (one of ``STRATA``)."""

    train_percent: int
    dev_percent: int
    test_percent: int
    seed: int
    stratify: str = ""

    @classmethod
    def of(cls, project: Project) -> SplitRequest:
        """As the project's settings have it."""
        return cls(project.train_percent, project.dev_percent, project.test_percent, project.split_seed)

    @property
    def percents(self) -> dict[str, int]:
        return {
            Split.TRAIN.value: self.train_percent,
            Split.DEV.value: self.dev_percent,
            Split.TEST.value: self.test_percent,
        }

    def check(self) -> None:
        """Raises NotDrawn for numbers that draw nothing."""
        if any(percent < 0 for percent in self.percents.values()) or sum(self.percents.values()) != 100:
            raise NotDrawn(_("Train, dev and test must add up to a hundred percent."))
        if not 0 <= self.seed <= MOST_SEED:
            raise NotDrawn(_("A seed is a whole number from 0 to %(most)s.") % {"most": grouped(MOST_SEED)})
        if self.stratify not in STRATA:
            raise NotDrawn(_("Articles can be balanced by length, by topic, or by nothing."))


@dataclass(frozen=True)
class DrawnArticle:
    """What the drawing needs to know of an article; ``paragraphs`` and ``characters`` are those of the included."""

    pk: int
    title: str
    split: str
    paragraphs: int
    characters: int
    topic: str = ""


@dataclass(frozen=True)
class DrawnSplit:
    """One split as it would be. ``moved`` articles of it are in another one, or in none, now. Questions are expected
    at the project's fewest and most a paragraph, from all its writers."""

    name: str
    wanted: int
    articles: int
    share: float
    paragraphs: int
    characters: int
    fewest_questions: int
    most_questions: int
    moved: int


@dataclass(frozen=True)
class DrawnGroup:
    """What is balanced: a topic (empty: articles that share none), or articles of so many characters, and how many
    of them each split would get."""

    topic: str
    shortest: int
    longest: int
    articles: int
    by_split: dict[str, int]


def frozen_because(project: Project) -> str:
    """Why the splits of ``project`` can no longer change, in a sentence; empty while they can."""
    first = Task.objects.in_project(project).exclude(kind=Task.Kind.QUIZ).order_by("pk").first()
    if first is None:
        return ""
    return _(
        "The splits are frozen: work on these articles was first launched on %(day)s, and what is gathered for "
        "train must not turn up in test. Articles that come in later are still drawn."
    ) % {"day": f"{first.created_at:%Y-%m-%d}"}


def preview(project: Project, asked: SplitRequest) -> list[DrawnSplit]:
    """The splits as ``asked`` would draw them. Raises NotDrawn for numbers that draw nothing."""
    asked.check()
    articles = _articles(project, asked)
    return _sizes(project, asked, articles, draw(articles, asked))


def groups(project: Project, asked: SplitRequest) -> list[DrawnGroup]:
    """What ``asked`` balances, the largest groups first; nothing where it balances nothing. Raises NotDrawn."""
    asked.check()
    if not asked.stratify:
        return []
    articles = _articles(project, asked)
    drawn = draw(articles, asked)
    found = []
    for group in _groups(articles, asked):
        lengths = [article.characters for article in group]
        by_split = {split: sum(drawn[article.pk] == split for article in group) for split in asked.percents}
        if group:
            topic = group[0].topic if asked.stratify == BY_TOPIC else ""
            found.append(DrawnGroup(topic, min(lengths), max(lengths), len(group), by_split))
    return found


@transaction.atomic
def apply(project: Project, asked: SplitRequest, why: str, user: User | None) -> PassageAct:
    """Draw the splits as ``asked``, and keep who did so, why and with which result; the project's seed and shares are
    from then on these. The same articles under the same request get the same splits.

    Raises NotDrawn where they are frozen, where there is nothing to draw, or where ``why`` says nothing.
    """
    project = Project.objects.select_for_update().get(pk=project.pk)
    asked.check()
    if frozen := frozen_because(project):
        raise NotDrawn(frozen)
    try:
        why = choosing.reason(why)
    except choosing.NotChosen as refusal:
        raise NotDrawn(str(refusal)) from None
    articles = _articles(project, asked)
    if not articles:
        raise NotDrawn(_("There is no article to draw yet. Import passages first."))
    drawn = draw(articles, asked)
    for split in Split.values:
        ids = [article.pk for article in articles if drawn[article.pk] == split and article.split != split]
        Article.objects.filter(pk__in=ids).update(split=split)
    Project.objects.filter(pk=project.pk).update(
        train_percent=asked.train_percent,
        dev_percent=asked.dev_percent,
        test_percent=asked.test_percent,
        split_seed=asked.seed,
    )
    sizes = {size.name: size.articles for size in _sizes(project, asked, articles, drawn)}
    return PassageAct.objects.create(
        project=project,
        kind=PassageAct.Kind.SPLIT,
        why=why,
        asked=asdict(asked) | {"articles": sizes},
        articles=len(articles),
        paragraphs=sum(article.paragraphs for article in articles),
        decided_by=user,
    )


def draw(articles: Sequence[DrawnArticle], asked: SplitRequest) -> dict[int, str]:
    """A split for each article, by its key: groups one after the other, each in an order that title and seed alone
    give; every next article goes where the share so far lacks most.

    So each split is within one article of its share of all, and within two of its share of each group.
    """
    drawn: dict[int, str] = {}
    # Articles without an included paragraph bring no work: they are drawn like the others, and take no place of theirs.
    idle = [article for article in articles if not article.paragraphs]
    for groups in (_groups(articles, asked), [idle]):
        counts = dict.fromkeys(asked.percents, 0)
        ordered = [article for group in groups for article in _shuffled(group, asked.seed)]
        for number, article in enumerate(ordered, start=1):
            # Of equals the first, as max gives it.
            split = max(counts, key=lambda name: asked.percents[name] * number - 100 * counts[name])
            counts[split] += 1
            drawn[article.pk] = split
    return drawn


def _shuffled(articles: Iterable[DrawnArticle], seed: int) -> list[DrawnArticle]:
    return sorted(articles, key=lambda article: sha256(f"{seed}:{article.title}".encode()).digest())


def _groups(articles: Sequence[DrawnArticle], asked: SplitRequest) -> list[list[DrawnArticle]]:
    working = [article for article in articles if article.paragraphs]
    if asked.stratify == BY_TOPIC:
        of_topic: dict[str, list[DrawnArticle]] = {}
        for article in working:
            of_topic.setdefault(article.topic, []).append(article)
        # Those that share no topic come last; for the others the order says nothing but must be one.
        return [of_topic[topic] for topic in sorted(of_topic, key=lambda one: (not one, -len(of_topic[one]), one))]
    if asked.stratify != BY_LENGTH:
        return [working]
    ordered = sorted(working, key=lambda article: (article.characters, article.title))
    cuts = [len(ordered) * number // GROUPS for number in range(GROUPS + 1)]
    return [ordered[start:end] for start, end in pairwise(cuts)]


def _articles(project: Project, asked: SplitRequest) -> list[DrawnArticle]:
    """What is drawn. Raises NotDrawn where topics are asked for and not known yet."""
    included = Q(paragraphs__is_excluded=False)
    rows = Article.objects.in_project(project).annotate(
        held=Count("paragraphs", filter=included), chars=Sum("paragraphs__characters", filter=included, default=0)
    )
    articles = [DrawnArticle(*row) for row in rows.order_by("pk").values_list("pk", "title", "split", "held", "chars")]
    if asked.stratify != BY_TOPIC:
        return articles
    topics = _topics(project)
    return [replace(article, topic=topics[article.pk]) for article in articles]


def _topics(project: Project) -> dict[int, str]:
    rows = list(project.articles.values_list("pk", "topic", "key_words"))
    if any(not topic and words is None for _pk, topic, words in rows):
        raise NotDrawn(_("What the articles are about is being worked out. Try again in a minute."))
    return topics_of({pk: topic for pk, topic, _words in rows}, {pk: words or [] for pk, _topic, words in rows})


def _sizes(
    project: Project, asked: SplitRequest, articles: Sequence[DrawnArticle], drawn: Mapping[int, str]
) -> list[DrawnSplit]:
    sizes = []
    for split, wanted in asked.percents.items():
        members = [article for article in articles if drawn[article.pk] == split]
        paragraphs = sum(article.paragraphs for article in members)
        written = paragraphs * project.writers_per_paragraph
        sizes.append(
            DrawnSplit(
                name=split,
                wanted=wanted,
                articles=len(members),
                share=100 * len(members) / len(articles) if articles else 0.0,
                paragraphs=paragraphs,
                characters=sum(article.characters for article in members),
                fewest_questions=written * project.min_questions,
                most_questions=written * project.max_questions,
                moved=sum(article.split != split for article in members),
            )
        )
    return sizes
