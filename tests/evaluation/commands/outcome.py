"""What a command left behind, and how tests call one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Outcome:
    """Exit status, standard output, standard error."""

    status: int
    out: str
    err: str


Manage = Callable[..., Outcome]
