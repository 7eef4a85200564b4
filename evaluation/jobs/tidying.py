"""Remove what nothing refers to any more."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.db import connection

from accounts import audit
from annotations.collections.removal import removing
from annotations.imports.services import discard_left
from evaluation.models import Evaluation
from evaluation.services.uploads import INCOMING, delete_forgotten
from work.clock import from_now
from work.models import Worker

DAY = 86_400
LEFT_BEHIND_SECONDS = 3_600
"""No request works on its files so long: who made an older one was killed."""
AT_ONCE = 500


def tidy() -> int:
    """Delete evaluations that no run refers to (its collection was deleted, or a helper computed them in vain) once
    they are a day old, workers not seen for a day, what killed imports left a day ago, uploads of which nothing came,
    and old lines of the audit log.

    Returns:
        How many evaluations were deleted; at most `AT_ONCE` a call.
    """
    Worker.objects.filter(seen_at__lt=from_now(-DAY)).delete()
    _tidy_files()
    delete_forgotten()
    audit.forget()
    discard_left(from_now(-DAY))
    with removing("scores nothing refers to"):
        orphans = Evaluation.objects.filter(run_queries__isnull=True, created_at__lt=from_now(-DAY)).order_by("pk")
        found = list(orphans.values_list("pk", flat=True)[:AT_ONCE])
        # Locked and looked at again: a run that is just storing into one of them holds its row.
        skip = connection.features.has_select_for_update_skip_locked
        locked = Evaluation.objects.filter(pk__in=found).select_for_update(skip_locked=skip)
        still = Evaluation.objects.filter(pk__in=[row.pk for row in locked], run_queries__isnull=True)
        return still.delete()[1].get("evaluation.Evaluation", 0)


def _tidy_files() -> None:
    """Half-taken uploads and what was made of them."""
    before = time.time() - LEFT_BEHIND_SECONDS
    for path in _passing_files():
        try:
            old = path.lstat().st_mtime < before
        except FileNotFoundError:
            continue  # its maker, or another sweeper, was faster
        if old and path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        elif old:
            path.unlink(missing_ok=True)


def _passing_files() -> Iterator[Path]:
    yield from settings.TEMPORARY_DIR.iterdir()
    yield from settings.UPLOAD_DIR.glob(f"{INCOMING}*")
