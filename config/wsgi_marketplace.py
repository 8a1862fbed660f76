"""WSGI entry point of the marketplace."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.marketplace")
application = get_wsgi_application()
