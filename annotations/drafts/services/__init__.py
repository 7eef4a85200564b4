"""Services for drafts. To edit one, use `annotations.drafts.services.performing.perform`."""

from annotations.drafts.services.lifecycle import (
    archive,
    begin,
    empty_state,
    from_draft,
    from_file,
    from_gold,
    from_nothing,
    rename,
    reopen,
    restore,
    start,
    submit,
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
