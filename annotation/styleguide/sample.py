"""What the pages of the style guide hold, from left to right and from right to left; no row of the database."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.utils import timezone

from annotation.models import Assignment, Guide, Project, QuizTry
from annotation.note_words import REASONS
from annotation.services import quizzes
from annotation.services.guides import shipped_content
from annotation.services.quiz_notation import JUDGE, NONE, parse
from annotation.services.work_body import MOST_QUESTION_CHARS

PRESET = "squad-v1"
LTR, RTL = "ltr", "rtl"
REWARD_USD, PAID_SECONDS, ALLOWED_SECONDS = "0.60", 240, 720
SUBMIT_URL = "https://marketplace.example/mturk/externalSubmit"


@dataclass(frozen=True)
class Sample:
    """A paragraph, questions on it with their answers, and a question that repeats it."""

    language: str
    title: str
    text: str
    asked: tuple[tuple[str, str], ...]
    copied: tuple[str, str]
    quiz: dict[str, Any] = field(repr=False)

    def answer(self, text: str) -> dict[str, Any]:
        """``text`` as a span of the paragraph."""
        start = self.text.index(text)
        return {"start": start, "end": start + len(text), "text": text}


ENGLISH = Sample(
    "en",
    "Gull Point",
    "The lighthouse on Gull Point was lit in 1868, after two winters of work. Its first keeper, Ada Fenwick, rowed to "
    "the village once a week for oil and bread. In 1931 the lamp got an electric motor, and the keeper's house became "
    "a school for sailors; the tower, 27 m high, is still the tallest building of the coast.",
    (
        ("When did it first shine?", "1868"),
        ("Who looked after it first?", "Ada Fenwick"),
        ("What was brought back every seven days?", "oil and bread"),
        ("What turns the light nowadays?", "an electric motor"),
        ("How far up does it reach?", "27 m"),
    ),
    ("What happened when the lamp got an electric motor?", "a school for sailors"),
    shipped_content(PRESET).quiz or {},
)
_HEBREW_TEXT = (
    "המגדלור בכף השחפים הודלק בשנת 1868, אחרי שני חורפים של עבודה. השומרת הראשונה, עדה כהן, חתרה אל הכפר פעם בשבוע "
    "כדי להביא שמן ולחם. בשנת 1931 קיבלה המנורה מנוע חשמלי, ובית השומרת הפך לבית ספר למלחים; המגדל, שגובהו 27 מטר, "
    "הוא עדיין הבניין הגבוה ביותר בחוף."
)
HEBREW = Sample(
    "he",
    "כף השחפים",
    _HEBREW_TEXT,
    (
        ("מתי האיר לראשונה?", "1868"),
        ("מי טיפלה בו בהתחלה?", "עדה כהן"),
        ("מה הובא לשם כל שבעה ימים?", "שמן ולחם"),
        ("מה מסובב את האור היום?", "מנוע חשמלי"),
        ("לאיזה גובה הוא מגיע?", "27 מטר"),
    ),
    ("מה קרה אחרי שבשנת 1931 קיבלה המנורה מנוע חשמלי?", "לבית ספר למלחים"),
    parse(
        f"> {_HEBREW_TEXT}\n? מתי האיר לראשונה? -> 1868\n= good\nקצר ומדויק.\n"
        "? מה היה שם השומרת? -> השומרת הראשונה, עדה כהן\n= too_long\nהשם לבדו הוא התשובה.\n~ האם די בפחות?\n"
        "@ מה הובא לשם כל שבעה ימים?\n= שמן ולחם\nשני הדברים שייכים לתשובה.\n~ המשפט השני.\n"
        "@ מי בנה אותו?\n= (none)\nהפסקה אינה אומרת זאת.\n~ האם זה כתוב?\n"
    ),
)
SAMPLES = {LTR: ENGLISH, RTL: HEBREW}


def page_data(kind: str, sample: Sample, *, left_seconds: int | None = None, **changes: Any) -> dict[str, Any]:
    """A page's data as ``services.work_page.page_data`` gives it, with ``changes`` to it.

    ``left_seconds`` of the time allowed are left; all of it where that is None.
    """
    project = Project(language=sample.language, preset=PRESET)
    now = timezone.now()
    used = 0 if left_seconds is None else ALLOWED_SECONDS - left_seconds
    data = {
        "kind": kind,
        "token": "style-guide",
        "endpoints": {name: f"/api/v1/work/{name}" for name in ("draft", "finish", "notes")},
        "version": 0,
        "submit": {"url": SUBMIT_URL, "assignment_id": "STYLEGUIDE"},
        "project": {
            "language": project.language,
            "direction": project.text_direction,
            "copy_lock": True,
            "min_questions": 1,
            "max_questions": 5,
            "question_chars": MOST_QUESTION_CHARS,
            "stopping_advice": [],
        },
        "pay": {
            "reward_usd": REWARD_USD,
            "paid_seconds": PAID_SECONDS,
            "allowed_seconds": ALLOWED_SECONDS,
            "opened_at": (now - timedelta(seconds=used)).isoformat(),
            "server_now": now.isoformat(),
        },
        "paragraphs": [],
        "draft": None,
        "hold": None,
        "notes": [],
        "finished": False,
    }
    return data | changes


def paragraph(number: int, sample: Sample, *, answering: bool = False) -> dict[str, Any]:
    """The paragraph ``number`` of a page; with its questions where they are to be answered."""
    questions = [{"id": place, "text": asked} for place, (asked, _answer) in enumerate(sample.asked[:3], 1)]
    return {"id": number, "title": sample.title, "text": sample.text, "questions": questions if answering else []}


def noted(sample: Sample, number: int, reason: str, span: str = "", *, is_new: bool = True) -> dict[str, Any]:
    """A note on the sample's question ``number``, with a usual reason, about the words ``span``."""
    question, answer = sample.asked[number - 1]
    return {
        "id": number,
        "is_new": is_new,
        "written_at": timezone.now().isoformat(),
        "title": sample.title,
        "text": sample.text,
        "question": question,
        "answer": sample.answer(answer),
        "unanswerable": False,
        "span": sample.answer(span) if span else None,
        "words": str(REASONS[reason]),
    }


def written(sample: Sample, *pairs: tuple[str, str], number: int = 1, seconds: int = 0) -> dict[str, Any]:
    """A paragraph of a draft with questions and answers; an empty answer is one that is not marked yet."""
    return {
        "id": number,
        "active_seconds": seconds,
        "blocked_actions": 0,
        "questions": [
            {"id": f"q{place}", "text": asked, "answer": sample.answer(answer) if answer else None}
            for place, (asked, answer) in enumerate(pairs, 1)
        ],
    }


def answered(sample: Sample, *answers: str | None) -> dict[str, Any]:
    """A paragraph of a draft of answers, in the questions' order: a text, "" for none yet, None for no answer."""
    return {
        "id": 1,
        "active_seconds": 0,
        "blocked_actions": 0,
        "questions": [
            {"id": place, "answer": sample.answer(answer) if answer else None, "unanswerable": answer is None}
            for place, answer in enumerate(answers, 1)
        ],
    }


def quiz_parts(sample: Sample, *tries: bool) -> dict[str, Any]:
    """What a quiz adds to a page's data after ``tries``, each all right, or with guesses."""
    guide = Guide(project=Project(language=sample.language), quiz=sample.quiz, pass_percent=80, quiz_tries=2)
    made = []
    for number, all_right in enumerate(tries, 1):
        answers = [_right(item, sample.quiz["passage"]) if all_right else _guess(item) for item in guide.quiz_items]
        right = sum(map(_counts, guide.quiz_items, answers))
        made.append(QuizTry(number=number, answers=answers, right_count=right))
    parts = quizzes.page_part(guide, None)
    if made:
        parts["quiz"]["outcome"] = quizzes.outcome_of(Assignment(), guide, made)
        parts["draft"] = {"answers": made[-1].answers}
        if parts["quiz"]["outcome"]["is_over"]:
            fields = {"assignmentId": "STYLEGUIDE", "receipt": "style-guide"}
            parts["quiz"]["outcome"]["submit"] = {"url": SUBMIT_URL, "fields": fields}
    return parts


def _guess(item: dict[str, Any]) -> str:
    """Everything is good, and nothing can be answered."""
    return "good" if item["kind"] == JUDGE else NONE


def _right(item: dict[str, Any], passage: str) -> Any:
    if item["kind"] == JUDGE:
        return item["right"]
    if not item["right"]:
        return NONE
    text = item["right"][0]
    start = passage.index(text)
    return {"start": start, "end": start + len(text), "text": text}


def _counts(item: dict[str, Any], answer: Any) -> bool:
    if item["kind"] == JUDGE:
        return bool(answer == item["right"])
    return isinstance(answer, dict) or not item["right"]
