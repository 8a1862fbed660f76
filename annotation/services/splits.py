"""Drawing train, dev and test: by article, at random with a recorded seed (SQuAD paper, section 3.1)."""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from itertools import islice

from django.db import transaction
from django.db.models import Count

from annotation.models import Article, Project

Split = Article.Split


@transaction.atomic
def assign_splits(project: Project) -> dict[str, int]:
    """Give each article of ``project`` that has no split one; return how many articles each split got.

    Articles that have a split keep it. The same articles under the same seed get the same splits, in whatever order
    they came in.
    """
    # Two imports at once would each fill the same gap.
    project = Project.objects.select_for_update().get(pk=project.pk)
    present = dict(project.articles.exclude(split="").order_by().values_list("split").annotate(articles=Count("pk")))
    titles = project.articles.filter(split="").values_list("title", flat=True)
    drawn = draw_splits(titles, shares(project), project.split_seed, present)
    given = dict.fromkeys(Split.values, 0)
    for split in given:
        chosen = [title for title, its_split in drawn.items() if its_split == split]
        given[split] = project.articles.filter(split="", title__in=chosen).update(split=split)
    return given


def shares(project: Project) -> dict[str, int]:
    """The wanted share of each split, in percent of the articles."""
    return {
        Split.TRAIN.value: project.train_percent,
        Split.DEV.value: project.dev_percent,
        Split.TEST.value: project.test_percent,
    }


def draw_splits(
    titles: Iterable[str], percents: Mapping[str, int], seed: int, present: Mapping[str, int] | None = None
) -> dict[str, str]:
    """A split for each of ``titles``, so that with the articles already ``present`` in each split the totals come as
    near to ``percents`` as they can (least sum of squared distances). Which article goes where depends on its title
    and ``seed`` alone."""
    shuffled = sorted(set(titles), key=lambda title: sha256(f"{seed}:{title}".encode()).digest())
    counts = {split: (present or {}).get(split, 0) for split in percents}
    total = sum(counts.values()) + len(shuffled)
    places: dict[str, int] = dict.fromkeys(percents, 0)
    for _ in shuffled:
        # The emptiest split next: the distance to each share is convex, so no other order ends nearer. Scaled by 100
        # to stay in whole numbers; of equals the first.
        split = max(percents, key=lambda name: percents[name] * total - 100 * counts[name])
        counts[split] += 1
        places[split] += 1
    rest = iter(shuffled)
    return {title: split for split, wanted in places.items() for title in islice(rest, wanted)}
