"""The test database: migrated by one process of a session, copied by the others."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.test.utils import setup_databases, teardown_databases

from tests.session import once_per_session


def set_up() -> list[Any]:
    """Make this process's own database, empty, Django's default one; `teardown_databases` takes what is returned.

    To migrate takes seconds of a processor, to copy a file takes none. Databases other than SQLite are migrated each.
    """
    copied = connection.vendor == "sqlite"
    if copied:
        shutil.copy(template(), settings.DATABASES["default"]["TEST"]["NAME"])
    made: list[Any] = setup_databases(verbosity=0, interactive=False, keepdb=copied, serialized_aliases=())
    return made


def template() -> Path:
    """A migrated SQLite file without rows, to be copied; the first process of a session makes it."""
    with once_per_session("migrated.sqlite3") as file:
        if not file.exists():
            made = setup_databases(verbosity=0, interactive=False, serialized_aliases=())
            unfinished = file.with_suffix(".unfinished")
            with connection.cursor() as cursor:
                cursor.execute("VACUUM INTO %s", [str(unfinished)])
            unfinished.rename(file)
            teardown_databases(made, verbosity=0)
    return file
