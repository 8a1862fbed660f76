"""SQuAD JSON out of articles, byte for byte the same for the same content."""

from collections.abc import Iterable, Iterator
from json.encoder import encode_basestring

from scoring.datasets import Article, Paragraph, Question
from scoring.spans import check_span

# A JSON string. Texts are put together rather than nested objects, which would keep Python's garbage collector busy for
# longer than all else takes.
_quoted = encode_basestring
# What the official files say in "version".
VERSION_1_1 = "1.1"
VERSION_2_0 = "v2.0"


def squad_json(articles: Iterable[Article], version: str = VERSION_1_1) -> bytes:
    """A SQuAD file of ``articles``: UTF-8, compact, with a line end at its end. Raises as ``squad_chunks`` does."""
    return b"".join(squad_chunks(articles, version))


def squad_chunks(
    articles: Iterable[Article], version: str = VERSION_1_1, *, without_answers: bool = False
) -> Iterator[bytes]:
    """The bytes of ``squad_json``, an article at a time, so that ``articles`` may come from a database bit by bit.

    Version 2.0 has ``is_impossible`` in each question. ``without_answers`` gives each question an empty list of them
    and no mark, for the public file of a test whose answers are held back. Raises SpanError for an answer that does
    not stand at its start, and ValueError for an unanswerable question in 1.1, which has no place for it.
    """
    yield f'{{"version":{_quoted(version)},"data":['.encode()
    for index, article in enumerate(articles):
        yield (("," if index else "") + _article(article, None if without_answers else version)).encode()
    yield b"]}\n"


def _article(article: Article, version: str | None) -> str:
    paragraphs = ",".join(_paragraph(paragraph, version) for paragraph in article.paragraphs)
    return f'{{"title":{_quoted(article.title)},"paragraphs":[{paragraphs}]}}'


def _paragraph(paragraph: Paragraph, version: str | None) -> str:
    questions = ",".join(_question(question, paragraph.text, version) for question in paragraph.questions)
    return f'{{"context":{_quoted(paragraph.text)},"qas":[{questions}]}}'


def _question(question: Question, text: str, version: str | None) -> str:
    asked = f'{{"id":{_quoted(question.id)},"question":{_quoted(question.text)}'
    if version is None:
        return f'{asked},"answers":[]}}'
    for answer in question.answers:
        check_span(text, answer.start, answer.end, answer.text)
    if version != VERSION_1_1:
        mark = f',"is_impossible":{"true" if question.is_impossible else "false"}'
    elif question.answers:
        mark = ""
    else:
        raise ValueError(f"Question {question.id} has no answer, which a SQuAD 1.1 file cannot say.")
    answers = ",".join(
        f'{{"text":{_quoted(answer.text)},"answer_start":{answer.start}}}' for answer in question.answers
    )
    return f'{asked},"answers":[{answers}]{mark}}}'
