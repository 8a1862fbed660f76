"""Settings of the platform: projects, the worker's page, batches, review."""

from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from django.templatetags.static import static
from django.utils.translation import gettext_lazy as _

from .base import *  # noqa: F403
from .base import BASE_DIR, PLAIN_HTTP, env, postgres
from .endpoints_file import endpoints_from

SECRET_KEY = env.str("SECRET_KEY")
ALLOWED_HOSTS = env.list("PLATFORM_HOSTS", default=["localhost"])
# The address that workers' browsers load work pages from; it goes into every HIT.
PLATFORM_URL = env.str("PLATFORM_URL", default="http://localhost:8000").rstrip("/")

ROOT_URLCONF = "config.urls.platform"
WSGI_APPLICATION = "config.wsgi_platform.application"
AUTH_USER_MODEL = "accounts.User"
DATABASES = {"default": postgres("DATABASE_URL")}
SESSION_COOKIE_NAME = "spanwright_session"
CSRF_COOKIE_NAME = "spanwright_csrf"
AUTHENTICATION_BACKENDS = ["config.sign_in.SignInThrottle", "django.contrib.auth.backends.ModelBackend"]
# One way to write dates in every language, also in lists that the admin makes.
FORMAT_MODULE_PATH = "config.formats"
LOGIN_URL = "/admin/login/"
LOGIN_REDIRECT_URL = "admin:annotation_project_changelist"

INSTALLED_APPS = [
    "unfold",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "csp",
    "axes",
    "rest_framework",
    "drf_spectacular",
    "simple_history",
    "auditlog",
    "accounts",
    "annotation",
    "hits",
    "reviewer",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "accounts.middleware.AdminContentPolicy",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
    # Says whose request it is that changes a row with a history.
    "simple_history.middleware.HistoryRequestMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.api_tokens.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "STRICT_JSON": True,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Spanwright",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "ENUM_NAME_OVERRIDES": {
        "TaskKind": "annotation.models.Task.Kind",
        "AssignmentStatus": "annotation.models.Assignment.Status",
        "CurationStatus": "annotation.models.CurationRun.Status",
        "Split": "annotation.models.Article.Split",
        "BatchStatus": "hits.models.Batch.Status",
        "HITStatus": "hits.models.HIT.Status",
        "BonusStatus": "hits.models.Bonus.Status",
        "LedgerKind": "hits.models.LedgerEntry.Kind",
    },
}

REDIS_URL = env.str("REDIS_URL", default="redis://127.0.0.1:6379/0")
CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}}
CELERY_BROKER_URL = REDIS_URL
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# A crashed worker's unacknowledged jobs come back after this many seconds; the sweep over rows is faster.
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 600}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True

# Jobs that run by themselves: every so many seconds.
SWEEP_SECONDS = env.int("SWEEP_SECONDS", default=10)
SYNC_SECONDS = env.int("SYNC_SECONDS", default=15)
EVENTS_SECONDS = env.int("EVENTS_SECONDS", default=5)
CELERY_BEAT_SCHEDULE = {
    "events": {"task": "hits.tasks.receive_events", "schedule": EVENTS_SECONDS},
    "sweep": {"task": "hits.tasks.sweep", "schedule": SWEEP_SECONDS},
    "passages": {"task": "annotation.tasks.sweep", "schedule": SWEEP_SECONDS},
    "releases": {"task": "reviewer.tasks.sweep", "schedule": SWEEP_SECONDS},
    "sync": {"task": "hits.tasks.sync", "schedule": SYNC_SECONDS},
    "signals": {"task": "reviewer.tasks.note_signals", "schedule": SWEEP_SECONDS},
    "retention": {"task": "reviewer.tasks.apply_retention", "schedule": 60 * 60},
}

# For how many days personal data is kept; 0: for good. Drafts and signals from the decision about the work on, worker
# ids from a worker's last work or pay on, and who looked at personal data.
RETAIN_DRAFTS_DAYS = env.int("RETAIN_DRAFTS_DAYS", default=0)
RETAIN_SIGNALS_DAYS = env.int("RETAIN_SIGNALS_DAYS", default=0)
RETAIN_WORKER_IDS_DAYS = env.int("RETAIN_WORKER_IDS_DAYS", default=0)
RETAIN_LOOKS_DAYS = env.int("RETAIN_LOOKS_DAYS", default=0)
if min(RETAIN_DRAFTS_DAYS, RETAIN_SIGNALS_DAYS, RETAIN_WORKER_IDS_DAYS, RETAIN_LOOKS_DAYS) < 0:
    raise ImproperlyConfigured("The RETAIN settings are whole numbers of days from 0 up; 0 keeps for good.")

# Where releases are kept, one folder each; every process of the platform must reach it.
RELEASES_DIR = Path(env.str("RELEASES_DIR", default=str(BASE_DIR / "releases")))
# A TrueType font for the letters of PDF reports that are not Latin, Greek, Cyrillic or East Asian; empty: none.
REPORT_FONT = env.str("REPORT_FONT", default="")
# Where curations that were asked for on a page keep what was sent over and what they wrote; every process of the
# platform must reach it. What lies in the other folder, all requesters may read as a source; empty: nothing.
CURATIONS_DIR = Path(env.str("CURATIONS_DIR", default=str(BASE_DIR / "curations")))
CURATION_SOURCES_DIR = env.str("CURATION_SOURCES_DIR", default="")
# Wikis that curations may read live, by the addresses of their APIs, and whom their operators can turn to. Empty: none.
CURATION_WIKIS = env.list("CURATION_WIKIS", default=[])
CURATION_CONTACT = env.str("CURATION_CONTACT", default="")

# Crowd endpoints: see hits.endpoints.Endpoint for each field. The first one is offered first.
_MTURK_ENDPOINT = env.str("MTURK_ENDPOINT", default="http://127.0.0.1:8001").rstrip("/")
_WORKER_ORIGINS = tuple(env.list("MTURK_WORKER_ORIGINS", default=[_MTURK_ENDPOINT]))
_AWS_CLOSED = _("Amazon Mechanical Turk closed on 30 September 2026; its endpoints may not answer.")
CROWD_ENDPOINTS = {
    "marketplace": {
        "label": _("Our marketplace"),
        "url": _MTURK_ENDPOINT,
        "worker_origins": _WORKER_ORIGINS,
        # Taken for real money unless an operator says that nobody is paid there.
        "pays_people": env.bool("MTURK_ENDPOINT_PAYS_PEOPLE", default=True),
        "play_money": env.bool("MTURK_ENDPOINT_PLAY_MONEY", default=False),
        "allow_http": PLAIN_HTTP,
        "access_key": env.str("AWS_ACCESS_KEY_ID", default=""),
        "secret_key": env.str("AWS_SECRET_ACCESS_KEY", default=""),
        # An SQS queue that it tells of what happens, and who answers for it where that is not AWS.
        "queue_url": env.str("MTURK_QUEUE_URL", default=""),
        "queue_endpoint": env.str("MTURK_QUEUE_ENDPOINT", default=""),
    },
    "rehearsal": {
        "label": _("Rehearsal"),
        "url": _MTURK_ENDPOINT,
        "worker_origins": _WORKER_ORIGINS,
        "pays_people": False,
        "allow_http": PLAIN_HTTP,
        "access_key": env.str("REHEARSAL_AWS_ACCESS_KEY_ID", default=""),
        "secret_key": env.str("REHEARSAL_AWS_SECRET_ACCESS_KEY", default=""),
        "worker_site": env.str("REHEARSAL_WORKER_SITE", default=_MTURK_ENDPOINT).rstrip("/"),
        # "name:password:worker id", with blanks between players
        "players": tuple(tuple(player.split(":")) for player in env.str("REHEARSAL_PLAYERS", default="").split()),
    },
    "mturk-sandbox": {
        "label": _("Mechanical Turk sandbox"),
        "url": "https://mturk-requester-sandbox.us-east-1.amazonaws.com",
        "worker_origins": ("https://workersandbox.mturk.com",),
        "pays_people": False,
        "access_key": env.str("MTURK_ACCESS_KEY_ID", default=""),
        "secret_key": env.str("MTURK_SECRET_ACCESS_KEY", default=""),
        "profile": env.str("MTURK_PROFILE", default=""),
        "notice": _AWS_CLOSED,
    },
    "mturk": {
        "label": _("Mechanical Turk"),
        "url": "https://mturk-requester.us-east-1.amazonaws.com",
        "worker_origins": ("https://worker.mturk.com", "https://www.mturk.com"),
        "pays_people": True,
        "access_key": env.str("MTURK_ACCESS_KEY_ID", default=""),
        "secret_key": env.str("MTURK_SECRET_ACCESS_KEY", default=""),
        "profile": env.str("MTURK_PROFILE", default=""),
        "notice": _AWS_CLOSED,
    },
}
# Another marketplace, or several, without editing this file.
CROWD_ENDPOINTS |= endpoints_from(env.str("CROWD_ENDPOINTS_FILE", default=""), lambda name: env.str(name, default=""))
# The key for the queues, where it is not the endpoint's own: our marketplace's key is none of AWS's.
QUEUE_ACCESS_KEY_ID = env.str("QUEUE_ACCESS_KEY_ID", default="")
QUEUE_SECRET_ACCESS_KEY = env.str("QUEUE_SECRET_ACCESS_KEY", default="")

UNFOLD = {
    "SITE_TITLE": "Spanwright",
    "SITE_HEADER": "Spanwright",
    "SITE_SYMBOL": "match_word",
    "SITE_FAVICONS": [
        {"rel": "icon", "type": "image/svg+xml", "href": lambda request: static("admin_pages/favicon.svg")}
    ],
    "SIDEBAR": {"navigation": "annotation.navigation.sidebar"},
    "SITE_URL": None,
    "SHOW_VIEW_ON_SITE": False,
    "BORDER_RADIUS": "6px",
    "COLORS": {
        # A blue whose 600 stands 4.5:1 off white.
        "primary": {
            "50": "oklch(97% .014 254.6)",
            "100": "oklch(93.2% .032 255.6)",
            "200": "oklch(88.2% .059 254.1)",
            "300": "oklch(80.9% .105 251.8)",
            "400": "oklch(70.7% .165 254.6)",
            "500": "oklch(62.3% .188 259.8)",
            "600": "oklch(52% .19 260)",
            "700": "oklch(46% .18 262)",
            "800": "oklch(40% .15 264)",
            "900": "oklch(35% .12 266)",
            "950": "oklch(27% .09 268)",
        }
    },
}

# Jobs are queued through this application from every process of the platform; the marketplace has none.
from config.celery import app as celery_app  # noqa: E402, F401
