"""The real settings, for tests: they need no environment, touch no data of the site, and share nothing between workers.

Every pytest process gets a data directory of its own below one temporary directory per session; processes that a test
starts inherit it. `DATABASE_URL` is kept, so ``DATABASE_URL=postgres://... pytest`` tests on PostgreSQL.
"""

from __future__ import annotations

import os

from tests.session import SESSION

_worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
os.environ["QC4_DATA_DIR"] = str(SESSION / _worker)
os.environ["DEBUG"] = "0"
os.environ["HTTPS"] = "0"
os.environ["SECRET_KEY"] = "a-key-for-tests-only-that-guards-nothing-at-all-anywhere"
os.environ.setdefault("LOG_LEVEL", "WARNING")
# Several test processes share the cores. Threads of numerical libraries that wait for each other by spinning make small
# problems thirty times slower there.
for _library in ("OMP", "OPENBLAS"):
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")

from common.rates import LIMITS, Where  # noqa: E402  # as below
from qc4site.settings import *  # noqa: E402, F403  # the environment must be set first
from qc4site.settings import DATA_DIR, DATABASES, LOGGING, STORAGES  # noqa: E402  # as above

_database = DATABASES["default"]
# A file, not memory: heartbeats and worker processes open connections of their own.
_name = str(DATA_DIR / "test.sqlite3") if "sqlite" in _database["ENGINE"] else f"test_{SESSION.name.replace('-', '_')}"
_database["TEST"] = {"NAME": _name}
# No `collectstatic` before the tests, and no slow password hashes in them.
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
# Browsers fetch them once, also where a whole session takes long.
WHITENOISE_MAX_AGE = 86_400
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Some tests send more requests within a minute than people and programs do.
RATES |= {name: "100000/min" for name, limit in LIMITS.items() if limit.where is Where.EACH_HOST}  # noqa: F405  # as above
# Tests are refused thousands of times; to write where in the code each refusal came from takes longer than to refuse.
LOGGING["loggers"] = {"django.request": {"level": "ERROR"}}
