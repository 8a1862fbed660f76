"""The figures of a project's dashboard, read from its rows: plain values that JSON can keep, money as decimal strings.

Working them out reads every question and answer once; ``dashboard`` keeps what came out.
"""

from __future__ import annotations

import re
from collections import Counter
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, Sum
from django.db.models.functions import TruncDate

from annotation.models import Answer, Assignment, Offer, Paragraph, Project, Question, Task, TaskParagraph
from hits.models import HIT, Batch, LedgerEntry
from hits.services.progress import money_of_project
from hits.services.spending import moments_of
from reviewer.models import Release
from scoring.normalization import apart

Figures = dict[str, Any]

# The last of the bins holds what is longer.
LENGTH_BINS = [*((n, n) for n in range(1, 11)), (11, 15), (16, 20), (21, None)]
MOST_QUESTIONS_BIN = 8
BIGRAMS, FIRST_WORDS, ARTICLES = 20, 10, 10
# Over so many days questions are counted by day, else by week.
MOST_DAYS = 31
# What a rate is measured over.
RATE_DAYS = 7
_WORD = re.compile(r"\w+(?:['’]\w+)*")


def funnel(project: Project) -> Figures:
    """From paragraphs to released questions. Questions that were imported count as written, submitted and approved."""
    paragraphs = Paragraph.objects.in_project(project).aggregate(
        imported=Count("pk"), kept=Count("pk", filter=Q(is_excluded=False))
    )
    published = TaskParagraph.objects.filter(
        Exists(Offer.objects.filter(task=OuterRef("task")).exclude(mturk_hit_id="")),
        task__project=project,
        task__kind=Task.Kind.WRITE,
        paragraph__is_excluded=False,
    )
    questions = Question.objects.in_project(project)
    status, imported = Assignment.Status, Q(imported_from__isnull=False)
    counts = questions.aggregate(
        written=Count("pk"),
        imported=Count("pk", filter=imported),
        submitted=Count("pk", filter=imported | Q(assignment__status__in=Assignment.LISTED)),
        approved=Count("pk", filter=imported | Q(assignment__status=status.APPROVED)),
        waiting=Count("pk", filter=Q(assignment__status=status.SUBMITTED)),
        rejected=Count("pk", filter=Q(assignment__status=status.REJECTED)),
    )
    release = Release.objects.in_project(project).order_by("-number").first()
    released = sum(split["questions"] for split in release.manifest["counts"].values()) if release else 0
    return {
        "paragraphs": paragraphs["imported"],
        "kept": paragraphs["kept"],
        "published": published.values("paragraph").distinct().count(),
        **counts,
        "dropped": questions.dropped().count(),
        "in_data": questions.counting().count(),
        "released": released,
        "release": release.number if release else None,
    }


def spend(project: Project) -> Figures:
    """Cap, reserved and spent, USD, and how they stood after each moment that moved them."""
    money = money_of_project(project)
    moments = moments_of(LedgerEntry.objects.in_project(project))
    return {
        "cap_usd": f"{money.cap_usd:.2f}",
        "reserved_usd": f"{money.reserved_usd:.2f}",
        "spent_usd": f"{money.spent_usd:.2f}",
        "moments": [[one.at.isoformat(), str(one.spent_usd), str(one.reserved_usd)] for one in moments],
    }


def words(project: Project) -> Figures:
    """With which two words the questions in the data begin, and with which word, most frequent first."""
    firsts: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    texts = Question.objects.in_project(project).counting().order_by().values_list("text", flat=True)
    total = 0
    for text in texts.iterator(5000):
        total += 1
        begin = first_words(text, project.language)
        if begin:
            firsts[begin[0]] += 1
            pairs[" ".join(begin)] += 1
    return {"questions": total, "bigrams": _most(pairs, BIGRAMS), "firsts": _most(firsts, FIRST_WORDS)}


def first_words(text: str, language: str) -> list[str]:
    """The first two words of a question in lower case, fewer where it has fewer. In a language without blanks between
    words each character is one (``scoring.normalization``)."""
    found: list[str] = []
    for match in _WORD.finditer(text.lower()):
        found += apart([match[0]], language)
        if len(found) >= 2:
            break
    return found[:2]


def _most(counts: Counter[str], most: int) -> list[list[Any]]:
    """Ties in the order of the alphabet, so that equal rows give equal figures."""
    return [[name, count] for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:most]]


def lengths(project: Project) -> Figures:
    """How many words the answers that count have, as a histogram; those that say *cannot be answered* apart."""
    questions = Question.objects.in_project(project).counting().order_by().values("pk")
    texts = Answer.objects.counting().filter(question__in=questions).order_by().values_list("text", flat=True)
    counts: Counter[int] = Counter()
    unanswerable = 0
    for text in texts.iterator(5000):
        if text is None:
            unanswerable += 1
        else:
            counts[len(apart(text.split(), project.language))] += 1
    answers = counts.total()
    return {
        "answers": answers,
        "unanswerable": unanswerable,
        "mean": sum(length * count for length, count in counts.items()) / answers if answers else None,
        "median": _median(counts),
        "bins": [
            [start, end, sum(n for length, n in counts.items() if start <= length <= (length if end is None else end))]
            for start, end in LENGTH_BINS
        ],
    }


def _median(counts: Counter[int]) -> float | None:
    """Of values counted by ``counts``; between the middle two where there are as many below as above."""
    if not counts:
        return None
    total, seen = counts.total(), 0
    middle: list[int] = []
    for value in sorted(counts):
        seen += counts[value]
        wanted = {(total + 1) // 2, total // 2 + 1}
        middle += [value for place in sorted(wanted) if seen - counts[value] < place <= seen]
    return sum(middle) / len(middle)


def coverage(project: Project) -> Figures:
    """How many questions in the data the paragraphs that are kept have."""
    counting = Question.objects.in_project(project).counting()
    kept = Paragraph.objects.in_project(project).filter(is_excluded=False)
    asked = counting.filter(paragraph__is_excluded=False).order_by().values("paragraph").annotate(n=Count("pk"))
    counts = Counter(min(n, MOST_QUESTIONS_BIN) for n in asked.values_list("n", flat=True).iterator(5000))
    paragraphs, covered = kept.count(), counts.total()
    bare = kept.filter(~Exists(counting.filter(paragraph=OuterRef("pk")))).order_by()
    worst = bare.values("article", "article__title").annotate(n=Count("pk")).order_by("-n", "article")[:ARTICLES]
    return {
        "paragraphs": paragraphs,
        "without": paragraphs - covered,
        "counts": [[0, paragraphs - covered], *([n, counts[n]] for n in range(1, MOST_QUESTIONS_BIN + 1))],
        "articles": [[row["article__title"].replace("_", " "), row["n"]] for row in worst] if covered else [],
    }


def pace(project: Project, now: datetime) -> Figures:
    """Questions that workers submitted by day, by week (from Mondays) over a long time; and how far the batches are
    that run."""
    written = Question.objects.in_project(project).filter(assignment__status__in=Assignment.LISTED)
    by_day = written.order_by().annotate(day=TruncDate("assignment__submitted_at")).values("day")
    days = {row["day"]: row["n"] for row in by_day.annotate(n=Count("pk")).order_by("day")}
    recent = written.filter(assignment__submitted_at__gt=now - timedelta(days=RATE_DAYS)).count()
    by_week = bool(days) and (max(days) - min(days)).days >= MOST_DAYS
    periods: Counter[str] = Counter()
    for day, count in days.items():
        periods[(day - timedelta(days=day.weekday() if by_week else 0)).isoformat()] += count
    # The days of the rate end now; where the first question is younger, they begin with it.
    first = written.order_by("assignment__submitted_at").values_list("assignment__submitted_at", flat=True).first()
    return {
        "by": "week" if by_week else "day",
        "periods": [[name, count] for name, count in sorted(periods.items())],
        "questions": sum(days.values()),
        "a_day": recent / _days_since(first, now) if recent else None,
        "batches": _running(project, now),
    }


def _days_since(first: datetime | None, now: datetime) -> float:
    """Days from ``first`` until ``now``: RATE_DAYS at most, and one at least, so that an hour's work is no forecast of
    a day's."""
    return max(1.0, min(float(RATE_DAYS), (now - (first or now)) / timedelta(days=1)))


def _running(project: Project, now: datetime) -> list[Figures]:
    """Batches from which work may come, oldest first, with the places that are left and when they would be filled."""
    batches = Batch.objects.in_project(project).exclude(status=Batch.Status.CLOSED).order_by("pk")
    places = dict(
        HIT.objects.filter(batch__in=batches)
        .order_by()
        .values_list("batch")
        .annotate(n=Sum(F("max_assignments") - F("replaces_places")))
    )
    work = Assignment.objects.listed().filter(offer__hit__batch__in=batches).order_by().values("offer__hit__batch")
    recent = Q(submitted_at__gt=now - timedelta(days=RATE_DAYS))
    done = {row["offer__hit__batch"]: row for row in work.annotate(n=Count("pk"), recent=Count("pk", filter=recent))}
    found = []
    for batch in batches:
        row = done.get(batch.pk, {"n": 0, "recent": 0})
        left = max(0, places.get(batch.pk, 0) - row["n"])
        a_day = row["recent"] / _days_since(batch.launched_at, now)
        # A forecast over years says no more than that it takes for ever.
        days = left / a_day if a_day else None
        ends_at = now + timedelta(days=days) if days is not None and days < 3650 else None
        found.append(
            {
                "batch": batch.pk,
                "kind": batch.kind,
                "status": batch.status,
                "places": places.get(batch.pk, 0),
                "submitted": row["n"],
                "a_day": a_day,
                "ends_at": ends_at.isoformat() if ends_at else None,
            }
        )
    return found
