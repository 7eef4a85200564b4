"""One topic of a draft."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic of a draft.

    ``step`` is how many levels below this topic its children start, so that rule R5 holds whatever is moved where.
    ``suggested``: proposed by a program; with its hints it counts for nothing until a person accepts it. A topic that
    is not a suggestion never lies below one that is.
    """

    id: str
    name: str
    description: str = ""
    note: str = ""
    parent: str | None = None
    step: int = 1
    suggested: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)
