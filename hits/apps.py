from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class HitsConfig(AppConfig):
    name = "hits"
    verbose_name = _("Batches and money")

    def ready(self) -> None:
        from hits import checks, project_panel  # noqa: F401 - the checks register themselves

        project_panel.register_all()
