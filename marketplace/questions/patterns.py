"""The regular expressions that requesters give for answers, matched where a bad one can do no harm.

Python's own engine takes for ever over some patterns and cannot be stopped. PostgreSQL's can: each match is one
statement with a time limit. Its dialect is close to the Java one that Mechanical Turk had; what it does not know is
refused when the question is sent.
"""

import re
import time

from django.db import DataError, InternalError, OperationalError, connection, transaction

from .form import Pattern, QuestionForm
from .xml import wrong_xml

MILLISECONDS = 250  # for one match
FORM_MILLISECONDS = 2000  # for all of a form's together
MOST = 100  # patterns of one form; ours

# What PostgreSQL says of a pattern that is none, and of one that it has no room for.
_UNUSABLE = (DataError, InternalError)


class Clock:
    """The time that the patterns of one form have left."""

    def __init__(self) -> None:
        self._ends_at = time.monotonic() + FORM_MILLISECONDS / 1000

    @property
    def milliseconds(self) -> int:
        """For the next match; 0 where the form's time is over."""
        return max(0, min(MILLISECONDS, int(1000 * (self._ends_at - time.monotonic()))))


# Of Java's flags: PostgreSQL's option. By default a dot does not match the end of a line, and ^ and $ are the text's.
_LINES = {(False, False): "p", (True, False): "s", (False, True): "n", (True, True): "w"}
_LEADING = re.compile(r"\(\?([a-z]+)\)")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
# Written otherwise in PostgreSQL: the edge of a word, and the ends of the text.
_OTHERWISE = {"b": r"\y", "B": r"\Y", "z": r"\Z"}


def check(form: QuestionForm, parameter: str = "Question") -> None:
    """Raise Refused where a pattern of ``form`` is none, and where they are more than can be matched in time."""
    found, clock = list(form.patterns()), Clock()
    if len(found) > MOST:
        raise wrong_xml(f"{parameter} has {len(found)} AnswerFormatRegex elements; at most {MOST} are allowed.")
    for pattern in found:
        unknown = set(pattern.flags) - set("imsx")
        if unknown:
            raise wrong_xml(f"flags of AnswerFormatRegex may be i, m, s and x, not {''.join(sorted(unknown))[:50]!r}.")
        milliseconds = clock.milliseconds
        if not milliseconds:
            raise wrong_xml(f"The AnswerFormatRegex elements of {parameter} together take too long to match.")
        try:
            _run(pattern, "", milliseconds)
        except _UNUSABLE as error:
            reason = str(error).strip().splitlines()[0]
            raise wrong_xml(f"{pattern.regex[:100]!r} in {parameter} cannot be used: {reason}.") from None
        except OperationalError:
            raise wrong_xml(f"{pattern.regex[:100]!r} in {parameter} takes too long to match.") from None


def is_found(pattern: Pattern, text: str, clock: Clock) -> bool:
    """Whether ``text`` has a match. A match that takes too long counts as found: the worker is not to blame."""
    milliseconds = clock.milliseconds
    if not milliseconds:
        return True
    try:
        return _run(pattern, text, milliseconds)
    except (*_UNUSABLE, OperationalError):
        return True


def _run(pattern: Pattern, text: str, milliseconds: int) -> bool:
    # Durable: the limit holds until the end of a transaction, so this one must not be a part of another.
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute("SELECT set_config('statement_timeout', %s, true)", [str(milliseconds)])
        cursor.execute("SELECT %s ~ %s", [text, translated(pattern)])
        return bool(cursor.fetchone()[0])


def translated(pattern: Pattern) -> str:
    regex, flags = pattern.regex, set(pattern.flags)
    if leading := _LEADING.match(regex):
        regex, flags = regex[leading.end() :], flags | set(leading[1])
    options = _LINES["s" in flags, "m" in flags] + "".join(sorted(flags - {"s", "m"}))
    return f"(?{options})" + _ESCAPE.sub(lambda escape: _OTHERWISE.get(escape[1], escape[0]), regex)
