"""The application of the doors into the marketplace."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RecruitingConfig(AppConfig):
    name = "marketplace.recruiting"
    label = "recruiting"

    def ready(self) -> None:
        from .. import doors
        from ..services import operating
        from .panel_door import PanelDoor

        operating.TABS.append(operating.Tab("recruiting", _("Recruiting"), "recruiting"))
        from .services import prolific_studies  # noqa: F401  # has its say on arrivals

        doors.DOORS.append(PanelDoor())
