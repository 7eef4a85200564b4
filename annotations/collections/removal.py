"""The permit to remove rows that triggers protect. Every legitimate deletion of published rows uses it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction

from annotations.models import Removal


@contextmanager
def allow_removal(why: str) -> Iterator[None]:
    """Run a transaction that may remove rows that triggers protect (`common.append_only`).

    Rows still may not be changed, and the permit does not apply to other transactions. All removals must be executed
    before the block ends.
    """
    with transaction.atomic():
        door = Removal.objects.create(why=why)
        yield
        door.delete()
