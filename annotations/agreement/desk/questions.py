"""What an adjudication asks, and how it can be answered."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from annotations.agreement.placements import PageComparison, SideName, Symbol
from qc4.records import Record


class About(StrEnum):
    """What a question is about."""

    TOPIC = "topic"
    NAME = "name"
    PARENT = "parent"
    PAGE = "page"


class Choice(StrEnum):
    """An answer. Of topics only one side has, that side's answer is to take the topic, the other's to leave it out."""

    FIRST = "first"
    SECOND = "second"
    BOTH = "both"
    OUTLIER = "outlier"
    SAME = "same"
    SKIP = "skip"
    REOPEN = "reopen"


@dataclass(frozen=True, slots=True)
class Subject:
    """What is decided: a page by its id, or a topic by its side and id (aligned topics by the first side's)."""

    about: About
    key: str
    side: SideName = "first"

    @property
    def address(self) -> str:
        """The subject in one word, for addresses and forms."""
        return f"{self.about}:{self.side}:{self.key}"


@dataclass(frozen=True, slots=True)
class Decision:
    """One answer, in the order they were given. ``other`` is the first side's topic id for `Choice.SAME`."""

    subject: Subject
    choice: Choice
    other: str = ""


@dataclass(frozen=True, slots=True)
class Question(Record):
    """A subject with the answers it allows.

    Attributes:
        symbol: the topic, of questions about topics.
        page: the comparison, of questions about pages.
        decided: the last answer, if it stands.
    """

    KEYS = "about=subject.about side=subject.side key=subject.key address=subject.address choices decided"

    subject: Subject
    choices: tuple[Choice, ...]
    symbol: Symbol | None = None
    page: PageComparison | None = None
    decided: Choice | None = None

    @property
    def is_open(self) -> bool:
        return self.decided is None
