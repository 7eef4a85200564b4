"""What somebody chose to see, as it stands in addresses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar, cast

from django.http import QueryDict

from evaluation.problems import told
from evaluation.selectors.board import Board
from evaluation.selectors.choice import Choice
from evaluation.selectors.leaderboard import Selection
from qc4.problems import InputError
from work.answers import Pending

Found = TypeVar("Found")


def read_or_default(read: Callable[[QueryDict], Found], given: QueryDict) -> tuple[Found, list[dict[str, Any]]]:
    """Return what an address asks for, and no problems; or, if it asks for something that does not exist, what an empty
    address asks for, and what is wrong.

    Args:
        read: takes the options of an address.
    """
    try:
        return _shown(read, given), []
    except InputError as error:
        return _shown(read, QueryDict()), told(error.problems)


def _shown(read: Callable[[QueryDict], Found], given: QueryDict) -> Found:
    """What there is to show, all of it or while the rest is being worked out."""
    try:
        return read(given)
    except Pending as pending:
        if pending.meanwhile is None:
            raise
        return cast("Found", pending.meanwhile)


def spelled_out(found: Board | Selection) -> Choice:
    """The choice with what its defaults came to, so that its address says the same for ever."""
    return replace(
        found.choice,
        measures=tuple(column.key for column in found.columns),
        sort=found.sort.key,
        gold=found.version.number if found.version else None,
    )
