"""Why a draft cannot be changed as asked: a permanent code, a sentence, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class DraftError(Exception):
    """What was asked for cannot be done to this draft, now or ever; nothing was changed.

    Attributes:
        more: further facts for programs, such as which operation of a batch it was.
    """

    def __init__(self, code: str, sentence: str, fix: str = "", **more: Any) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.fix = fix
        self.more = more


class ClashError(DraftError):
    """Others were faster: it no longer fits.

    Attributes:
        revision: the draft's.
        missed: the entries since the sender's base, as clients get them.
        clashes: those in the way: ``revision``, ``by``, ``label``, ``gone`` (the topics they deleted or merged away)
            and ``also`` (the number of further pages their author has put there).
    """

    def __init__(
        self,
        code: str,
        sentence: str,
        fix: str,
        revision: int,
        missed: Sequence[Mapping[str, Any]],
        clashes: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        super().__init__(code, sentence, fix)
        self.revision = revision
        self.missed = missed
        self.clashes = clashes


class OvertakenError(Exception):
    """Somebody else wrote the next revision in this instant. Never leaves the services: they try again."""


def closed(status: str, *, archived: bool) -> DraftError:
    """A draft that is not open is not changed."""
    state = "archived" if archived else status
    fix = "Restore it first." if archived else "Open it again first, or start another draft from it."
    return DraftError("draft-closed", f"This draft is {state}; it does not change any more.", fix)
