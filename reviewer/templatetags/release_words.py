"""Counts of releases for their pages."""

from typing import Any

from django import template
from django.utils.translation import gettext as _

from reviewer.services.dataset import SPLITS
from reviewer.services.numbers import localized

register = template.Library()


@register.filter
def by_split(counts: dict[str, Any]) -> list[tuple[str, Any]]:
    """``counts`` in the order of the splits, which a database's JSON does not keep."""
    return [(split, counts[split]) for split in SPLITS if split in counts]


@register.filter
def changed_words(counts: dict[str, int]) -> str:
    """``counts`` of questions that were added, removed and changed: "12 added, 3 removed"."""
    words = {"added": _("{count} added"), "removed": _("{count} removed"), "changed": _("{count} changed")}
    told = [sentence.format(count=localized(f"{counts[name]:,}")) for name, sentence in words.items() if counts[name]]
    return ", ".join(told) or _("no question is another")
