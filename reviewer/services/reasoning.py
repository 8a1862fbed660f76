"""Reasoning labels: drawing questions, labelling them, and the table that comes of it (SQuAD paper, Table 3)."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any

from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from annotation.models import Answer, Project, Question
from reviewer.models import Reasoning, ReasoningLabel, ReasoningSample, SampledQuestion
from reviewer.services.reasoning_example import NO_EXAMPLE, Example, example_of
from scoring.characters import is_inside_word
from scoring.kappa import cohen_kappa
from scoring.normalization import UNSPACED_LANGUAGES, primary_subtag

# The paper's: 4 questions from each of 48 articles, 192 in all; its percentages, of which several may be true of one.
USUAL_PER_ARTICLE = 4
MOST_PER_ARTICLE = 100
PUBLISHED_PERCENT = {
    Reasoning.SYNONYMY: 33.3,
    Reasoning.WORLD_KNOWLEDGE: 9.1,
    Reasoning.SYNTACTIC: 64.1,
    Reasoning.MULTIPLE_SENTENCE: 13.6,
    Reasoning.AMBIGUOUS: 6.1,
}
DESCRIPTIONS: dict[str, str | Promise] = {
    Reasoning.SYNONYMY: gettext_lazy("What the question and the sentence have in common is said with synonyms."),
    Reasoning.WORLD_KNOWLEDGE: gettext_lazy("It takes knowledge of the world to see that both speak of the same."),
    Reasoning.SYNTACTIC: gettext_lazy("Put as a statement, the question is built otherwise than the sentence."),
    Reasoning.MULTIPLE_SENTENCE: gettext_lazy("More than one sentence is needed: by a pronoun, or put together."),
    Reasoning.AMBIGUOUS: gettext_lazy("The answer of the crowd is doubtful, or the question has several."),
}
# Two people label each question.
LABELLERS = 2


class NotDrawn(Exception):
    """A sample that cannot be drawn; the message says why and what to do."""


class NotLabelled(Exception):
    """Labels that cannot be stored; the message says why."""


@dataclass(frozen=True)
class Piece:
    """A word as it is marked: ``[start, end)`` in code points."""

    start: int
    end: int
    text: str
    is_answer: bool = False

    @property
    def name(self) -> str:
        """How a form names it."""
        return f"{self.start}-{self.end}"


@dataclass(frozen=True)
class Row:
    """One category of the table. ``percent`` is of the labelled questions: where two people labelled one and only one
    of them gave the category, that is half a question. ``kappa`` is of the first two people's labels, or None with
    ``kappa_why``. ``example`` is a question that has it, one with marked words where there is one."""

    code: str
    percent: float | None
    kappa: float | None
    kappa_why: str
    example: Example | None

    @property
    def label(self) -> str:
        return str(Reasoning(self.code).label)

    @property
    def description(self) -> str:
        return str(DESCRIPTIONS[self.code])

    @property
    def published_percent(self) -> float:
        return PUBLISHED_PERCENT[Reasoning(self.code)]


@dataclass(frozen=True)
class Table:
    sample: ReasoningSample
    questions: int
    labelled: int
    twice: int
    rows: tuple[Row, ...]

    def report(self) -> dict[str, Any]:
        """The table for JSON; percentages to a decimal and kappa to three."""
        return {
            "sample": self.sample.pk,
            "split": self.sample.split,
            "per_article": self.sample.per_article,
            "seed": self.sample.seed,
            "questions": self.questions,
            "labelled": self.labelled,
            "labelled_by_two": self.twice,
            "rows": [
                {
                    "reasoning": row.code,
                    "description": row.description,
                    "percent": None if row.percent is None else round(row.percent, 1),
                    "published_percent": row.published_percent,
                    "kappa": None if row.kappa is None else round(row.kappa, 3),
                    "why_no_kappa": row.kappa_why or None,
                    **(row.example.report() if row.example else NO_EXAMPLE),
                }
                for row in self.rows
            ],
        }


@transaction.atomic
def draw(project: Project, split: str, per_article: int, seed: int, user: User | None) -> ReasoningSample:
    """Draw ``per_article`` questions with an answer from each article of ``split``, all of one that has fewer. The same
    questions and seed give the same sample. Raises NotDrawn."""
    answered = Answer.objects.counting().filter(text__isnull=False).values("question")
    counting = Question.objects.in_project(project).counting().filter(paragraph__article__split=split, pk__in=answered)
    rows = counting.order_by("paragraph__article__position", "public_id").values_list("paragraph__article__title", "pk")
    chosen = []
    for title, group in groupby(rows, key=lambda row: row[0]):
        keys = [pk for _title, pk in group]
        # By its title, so that an article more or less changes nothing in the others.
        picked = random.Random(f"{seed}:{title}").sample(range(len(keys)), min(per_article, len(keys)))  # noqa: S311
        chosen += [keys[place] for place in sorted(picked)]
    if not chosen:
        raise NotDrawn(_("No question of {split} has an answer that counts: approve some first.").format(split=split))
    sample = ReasoningSample.objects.create(
        project=project, split=split, per_article=per_article, seed=seed, drawn_by=user
    )
    SampledQuestion.objects.bulk_create(
        SampledQuestion(sample=sample, question_id=pk, position=position) for position, pk in enumerate(chosen)
    )
    return sample


def standing(sample: ReasoningSample) -> dict[int, list[ReasoningLabel]]:
    """The labels that stand, by sampled question: one of each person, in the order in which they began."""
    latest: dict[tuple[int, int], ReasoningLabel] = {}
    for label in ReasoningLabel.objects.filter(sampled__sample=sample).order_by("pk"):
        latest[label.sampled_id, label.labelled_by_id] = label
    found: dict[int, list[ReasoningLabel]] = defaultdict(list)
    for (sampled, _person), label in latest.items():
        found[sampled].append(label)
    return found


def next_for(sample: ReasoningSample, user: User) -> SampledQuestion | None:
    """What ``user`` labels next: a question that nobody has labelled, then one that one other person has."""
    known = standing(sample)
    waiting: list[tuple[int, int, SampledQuestion]] = []
    for one in sample.sampled.select_related("question__paragraph__article", "sample__project"):
        people = [label.labelled_by_id for label in known.get(one.pk, [])]
        if user.pk not in people and len(people) < LABELLERS:
            waiting.append((len(people), one.position, one))
    return min(waiting, key=lambda row: row[:2])[2] if waiting else None


def pieces(text: str, language: str, answers: Sequence[tuple[int, int]] = (), *, finely: bool = False) -> list[Piece]:
    """The words of ``text`` to mark; in a language without blanks each visible character is one. ``finely`` parts
    punctuation from words, wherever an answer may begin or end."""
    spans = [match.span() for match in re.finditer(r"\S+", text)]
    if finely or primary_subtag(language) in UNSPACED_LANGUAGES:
        spans = [part for start, end in spans for part in _cut(text, start, end)]
    return [
        Piece(start, end, text[start:end], any(start < last and first < end for first, last in answers))
        for start, end in spans
    ]


def _cut(text: str, start: int, end: int) -> list[tuple[int, int]]:
    edges = [start, *(place for place in range(start + 1, end) if not is_inside_word(text, place)), end]
    return list(pairwise(edges))


def label(sampled: SampledQuestion, user: User, labels: Sequence[str], evidence: Sequence[str]) -> ReasoningLabel:
    """Store what ``user`` says. ``evidence`` are marked words as the page names them, ``question:4-9``; those side by
    side become one piece. Raises NotLabelled."""
    chosen = [code for code in Reasoning.values if code in labels]
    if not chosen or set(labels) - set(chosen):
        raise NotLabelled(_("Choose one category at least."))
    question, language = sampled.question, sampled.sample.project.language
    texts = {"question": question.text, "paragraph": question.paragraph.text}
    marked = []
    for where, text in texts.items():
        named = {word.removeprefix(f"{where}:") for word in evidence if word.startswith(f"{where}:")}
        spans = [(piece.start, piece.end) for piece in pieces(text, language) if piece.name in named]
        if len(spans) != len(named):
            raise NotLabelled(_("A marked word is none of this question: reload the page."))
        marked += [[where, start, end] for start, end in _joined(text, spans)]
    if len(evidence) != sum(word.startswith(("question:", "paragraph:")) for word in evidence):
        raise NotLabelled(_("A marked word is none of this question: reload the page."))
    return ReasoningLabel.objects.create(sampled=sampled, labels=chosen, evidence=marked, labelled_by=user)


def _joined(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and not text[joined[-1][1] : start].strip():
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def table(sample: ReasoningSample) -> Table:
    """The table of ``sample`` as far as it is labelled."""
    known = standing(sample)
    given = list(known.values())
    twice = [labels[:LABELLERS] for labels in given if len(labels) >= LABELLERS]
    sampled = {one.pk: one for one in sample.sampled.select_related("question__paragraph")}
    rows = tuple(_row(code, known, twice, sampled) for code in Reasoning.values)
    return Table(sample, len(sampled), len(given), len(twice), rows)


def _row(
    code: str,
    known: dict[int, list[ReasoningLabel]],
    twice: Sequence[Sequence[ReasoningLabel]],
    sampled: dict[int, SampledQuestion],
) -> Row:
    shares = [sum(code in one.labels for one in labels) / len(labels) for labels in known.values()]
    kappa = cohen_kappa([(code in first.labels, code in second.labels) for first, second in twice]).kappa
    why = ""
    if kappa is None:
        why = _("No question has two people's labels yet.") if not twice else _("Both gave the same answer throughout.")
    # With words marked, on which most people agree, and early in the sample, in this order.
    having = [
        (not one.evidence, not all(code in other.labels for other in labels), sampled[pk].position, one)
        for pk, labels in known.items()
        for one in labels
        if code in one.labels
    ]
    best = min(having, key=lambda row: row[:3])[3] if having else None
    example = example_of(sampled[best.sampled_id].question, best) if best else None
    percent = 100 * sum(shares) / len(shares) if shares else None
    return Row(code, percent, kappa, why, example)


def labels_report(sample: ReasoningSample, labeller: User | None = None) -> list[dict[str, Any]]:
    """Every question of ``sample`` with the labels that stand, in the order of the sample, each with its evidence as
    ``[where, start, end, text]``. People are the first and the second who labelled it, and not named. What waits for
    ``labeller`` to label it has no labels here, so that they do not see the other's before."""
    known = standing(sample)
    for key, labels in list(known.items()):
        if labeller and len(labels) < LABELLERS and labeller.pk not in [label.labelled_by_id for label in labels]:
            del known[key]
    return [
        {
            "id": one.question.public_id,
            "question": one.question.text,
            "labels": [
                {"person": person, "reasoning": label.labels, "evidence": _quoted(one.question, label)}
                for person, label in enumerate(known.get(one.pk, []), start=1)
            ],
        }
        for one in sample.sampled.select_related("question__paragraph").order_by("position")
    ]


def _quoted(question: Question, label: ReasoningLabel) -> list[list[Any]]:
    texts = {"question": question.text, "paragraph": question.paragraph.text}
    return [[where, start, end, texts[where][start:end]] for where, start, end in label.evidence]


def samples_of(project: Project) -> list[ReasoningSample]:
    return list(ReasoningSample.objects.in_project(project).order_by("-pk")[:100])
