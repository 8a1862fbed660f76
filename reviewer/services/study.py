"""Agreement of a project's split in every view of it: measures, articles, workers, batches, over time, questions.

Working it out reads every answer of the split. What came out is kept in the cache with a mark of the rows that it
hangs on, so that a page of a large project never works it out itself: it shows what is known, says from when it is,
and a job brings it up to date.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from django.core.cache import cache
from django.db.models import Count, Max, Sum
from django.utils import timezone

from annotation.models import Answer, Article, PassageAct, Project, Question, Verdict
from hits.services.pseudonyms import worker_key
from reviewer.services.agreement import Extra
from scoring.agreement import GivenAnswers, QuestionAgreement, most_given, question_agreement
from scoring.agreement_figures import figures_of
from scoring.bootstrap import mean_interval
from scoring.human import PERCENT_PLACES, AnsweredQuestion, human_performance
from scoring.normalization import runs
from scoring.squad_metrics import AnswerScore

# Up to so many questions with answers a page works its figures out by itself, in some tenths of a second.
WORKED_OUT_AT_ONCE = 1500
# Bumped where the shape of what is kept changes.
SHAPE = 3
# With a row for each question: most of the room that a study takes.
LONG = frozenset({"least_agreed"})
KEPT_SECONDS = 30 * 24 * 60 * 60
# For so long nobody queues the same job again.
UNDER_WAY_SECONDS = 120
# Over more days than this, time goes by weeks.
MOST_DAYS = 31
GROUP_REPLICATES = 400

Study = dict[str, Any]


@dataclass(frozen=True)
class Shown:
    """What a page shows: a study, or None while it is being worked out; ``is_current`` says whether nothing that it
    hangs on has changed since ``at``."""

    study: Study | None
    at: datetime | None = None
    is_current: bool = False


@dataclass(frozen=True, slots=True)
class _Row:
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


def shown(project: Project, split: str, mark: list[Any] | None = None) -> Shown:
    """What is known of ``split``; where that is nothing or has been overtaken, it is worked out here if it is little,
    and by a job otherwise. ``mark`` is ``mark_of`` of this moment, where the caller has it already."""
    mark = mark or mark_of(project)
    kept = cache.get(_key(project, split))
    if kept and kept["mark"] == mark:
        return Shown(kept["study"], kept["at"], is_current=True)
    if _answered(project, split)[: WORKED_OUT_AT_ONCE + 1].count() <= WORKED_OUT_AT_ONCE:
        study = work_out(project, split)
        return Shown(study, timezone.now(), is_current=True)
    if cache.add(f"{_key(project, split)}:under-way", 1, UNDER_WAY_SECONDS):
        from reviewer.tasks import work_out_agreement

        work_out_agreement.delay(project.pk, split)
    return Shown(kept["study"], kept["at"]) if kept else Shown(None)


def known(project: Project, split: str) -> Shown:
    """What was worked out last but for its lists of questions (``LONG``), without looking whether it is current."""
    kept = cache.get(f"{_key(project, split)}:head")
    return Shown(kept["study"], kept["at"]) if kept else Shown(None)


def work_out(project: Project, split: str) -> Study:
    """Work out the study of ``split`` and keep it. The same rows give the same figures."""
    mark = mark_of(project)
    study = _study(project, split)
    kept = {"mark": mark, "at": timezone.now(), "study": study}
    cache.set(_key(project, split), kept, KEPT_SECONDS)
    head = {name: value for name, value in study.items() if name not in LONG}
    cache.set(f"{_key(project, split)}:head", kept | {"study": head}, KEPT_SECONDS)
    cache.delete(f"{_key(project, split)}:under-way")
    return study


def public(project_id: int, found: Study) -> dict[str, Any]:
    """The study for those outside: workers by their key of this project, rows by what names them."""
    return found | {
        "articles": [{k: v for k, v in row.items() if k != "key"} for row in found["articles"]],
        "workers": [row | {"key": worker_key(project_id, row["key"])} for row in found["workers"]],
        "least_agreed": [
            dict(zip(("id", "answers", "exact_match", "f1", "has_majority"), row[1:], strict=True))
            for row in found["least_agreed"]
        ],
        "stops": [
            dict(zip(("answers", "stopped_after", "as_in_the_end", "questions"), row, strict=True))
            for row in found["stops"]
        ],
    }


def _key(project: Project, split: str) -> str:
    # With the time, as a database may be made anew, and its keys come again, while the cache stays.
    return f"agreement:{SHAPE}:{project.pk}:{project.created_at.timestamp()}:{split}"


def mark_of(project: Project) -> list[Any]:
    """What changes whenever a study would: how many answers count and in which places, verdicts, splits, language."""
    answers = Answer.objects.filter(question__project=project, position__isnull=False)
    counted = answers.aggregate(Count("pk"), Max("pk"), Sum("position"))
    verdicts = Verdict.objects.aggregate(Max("pk"))
    acts = PassageAct.objects.in_project(project).aggregate(Max("pk"))
    return [*counted.values(), *verdicts.values(), *acts.values(), project.language]


def _answered(project: Project, split: str) -> Any:
    """The counting questions of ``split``, by key."""
    return Question.objects.in_project(project).counting().filter(paragraph__article__split=split).order_by("pk")


def _rows(project: Project, split: str) -> Iterator[_Row]:
    counting = _answered(project, split).order_by().values("pk")
    rows = Answer.objects.counting().filter(question__in=counting).order_by("question", "position")
    columns = rows.values_list(
        "question",
        "question__public_id",
        "question__paragraph__article",
        "text",
        "start",
        "end",
        "question__paragraph__characters",
        "position",
        "assignment__worker",
        "assignment__offer__hit__batch",
        "assignment__submitted_at",
    )
    for question, public_id, article, text, start, end, length, position, worker, batch, at in columns.iterator(5000):
        span = None if start is None or end is None else (start, end)
        day = at.date().isoformat() if at else None
        yield _Row(question, public_id, article, text, span, length or 0, position or 0, worker, batch, day)


def _study(project: Project, split: str) -> Study:
    language = project.language
    found: list[tuple[list[_Row], QuestionAgreement]] = []
    asked, extra = [], Extra()
    for _question, group in groupby(_rows(project, split), key=lambda row: row.question):
        rows = list(group)
        texts = [row.text for row in rows]
        given = GivenAnswers(rows[0].public_id, texts, [row.span for row in rows], rows[0].length)
        asked.append(AnsweredQuestion(given.id, texts))
        others = [row.text for row in rows if row.position]
        extra.questions += bool(others)
        extra.unanswerable += None in others
        found.append((rows, question_agreement(given, language)))
    performance = human_performance(asked, language=language)
    questions = _answered(project, split).order_by().count()
    unanswered = questions - len(asked)
    performance.all_others.too_few_answers += unanswered
    performance.first_and_third.too_few_answers += unanswered
    compared = [agreed for _rows_of, agreed in found if agreed.answers > 1]
    return {
        "split": split,
        "language": language,
        "questions": questions,
        "readings": performance.report(),
        "extra": {"questions": extra.questions, "unanswerable": extra.unanswerable},
        "figures": {name: figure.report() for name, figure in figures_of(compared).items()},
        "articles": _articles(found),
        **_by_person_and_time(found),
        "least_agreed": _by_question(found),
        "stops": _stops(found, language),
    }


def _articles(found: Iterable[tuple[list[_Row], QuestionAgreement]]) -> list[dict[str, Any]]:
    """Articles in order, each with its questions' leave-one-out scores."""
    scores: dict[int, list[AnswerScore]] = defaultdict(list)
    for rows, agreed in found:
        if agreed.leave_one_out is not None:
            scores[rows[0].article].append(agreed.leave_one_out)
    known = Article.objects.in_bulk(scores)
    ordered = sorted(scores, key=lambda pk: known[pk].position)
    return [{"name": str(known[pk]), "key": pk} | _group(scores[pk]) for pk in ordered]


def _by_person_and_time(found: Iterable[tuple[list[_Row], QuestionAgreement]]) -> dict[str, list[dict[str, Any]]]:
    """Workers, batches and days or weeks, each with the scores of the answers that they gave against the others'."""
    workers: dict[int, list[AnswerScore]] = defaultdict(list)
    batches: dict[int, list[AnswerScore]] = defaultdict(list)
    days: dict[str, list[AnswerScore]] = defaultdict(list)
    gave_up: dict[int, int] = defaultdict(int)
    for rows, agreed in found:
        for row, score in zip(rows, agreed.each, strict=True):
            if row.worker is not None:
                gave_up[row.worker] += row.text is None
            if score is None:
                continue
            for groups, key in ((workers, row.worker), (batches, row.batch), (days, row.day)):
                if key is not None:
                    groups[key].append(score)  # type: ignore[index]
    periods = _periods(days)
    return {
        "workers": sorted(
            ({"key": pk, "unanswerable": gave_up[pk]} | _group(scores) for pk, scores in workers.items()),
            key=lambda row: (row["f1"], row["key"]),
        ),
        "batches": [{"key": pk} | _group(batches[pk]) for pk in sorted(batches)],
        "periods": [{"name": name} | _group(periods[name]) for name in sorted(periods)],
    }


def _periods(days: dict[str, list[AnswerScore]]) -> dict[str, list[AnswerScore]]:
    """``days`` as they are, or by weeks (from their Mondays) where there are many."""
    if len(days) <= MOST_DAYS:
        return days
    weeks: dict[str, list[AnswerScore]] = defaultdict(list)
    for day, scores in days.items():
        year, week, _weekday = datetime.fromisoformat(day).isocalendar()
        weeks[datetime.fromisocalendar(year, week, 1).date().isoformat()] += scores
    return weeks


def _group(scores: list[AnswerScore]) -> dict[str, Any]:
    """EM and F1 in percent over ``scores``, one at least, with the interval of F1."""
    f1s = [score.f1 for score in scores]
    around = mean_interval(f1s, GROUP_REPLICATES)
    return {
        "count": len(scores),
        "exact_match": _percent(sum(score.exact_match for score in scores) / len(scores)),
        "f1": _percent(sum(f1s) / len(scores)),
        "low": _percent(around[0]) if around else None,
        "high": _percent(around[1]) if around else None,
    }


def _by_question(found: Iterable[tuple[list[_Row], QuestionAgreement]]) -> list[list[Any]]:
    """Questions with two answers or more, those first whose answers agree least: key, public id, answers, pairwise EM
    and F1, and whether most give the same answer."""
    rows_ = [
        [
            rows[0].question,
            agreed.id,
            agreed.answers,
            _percent(agreed.pairwise.exact_match),
            _percent(agreed.pairwise.f1),
            bool(agreed.is_settled),
        ]
        for rows, agreed in found
        if agreed.pairwise is not None
    ]
    return sorted(rows_, key=lambda row: (row[4], row[3], row[0]))


def _stops(found: Iterable[tuple[list[_Row], QuestionAgreement]], language: str) -> list[list[int]]:
    """What asking one person after the other would have come to: for each number of answers, after how many of them
    most were the same for the first time (0: never), whether that answer is what most gave in the end (1; 0 where it
    is not, or nothing is), and in how many questions it was so."""
    counts: Counter[tuple[int, int, int]] = Counter()
    for rows, agreed in found:
        if agreed.answers < 2:
            continue
        marks = [None if row.text is None else tuple(runs(row.text, language)) for row in rows]
        stop = next((k for k in range(2, len(marks) + 1) if most_given(marks[:k]) is not None), 0)
        last = most_given(marks)
        early = most_given(marks[:stop]) if stop else None
        same = early is not None and last is not None and marks[early] == marks[last]
        counts[agreed.answers, stop, int(same)] += 1
    return [[*key, count] for key, count in sorted(counts.items())]


def _percent(share: float) -> float:
    return round(100 * share, PERCENT_PLACES)
