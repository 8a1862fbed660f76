"""An endpoint in a template, as pages show it."""

from django import template
from django.utils.safestring import SafeString

from hits.badges import badge

register = template.Library()


@register.filter
def endpoint_badge(key: str) -> SafeString:
    """The endpoint ``key`` by its name, with the colour and the word that say whether money moves there."""
    return badge(key)
