"""Asking a panel whether a session is what its link says, where the study's panel is set to be asked."""

from collections.abc import Callable

from ..models import Panel, PanelStudy
from .links import Arrival

Check = Callable[[PanelStudy, Arrival], None]


class Unavailable(Exception):
    """The panel cannot be asked now; worth another try."""


# By kind of panel. A check raises links.BadLink where the panel says otherwise than the link, or Unavailable.
CHECKS: dict[str, Check] = {}


def confirm(study: PanelStudy, arrival: Arrival) -> None:
    """Ask the panel, if it is to be asked. Raises links.BadLink or Unavailable."""
    if study.panel.check_by == Panel.Check.API:
        CHECKS[study.panel.kind](study, arrival)
