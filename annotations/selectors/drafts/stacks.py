"""What each person would undo and redo next: linked stacks that are never changed, so that threads can share them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from qc4.records import Record


@dataclass(frozen=True, slots=True)
class Step(Record):
    """One entry of a log, as far as undoing goes. ``undoes`` and ``redoes`` as in `DraftEntry`.

    Attributes:
        effect: whether it changed anything. What could not be undone or redone any more is stepped over for good.
    """

    KEYS = "revision label"

    revision: int
    user: int
    label: str
    undoes: int | None = None
    redoes: int | None = None
    effect: bool = True


@dataclass(frozen=True, slots=True)
class Link:
    """A step on top of others."""

    step: Step
    rest: Link | None = None


@dataclass(frozen=True, slots=True)
class Stacks:
    """One person's steps that are not undone, and those that are, the latest on top.

    ``undone`` holds the steps that took something back: redoing one takes back that.
    """

    done: Link | None = None
    undone: Link | None = None

    def after(self, step: Step) -> Stacks:
        """The stacks when the person has taken one more step."""
        if step.undoes is not None:
            return Stacks(self.done and self.done.rest, Link(step, self.undone) if step.effect else self.undone)
        undone = self.undone and self.undone.rest if step.redoes is not None else None
        return Stacks(Link(step, self.done) if step.effect else self.done, undone)


@dataclass(frozen=True, slots=True)
class Undoing:
    """The stacks of everybody who worked on a draft."""

    of: Mapping[int, Stacks] = field(default_factory=dict)

    def after(self, steps: Iterable[Step]) -> Undoing:
        """The stacks after further entries of the log, in its order."""
        stacks = dict(self.of)
        for step in steps:
            stacks[step.user] = stacks.get(step.user, Stacks()).after(step)
        return replace(self, of=stacks)

    def undo(self, user: int) -> Step | None:
        """What this person would undo."""
        done = self.of.get(user, Stacks()).done
        return done.step if done else None

    def redo(self, user: int) -> Step | None:
        """What this person would redo: a step that undid something."""
        undone = self.of.get(user, Stacks()).undone
        return undone.step if undone else None
