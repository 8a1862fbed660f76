from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class HitsConfig(AppConfig):
    name = "hits"
    verbose_name = _("Batches and money")
