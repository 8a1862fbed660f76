"""One answer out of several, weighed by how reliable their workers are: an option beside the plain majority.

Each word of the paragraph that somebody marked becomes a yes-or-no question to everybody who answered: does it belong
to the answer? Dawid-Skene (1979) and MACE (Hovy et al. 2013), both as crowd-kit has them, answer these from all of them
together, and say how reliable each worker was; the longest run of words that belong is the answer. crowd-kit is an
optional extra, so it is imported late.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from django.utils.translation import gettext as _

from annotation.models import Answer, Project, Question
from hits.services.pseudonyms import worker_key
from scoring.agreement import most_given
from scoring.normalization import runs
from scoring.squad_metrics import exact_match

from .reasoning import pieces

METHODS = ("dawid-skene", "mace")
ROUNDS = {"dawid-skene": 100, "mace": 50}
SEED = 1


class NotAggregated(Exception):
    """Answers that cannot be aggregated; the message says why and what to do."""


@dataclass(frozen=True)
class Chosen:
    """What was chosen for a question: by plain majority (None where there is none), and by the method. A text that is
    empty says that the question cannot be answered."""

    question: str
    majority: str | None
    chosen: str
    is_same: bool | None


@dataclass(frozen=True)
class Aggregation:
    """``quality`` is each worker's reliability from 0 to 1, by their key in the project: the mean of the shares of
    words that belong and that do not belong which they got right (Dawid-Skene), or how seldom they guessed (MACE)."""

    method: str
    questions: tuple[Chosen, ...]
    quality: dict[str, float]

    def report(self) -> dict[str, Any]:
        """The aggregation for JSON."""
        with_majority = [one.is_same for one in self.questions if one.is_same is not None]
        return {
            "method": self.method,
            "questions_with_a_majority": len(with_majority),
            "same_as_the_majority": sum(with_majority),
            "workers": [{"worker": key, "quality": round(value, 3)} for key, value in sorted(self.quality.items())],
            "questions": [
                {"id": one.question, "majority": one.majority, "chosen": one.chosen} for one in self.questions
            ],
        }


@dataclass(frozen=True, slots=True)
class _Given:
    worker: int
    text: str | None
    start: int
    end: int


def aggregate(project: Project, split: str, method: str) -> Aggregation:
    """Aggregate the counting answers that workers gave to questions of ``split``, two or more each. Raises
    NotAggregated."""
    models = _models()
    given = _given(project, split)
    if not given:
        raise NotAggregated(
            _("No question of {split} has answers by two workers known here; imported answers have no worker.").format(
                split=split
            )
        )
    questions = Question.objects.select_related("paragraph").in_bulk(given)
    rows: list[tuple[str, int, int]] = []
    words: dict[int, list[tuple[int, int]]] = {}
    for pk, answers in given.items():
        marked = [(one.start, one.end) for one in answers if one.text is not None]
        all_pieces = pieces(questions[pk].paragraph.text, project.language, marked, finely=True)
        words[pk] = [(piece.start, piece.end) for piece in all_pieces if piece.is_answer]
        for start, end in words[pk]:
            rows += [(f"{pk}:{start}", one.worker, int(one.start < end and start < one.end)) for one in answers]
    if not rows:
        raise NotAggregated(_("Every answer says that its question cannot be answered: there is nothing to weigh."))
    belongs, quality = _weigh(models, method, rows)
    chosen = tuple(_chosen(questions[pk], answers, words[pk], belongs, project) for pk, answers in given.items())
    return Aggregation(method, chosen, {worker_key(project.pk, worker): value for worker, value in quality.items()})


def is_installed() -> bool:
    """Whether crowd-kit is there, without the seconds that importing it takes."""
    return find_spec("crowdkit") is not None


def require_library() -> None:
    """Raise NotAggregated where crowd-kit is not installed."""
    if not is_installed():
        raise _missing()


def _models() -> tuple[Any, Any]:
    """crowd-kit's models, and pandas. Raises NotAggregated where it is not installed."""
    try:
        return import_module("crowdkit.aggregation"), import_module("pandas")
    except ImportError:
        raise _missing() from None


def _missing() -> NotAggregated:
    return NotAggregated(
        _("crowd-kit is not installed, which weighs answers: run pip install -r requirements-aggregation.txt")
    )


def _given(project: Project, split: str) -> dict[int, list[_Given]]:
    counting = Question.objects.in_project(project).counting().filter(paragraph__article__split=split)
    rows = Answer.objects.counting().filter(question__in=counting.values("pk"), assignment__isnull=False)
    given: dict[int, list[_Given]] = defaultdict(list)
    columns = rows.order_by("question", "position").values_list(
        "question", "assignment__worker", "text", "start", "end"
    )
    for question, worker, text, start, end in columns:
        given[question].append(_Given(worker, text, start or 0, end or 0))
    return {pk: answers for pk, answers in given.items() if len({one.worker for one in answers}) > 1}


def _weigh(
    models: tuple[Any, Any], method: str, rows: Sequence[tuple[str, int, int]]
) -> tuple[dict[str, bool], dict[int, float]]:
    """Whether each word belongs, and each worker's reliability."""
    kit, pandas = models
    table = pandas.DataFrame(rows, columns=["task", "worker", "label"])
    workers = list(dict.fromkeys(worker for _task, worker, _label in rows))
    if method == "mace":
        model = kit.MACE(n_restarts=5, n_iter=ROUNDS[method], random_state=SEED)
        labels = model.fit_predict(table)
        # In the order in which workers come; the second column is the share that was not guessed.
        quality = {worker: float(model.spamming_[place, 1]) for place, worker in enumerate(workers)}
    else:
        model = kit.DawidSkene(n_iter=ROUNDS[method])
        labels = model.fit_predict(table)
        true = sorted(set(labels))
        quality = {worker: _balanced(model.errors_, worker, true) for worker in workers}
    return {task: bool(label) for task, label in labels.items()}, quality


def _balanced(errors: Any, worker: int, true: Sequence[int]) -> float:
    """The mean of how often ``worker`` says what is true, over the labels that are ``true`` of some word; one that they
    never gave they never got right."""
    own = errors.loc[worker]
    return sum(float(own.loc[label, label]) if label in own.index else 0.0 for label in true) / len(true)


def _chosen(
    question: Question,
    answers: Sequence[_Given],
    words: Sequence[tuple[int, int]],
    belongs: dict[str, bool],
    project: Project,
) -> Chosen:
    text = question.paragraph.text
    runs_of: list[list[int]] = []
    for start, end in words:
        if not belongs[f"{question.pk}:{start}"]:
            continue
        if runs_of and not text[runs_of[-1][1] : start].strip():
            runs_of[-1][1] = end
        else:
            runs_of.append([start, end])
    longest = max(runs_of, key=lambda run: run[1] - run[0], default=None)
    chosen = text[longest[0] : longest[1]] if longest else ""
    marks = [None if one.text is None else tuple(runs(one.text, project.language)) for one in answers]
    place = most_given(marks)
    majority = None if place is None else answers[place].text or ""
    is_same = None if majority is None else exact_match(chosen, majority, project.language)
    return Chosen(question.public_id, majority, chosen, is_same)
