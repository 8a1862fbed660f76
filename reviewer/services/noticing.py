"""Working out the signals of submitted work, for many assignments of a project in a few queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.db import connection, models, transaction
from django.db.models import Q
from django.utils import timezone

from annotation.models import (
    Answer,
    Assignment,
    Paragraph,
    ParagraphWork,
    Project,
    Question,
    QuestionSignals,
    Task,
    TaskQuestion,
    Worker,
)
from curation.languages import other_language
from reviewer.models import FoundSignal, ReviewRules, SignalRun
from reviewer.services import signal_catalogue
from reviewer.services.signal_catalogue import SPEAK_FOR, Code
from reviewer.services.signals import untyped_percent
from scoring.advice import holds_answer, is_question
from scoring.copied_text import longest_copied_run
from scoring.normalization import primary_subtag
from scoring.signals import (
    Wording,
    answer_words,
    best_agreement,
    is_even,
    is_typed,
    machine_marks,
    nearest,
    odd_edges,
    straight_line,
)

# Assignments that one round of queries looks at.
AT_ONCE = 200
# A guess at the language of less text than this says little; a worker's questions are looked at together.
FEWEST_CHARS_FOR_A_LANGUAGE = 60
# Others' answers without which nobody can disagree with everybody.
FEWEST_OTHERS = 2
# The latest pieces of work that tell a project's usual time.
LATEST_WORKS = 1000
# F1 from which two answers are said to agree, in percent.
AGREEMENT_PERCENT = 50
# Questions of an article that a new one is compared with.
MOST_COMPARED = 500


@dataclass
class Facts:
    """One assignment with what its signals are worked out from. ``others`` are the answers of other people by question
    id; ``asked_before`` the older questions about the same article, ``wordings`` the assignment's own."""

    assignment: Assignment
    questions: list[Question] = field(default_factory=list)
    gold: set[int] = field(default_factory=set)
    answers: dict[int, Answer] = field(default_factory=dict)
    others: dict[int, list[str | None]] = field(default_factory=dict)
    known: dict[int, list[str | None]] = field(default_factory=dict)
    asked_before: dict[int, list[Wording]] = field(default_factory=dict)
    wordings: dict[int, Wording] = field(default_factory=dict)
    signals: dict[int, QuestionSignals] = field(default_factory=dict)
    active_seconds: int = 0

    @property
    def is_writing(self) -> bool:
        return self.assignment.task.kind == Task.Kind.WRITE


@dataclass(frozen=True)
class Measure:
    """What the assignments of a project are measured by. ``usual_seconds`` are the medians of active seconds per
    second paid, by kind of task; empty where too little was done."""

    language: str
    thresholds: Mapping[Code, float | None]
    usual_share: Mapping[str, float]


def notice(project: Project, assignments: Sequence[Assignment], rules: ReviewRules) -> None:
    """Work out the signals of ``assignments``, all of ``project``, anew and keep them. Safe to run twice.

    Those of a worker who was erased were erased too, and are not made again.
    """
    mine = {assignment.worker_id for assignment in assignments}
    erased = set(Worker.objects.filter(pk__in=mine, erased_at__isnull=False).values_list("pk", flat=True))
    assignments = [assignment for assignment in assignments if assignment.worker_id not in erased]
    measure = Measure(project.language, signal_catalogue.in_force(rules, project.language), usual_share(project))
    for first in range(0, len(assignments), AT_ONCE):
        some = assignments[first : first + AT_ONCE]
        _keep({facts.assignment.pk: _weighed(facts, measure) for facts in _facts(project, some)}, rules)


def to_notice() -> models.QuerySet[Assignment]:
    """The work whose signals are kept up to date: what waits, and a rehearsal's of the last day, which waits for
    nobody and is to show what a reviewer would see."""
    waits = Q(status=Assignment.Status.SUBMITTED)
    day_ago = timezone.now() - timedelta(days=1)
    played = Q(status=Assignment.Status.APPROVED, task__project__is_rehearsal=True, decided_at__gte=day_ago)
    return Assignment.objects.filter(waits | played)


def unnoticed(project: Project, rules: ReviewRules) -> list[Assignment]:
    """The assignments of ``project`` to notice whose signals were never worked out under ``rules``, oldest first."""
    waiting = to_notice().filter(task__project=project)
    noted = SignalRun.objects.filter(rules=rules.pk) if rules.pk else SignalRun.objects.filter(rules__isnull=True)
    rows = waiting.exclude(task__kind=Task.Kind.QUIZ).exclude(pk__in=noted.values("pk"))
    return list(rows.select_related("task", "offer").order_by("submitted_at", "pk")[:AT_ONCE])


def usual_share(project: Project) -> dict[str, float]:
    """The median of active over paid seconds of the latest work of each kind; none where nothing was measured."""
    with connection.cursor() as cursor:
        cursor.execute(_USUAL, {"project": project.pk, "latest": LATEST_WORKS})
        return {kind: float(share) for kind, share in cursor.fetchall() if share is not None}


_USUAL = """
    SELECT kind, percentile_cont(0.5) WITHIN GROUP (ORDER BY share) FROM (
      SELECT task.kind, sum(work.active_seconds)::float / nullif(max(offer.paid_seconds), 0) AS share
      FROM (
        SELECT assignment.id, assignment.task_id, assignment.offer_id FROM annotation_assignment assignment
        JOIN annotation_task task ON task.id = assignment.task_id
        WHERE task.project_id = %(project)s AND assignment.status IN ('submitted', 'approved')
        ORDER BY assignment.id DESC LIMIT %(latest)s
      ) done
      JOIN annotation_task task ON task.id = done.task_id
      JOIN annotation_offer offer ON offer.id = done.offer_id
      JOIN annotation_paragraphwork work ON work.assignment_id = done.id
      GROUP BY done.id, task.kind HAVING sum(work.active_seconds) > 0
    ) shares GROUP BY kind
"""


@transaction.atomic
def _keep(found: Mapping[int, tuple[list[FoundSignal], int]], rules: ReviewRules) -> None:
    """Keep what was ``found`` of assignments (by their ids): the signals, and what they weigh."""
    ids = sorted(found)
    # Two jobs at once take turns, and the second finds the first one's rows in place of its own.
    list(Assignment.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk").values_list("pk"))
    FoundSignal.objects.filter(assignment__in=ids).delete()
    FoundSignal.objects.bulk_create(signal for pk in ids for signal in found[pk][0])
    SignalRun.objects.bulk_create(
        [
            SignalRun(
                assignment_id=pk,
                rules=rules if rules.pk else None,
                noted_at=timezone.now(),
                against=sum(not signal.speaks_for for signal in found[pk][0]),
                worry=found[pk][1],
            )
            for pk in ids
        ],
        update_conflicts=True,
        unique_fields=["assignment"],
        update_fields=["rules", "noted_at", "against", "worry"],
    )


def _weighed(facts: Facts, measure: Measure) -> tuple[list[FoundSignal], int]:
    found = signals_of(facts, measure)
    return found, signal_catalogue.worry(
        [(one.signal, one.question_id is not None) for one in found], len(facts.questions)
    )


def signals_of(facts: Facts, measure: Measure) -> list[FoundSignal]:
    """The signals of one assignment, in the order of the catalogue's codes for the whole and then by question."""
    noticed = [*_of_the_whole(facts, measure)]
    for question in facts.questions:
        noticed += [(question, code, values) for code, values in _of_question(facts, question, measure)]
    return [
        FoundSignal(
            assignment=facts.assignment, question=question, signal=code, speaks_for=code in SPEAK_FOR, values=values
        )
        for question, code, values in noticed
    ]


_Noticed = tuple[Question | None, Code, dict[str, Any]]


def _of_the_whole(facts: Facts, measure: Measure) -> list[_Noticed]:
    found: list[_Noticed] = []

    def add(code: Code, **values: Any) -> None:
        found.append((None, code, values))

    on, paid, active = measure.thresholds, facts.assignment.offer.paid_seconds, facts.active_seconds
    share = on[Code.TOO_FAST]
    usual = measure.usual_share.get(facts.assignment.task.kind)
    is_too_fast = share is not None and 0 < active * 100 < paid * share
    if is_too_fast:
        add(Code.TOO_FAST, active=active, paid=paid, usual=round(usual * paid) if usual else None)
    elif usual and usual * paid / 2 <= active <= usual * paid * 2:
        add(Code.USUAL_PACE, active=active, usual=round(usual * paid))
    share = on[Code.STRAIGHT_LINING]
    if share is not None:
        pattern, part = _pattern(facts, measure.language)
        if pattern and part * 100 >= share:
            add(Code.STRAIGHT_LINING, pattern=pattern, percent=round(part * 100), count=len(facts.questions))
    share = on[Code.OTHER_LANGUAGE]
    if share is not None and facts.is_writing:
        joined = " ".join(question.text for question in facts.questions)
        fewest = FEWEST_CHARS_FOR_A_LANGUAGE
        if found_in := other_language(joined, measure.language, fewest_chars=fewest, sure=share / 100):
            add(Code.OTHER_LANGUAGE, language=found_in, wanted=measure.language)
    if facts.is_writing and facts.questions and all(_is_typed(facts, question) for question in facts.questions):
        add(Code.TYPED, keys=sum(facts.signals[question.pk].keys for question in facts.questions))
    return found + _agreements(facts, measure)


def _is_typed(facts: Facts, question: Question) -> bool:
    signals = facts.signals.get(question.pk)
    return signals is not None and is_typed(signals.keys, signals.untyped_characters, question.text)


def _agreements(facts: Facts, measure: Measure) -> list[_Noticed]:
    """What other people's answers, and known ones, say for the whole."""
    if facts.is_writing:
        return []
    found: list[_Noticed] = []
    compared = agreed = checked = passed = 0
    for question in facts.questions:
        answer = facts.answers.get(question.pk)
        if answer is None:
            continue
        is_gold = question.pk in facts.gold
        others = facts.known.get(question.pk, []) if is_gold else facts.others.get(question.pk, [])
        score = best_agreement(answer.text, others, measure.language)
        if score is None:
            continue
        if is_gold:
            checked += 1
            passed += score * 100 >= (measure.thresholds[Code.GOLD_FAILED] or AGREEMENT_PERCENT)
        else:
            compared += 1
            agreed += score * 100 >= AGREEMENT_PERCENT
    if agreed:
        found.append((None, Code.AGREES, {"agreed": agreed, "compared": compared}))
    if passed:
        found.append((None, Code.GOLD_PASSED, {"passed": passed, "checked": checked}))
    return found


def _pattern(facts: Facts, language: str) -> tuple[str, float]:
    answers = [facts.answers.get(question.pk) for question in facts.questions]
    spans = [None if one is None or one.start is None or one.end is None else (one.start, one.end) for one in answers]
    lengths = [len(question.paragraph.text) for question in facts.questions]
    texts = [question.text for question in facts.questions] if facts.is_writing else []
    return straight_line(texts, spans, lengths, language)


def _of_question(facts: Facts, question: Question, measure: Measure) -> list[tuple[Code, dict[str, Any]]]:
    answer = facts.answers.get(question.pk)
    found = _of_span(question.paragraph, answer, measure)
    if facts.is_writing:
        return found + _of_text(facts, question, answer, measure)
    return found + _of_answer(facts, question, answer, measure)


def _of_span(paragraph: Paragraph, answer: Answer | None, measure: Measure) -> list[tuple[Code, dict[str, Any]]]:
    if answer is None or answer.text is None or answer.start is None or answer.end is None:
        return []
    found: list[tuple[Code, dict[str, Any]]] = []
    most = measure.thresholds[Code.LONG_ANSWER]
    if most is not None and (count := answer_words(answer.text)) > most:
        found.append((Code.LONG_ANSWER, {"count": count, "most": most}))
    if measure.thresholds[Code.ODD_EDGES] is not None and (
        odd := odd_edges(paragraph.text, answer.start, answer.end, measure.language)
    ):
        found.append((Code.ODD_EDGES, {"edges": odd}))
    return found


def _of_text(
    facts: Facts, question: Question, answer: Answer | None, measure: Measure
) -> list[tuple[Code, dict[str, Any]]]:
    found: list[tuple[Code, dict[str, Any]]] = []
    on, text, paragraph = measure.thresholds, question.text, question.paragraph.text
    least = on[Code.COPIED]
    if least is not None and (run := longest_copied_run(text, paragraph)) >= least:
        found.append((Code.COPIED, {"count": run}))
    signals, share = facts.signals.get(question.pk), on[Code.PASTED]
    untyped = untyped_percent(signals, text) if signals else 0
    if signals and share is not None and (signals.pastes or untyped >= share):
        found.append((Code.PASTED, {"percent": untyped, "pastes": signals.pastes, "keys": signals.keys}))
    if on[Code.ANSWER_IN_QUESTION] is not None and answer and answer.text and holds_answer(text, answer.text):
        found.append((Code.ANSWER_IN_QUESTION, {}))
    if on[Code.NOT_A_QUESTION] is not None and not is_question(text, primary_subtag(measure.language)):
        found.append((Code.NOT_A_QUESTION, {}))
    found += _asked_before(facts, question, measure)
    least = on[Code.MACHINE]
    marks = machine_marks(text, paragraph, measure.language)
    if least is not None and marks:
        if is_even([one.text for one in facts.questions]):
            marks.append("even")
        if untyped >= (share or 50):
            marks.append("untyped")
        if len(marks) >= least:
            found.append((Code.MACHINE, {"marks": marks}))
    return found


def _asked_before(facts: Facts, question: Question, measure: Measure) -> list[tuple[Code, dict[str, Any]]]:
    earlier = [one for one in facts.questions if (one.position, one.pk) < (question.position, question.pk)]
    before = [*facts.asked_before[question.pk], *(facts.wordings[one.pk] for one in earlier)]
    mine = facts.wordings[question.pk]
    same = next((one.text for one in before if mine.key is not None and one.key == mine.key), None)
    if same is not None:
        return [] if measure.thresholds[Code.DUPLICATE] is None else [(Code.DUPLICATE, {"other": same})]
    like = nearest(mine, before)
    if like is None:
        return []
    other, score = before[like[0]].text, like[1]
    least = measure.thresholds[Code.NEAR_DUPLICATE]
    if least is not None and score * 100 >= least:
        return [(Code.NEAR_DUPLICATE, {"other": other, "percent": int(score * 100)})]
    return []


def _of_answer(
    facts: Facts, question: Question, answer: Answer | None, measure: Measure
) -> list[tuple[Code, dict[str, Any]]]:
    if answer is None:
        return []
    if question.pk in facts.gold:
        least, score = measure.thresholds[Code.GOLD_FAILED], None
        if least is not None:
            score = best_agreement(answer.text, facts.known.get(question.pk, []), measure.language)
        if least is None or score is None or score * 100 >= least:
            return []
        return [(Code.GOLD_FAILED, {"known": facts.known[question.pk], "percent": round(score * 100)})]
    most, others = measure.thresholds[Code.LONE_ANSWER], facts.others.get(question.pk, [])
    if most is None or len(others) < FEWEST_OTHERS:
        return []
    score = best_agreement(answer.text, others, measure.language)
    if score is None or score * 100 > most:
        return []
    return [(Code.LONE_ANSWER, {"others": len(others), "percent": round(score * 100)})]


def _facts(project: Project, assignments: Sequence[Assignment]) -> list[Facts]:
    all_facts = {assignment.pk: Facts(assignment) for assignment in assignments}
    writing = [pk for pk, facts in all_facts.items() if facts.is_writing]
    written = Question.objects.filter(assignment__in=writing).select_related("paragraph").order_by("position", "pk")
    for question in written:
        all_facts[question.assignment_id or 0].questions.append(question)
    by_task: dict[int, list[Facts]] = defaultdict(list)
    for facts in all_facts.values():
        if facts.assignment.task.kind == Task.Kind.ANSWER:
            by_task[facts.assignment.task_id].append(facts)
    asked = TaskQuestion.objects.filter(task_paragraph__task__in=by_task).select_related(
        "question__paragraph", "task_paragraph"
    )
    for task_question in asked.order_by("task_paragraph__position", "position"):
        for facts in by_task[task_question.task_paragraph.task_id]:
            facts.questions.append(task_question.question)
            if task_question.purpose == TaskQuestion.Purpose.GOLD:
                facts.gold.add(task_question.question_id)
    _add_answers(all_facts)
    _add_older_questions(project, [all_facts[pk] for pk in writing])
    for signals in QuestionSignals.objects.filter(assignment__in=all_facts):
        all_facts[signals.assignment_id].signals[signals.question_id] = signals
    for pk, seconds in ParagraphWork.objects.filter(assignment__in=all_facts).values_list(
        "assignment", "active_seconds"
    ):
        all_facts[pk].active_seconds += seconds
    return list(all_facts.values())


def _add_answers(all_facts: Mapping[int, Facts]) -> None:
    ids = {question.pk for facts in all_facts.values() for question in facts.questions}
    rows = Answer.objects.filter(question__in=ids).select_related("assignment", "question").order_by("question", "pk")
    by_question: dict[int, list[Answer]] = defaultdict(list)
    for answer in rows:
        by_question[answer.question_id].append(answer)
    for facts in all_facts.values():
        for question in facts.questions:
            answers = by_question[question.pk]
            for answer in answers:
                if answer.assignment_id == facts.assignment.pk:
                    facts.answers[question.pk] = answer
            facts.others[question.pk] = [
                answer.text for answer in answers if _is_anothers(answer, facts.assignment) and not answer.is_gold
            ]
            known = [answer.text for answer in answers if answer.is_gold and answer.adjudicated_by_id]
            facts.known[question.pk] = known or [answer.text for answer in answers if answer.position is not None]


def _is_anothers(answer: Answer, assignment: Assignment) -> bool:
    """Whether ``answer`` is of another worker, or imported. What was rejected or never submitted says nothing."""
    if answer.assignment is None:
        return answer.adjudicated_by_id is None
    is_kept = answer.assignment.status in (Assignment.Status.SUBMITTED, Assignment.Status.APPROVED)
    return is_kept and answer.assignment.worker_id != assignment.worker_id


def _add_older_questions(project: Project, all_facts: Sequence[Facts]) -> None:
    """The wordings of the questions about the same article that stood before each question: what was asked before.

    The articles of the work are read once, and each of their questions is looked at once, however many are compared
    with it: a new one costs at most MOST_COMPARED comparisons, whatever the size of the project.
    """
    articles = {question.paragraph.article_id for facts in all_facts for question in facts.questions}
    older: dict[int, list[tuple[int, int | None, Wording]]] = defaultdict(list)
    rows = Question.objects.in_project(project).filter(paragraph__article__in=articles)
    rows = rows.exclude(assignment__status__in=[Assignment.Status.REJECTED, Assignment.Status.NOT_SUBMITTED])
    for pk, article, of, text in rows.order_by("pk").values_list("pk", "paragraph__article", "assignment", "text"):
        older[article].append((pk, of, Wording.of(text, project.language)))
    for facts in all_facts:
        for question in facts.questions:
            known = older[question.paragraph.article_id]
            before = [one for pk, of, one in known if pk < question.pk and of != facts.assignment.pk]
            facts.asked_before[question.pk] = before[-MOST_COMPARED:]
            facts.wordings[question.pk] = Wording.of(question.text, project.language)
