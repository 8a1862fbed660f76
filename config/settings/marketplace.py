"""Settings of the marketplace: a site of its own, with its own database, users, secret, cookies and host."""

from django.core.exceptions import ImproperlyConfigured

from .base import *  # noqa: F403
from .base import CONTENT_SECURITY_POLICY, PLAIN_HTTP, env, postgres

SECRET_KEY = env.str("MARKETPLACE_SECRET_KEY")
ALLOWED_HOSTS = env.list("MARKETPLACE_HOSTS", default=["127.0.0.1"])
# Where workers and API clients reach this site; also the turkSubmitTo that frames are given.
MARKETPLACE_URL = env.str("MARKETPLACE_URL", default="http://127.0.0.1:8001").rstrip("/")

ROOT_URLCONF = "config.urls.marketplace"
WSGI_APPLICATION = "config.wsgi_marketplace.application"
AUTH_USER_MODEL = "marketplace.User"
DATABASES = {"default": postgres("MARKETPLACE_DATABASE_URL")}
SESSION_COOKIE_NAME = "marketplace_session"
CSRF_COOKIE_NAME = "marketplace_csrf"
AUTHENTICATION_BACKENDS = ["config.sign_in.SignInThrottle", "marketplace.auth.PasswordBackend"]
# For passwords that people choose; commands and operators may set others.
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "/signin/"
LOGIN_REDIRECT_URL = "/projects/"

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "csp",
    "axes",
    "marketplace",
    "marketplace.recruiting",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "marketplace.uploads.NoFilesMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
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

# Whom people without a password ask, on the sign-in page: an e-mail address, or a few words.
MARKETPLACE_CONTACT = env.str("MARKETPLACE_CONTACT", default="").strip()

# Requesters' pages are shown in a frame; any https page may be one (and http where plain http is allowed).
CONTENT_SECURITY_POLICY["DIRECTIVES"]["frame-src"] = ["https:"] + (["http:"] if PLAIN_HTTP else [])

# What a requester's page may do in its frame. Without allow-same-origin it has an opaque origin.
MARKETPLACE_FRAME_SANDBOX = env.str("MARKETPLACE_FRAME_SANDBOX", default="allow-scripts allow-forms allow-same-origin")

# What panels sign their study links with, by the panel's key: "lab-list=secret,other=secret".
PANEL_SECRETS = env.dict("PANEL_SECRETS", default={})

# Prolific's API: where it is, the token of the researcher's account, and the secret that signs its webhooks. They are
# never stored or logged.
PROLIFIC_URL = env.str("PROLIFIC_URL", default="https://api.prolific.com").rstrip("/")
PROLIFIC_TOKEN = env.str("PROLIFIC_TOKEN", default="")
PROLIFIC_WEBHOOK_SECRET = env.str("PROLIFIC_WEBHOOK_SECRET", default="")

# Notices after a step travel in a cookie of their own, so that no session is written for them.
MESSAGE_STORAGE = "django.contrib.messages.storage.cookie.CookieStorage"

# Whether UpdateExpirationForHIT refuses an earlier time that still lies ahead: AWS's two documents disagree.
MARKETPLACE_STRICT_EXPIRY = env.bool("MARKETPLACE_STRICT_EXPIRY", default=False)

# Where event notifications go: addresses of SQS and SNS (AWS's own where empty), and the keys to send with. Without
# keys none are sent, and requesters who ask for some are told so.
MARKETPLACE_SQS_ENDPOINT = env.str("MARKETPLACE_SQS_ENDPOINT", default="").rstrip("/")
MARKETPLACE_SNS_ENDPOINT = env.str("MARKETPLACE_SNS_ENDPOINT", default="").rstrip("/")
MARKETPLACE_EVENTS_REGION = env.str("MARKETPLACE_EVENTS_REGION", default="us-east-1")
MARKETPLACE_EVENTS_ACCESS_KEY_ID = env.str("MARKETPLACE_EVENTS_ACCESS_KEY_ID", default="")
MARKETPLACE_EVENTS_SECRET_ACCESS_KEY = env.str("MARKETPLACE_EVENTS_SECRET_ACCESS_KEY", default="")

# Bytes of a form or an API call; a call has a smaller limit of its own.
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_500_000

# Tests alone: routes that make accounts and move the clock. Never set this where real people work.
MARKETPLACE_TEST_HOOKS = env.bool("MARKETPLACE_TEST_HOOKS", default=False)
if MARKETPLACE_TEST_HOOKS:
    # A thousand logins a run, of accounts that hold nothing.
    PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# Calls a second for each requester that has no rate of its own; 0 sets none.
MARKETPLACE_REQUESTS_PER_SECOND = env.float("MARKETPLACE_REQUESTS_PER_SECOND", default=0.0)
if not 0 <= MARKETPLACE_REQUESTS_PER_SECOND < float("inf"):
    raise ImproperlyConfigured("MARKETPLACE_REQUESTS_PER_SECOND must be a number from 0 up.")

# Whether faults may be ordered for requesters who pay people; for those who pay nobody they always may.
MARKETPLACE_FAULTS = env.bool("MARKETPLACE_FAULTS", default=MARKETPLACE_TEST_HOOKS)
