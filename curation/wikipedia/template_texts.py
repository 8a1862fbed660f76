"""Templates that carry text: what a reader of the page sees of each, as wikitext without templates."""

from collections.abc import Callable

from curation.wikipedia.arguments import Arguments
from curation.wikipedia.dates import DATES
from curation.wikipedia.numerals import NUMERALS
from curation.wikipedia.speech import SPEECH
from curation.wikipedia.template_names import PLAIN
from curation.wikipedia.units import convert

Writer = Callable[[Arguments], str | None]


def _argument(number: int) -> Writer:
    return lambda arguments: arguments.text(number)


TEXTS: dict[str, Writer] = {
    **dict.fromkeys(PLAIN, _argument(1)),
    **DATES,
    **NUMERALS,
    **SPEECH,
    "convert": convert,
    "cvt": convert,
}
