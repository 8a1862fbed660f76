from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReviewerConfig(AppConfig):
    name = "reviewer"
    verbose_name = _("Review")

    def ready(self) -> None:
        from reviewer import project_panels

        project_panels.register_all()
