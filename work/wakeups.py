"""Wake-up calls: messages that end a worker's sleep. They may get lost: a worker looks at the tables anyway."""

from __future__ import annotations


def wake_on_commit() -> None:
    """Call a worker once the surrounding transaction is committed."""
