"""What is answered with 503: the database is busy or away, or slow work holds all places. Nothing is broken, and the
next request may succeed."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.sessions.exceptions import SessionInterrupted
from django.db import DatabaseError, InterfaceError

from common.capacity import CrowdedError
from common.database import error_code


@dataclass(frozen=True, slots=True)
class Unavailable:
    """What is said of it, and after how many seconds to try again."""

    code: str
    sentence: str
    retry_after: int
    then: str = "if you sent something, look first whether it arrived."

    @property
    def fix(self) -> str:
        return f"Try again in {self.retry_after} seconds; {self.then}"


BUSY = Unavailable("database-busy", "The site is busy writing what others sent.", 5)
AWAY = Unavailable("database-away", "The site's database does not answer just now. What was stored is not lost.", 15)

_NOTHING_DONE = (
    "nothing was stored. If you sent a form, reload this page: your browser sends the form again, with its file and "
    "all that you entered."
)
CROWDED = Unavailable("slow-work", "The site is busy with work for other people that takes long.", 5, _NOTHING_DONE)
OWN_WORK = Unavailable(
    "slow-work-own",
    "The site is still busy with something else you asked for. It does one thing that takes long at a time for each "
    "person.",
    3,
    _NOTHING_DONE,
)

_BUSY_CODES = frozenset({"40001", "40P01", "55P03", "57014", "SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_PROTOCOL"})
"""PostgreSQL: serialization failure, deadlock, a lock not to be had in time, a statement that took too long; SQLite:
somebody else writes."""
_AWAY_STATES = ("08", "57P0", "53300", "SQLITE_CANTOPEN", "SQLITE_IOERR")
"""How they begin. PostgreSQL: connection exceptions, being shut down or starting, too many connections; SQLite: its
files are not to be had, as on a disk that was full or read-only before the site was started."""


def unavailable(error: BaseException | None) -> Unavailable | None:
    """What to say of an error that waiting helps against; None of every other error."""
    if isinstance(error, SessionInterrupted):
        # Django takes every failure to store a session for one that was deleted meanwhile: what failed lies behind it.
        return unavailable(error.__context__ and error.__context__.__context__)
    if isinstance(error, CrowdedError):
        return OWN_WORK if error.own else CROWDED
    if not isinstance(error, DatabaseError | InterfaceError):
        return None
    code = error_code(error.__cause__ or error)
    if code in _BUSY_CODES:
        return BUSY
    if code:
        return AWAY if code.startswith(_AWAY_STATES) else None
    # Without a state of its own: there is no connection, or it ended in the middle of a word.
    return AWAY if type(error).__name__ in {"OperationalError", "InterfaceError"} else None
