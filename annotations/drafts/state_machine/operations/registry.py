"""The registry of operations, and the checks of their fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from annotations.drafts.state_machine.editing import Edit, OperationError
from annotations.drafts.state_machine.state import DraftState
from annotations.limits import DRAFT_TOPICS, NAME_CHARS, TEXT_CHARS
from common.limits import KEY_CHARS
from qc4.model.structure import MAX_LEVELS
from qc4.text import Spellings
from qc4.wording import listed, quoted

# --- Fields -----------------------------------------------------------------------------------------------------------
# Fields come from a browser or a program, so each one is checked when it is read.

# The characters that JavaScript's trim() removes, so that both state machines make the same name.
WHITE = "\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(map(chr, range(0x2000, 0x200B)))
_NOT_IN_A_LINE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_PAIRS = "Send a list of [topic, [pages]]."
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class Fields:
    """One JSON object of an operation, checked against the state it applies to.

    Raises:
        OperationError: from every method, for invalid values.
    """

    def __init__(self, value: Any, state: DraftState, known: Iterable[str], where: str) -> None:
        if not isinstance(value, Mapping):
            raise OperationError("bad-operation", f"{where} is not an object.", "Send an object.")
        unknown = [key for key in value if key not in known]
        if unknown:
            raise OperationError(
                "unknown-field", f"{where} has no field {quoted(str(unknown[0]))}.", f"It takes {', '.join(known)}."
            )
        self._value = value
        self.state = state
        self.where = where

    def has(self, key: str) -> bool:
        return self._value.get(key) is not None

    def raw(self, key: str) -> Any:
        return self._value.get(key)

    def topic(self, key: str = "topic") -> str:
        """The id of a topic of the draft."""
        return self.known_topic(self._value.get(key), key)

    def parent(self, key: str = "parent") -> str | None:
        """The id of a topic, or None for the top level."""
        return self.topic(key) if self.has(key) else None

    def topics(self, key: str = "topics") -> list[str]:
        """At least one topic id, without duplicates."""
        found = list(dict.fromkeys(self.known_topic(topic, key) for topic in self.items(key)))
        if not found:
            raise OperationError("no-topics", f"{self.where} names no topics.", "Name at least one topic.")
        return found

    def pages(self, key: str = "pages", *, may_be_empty: bool = False) -> frozenset[str]:
        """At least one page of the draft."""
        found = self.known_pages(self.items(key, required=not may_be_empty), key)
        if not found and not may_be_empty:
            raise OperationError("no-pages", f"{self.where} names no pages.", "Select at least one page.")
        return found

    def page(self, key: str = "page") -> str:
        return next(iter(self.known_pages([self._value.get(key)], key)))

    def new_topic(self, key: str = "topic") -> str:
        """The id of a topic to be added: 1 to 200 characters, not used yet."""
        value = self._text(key)
        if not value.strip(WHITE) or len(value) > KEY_CHARS or _NOT_IN_A_LINE.search(value):
            expected = f"Ids of topics have 1 to {KEY_CHARS} characters and no line breaks."
            raise OperationError("bad-id", f"{self.where}: {quoted(value)} cannot be the id of a topic.", expected)
        if value in self.state.topics:
            raise OperationError("topic-exists", f"There is a topic with the id {quoted(value)}.", "Use a new id.")
        if len(self.state.topics) >= DRAFT_TOPICS:
            raise OperationError("too-many-topics", f"The draft has {DRAFT_TOPICS:,} topics.", "Delete or merge some.")
        return value

    def name(self, key: str = "name") -> str:
        """The name of a topic: 1 to 200 characters on one line, without surrounding white space."""
        value = self._text(key).strip(WHITE)
        if not value or len(value) > NAME_CHARS or _NOT_IN_A_LINE.search(value):
            expected = f"Names have 1 to {NAME_CHARS} characters and no line breaks."
            raise OperationError("bad-name", f"{quoted(value)} cannot be the name of a topic.", expected)
        return value

    def text(self, key: str = "text") -> str:
        """Text of any number of lines, possibly empty, without surrounding white space."""
        value = self._text(key).strip(WHITE)
        if len(value) > TEXT_CHARS or _UNSTORABLE.search(value):
            expected = f"Texts have at most {TEXT_CHARS:,} ordinary characters."
            raise OperationError("bad-text", f"{self.where}: {key} cannot be stored.", expected)
        return value

    def index(self, key: str = "at", *, required: bool = False) -> int | None:
        """An index among siblings, from 0; None if it is missing."""
        if not required and not self.has(key):
            return None
        return self.integer(key, 0, 2**31 - 1)

    def step(self, key: str = "step") -> int:
        return self.integer(key, 1, MAX_LEVELS - 1)

    def integer(self, key: str, low: int, high: int) -> int:
        value = self._value.get(key)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            expected = f"Send a whole number from {low} to {high:,}."
            raise OperationError("bad-number", f"{self.where}: {key} is {quoted(str(value))}.", expected)
        return value

    def choice(self, key: str, allowed: Iterable[str]) -> str:
        value = self._value.get(key)
        if not isinstance(value, str) or value not in allowed:
            expected = f"Choose one of {', '.join(allowed)}."
            raise OperationError("bad-choice", f"{self.where}: {key} is {quoted(str(value))}.", expected)
        return value

    def items(self, key: str, *, required: bool = True) -> list[Any]:
        value = self._value.get(key, None if required else [])
        if value is None and not required:
            return []
        if not isinstance(value, list | tuple):
            raise OperationError("bad-operation", f"{self.where}: {key} is not a list.", "Send a list.")
        return list(value)

    def known_topic(self, value: Any, key: str) -> str:
        if isinstance(value, str) and value not in self.state.topics:
            value = Spellings(self.state.topics).of(value)
        if not isinstance(value, str) or value not in self.state.topics:
            message = f"{self.where}: {key} names {quoted(str(value))}, which is not a topic of this draft."
            raise OperationError("unknown-topic", message, "It may have been deleted or merged into another one.")
        return value

    def known_pages(self, values: Iterable[Any], key: str) -> frozenset[str]:
        values = list(values)
        if not all(isinstance(page, str) and page in self.state.rank for page in values):
            known = Spellings(self.state.rank)
            values = [known.of(page) if isinstance(page, str) else page for page in values]
        unknown = [str(page) for page in values if not isinstance(page, str) or page not in self.state.rank]
        if unknown:
            message = f"{self.where}: {key} names {listed(unknown, 5)}, not in the page list of this query."
            raise OperationError("unknown-page", message, "Use the ids of the page list.")
        return frozenset(values)

    def topic_pages(self, key: str) -> list[tuple[Any, frozenset[str]]]:
        """A list of [topic, [pages]]; the topics are not checked."""
        found = []
        for item in self.items(key, required=False):
            if not isinstance(item, list | tuple) or len(item) != 2 or not isinstance(item[1], list | tuple):
                raise OperationError("bad-operation", f"{self.where}: {key} is not a list of pairs.", _PAIRS)
            found.append((item[0], self.known_pages(item[1], key)))
        return found

    def _text(self, key: str) -> str:
        value = self._value.get(key)
        if not isinstance(value, str):
            raise OperationError("bad-operation", f"{self.where}: {key} is not text.", "Send text.")
        return value


# --- Operations -------------------------------------------------------------------------------------------------------

Operation = dict[str, Any]
Editor = Callable[[Edit, Fields], None]

KINDS: dict[str, tuple[tuple[str, ...], Editor]] = {}
"""Kind -> (its fields, the function that applies it)"""


def operation(kind: str, *fields: str) -> Callable[[Editor], Editor]:
    """Register an operation with the names of its fields."""

    def register(editor: Editor) -> Editor:
        KINDS[kind] = (fields, editor)
        return editor

    return register
