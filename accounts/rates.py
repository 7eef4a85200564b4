"""Rates such as 20/min: how they are written and read."""

from __future__ import annotations

import re
from typing import NamedTuple

UNITS = {
    "s": 1,
    "sec": 1,
    "second": 1,
    "min": 60,
    "m": 60,
    "minute": 60,
    "h": 3600,
    "hour": 3600,
    "d": 86400,
    "day": 86400,
}
_WRITTEN = re.compile(rf"([0-9]{{1,9}})/([0-9]{{0,6}})({'|'.join(sorted(UNITS, key=len, reverse=True))})")


class Rate(NamedTuple):
    """The most events within a period.

    Attributes:
        number: how many events; at least one.
        seconds: the length of the period.
    """

    number: int
    seconds: int


def read_rate(text: str) -> Rate:
    """Read a rate such as ``20/min`` or ``10/15min``.

    Raises:
        ValueError: the text is not a rate.
    """
    match = _WRITTEN.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a rate such as 20/min")
    number, periods, unit = int(match[1]), int(match[2] or 1), match[3]
    if not number or not periods:
        raise ValueError(f"{text!r} allows nothing")
    return Rate(number, periods * UNITS[unit])
