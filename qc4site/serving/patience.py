"""How long the server waits for a client, and how much it takes from clients at once.

A connection that waits costs a little memory and no thread, so these are generous: whom they end has stopped sending.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

KIBIBYTE = 1024


class Phase(StrEnum):
    """What a connection waits for. In this order places are made for others, where there are too many."""

    LINGERING = "the rest of a body that nobody will read"
    IDLE = "another request"
    HEAD = "the head of a request"
    ANSWERING = "the client to take the answer"
    BODY = "the body of a request"
    WORKING = "the site itself"


@dataclass(frozen=True, slots=True)
class Patience:
    """So many seconds; where ``amount`` is given, so many seconds for every so many bytes."""

    seconds: float
    amount: int = 0

    @classmethod
    def at_least(cls, rate: int, *, looking_back: float) -> Patience:
        """For a client that keeps up this many bytes a second, whenever one looks back so many seconds."""
        return cls(looking_back, int(rate * looking_back))


WAITS: dict[Phase, Patience] = {
    Phase.LINGERING: Patience(30),
    Phase.IDLE: Patience(5),
    Phase.HEAD: Patience(10),
    # An ISDN line of the nineties keeps this up, a mobile phone in a tunnel for 15 seconds does.
    Phase.ANSWERING: Patience.at_least(8 * KIBIBYTE, looking_back=15),
    Phase.BODY: Patience.at_least(8 * KIBIBYTE, looking_back=15),
}
CONNECTIONS = 500
"""Of one process. For one more, the one that has kept us waiting longest is closed."""
HEAD_BYTES = 32 * KIBIBYTE
"""The first line and the headers of a request."""
UNASKED_BYTES = 64 * KIBIBYTE
"""Bodies up to this size are taken into memory as they come; whether a larger one may come is asked first."""
BODIES = 32
"""Larger ones that come in at once, in one process."""
BODIES_OF_ONE = 4
"""The same, of one person."""
