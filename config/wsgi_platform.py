"""WSGI entry point of the platform."""

import os

from django.core.wsgi import get_wsgi_application

from config.guard import Guard

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.platform")
application = Guard(get_wsgi_application())
