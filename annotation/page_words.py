"""The sentences that the work page's scripts show, in the worker's language. ``{name}`` is filled in by the page."""

from django.utils.translation import gettext as _


def page_words() -> dict[str, str]:
    """Sentences by the name under which the scripts ask for them."""
    return {
        "paragraph_of": _("paragraph {number} of {count}"),
    }
