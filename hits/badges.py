"""How an endpoint is shown on every page that names one."""

from django.utils.html import format_html
from django.utils.safestring import SafeString

from . import endpoints


def badge(key: str) -> SafeString:
    """An endpoint by its name, with the colour and the word that say whether money moves there."""
    try:
        endpoint = endpoints.get(key)
    except endpoints.ImproperlyConfigured:
        return format_html('<span class="endpoint-badge">{}</span>', key)
    return format_html(
        '<span class="endpoint-badge endpoint-badge-{}">{} · {}</span>',
        endpoint.standing,
        endpoint.label,
        endpoint.word,
    )
