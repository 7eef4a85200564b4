"""Simulation of several people who edit one draft: each edits the state they have seen and sends the edits later."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from annotations.drafts.state_machine import (
    DraftState,
    OperationError,
    UnseenEntries,
    apply,
    invert,
    label_of,
    rebase_changes,
)
from tests.drafts.strategies import Step, attempt

Entry = dict[str, Any]


@dataclass
class Server:
    """The log of a draft and the resulting state."""

    state: DraftState
    log: list[Entry] = field(default_factory=list)

    def take(self, by: str, base: int, own: set[int], operations: list[dict[str, Any]]) -> bool:
        """Append a batch made on ``base`` and the sender's own entries since; return False if it conflicts."""
        news = self._news(by, base, own)
        if news.conflicting_entries(operations):
            return False
        followed, changes = news.compiled(operations)
        self._append(by, label_of(self.state, followed), changes, operations=operations)
        return True

    def turn(self, kind: str, by: str, base: int, own: set[int]) -> bool:
        """Undo or redo a person's latest step as far as possible; return False if there is none."""
        done: list[Entry] = []
        undone: list[Entry] = []
        for entry in (each for each in self.log if each["by"] == by):
            if entry["turns"] == "undo":
                done.pop()
                undone += [entry] * bool(entry["changes"])
            else:
                undone = undone[:-1] if entry["turns"] == "redo" else []
                done += [entry] * bool(entry["changes"])
        steps = done if kind == "undo" else undone
        if not steps:
            return False
        fit = rebase_changes(self.state, invert(steps[-1]["changes"]), self._news(by, base, own).placed)
        self._append(by, kind, fit.changes, turns=kind)
        return True

    def _news(self, by: str, base: int, own: set[int]) -> UnseenEntries:
        return UnseenEntries(self.state, [each for each in self.log[base:] if each["revision"] not in own], by)

    def _append(
        self, by: str, label: str, changes: list[dict[str, Any]], operations: Any = None, turns: str = ""
    ) -> None:
        revision = len(self.log) + 1
        entry = {"revision": revision, "by": by, "label": label, "operations": operations, "changes": changes}
        self.log.append(entry | {"turns": turns})
        self.state = apply(self.state, changes, revision)


@dataclass
class Client:
    """A person who edits the state they have seen and sends the edits later, like a browser without a network."""

    name: str
    confirmed: DraftState
    revision: int = 0
    pending: list[Any] = field(default_factory=list)
    shown: DraftState | None = None
    conflicts: int = 0

    def work(self, batch: list[Step], number: int) -> None:
        """Apply a batch, unless the draft as shown does not allow it."""
        shown = self.shown or self.confirmed
        done = attempt(shown, batch, number, self.name)
        if done is not None:
            self.pending.append(done[0])
            self.shown = apply(shown, done[1], number)

    def turn(self, kind: str) -> None:
        """Undo or redo, after everything before it has been sent."""
        self.pending.append(kind)

    def sync(self, server: Server) -> None:
        own: set[int] = set()
        for waiting in self.pending:
            self._send(server, own, waiting)
        self.pending, self.shown = [], None
        for late in server.log[self.revision :]:
            self.confirmed = apply(self.confirmed, late["changes"], late["revision"])
        self.revision = len(server.log)

    def _send(self, server: Server, own: set[int], waiting: Any) -> None:
        try:
            if isinstance(waiting, str):
                taken = server.turn(waiting, self.name, self.revision, own)
            else:
                taken = server.take(self.name, self.revision, own, waiting)
                self.conflicts += not taken
            if taken:
                own.add(len(server.log))
        except OperationError as error:
            self.conflicts += error.code != "no-effect"
