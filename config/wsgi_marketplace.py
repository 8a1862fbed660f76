"""WSGI entry point of the marketplace."""

import os

from django.core.wsgi import get_wsgi_application

from config.guard import Guard

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.marketplace")
application = Guard(get_wsgi_application())
