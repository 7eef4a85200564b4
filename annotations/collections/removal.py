"""Open the door by which rows of what is published may be removed: every legal way to delete goes through here."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction

from annotations.models import Removal


@contextmanager
def removing(why: str) -> Iterator[None]:
    """A transaction, or a part of one, that may remove what triggers hold (`common.append_only`).

    Nothing may be changed, and no other transaction sees the door open. What it removes must have gone when it ends.
    """
    with transaction.atomic():
        door = Removal.objects.create(why=why)
        yield
        door.delete()
