"""Django's settings. What an operator can set is declared in `qc4site.configuration.options`."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

import dj_database_url
from csp.constants import NONE, SELF

from common.rates import LIMITS
from qc4site.configuration.environment import SettingsError, read
from qc4site.configuration.options import INSECURE_KEY, Options


def _stop(*sentences: str) -> NoReturn:
    print("QC4 Bench cannot start because of its settings:", *sentences, sep="\n  ", file=sys.stderr)
    sys.exit(2)


BASE_DIR = Path(__file__).resolve().parent.parent
try:
    options = read(Options, os.environ, BASE_DIR / ".env")
except SettingsError as error:
    _stop(*error.sentences)
SETTINGS_WARNINGS = options.warnings

# --- Safety first -----------------------------------------------------------------------------------------------------

DEBUG = options.DEBUG
SECRET_KEY = options.SECRET_KEY or INSECURE_KEY
SECRET_KEY_FALLBACKS = list(options.SECRET_KEY_FALLBACKS)
ALLOWED_HOSTS = list(options.ALLOWED_HOSTS)
HTTPS = options.HTTPS
CSRF_TRUSTED_ORIGINS = list(options.CSRF_TRUSTED_ORIGINS)
TRUSTED_PROXIES = options.TRUSTED_PROXIES
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_SSL_REDIRECT = HTTPS
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
        "manifest-src": [SELF],
    }
}

# --- Where data lies --------------------------------------------------------------------------------------------------

# Whatever this process writes from here on (database, uploads, messages, temporary files) is its own account's alone.
os.umask(0o077)
DATA_DIR = Path(options.QC4_DATA_DIR).resolve()
UPLOAD_DIR = DATA_DIR / "uploads"
# What is on its way in or out; what a killed process leaves here is removed (evaluation/runs/source.py).
TEMPORARY_DIR = DATA_DIR / "temporary"
try:
    for _directory in (DATA_DIR, UPLOAD_DIR, TEMPORARY_DIR):
        _directory.mkdir(parents=True, exist_ok=True)
except OSError as error:
    _stop(f"QC4_DATA_DIR is {str(DATA_DIR)!r}, which cannot be used: {error.strerror}.")
with suppress(OSError):  # `serve` and `work` name what is not theirs
    DATA_DIR.chmod(0o700)

SQLITE_OPTIONS = {
    "timeout": 20,
    "transaction_mode": "IMMEDIATE",
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA busy_timeout=20000;",
}
DATABASES = {"default": dj_database_url.parse(options.DATABASE_URL, conn_max_age=60, conn_health_checks=True)}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = SQLITE_OPTIONS
elif "options=" not in options.DATABASE_URL:
    # Questions of a few milliseconds each, which PostgreSQL would compile for longer than they take.
    DATABASES["default"]["OPTIONS"] = {**DATABASES["default"].get("OPTIONS", {}), "options": "-c jit=off"}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Quotas (docs/users/account.md) -----------------------------------------------------------------------------------

QUOTA_PERSON_BYTES = int(options.QUOTA_PERSON_GB * 1024**3)
QUOTA_PERSON_ROWS = options.QUOTA_PERSON_ROWS
QUOTA_COLLECTION_BYTES = int(options.QUOTA_COLLECTION_GB * 1024**3)
QUOTA_COLLECTION_ROWS = options.QUOTA_COLLECTION_ROWS

FREE_SPACE_BYTES = int(options.FREE_SPACE_MB * 1024**2)

# --- Requests ---------------------------------------------------------------------------------------------------------

HOST, PORT = options.HOST, options.PORT
WEB_THREADS = options.WEB_THREADS
# Slow work may hold at most half of the threads, so that the others answer plain pages.
SLOW_WORK_AT_ONCE = max(1, WEB_THREADS // 2)

# --- Jobs (docs/developers/jobs.md) -----------------------------------------------------------------------------------

JOB_LEASE_SECONDS = options.JOB_LEASE_SECONDS
JOB_SWEEP_SECONDS = options.JOB_SWEEP_SECONDS
JOB_MAX_ATTEMPTS = options.JOB_MAX_ATTEMPTS
JOB_TIME_LIMIT_SECONDS = options.JOB_TIME_LIMIT_SECONDS
JOB_LIMIT_PER_USER = options.JOB_LIMIT_PER_USER
JOB_LIMIT_TOTAL = options.JOB_LIMIT_TOTAL
JOB_FAN_OUT_MEMBERSHIPS = options.JOB_FAN_OUT_MEMBERSHIPS
# What workers do, in the order in which they look for it: a source of work (`work.sources`) and a queue. A worker with
# several processes keeps one for the first line, and every worker has one more for answers.
WORK_SOURCES = (
    ("evaluation.runs.source.SOURCE", "interactive"),
    ("work.answer_worker.SOURCE", "interactive"),
    ("evaluation.runs.source.SOURCE", "bulk"),
    ("evaluation.scoring.jobs.SOURCE", "bulk"),
    ("work.answer_worker.SOURCE", "bulk"),
)

# Where there is a broker, it carries wake-up calls and nothing else (`work.wakeups`).
CELERY_BROKER_URL = options.CELERY_BROKER_URL
JOB_QUEUE_PREFIX = options.JOB_QUEUE_PREFIX

# --- Django -----------------------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "qc4site.apps.SiteConfig",
    "qc4site.administration.AdministrationConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "csp",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "accounts",
    "work",
    "annotations",
    "documentation",
    "evaluation",
]
MIDDLEWARE = [
    "qc4site.middleware.waiting_writers.WaitingWriters",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "qc4site.middleware.private_responses.PrivateResponses",
    "qc4site.middleware.compression.CompressedAnswers",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "qc4site.middleware.bodies.Bodies",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "common.caller.RememberCaller",
    "work.budget.AnswerBudgetMiddleware",
    "qc4site.middleware.page_limits.PageLimits",
    "qc4site.errors.pages.PageErrors",
    "qc4site.middleware.slow_requests.SlowAddresses",
]
ROOT_URLCONF = "qc4site.urls"
WSGI_APPLICATION = "qc4site.wsgi.application"
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
            ],
        },
    }
]
AUTH_USER_MODEL = "accounts.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = "collections"
CSRF_FAILURE_VIEW = "qc4site.errors.pages.csrf_failed"
SIGN_UP = options.SIGN_UP
PASSWORD_RESET_TIMEOUT = int(options.PASSWORD_LINK_HOURS * 3600)

ADMIN_PATH = options.ADMIN_PATH.strip("/") + "/"
ADMIN_SECOND_FACTOR = options.ADMIN_SECOND_FACTOR
OIDC_ISSUER = options.OIDC_ISSUER
OIDC_CLIENT_ID, OIDC_CLIENT_SECRET = options.OIDC_CLIENT_ID, options.OIDC_CLIENT_SECRET
OIDC_HOSTS = options.OIDC_HOSTS
# Pages offer the provider if it has a name.
OIDC_NAME = options.OIDC_NAME if OIDC_ISSUER else ""

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "qc4site.static_files.StaticFiles"
    },
}
WHITENOISE_USE_FINDERS = DEBUG
MEDIA_ROOT = UPLOAD_DIR
# A list, though Django would also take a tuple: large uploads go to disk at once instead of into memory.
FILE_UPLOAD_PERMISSIONS, FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o600, 0o700
FILE_UPLOAD_HANDLERS = ["qc4site.arriving_files.TemporaryFiles"]
FILE_UPLOAD_TEMP_DIR = TEMPORARY_DIR
# How large a whole body may be each address says: common/body_sizes.py.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5_000
# More than the forms take, so that it is they who say how many that is.
DATA_UPLOAD_MAX_NUMBER_FILES = 1_000
DATA_UPLOAD_MAX_MEMORY_SIZE = 4 * 1024 * 1024
# In a cookie, where they fit: whoever reads one writes nothing to the database.
MESSAGE_STORAGE = "django.contrib.messages.storage.fallback.FallbackStorage"

# --- E-mail -----------------------------------------------------------------------------------------------------------

globals().update(options.EMAIL_URL)
DEFAULT_FROM_EMAIL = options.EMAIL_FROM
# What links in e-mails begin with. Pages make theirs from the request; its Host header is nothing to send to others.
SITE_ADDRESS = options.SITE_ADDRESS
EMAIL_TIMEOUT = 10

# --- API (docs/users/api.md) -----------------------------------------------------------------------------------------

# The rates in force, by the names of `common.rates.LIMITS`.
RATES: dict[str, str] = {name: getattr(options, limit.setting) for name, limit in LIMITS.items()}
RATE_COUNTS_FILE = DATA_DIR / "rate-counts.sqlite3"

# What processes share beside the database, and can compute anew: files on each host, or Redis if it is the broker.
CACHES = {
    "default": {
        "BACKEND": "qc4site.redis_cache.Redis",
        "LOCATION": CELERY_BROKER_URL,
        "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 1},
    }
    if CELERY_BROKER_URL.startswith("redis")
    else {
        "BACKEND": "qc4site.caches.Files",
        "LOCATION": str(DATA_DIR / "cache"),
        # Every write lists the folder: this bounds it. Beyond it a third of the entries is forgotten.
        "OPTIONS": {"MAX_ENTRIES": 1_000},
    },
    # What holds entries in the meantime while the others cannot be written.
    "memory": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 10_000}},
}
REST_FRAMEWORK: dict[str, Any] = {
    # The token first: it decides that "not signed in" is 401 and not 403.
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    # Who reaches what is decided where objects are fetched: annotations.access, evaluation.access. Tokens may do less.
    "DEFAULT_PERMISSION_CLASSES": [
        "rest_framework.permissions.AllowAny",
        "accounts.authentication.SamePerson",
        "qc4site.api.token_scopes.WithinScope",
        "qc4site.middleware.slow_requests.HasPlace",
    ],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["common.api.json_bodies.StrictJSON"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_THROTTLE_CLASSES": ["common.api.throttles.Anonymous", "common.api.throttles.Person"],
    "EXCEPTION_HANDLER": "qc4site.errors.api.exception_handler",
    # Every throttle of ours asks `common.caller`; this is for one that would not.
    "NUM_PROXIES": TRUSTED_PROXIES,
    "URL_FORMAT_OVERRIDE": None,
    "DEFAULT_METADATA_CLASS": None,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS: dict[str, object] = {
    "TITLE": "QC4 Bench",
    "DESCRIPTION": "Test collections, gold standards, submissions, runs and scores. [How to use it](/docs/api/).",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PUBLIC": True,
    "SORT_OPERATION_PARAMETERS": False,
    "COMPONENT_SPLIT_REQUEST": True,
    # Several things have a kind, a status or an origin: their lists of these get names that say whose.
    "ENUM_NAME_OVERRIDES": {
        "RunKind": "evaluation.models.Run.Kind",
        "LogKind": "accounts.audit.Kind",
        "ComparisonVerdict": "qc4.stats.results.Verdict.__args__",
        "ComparisonPairVerdict": "qc4.stats.robustness.PairVerdict.__args__",
        "SubmissionOrigin": "evaluation.models.Submission.Origin",
        "QuestionAbout": "annotations.adjudication_choices.About",
        "QuestionChoice": "annotations.adjudication_choices.Choice",
        "AnswerChoice": "annotations.adjudication.api.ANSWERS",
        "AnswerReason": "annotations.adjudication.api.REASONS",
        "RunState": "evaluation.models.Run.State",
        "Participation": "annotations.models.Collection.Participation",
        "RequestState": "annotations.models.ParticipationRequest.State",
        "DraftStatus": "annotations.models.Draft.Status",
        "StudyStatus": "studies.behaviour.result.Status.__args__",
        "StudySideName": "studies.behaviour.case.SideName.__args__",
        "StudyOrigin": "studies.behaviour.case.Origin.__args__",
        "DraftKind": "annotations.models.Draft.Kind",
        "NewDraftKind": "annotations.drafts.api.KINDS",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "qc4site.api.schema.add_errors",
    ],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    # No badge, because it asks another host; no saved credentials, because a token is shown once and kept by its owner.
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "validatorUrl": None, "persistAuthorization": False},
}

# --- Log --------------------------------------------------------------------------------------------------------------

LOG_LEVEL = options.LOG_LEVEL
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "filters": {"refusals": {"()": "qc4site.errors.log_filter.WithoutTraceback"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["refusals"]}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    # On a busy site, requests often wait for a thread.
    "loggers": {"waitress.queue": {"level": "ERROR"}},
}
