"""Words that tell what an article is about: frequent in it, rare in the project's other articles (TF-IDF).

Worked out by a job after passages came in, from the texts alone. Languages that put no blanks between words get none.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from django.db import transaction

from annotation.models import Article, Paragraph, Project
from annotation.services.passages import Share

KEY_WORDS = 6
# Shorter words are seldom telling, longer ones are no words.
MOST_WORD_CHARS = 40
_WORD = re.compile(rf"[^\W\d_]{{3,{MOST_WORD_CHARS}}}")
ARTICLES_AT_ONCE = 200
# Languages that write words without blanks between them.
UNSPACED = ("zh", "ja", "th", "lo", "km", "my")


def describe(project: Project) -> int:
    """Work out the key words of all articles of ``project``; return how many articles have some.

    All of them, as every new article changes which words are rare.
    """
    counts: dict[int, Counter[str]] = {}
    is_spaced = project.language.partition("-")[0].lower() not in UNSPACED
    for first in range(0, project.articles.count() if is_spaced else 0, ARTICLES_AT_ONCE):
        ids = list(project.articles.order_by("pk").values_list("pk", flat=True)[first : first + ARTICLES_AT_ONCE])
        counts |= {pk: Counter() for pk in ids}
        for of, text in Paragraph.objects.filter(article__in=ids).values_list("article", "text"):
            counts[of].update(word.lower() for word in _WORD.findall(text))
    found = key_words(counts)
    with transaction.atomic():
        articles = list(Article.objects.select_for_update().in_project(project).order_by("pk").only("pk", "key_words"))
        for article in articles:
            article.key_words = found.get(article.pk, [])
        Article.objects.bulk_update(articles, ["key_words"], batch_size=500)
    return sum(bool(article.key_words) for article in articles)


def key_words(counts: Mapping[int, Counter[str]]) -> dict[int, list[str]]:
    """For each article the words that tell it from the others, most telling first, from how often it has each word.

    A word's weight is its count times the logarithm of articles over articles that have it; a word of all articles, or
    one that stands there once, tells nothing.
    """
    articles = len(counts)
    having = Counter(word for words in counts.values() for word in words)
    told = {}
    for pk, words in counts.items():
        weights = {
            word: count * math.log(articles / having[word])
            for word, count in words.items()
            if count > 1 and having[word] < articles
        }
        told[pk] = sorted(weights, key=lambda word: (-weights[word], word))[:KEY_WORDS]
    return told


def topics(project: Project, most: int) -> Sequence[Share]:
    """The key words that most articles share, with how many articles."""
    counted: Counter[str] = Counter()
    for words in project.articles.exclude(key_words=None).values_list("key_words", flat=True):
        counted.update(words)
    ranked = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    return [Share(*item) for item in ranked[:most]]


def undescribed() -> list[Project]:
    """Projects with an article whose key words are not worked out."""
    return list(Project.objects.filter(is_rehearsal=False, articles__key_words=None, articles__isnull=False).distinct())
