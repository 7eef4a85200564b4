"""The kinds of operations: each is one decorated function that edits a state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from annotations.drafting.editing import Edit
from annotations.drafting.operations.fields import Fields

Operation = dict[str, Any]
Editor = Callable[[Edit, Fields], None]

KINDS: dict[str, tuple[tuple[str, ...], Editor]] = {}
"""kind -> (its fields, the function that carries it out)"""


def operation(kind: str, *fields: str) -> Callable[[Editor], Editor]:
    """Register an operation with the names of its fields."""

    def register(editor: Editor) -> Editor:
        KINDS[kind] = (fields, editor)
        return editor

    return register
