"""Keep what columns of boards say, so that nobody works it out again."""

from __future__ import annotations

import logging
from typing import Any

from django.db import OperationalError, transaction

from evaluation.models import Standing

log = logging.getLogger(__name__)


def keep(rows: dict[str, dict[str, Any]]) -> None:
    """Store standings, key -> content. A page that only reads is shown also where the database is busy writing."""
    try:
        with transaction.atomic():
            Standing.objects.bulk_create(
                [Standing(key=key, content=content) for key, content in rows.items()], ignore_conflicts=True
            )
    except OperationalError:
        log.warning("%s standings were not kept", len(rows), exc_info=True)
