"""SQuAD files, versions 1.1 and 2.0: datasets, gold answers and predictions.

The format: ``{"version", "data": [{"title", "paragraphs": [{"context", "qas": [{"id", "question", "is_impossible",
"answers": [{"text", "answer_start"}]}]}]}]}``, ``answer_start`` in code points of ``context``.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from scoring.agreement import GivenAnswers
from scoring.characters import is_blank
from scoring.datasets import Article, Dataset, Fault, Paragraph, Place, Question
from scoring.json_files import (
    MAX_BYTES,
    FileError,
    kind,
    list_at,
    object_at,
    optional_text_at,
    read_json,
    text_at,
    unstorable,
)
from scoring.line_ends import LineEnds
from scoring.sentences import Sentence, _
from scoring.spans import Span
from scoring.squad_metrics import GoldQuestion

# How many places of a text that stands elsewhere a report names.
_PLACES_NAMED = 3


def read_squad(data: bytes, max_bytes: int = MAX_BYTES, *, with_questions: bool = True) -> Dataset:
    """Read a SQuAD dataset (plain or .gz) and check every question in it; without ``with_questions``, which is many
    times faster, only its passages are looked at.

    Texts are kept to the character, but for line ends: CRLF and CR in a paragraph become LF, and the answers' offsets
    and texts move with them. Faulty questions are left out of the articles and reported in ``faults``, one Fault
    each; no start is ever replaced by another place where the text is found. Raises FileError where the file is no
    SQuAD file, with the place.
    """
    document = _document(data, max_bytes)
    questions_of_file = _questions(document) if with_questions else ()
    ids = Counter(qa["id"] for _place, _paragraph, qa in questions_of_file if isinstance(qa.get("id"), str))
    faults: list[Fault] = []
    articles = []
    for article_index, article in _objects(document, "data", ""):
        place = f"data[{article_index}]"
        title = text_at(article, "title", place)
        paragraphs = []
        for paragraph_index, paragraph in _objects(article, "paragraphs", place):
            context = text_at(paragraph, "context", f"{place}.paragraphs[{paragraph_index}]")
            line_ends = LineEnds(context)
            questions: list[Question] = []
            qas = _objects(paragraph, "qas", f"{place}.paragraphs[{paragraph_index}]") if with_questions else ()
            for question_index, qa in qas:
                checked = _checked_question(qa, context, line_ends, ids)
                if isinstance(checked, Question):
                    questions.append(checked)
                else:
                    question_place = Place(article_index, title, paragraph_index, question_index)
                    faults.append(Fault(question_place, _id_of(qa), checked))
            paragraphs.append(Paragraph(line_ends.text, questions))
        articles.append(
            Article(
                title,
                paragraphs,
                source_url=optional_text_at(article, "source_url", place),
                licence=optional_text_at(article, "licence", place),
            )
        )
    return Dataset(optional_text_at(document, "version", ""), articles, faults)


def read_gold(data: bytes, max_bytes: int = MAX_BYTES) -> list[GoldQuestion]:
    """The questions of a SQuAD dataset (plain or .gz) with the texts of their answers in order, for scoring.

    Offsets are not looked at, since no score depends on them. Raises FileError, also for a question without an id or
    an answer without a text: leaving it out would change the score.
    """
    return [_gold_question(qa, place) for place, _paragraph, qa in _questions(_document(data, max_bytes))]


def read_answers(data: bytes, max_bytes: int = MAX_BYTES) -> tuple[list[GivenAnswers], list[str]]:
    """The questions of a SQuAD dataset (plain or .gz) with all their answers and where these stand, and the id of a
    question for each of its answers that does not stand at its start: its text counts, and its place does not. Raises
    FileError as ``read_gold`` does."""
    questions: list[GivenAnswers] = []
    misplaced: list[str] = []
    for place, paragraph, qa in _questions(_document(data, max_bytes)):
        gold = _gold_question(qa, place)
        context = paragraph.get("context")
        context = context if isinstance(context, str) else ""
        spans: list[tuple[int, int] | None] = []
        for answer in qa.get("answers") or ():
            start, text = answer.get("answer_start"), answer["text"]
            stands = type(start) is int and start >= 0 and text and context[start : start + len(text)] == text
            spans.append((start, start + len(text)) if stands else None)
        misplaced += [gold.id] * spans.count(None)
        questions.append(GivenAnswers(gold.id, gold.answers, spans, len(context)))
    return questions, misplaced


def read_predictions(data: bytes, max_bytes: int = MAX_BYTES) -> dict[str, str]:
    """The predictions of a JSON object (plain or .gz) of answer texts by question id. Raises FileError."""
    predictions = read_json(data, max_bytes)
    if not isinstance(predictions, dict):
        raise FileError(
            _("The predictions must be an object of answers by question id, not {kind}.", kind=kind(predictions))
        )
    for question_id, answer in predictions.items():
        if not isinstance(answer, str):
            raise FileError(
                _("The prediction for question {id} must be text, not {kind}.", id=question_id, kind=kind(answer))
            )
    return predictions


def _document(data: bytes, max_bytes: int) -> dict[str, Any]:
    document = read_json(data, max_bytes)
    if not isinstance(document, dict):
        raise FileError(_('The file must be an object with a list "data", not {kind}.', kind=kind(document)))
    return document


def _objects(parent: dict[str, Any], key: str, place: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of the list ``parent[key]`` with their indices."""
    prefix = f"{place}.{key}" if place else key
    for index, value in enumerate(list_at(parent, key, place)):
        yield index, object_at(value, f"{prefix}[{index}]")


def _questions(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Each question's place, paragraph and object, in the order of the file."""
    for article_index, article in _objects(document, "data", ""):
        for paragraph_index, paragraph in _objects(article, "paragraphs", f"data[{article_index}]"):
            place = f"data[{article_index}].paragraphs[{paragraph_index}]"
            for question_index, qa in _objects(paragraph, "qas", place):
                yield f"{place}.qas[{question_index}]", paragraph, qa


def _gold_question(qa: dict[str, Any], place: str) -> GoldQuestion:
    may_be_silent = qa.get("is_impossible") is True
    answers = [] if may_be_silent and "answers" not in qa else list_at(qa, "answers", place)
    texts = []
    for index, answer in enumerate(answers):
        answer_place = f"{place}.answers[{index}]"
        texts.append(text_at(object_at(answer, answer_place), "text", answer_place))
    return GoldQuestion(text_at(qa, "id", place), texts, states_impossible="is_impossible" in qa)


def _id_of(qa: dict[str, Any]) -> str | None:
    question_id = qa.get("id")
    is_shown = isinstance(question_id, str) and not is_blank(question_id) and not unstorable(question_id)
    return question_id if is_shown else None


def _checked_question(
    qa: dict[str, Any], context: str, line_ends: LineEnds, ids: Counter[str]
) -> Question | list[Sentence]:
    """The question of ``qa``, or all that is wrong with it."""
    answers, answer_problems = _checked_answers(qa, context, line_ends)
    problems = [*_id_problems(qa, ids), *_text_problems(qa), *answer_problems]
    return problems or Question(qa["id"], qa["question"], answers, qa.get("is_impossible", False))


def _id_problems(qa: dict[str, Any], ids: Counter[str]) -> Iterator[Sentence]:
    question_id = qa.get("id")
    if question_id is None or (isinstance(question_id, str) and is_blank(question_id)):
        yield _("It has no id.")
    elif not isinstance(question_id, str):
        yield _("Its id must be text, not {kind}.", kind=kind(question_id))
    elif fault := unstorable(question_id):
        yield _("Its id holds {fault}.", fault=fault)
    elif ids[question_id] > 1:
        yield _("Its id is used {count} times in the file.", count=ids[question_id])


def _text_problems(qa: dict[str, Any]) -> Iterator[Sentence]:
    text = qa.get("question")
    if text is None:
        yield _("It has no question text.")
    elif not isinstance(text, str):
        yield _("Its question must be text, not {kind}.", kind=kind(text))
    elif is_blank(text):
        yield _("Its question is blank.")
    elif fault := unstorable(text):
        yield _("Its question holds {fault}.", fault=fault)


def _checked_answers(qa: dict[str, Any], context: str, line_ends: LineEnds) -> tuple[list[Span], list[Sentence]]:
    answers, is_impossible = qa.get("answers"), qa.get("is_impossible", False)
    if not isinstance(is_impossible, bool):
        return [], [_("Its is_impossible must be true or false, not {kind}.", kind=kind(is_impossible))]
    if not isinstance(answers, list) and answers is not None:
        return [], [_("Its answers must be a list, not {kind}.", kind=kind(answers))]
    if is_impossible and answers:
        return [], [_("It is marked impossible and has answers.")]
    if not is_impossible and not answers:
        return [], [_("It has no answer and is not marked impossible.")]
    spans, problems = [], []
    for number, answer in enumerate(answers or [], start=1):
        problem = _answer_problem(answer, number, context)
        if problem is not None:
            problems.append(problem)
        else:
            start = answer["answer_start"]
            moved_start, moved_end = line_ends.start(start), line_ends.end(start + len(answer["text"]))
            spans.append(Span(moved_start, moved_end, line_ends.text[moved_start:moved_end]))
    return spans, problems


def _answer_problem(answer: Any, number: int, context: str) -> Sentence | None:
    if not isinstance(answer, dict):
        return _("Answer {number} must be an object, not {kind}.", number=number, kind=kind(answer))
    text, start = answer.get("text"), answer.get("answer_start")
    if not isinstance(text, str):
        return _("The text of answer {number} must be text, not {kind}.", number=number, kind=kind(text))
    if is_blank(text):
        return _("Answer {number} is empty.", number=number)
    if not isinstance(start, int) or isinstance(start, bool):
        return _("The start of answer {number} must be a whole number, not {kind}.", number=number, kind=kind(start))
    if start < 0:
        return _("Answer {number} starts at {start}, below 0.", number=number, start=start)
    if start >= len(context):
        return _(
            "Answer {number} starts at {start}, past the end of the paragraph ({length} characters).",
            number=number,
            start=start,
            length=len(context),
        )
    if context[start : start + len(text)] == text:
        return None
    return _misplaced(text, start, number, context)


def _misplaced(text: str, start: int, number: int, context: str) -> Sentence:
    places: list[int] = []
    found = context.find(text)
    while found >= 0 and len(places) < _PLACES_NAMED:
        places.append(found)
        found = context.find(text, found + 1)
    if not places:
        return _('Answer {number}, "{text}", is not in the paragraph.', number=number, text=text)
    return _(
        'Answer {number}, "{text}", does not stand at its start {start}; the paragraph has it at {places}.',
        number=number,
        text=text,
        start=start,
        places=", ".join(map(str, places)) + (", …" if found >= 0 else ""),
    )
