"""What can be done with drafts. Working on one: `annotations.services.drafts.performing.perform`."""

from annotations.services.drafts.lifecycle import archive, rename, reopen, restore, submit
from annotations.services.drafts.starting import (
    begin,
    empty_state,
    from_draft,
    from_file,
    from_gold,
    from_nothing,
    start,
)

__all__ = [
    "archive",
    "begin",
    "empty_state",
    "from_draft",
    "from_file",
    "from_gold",
    "from_nothing",
    "rename",
    "reopen",
    "restore",
    "start",
    "submit",
]
