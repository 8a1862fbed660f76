#!/usr/bin/env python
"""Django's command line. The platform is the default site; for the marketplace say
``--settings config.settings.marketplace`` (or set ``DJANGO_SETTINGS_MODULE``)."""

import os
import secrets
import sys

# They read and write files and sign nothing: where no site is set up, a key that ends with the process will do.
NEED_NO_SITE = {"curate", "score"}


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.platform")
    if NEED_NO_SITE.intersection(sys.argv[1:2]):
        os.environ.setdefault("SECRET_KEY", secrets.token_urlsafe())
    try:
        from django.core.management import execute_from_command_line
    except ImportError:
        sys.exit("Django is not installed in this Python. Run `make setup`, then use .venv/bin/python manage.py.")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
