"""What was asked about a paragraph before, in a form that gives no question away."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

from annotation.models import Question
from scoring.advice import question_key

# Making a key takes a tenth of a millisecond, and a page is waited for: where a file brought ten thousand questions on
# a paragraph, the last of them are looked at.
MOST_QUESTIONS = 1000


def asked_before(paragraph_ids: Collection[int], language: str) -> dict[int, list[int]]:
    """The keys (``scoring.advice.question_key``) of the questions that each paragraph has, by its id.

    These are questions that are kept, this worker's own from earlier work among them. A writer may not read what others
    wrote, as a paragraph is to be asked about by several people afresh; the keys let their page notice the same words.
    """
    found = defaultdict(set)
    rows = Question.objects.kept().filter(paragraph__in=paragraph_ids).order_by("-pk")
    for paragraph_id, text in rows.values_list("paragraph_id", "text")[:MOST_QUESTIONS]:
        key = question_key(text, language)
        if key is not None:
            found[paragraph_id].add(key)
    return {paragraph_id: sorted(keys) for paragraph_id, keys in found.items()}
