"""The Celery application of the platform (the marketplace needs none)."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.platform")

app = Celery("spanwright")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
