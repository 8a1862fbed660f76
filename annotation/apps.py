from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AnnotationConfig(AppConfig):
    name = "annotation"
    verbose_name = _("Projects and passages")

    def ready(self) -> None:
        from annotation import project_panels

        project_panels.register_all()
