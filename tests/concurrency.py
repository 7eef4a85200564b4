"""Run several calls at the same time."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

from django.db import connection

Result = TypeVar("Result")


def at_once(*calls: Callable[[], Result]) -> list[Result]:
    """The results of calls that start together, each on a connection of its own, which is open by then."""
    start = Barrier(len(calls))

    def one(call: Callable[[], Result]) -> Result:
        try:
            connection.ensure_connection()
            start.wait()
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(one, calls))
