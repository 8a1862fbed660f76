"""Sentences of the plain-Python rooms, in the language of whoever reads them."""

from django.utils.formats import number_format
from django.utils.translation import gettext

from scoring.sentences import Sentence


def in_words(sentence: Sentence) -> str:
    """``sentence`` in the active language, and so the sentences that it quotes."""
    if not sentence.values:
        return gettext(sentence.template)
    values = {
        name: in_words(value) if isinstance(value, Sentence) else value for name, value in sentence.values.items()
    }
    return gettext(sentence.template).format(**values)


def grouped(number: int) -> str:
    """A whole number with its thousands set apart, as the active language does it."""
    return number_format(number, use_l10n=True, force_grouping=True)
