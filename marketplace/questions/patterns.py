"""The regular expressions that requesters give for answers, matched where a bad one can do no harm.

Python's own engine takes for ever over some patterns and cannot be stopped. PostgreSQL's can: each match is one
statement with a time limit. Its dialect is close to the Java one that Mechanical Turk had; what it does not know is
refused when the question is sent.
"""

import re

from django.db import DataError, OperationalError, connection, transaction

from .form import Pattern, QuestionForm
from .xml import wrong_xml

MILLISECONDS = 250  # for one match

# Of Java's flags: PostgreSQL's option. By default a dot does not match the end of a line, and ^ and $ are the text's.
_LINES = {(False, False): "p", (True, False): "s", (False, True): "n", (True, True): "w"}
_LEADING = re.compile(r"\(\?([a-z]+)\)")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
# Written otherwise in PostgreSQL: the edge of a word, and the ends of the text.
_OTHERWISE = {"b": r"\y", "B": r"\Y", "z": r"\Z"}


def check(form: QuestionForm, parameter: str = "Question") -> None:
    """Raise Refused where a pattern of ``form`` is none."""
    for pattern in form.patterns():
        unknown = set(pattern.flags) - set("imsx")
        if unknown:
            raise wrong_xml(f"flags of AnswerFormatRegex may be i, m, s and x, not {''.join(sorted(unknown))[:50]!r}.")
        try:
            _run(pattern, "")
        except DataError as error:
            reason = str(error).strip().splitlines()[0]
            raise wrong_xml(f"{pattern.regex[:100]!r} in {parameter} cannot be used: {reason}.") from None
        except OperationalError:
            raise wrong_xml(f"{pattern.regex[:100]!r} in {parameter} takes too long to match.") from None


def is_found(pattern: Pattern, text: str) -> bool:
    """Whether ``text`` has a match. A match that takes too long counts as found: the worker is not to blame."""
    try:
        return _run(pattern, text)
    except (DataError, OperationalError):
        return True


def _run(pattern: Pattern, text: str) -> bool:
    # Durable: the limit holds until the end of a transaction, so this one must not be a part of another.
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute("SELECT set_config('statement_timeout', %s, true)", [str(MILLISECONDS)])
        cursor.execute("SELECT %s ~ %s", [text, translated(pattern)])
        return bool(cursor.fetchone()[0])


def translated(pattern: Pattern) -> str:
    regex, flags = pattern.regex, set(pattern.flags)
    if leading := _LEADING.match(regex):
        regex, flags = regex[leading.end() :], flags | set(leading[1])
    options = _LINES["s" in flags, "m" in flags] + "".join(sorted(flags - {"s", "m"}))
    return f"(?{options})" + _ESCAPE.sub(lambda escape: _OTHERWISE.get(escape[1], escape[0]), regex)
