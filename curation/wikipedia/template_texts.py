"""Templates that carry text: what a reader of the page sees of each, as wikitext without templates."""

from collections.abc import Callable

from curation.wikipedia.arguments import Arguments
from curation.wikipedia.template_names import PLAIN

Writer = Callable[[Arguments], str | None]


def _argument(number: int) -> Writer:
    return lambda arguments: arguments.text(number)


TEXTS: dict[str, Writer] = {**dict.fromkeys(PLAIN, _argument(1))}
