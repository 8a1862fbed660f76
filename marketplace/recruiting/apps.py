"""The application of the doors into the marketplace."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RecruitingConfig(AppConfig):
    name = "marketplace.recruiting"
    label = "recruiting"

    def ready(self) -> None:
        from .. import doors
        from ..services import erasure, operating
        from .open_door import OpenDoor
        from .panel_door import PanelDoor
        from .services import applications, bonus_batches, erasing, invitations
        from .services import prolific_studies as prolific_studies  # has its say on arrivals

        operating.TABS.append(operating.Tab("recruiting", _("Recruiting"), "recruiting"))
        operating.AGENDA.extend([applications.agenda, bonus_batches.agenda, invitations.agenda])
        erasure.ERASERS.append(erasing.erase)
        doors.DOORS += [OpenDoor(), PanelDoor()]
