#!/usr/bin/env python
"""Django's command line. The platform is the default site; for the marketplace say
``--settings config.settings.marketplace`` (or set ``DJANGO_SETTINGS_MODULE``)."""

import os
import secrets
import sys


def needs_no_site(command: str = "", *options: str) -> bool:
    """Whether ``command`` only reads and writes files and signs nothing: where no site is set up, a key that ends with
    the process will do. What is asked of a project is answered with the site's own key, as its workers' names are."""
    if command in ("human_performance", "agreement"):
        return not any(option.startswith("--pr") for option in options)  # --project, or shortened
    if command == "release":
        return any(option.startswith(("--verify", "--diff")) for option in options)
    return command in ("curate", "score")


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.platform")
    if needs_no_site(*sys.argv[1:]):
        os.environ.setdefault("SECRET_KEY", secrets.token_urlsafe())
    try:
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management import execute_from_command_line
    except ImportError:
        sys.exit("Django is not installed in this Python. Run `make setup`, then use .venv/bin/python manage.py.")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        if "--traceback" in sys.argv:
            raise
        sys.exit(f"A setting is wrong or missing; docs/production.md lists them. {error}")


if __name__ == "__main__":
    main()
