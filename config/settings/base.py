"""What both sites share. Each setting is read once from the environment and fails loudly on nonsense."""

from datetime import timedelta
from pathlib import Path
from wsgiref.headers import Headers

import environ
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

BASE_DIR = Path(__file__).resolve().parents[2]
env = environ.Env()

DEBUG = env.bool("DEBUG", default=False)
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("de", _("German"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Seconds a database connection is kept between requests; one connection a thread.
CONN_MAX_AGE_SECONDS = env.int("CONN_MAX_AGE_SECONDS", default=600)


def postgres(variable: str) -> dict:
    """The Django database entry for the PostgreSQL named by ``variable`` (an URL). Without the variable a name
    that cannot be connected to is used, so that commands which need no database run without one."""
    database = env.db_url(variable, default="postgres:///not-configured")
    if database["ENGINE"] != "django.db.backends.postgresql":
        raise environ.ImproperlyConfigured(f"{variable} must be a postgres:// address: only PostgreSQL is supported.")
    # No server-side cursors: PgBouncer's transaction mode would lose them.
    return database | {"CONN_MAX_AGE": CONN_MAX_AGE_SECONDS, "DISABLE_SERVER_SIDE_CURSORS": True}


# Static files, served by WhiteNoise straight from where they are; with STATIC_ROOT, collectstatic copies
# them for a web server of one's own.
STATIC_URL = "/static/"
STATIC_ROOT = env.str("STATIC_ROOT", default=None)
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True
# Fonts, scripts and styles are fetched by the work page from a frame that may have an opaque origin.
WHITENOISE_ALLOW_ALL_ORIGINS = True


def add_static_headers(headers: Headers, path: str, url: str) -> None:
    """A file that somebody opens by itself, like an SVG, is a page that can do nothing. (WhiteNoise answers above the
    middlewares that give pages these headers; in a page, a script or style comes under that page's policy.)"""
    headers["Content-Security-Policy"] = "default-src 'none'; frame-ancestors 'none'; sandbox"
    headers["X-Frame-Options"] = X_FRAME_OPTIONS


WHITENOISE_ADD_HEADERS_FUNCTION = add_static_headers

# Over plain http only where an operator says so (the demo and tests on one machine).
PLAIN_HTTP = env.bool("PLAIN_HTTP", default=False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = not PLAIN_HTTP
SECURE_HSTS_SECONDS = 0 if PLAIN_HTTP else env.int("SECURE_HSTS_SECONDS", default=3600)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if env.bool("BEHIND_HTTPS_PROXY", default=False) else None
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

# How many proxies of one's own stand in front, each adding the address that called it to X-Forwarded-For.
PROXIES_IN_FRONT = env.int("PROXIES_IN_FRONT", default=int(SECURE_PROXY_SSL_HEADER is not None))
if PROXIES_IN_FRONT < 0:
    raise environ.ImproperlyConfigured("PROXIES_IN_FRONT must be a whole number from 0 up.")

# Sign-in protection (django-axes): so many wrong passwords for a user name from an address, then a pause. By both,
# so that nobody locks somebody else out from afar, and many people behind one address do not lock out each other.
SIGN_IN_ATTEMPTS = env.int("SIGN_IN_ATTEMPTS", default=10)
SIGN_IN_LOCKOUT_MINUTES = env.int("SIGN_IN_LOCKOUT_MINUTES", default=15)
if SIGN_IN_ATTEMPTS < 1 or SIGN_IN_LOCKOUT_MINUTES < 1:
    raise environ.ImproperlyConfigured("SIGN_IN_ATTEMPTS and SIGN_IN_LOCKOUT_MINUTES must be whole numbers from 1 up.")
AXES_FAILURE_LIMIT = SIGN_IN_ATTEMPTS
AXES_COOLOFF_TIME = timedelta(minutes=SIGN_IN_LOCKOUT_MINUTES)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_USERNAME_CALLABLE = "config.sign_in.user_name"
AXES_CLIENT_IP_CALLABLE = "config.sign_in.client_address"
AXES_LOCKOUT_CALLABLE = "config.sign_in.locked_out"
AXES_RESET_ON_SUCCESS = True
# Trying on while locked out makes the pause no longer, and writes nothing.
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
# Nothing is kept of those who sign in, and no more of the others than it takes to count.
AXES_DISABLE_ACCESS_LOG = True
AXES_SENSITIVE_PARAMETERS = ["username", "ip_address", "csrfmiddlewaretoken", "next"]
AXES_VERBOSE = False
AXES_ENABLE_ADMIN = False

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"()": "config.logs.MaskedFormatter", "format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="INFO")},
    "loggers": {
        "axes": {"level": "WARNING"},  # at INFO four lines for each sign-in
        "django.server": {"handlers": ["console"], "propagate": False},  # runserver's lines
    },
}
