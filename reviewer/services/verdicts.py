"""Keeping and dropping single questions and answers of work that is paid all the same, and setting answers right."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from annotation.models import Answer, Assignment, Question, Task, Verdict
from reviewer.services.people import ago, display_name
from reviewer.services.reasons import MAX_REASON_CHARS, UnusableReason
from scoring.spans import SpanError, check_span, is_mid_word, trim


class Overtaken(Exception):
    """A colleague decided about the same thing meanwhile; the message says who, what and when."""


class NoSuchSpan(ValueError):
    """An answer that does not stand in its paragraph, or at several places; the message says what to do."""


@transaction.atomic
def give_verdict(
    thing: Question | Answer, decision: str, user: User, reason: str = "", *, seen: int | None = None
) -> Verdict:
    """Say that a question or an answer stays in the data (*keep*) or is left out of it (*drop*). The latest stands.

    ``seen`` is the latest verdict that the page showed (0: none), None where nobody looked. Raises Overtaken where a
    colleague gave another since, and UnusableReason.
    """
    if "\0" in reason:
        raise UnusableReason(_("The reason holds characters that cannot be shown. Type it again."))
    if len(reason) > MAX_REASON_CHARS:
        raise UnusableReason(
            _("The reason has {count} characters; {most} are allowed. Shorten it.").format(
                count=len(reason), most=MAX_REASON_CHARS
            )
        )
    what = {"question": thing} if isinstance(thing, Question) else {"answer": thing}
    _lock(thing)
    latest = Verdict.objects.filter(**what).select_related("decided_by").order_by("-pk").first()
    if seen is not None and latest is not None and latest.pk != seen and latest.decided_by_id != user.pk:
        kept = _("{name} kept this in the data {when}. Look again, and decide anew if you see it differently.")
        dropped = _("{name} left this out of the data {when}. Look again, and decide anew if you see it differently.")
        sentence = kept if latest.decision == Verdict.Decision.KEEP else dropped
        raise Overtaken(sentence.format(name=display_name(latest.decided_by), when=ago(latest.decided_at)))
    return Verdict.objects.create(**what, decision=decision, reason=reason, decided_by=user)


def _lock(thing: Question | Answer) -> None:
    """Of two who decide about ``thing`` at once the second waits, and then sees what the first decided."""
    model = type(thing)
    list(model.objects.select_for_update(no_key=True).filter(pk=thing.pk).values_list("pk"))


def drop_all(assignments: Sequence[Assignment], user: User, reason: str = "") -> list[Verdict]:
    """Leave out of the data all that ``assignments`` brought, but for what is left out already."""
    writing = [row.pk for row in assignments if row.task.kind == Task.Kind.WRITE]
    answering = [row.pk for row in assignments if row.task.kind != Task.Kind.WRITE]
    questions = Question.objects.filter(assignment__in=writing)
    answers = Answer.objects.filter(assignment__in=answering, is_gold=False)
    verdicts = [
        *(Verdict(question=row) for row in questions.exclude(pk__in=Question.objects.dropped()).order_by("pk")),
        *(Verdict(answer=row) for row in answers.exclude(pk__in=Answer.objects.dropped()).order_by("pk")),
    ]
    for verdict in verdicts:
        verdict.decision, verdict.reason, verdict.decided_by = Verdict.Decision.DROP, reason, user
    return Verdict.objects.bulk_create(verdicts)


def take_back_drops(verdicts: Iterable[int], assignments: Iterable[int], user: User) -> int:
    """Keep again what the drops ``verdicts`` (ids) left out of ``assignments`` (ids), where they still stand; return
    how many did."""
    ids = list(assignments)
    of_these = Q(question__assignment__in=ids) | Q(answer__assignment__in=ids)
    drops = Verdict.objects.filter(of_these, pk__in=list(verdicts), decision=Verdict.Decision.DROP)
    later = Verdict.objects.filter(pk__gt=OuterRef("pk"))
    same = Q(question=OuterRef("question")) | Q(answer=OuterRef("answer"))
    standing = list(drops.filter(~Exists(later.filter(same))))
    Verdict.objects.bulk_create(
        Verdict(question_id=drop.question_id, answer_id=drop.answer_id, decision="keep", decided_by=user)
        for drop in standing
    )
    return len(standing)


@transaction.atomic
def adjudicate(
    question: Question, user: User, span: tuple[int, int] | None, *, seen: int | None = None, is_gold: bool = False
) -> Answer:
    """Set the answer of ``question`` right: ``user``'s own answer ``[start, end)`` in code points of the paragraph, or
    unanswerable (None). The workers' answers stay as they are; exports put this one first, and no figure about people
    counts it. With ``is_gold`` it is what a check is held against, and is exported nowhere.

    ``seen`` is the latest adjudication that the page showed (0: none). Raises NoSuchSpan, and Overtaken where a
    colleague set it right since.
    """
    _lock(question)
    if seen is not None and not is_gold:
        latest = standing_adjudication(question)
        if latest is not None and latest.pk != seen and latest.adjudicated_by_id != user.pk:
            sentence = _("{name} set this answer right {when}: {answer}. Look again, and mark yours if you differ.")
            name, when = display_name(latest.adjudicated_by), ago(latest.created_at)
            raise Overtaken(sentence.format(name=name, when=when, answer=latest))
    if span is None:
        return Answer.objects.create(question=question, adjudicated_by=user, is_gold=is_gold)
    text = question.paragraph.text
    edges = trim(text, *span) if 0 <= span[0] < span[1] <= len(text) else None
    if edges is None:
        raise NoSuchSpan(_("The answer does not lie in the paragraph. Mark it again."))
    start, end = edges
    return Answer.objects.create(
        question=question,
        adjudicated_by=user,
        is_gold=is_gold,
        start=start,
        end=end,
        text=text[start:end],
        is_mid_word=is_mid_word(text, start, end),
    )


def standing_adjudication(question: Question) -> Answer | None:
    """The reviewer's answer that an export would take."""
    made = Answer.objects.filter(question=question, adjudicated_by__isnull=False, is_gold=False)
    return made.exclude(pk__in=Answer.objects.dropped()).select_related("adjudicated_by").order_by("-pk").first()


def span_in(
    paragraph: str, text: str, start: int | None, end: int | None, occurrence: int | None = None
) -> tuple[int, int]:
    """Where an answer stands: ``[start, end)`` where the page marked it, else the only place of ``text``, or the
    ``occurrence``-th of several, counted from 1.

    Raises NoSuchSpan where the text is not there, or is there several times and nobody said which.
    """
    text = text.replace("\r\n", "\n").replace("\0", "")  # a form's field parts lines as the web does
    wanted = " ".join(text.split())
    if start is not None and end is not None:
        try:
            check_span(paragraph, start, end, text)
        except SpanError as error:
            raise NoSuchSpan(_(error.sentence.template).format(**error.sentence.values)) from error
        return start, end
    if not wanted:
        raise NoSuchSpan(_("Mark the answer in the paragraph, type its words, or say that it cannot be answered."))
    places = [match.start() for match in re.finditer(f"(?={re.escape(wanted)})", paragraph)]
    if not places:
        raise NoSuchSpan(_("“{text}” does not stand in the paragraph, letter by letter.").format(text=wanted[:120]))
    if occurrence is not None and not 1 <= occurrence <= len(places):
        sentence = ngettext(
            "“{text}” stands in the paragraph {count} time; there is no number {number}.",
            "“{text}” stands in the paragraph {count} times; there is no number {number}.",
            len(places),
        )
        raise NoSuchSpan(sentence.format(text=wanted[:120], count=len(places), number=occurrence))
    if len(places) > 1 and occurrence is None:
        sentence = _("“{text}” stands in the paragraph {count} times. Mark the right one, or say which one it is.")
        raise NoSuchSpan(sentence.format(text=wanted[:120], count=len(places)))
    first = places[(occurrence or 1) - 1]
    return first, first + len(wanted)
