"""What the platform knows of how a dataset came about: who worked on it, when, for what pay, how passages were drawn.

It is of the work that counts alone, so that a running batch changes none of it; days stand without their hours, and
people are counted and not named.
"""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Max, Min

from annotation.models import Answer, Import, Project, Question
from reviewer.services.agreement import agreement
from reviewer.services.dataset import EVALUATION_SPLITS


def facts_of(project: Project, splits: tuple[str, ...]) -> dict[str, Any]:
    """The facts about the work in ``splits`` of ``project``, as the manifest has them."""
    questions = Question.objects.in_project(project).counting().filter(paragraph__article__split__in=splits)
    answers = (
        Answer.objects.in_project(project)
        .counting()
        .filter(assignment__isnull=False, question__paragraph__article__split__in=splits)
    )
    whole = answers.aggregate(
        workers=Count("assignment__worker", distinct=True),
        first=Min("assignment__submitted_at"),
        last=Max("assignment__submitted_at"),
    )
    return {
        "imported_questions": questions.filter(imported_from__isnull=False).count(),
        "workers": whole["workers"],
        "first_day": whole["first"].date().isoformat() if whole["first"] else None,
        "last_day": whole["last"].date().isoformat() if whole["last"] else None,
        "work": _work(answers),
        "passages": _passages(project),
        "human_performance": {split: _agreed(project, split) for split in EVALUATION_SPLITS if split in splits},
    }


def _work(answers: Any) -> list[dict[str, Any]]:
    """By kind of work: how many people did how many HITs, and for which rates an hour."""
    kinds: dict[str, dict[str, Any]] = {}
    rows = answers.values_list("assignment__task__kind").order_by("assignment__task__kind")
    people, hits = Count("assignment__worker", distinct=True), Count("assignment", distinct=True)
    for kind, workers, assignments in rows.annotate(people, hits):
        kinds[kind] = {"kind": kind, "workers": workers, "assignments": assignments, "hourly_rates_usd": []}
    rate = "assignment__offer__hit__batch__hourly_rate_usd"
    for kind, usd in (
        rows.filter(**{f"{rate}__isnull": False}).order_by(rate).values_list("assignment__task__kind", rate).distinct()
    ):
        kinds[kind]["hourly_rates_usd"].append(f"{usd:.2f}")
    return list(kinds.values())


def _passages(project: Project) -> list[dict[str, Any]]:
    """Of each curation whose passages were taken in: what it read, and how its titles were drawn, each once."""
    found: list[dict[str, Any]] = []
    for report in Import.objects.in_project(project).order_by("pk").values_list("curation", flat=True):
        source = report.get("source") if isinstance(report, dict) else None
        if not isinstance(source, dict):
            continue
        sample = source.get("sample")
        drawn = {name: sample.get(name) for name in ("seed", "top", "sample")} if isinstance(sample, dict) else None
        one = {"kind": source.get("kind"), "name": source.get("name"), "drawn": drawn}
        if one not in found:
            found.append(one)
    return found


def _agreed(project: Project, split: str) -> dict[str, Any]:
    """Human EM and F1 in percent and of how many questions; None where nothing can be compared."""
    found = agreement(project, split).performance.report()["all_others"]
    return {name: found[name] for name in ("exact_match", "f1", "total")}
