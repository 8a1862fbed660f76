"""What an article is about, in one word: what its source says, else the key word that it shares with most others.

A source says it in the field or column ``topic`` of a file. Wikipedia's categories are no topics: an article has
dozens of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from django.db.models import Count

from annotation.models import Project
from annotation.services.passages import Share

# A key word that so many articles have is a topic.
FEWEST_ARTICLES = 2
MOST_TOPIC_CHARS = 200


def topics_of(stated: Mapping[int, str], key_words: Mapping[int, Sequence[str]]) -> dict[int, str]:
    """The topic of each article by its key: the one ``stated``, else that of its ``key_words`` which the most
    articles have, of equals the most telling; empty where it shares none.

    The same articles give the same topics in whatever order they come.
    """
    counted = Counter(word for words in key_words.values() for word in words)
    found = {}
    for pk, topic in stated.items():
        words = key_words.get(pk, ())
        # Of equals the first, as max gives it.
        word = max(words, key=counted.__getitem__, default="")
        found[pk] = topic or (word if counted[word] >= FEWEST_ARTICLES else "")
    return found


def stated_topics(project: Project, most: int) -> list[Share]:
    """The topics that the sources of ``project`` name, with how many articles, the most frequent first."""
    rows = project.articles.exclude(topic="").order_by().values_list("topic")
    return [Share(*row) for row in rows.annotate(held=Count("pk")).order_by("-held", "topic")[:most]]
