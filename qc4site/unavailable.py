"""What answers 503: the database is busy or away. Nothing is broken, and the next request may find it again."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.sessions.exceptions import SessionInterrupted
from django.db import DatabaseError, InterfaceError


@dataclass(frozen=True, slots=True)
class Unavailable:
    """What is said of it, and after how many seconds to try again."""

    code: str
    sentence: str
    retry_after: int

    @property
    def fix(self) -> str:
        return f"Try again in {self.retry_after} seconds; if you sent something, look first whether it arrived."


BUSY = Unavailable("database-busy", "The site is busy writing what others sent.", 5)
AWAY = Unavailable("database-away", "The site's database does not answer just now. What was stored is not lost.", 15)

_BUSY_STATES = frozenset({"40001", "40P01", "55P03", "57014"})
"""PostgreSQL: serialization failure, deadlock, a lock not to be had in time, a statement that took too long."""
_AWAY_STATES = ("08", "57P0", "53300")
"""PostgreSQL, how they begin: connection exceptions, being shut down or starting, too many connections."""
_BUSY_ON_SQLITE = frozenset({"SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_PROTOCOL"})


def unavailable(error: BaseException | None) -> Unavailable | None:
    """What to say of an error of the database that waiting helps against; None of every other error."""
    if isinstance(error, SessionInterrupted):
        # Django takes every failure to store a session for one that was deleted meanwhile: what failed lies behind it.
        return unavailable(error.__context__ and error.__context__.__context__)
    if not isinstance(error, DatabaseError | InterfaceError):
        return None
    cause = error.__cause__ or error
    on_sqlite = getattr(cause, "sqlite_errorname", "")
    if on_sqlite:
        return BUSY if "_".join(on_sqlite.split("_")[:2]) in _BUSY_ON_SQLITE else None
    state = getattr(cause, "sqlstate", None)
    if state in _BUSY_STATES:
        return BUSY
    if state is not None:
        return AWAY if state.startswith(_AWAY_STATES) else None
    # Without a state of its own: there is no connection, or it ended in the middle of a word.
    return AWAY if type(error).__name__ in {"OperationalError", "InterfaceError"} else None
