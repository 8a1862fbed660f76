"""Numbers as the reader's language writes them: 1,234.5 in English is 1.234,5 in German."""

from django.utils.formats import get_format


def localized(number: str) -> str:
    """``number``, written as in English, with the language's own signs for thousands and decimals."""
    signs = {",": str(get_format("THOUSAND_SEPARATOR")), ".": str(get_format("DECIMAL_SEPARATOR"))}
    return "".join(signs.get(character, character) for character in number)
