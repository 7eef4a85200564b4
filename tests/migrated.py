"""The test database: migrated by one process of a session, copied by the others."""

from __future__ import annotations

import fcntl
import shutil
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.test.utils import setup_databases, teardown_databases


def set_up() -> list[Any]:
    """Make this process's own database, empty, Django's default one; `teardown_databases` takes what is returned.

    To migrate takes seconds of a processor, to copy a file takes none. Databases other than SQLite are migrated each.
    """
    copied = connection.vendor == "sqlite"
    if copied:
        _copy_from_the_first()
    made: list[Any] = setup_databases(verbosity=0, interactive=False, keepdb=copied, serialized_aliases=())
    return made


def _copy_from_the_first() -> None:
    """Put a migrated file where the database will be; the first process makes it, in the folder of the session."""
    own = Path(settings.DATABASES["default"]["TEST"]["NAME"])
    template = own.parent.parent / "migrated.sqlite3"
    with (template.parent / "migrated.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not template.exists():
            made = setup_databases(verbosity=0, interactive=False, serialized_aliases=())
            unfinished = template.with_suffix(".unfinished")
            with connection.cursor() as cursor:
                cursor.execute("VACUUM INTO %s", [str(unfinished)])
            unfinished.rename(template)
            teardown_databases(made, verbosity=0)
    shutil.copy(template, own)
