"""The language of the worker's page: an address parameter, since there is no cookie to keep it in."""

from django.conf import settings
from django.utils.translation import get_supported_language_variant


def page_language(asked: str | None) -> str:
    """The language that is closest to ``asked`` (a language code) among those we have, else the site's own."""
    try:
        return get_supported_language_variant(asked or settings.LANGUAGE_CODE)
    except LookupError:
        return settings.LANGUAGE_CODE
