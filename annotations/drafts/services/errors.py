"""Errors of changes to a draft: a permanent code, a sentence, and a fix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class DraftError(Exception):
    """The request cannot be applied to this draft, now or later; nothing was changed.

    Attributes:
        more: further details for programs, such as the index of the operation in its batch.
    """

    def __init__(self, code: str, sentence: str, fix: str = "", **more: Any) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.fix = fix
        self.more = more


class ConflictError(DraftError):
    """Changes that others made meanwhile conflict with the request.

    Attributes:
        revision: the current revision of the draft.
        missed: the entries since the sender's base, as sent to clients.
        clashes: the conflicting entries: ``revision``, ``by``, ``label``, ``gone`` (the topics they deleted or merged
            away) and ``also`` (the number of further pages that their author has put there).
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
    """Somebody else wrote the next revision at the same time. Services catch this and try again."""


def draft_closed_error(status: str, *, archived: bool) -> DraftError:
    """Return the error for changing a draft that is not open."""
    state = "archived" if archived else status
    fix = "Restore it first." if archived else "Reopen it first, or start another draft from it."
    return DraftError("draft-closed", f"This draft is {state} and can no longer be changed.", fix)
