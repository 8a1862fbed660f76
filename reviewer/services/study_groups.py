"""Agreement of a split by article, worker, batch and over time: each measure for each of them."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy as np

from annotation.models import Article
from scoring.agreement import QuestionAgreement, part_of
from scoring.agreement_figures import COLUMNS, MEASURES, Figure, figures_from, parts_of
from scoring.bootstrap import mean_interval
from scoring.human import PERCENT_PLACES
from scoring.squad_metrics import AnswerScore

GROUPS = ("articles", "workers", "batches", "periods")
# Over more days than this, time goes by weeks.
MOST_DAYS = 31
GROUP_REPLICATES = 400


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One counting answer with all that it is grouped by."""

    question: int
    public_id: str
    article: int
    text: str | None
    span: tuple[int, int] | None
    length: int
    position: int
    worker: int | None
    batch: int | None
    day: str | None


# A question's answers, and how far they agree.
Compared = tuple[list[AnswerRow], QuestionAgreement]


@dataclass(slots=True)
class _Group:
    """What is known of a group: the scores of its answers against the others (of an article: of its questions), what
    each question adds to the measures, and how many of its answers say that there is none."""

    scores: list[AnswerScore] = field(default_factory=list)
    parts: array[float] = field(default_factory=lambda: array("d"))
    unanswerable: int = 0

    def row(self) -> dict[str, Any]:
        """EM and F1 in percent over the scores, one at least, with the interval of F1."""
        f1s = [score.f1 for score in self.scores]
        around = mean_interval(f1s, GROUP_REPLICATES)
        return {
            "count": len(f1s),
            "exact_match": percent(sum(score.exact_match for score in self.scores) / len(f1s)),
            "f1": percent(sum(f1s) / len(f1s)),
            "low": percent(around[0]) if around else None,
            "high": percent(around[1]) if around else None,
        }

    def measures(self) -> list[list[Any]]:
        """Each of ``MEASURES`` as the values of a ``Figure``: of thousands of groups that takes a third of the room."""
        found = figures_from(np.frombuffer(self.parts).reshape(-1, COLUMNS), replicates=GROUP_REPLICATES)
        return [
            [figure.value, figure.low, figure.high, figure.questions, figure.why, figure.interval_why]
            for figure in (found[name] for name in MEASURES)
        ]


def groups_of(found: Sequence[Compared]) -> dict[str, Any]:
    """The rows of ``GROUPS``, and under ``measures`` every measure of each row."""
    articles: dict[Any, _Group] = {}
    for rows, agreed in found:
        if agreed.answers > 1:
            group = articles.setdefault(rows[0].article, _Group())
            group.parts.extend(parts_of(agreed))
            if agreed.leave_one_out is not None:
                group.scores.append(agreed.leave_one_out)
    by = {
        "articles": _in_order_of_position(articles),
        "workers": _by(found, lambda row: row.worker),
        "batches": _by(found, lambda row: row.batch),
        "periods": _by(found, _period(found)),
    }
    by = {name: {key: group for key, group in groups.items() if group.scores} for name, groups in by.items()}
    names = {pk: str(article) for pk, article in Article.objects.in_bulk(list(by["articles"])).items()}
    tables = {
        "articles": [({"name": names[pk], "key": pk} | one.row(), one) for pk, one in by["articles"].items()],
        "workers": [
            ({"key": pk, "unanswerable": one.unanswerable} | one.row(), one) for pk, one in by["workers"].items()
        ],
        "batches": [({"key": pk} | by["batches"][pk].row(), by["batches"][pk]) for pk in sorted(by["batches"])],
        "periods": [
            ({"name": name} | by["periods"][name].row(), by["periods"][name]) for name in sorted(by["periods"])
        ],
    }
    tables["workers"].sort(key=lambda pair: (pair[0]["f1"], pair[0]["key"]))
    rows_of = {name: [row for row, _group in pairs] for name, pairs in tables.items()}
    return rows_of | {"measures": {name: [one.measures() for _row, one in tables[name]] for name in GROUPS}}


def figures_by(found: dict[str, Any], group: str) -> list[dict[str, dict[str, Any]]]:
    """Every measure of each row of ``group`` (one of ``GROUPS``) of the study ``found``, as its ``figures`` has those
    of the split."""
    return [
        {name: Figure(*told).report() for name, told in zip(MEASURES, row, strict=True)}
        for row in found["measures"][group]
    ]


def percent(share: float) -> float:
    return round(100.0 * share, PERCENT_PLACES)


def _in_order_of_position(articles: dict[Any, _Group]) -> dict[Any, _Group]:
    places = Article.objects.filter(pk__in=list(articles)).order_by("position").values_list("pk", flat=True)
    return {pk: articles[pk] for pk in places}


def _by(found: Sequence[Compared], key_of: Callable[[AnswerRow], Hashable | None]) -> dict[Any, _Group]:
    """What those add who gave answers of the same key: their own answers, against all others of the question."""
    groups: dict[Any, _Group] = {}
    for rows, agreed in found:
        places: dict[Any, list[int]] = {}
        for place, row in enumerate(rows):
            key = key_of(row)
            if key is not None:
                places.setdefault(key, []).append(place)
        for key, own in places.items():
            group = groups.setdefault(key, _Group())
            group.unanswerable += sum(agreed.marked[place] for place in own)
            group.scores += [score for place in own if (score := agreed.each[place]) is not None]
            if agreed.answers > 1:
                group.parts.extend(parts_of(part_of(agreed, own)))
    return groups


def _period(found: Sequence[Compared]) -> Callable[[AnswerRow], str | None]:
    """The day of an answer, or the Monday of its week where there are many days."""
    days = {row.day for rows, agreed in found if agreed.answers > 1 for row in rows if row.day is not None}
    if len(days) <= MOST_DAYS:
        return lambda row: row.day
    mondays = {day: _monday(day) for day in days}
    return lambda row: mondays.get(row.day) if row.day is not None else None


def _monday(day: str) -> str:
    year, week, _weekday = datetime.fromisoformat(day).isocalendar()
    return datetime.fromisocalendar(year, week, 1).date().isoformat()
