"""WSGI entry point of the platform."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.platform")
application = get_wsgi_application()
