"""What an adjudication asks, and how it can be answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from annotations.agreement.concepts import SideName, Symbol
from annotations.agreement.placements import PageComparison
from annotations.answers import About, Choice
from qc4.records import Record


@dataclass(frozen=True, slots=True)
class Subject:
    """What is decided: a page by its id, or a topic by its id on the first side that has it."""

    about: About
    key: str
    side: SideName = "first"

    @property
    def address(self) -> str:
        """The subject in one word, for addresses and forms."""
        return f"{self.about}:{self.side}:{self.key}"


@dataclass(frozen=True, slots=True)
class Decision:
    """One answer, in the order they were given.

    Attributes:
        other: for `Choice.SAME` the id in the draft of the topic it is the same as; for `Choice.TYPED` the name.
    """

    subject: Subject
    choice: Choice
    other: str = ""


@dataclass(frozen=True, slots=True)
class Question(Record):
    """A subject with the answers it allows.

    Attributes:
        symbol: the topic, of questions about topics.
        page: the comparison, of questions about pages.
        votes: of answers that are sides' own, all sides that say it; the answer goes by the first of them.
        proposal: what more than half of three or more sides say, if they do. A person decides.
        decided: the last answer, if it stands.
    """

    KEYS = (
        "about=subject.about side=subject.side key=subject.key address=subject.address choices votes proposal decided"
    )

    subject: Subject
    choices: tuple[Choice, ...]
    symbol: Symbol | None = None
    page: PageComparison | None = None
    votes: Mapping[str, tuple[SideName, ...]] = field(default_factory=dict)
    proposal: Choice | None = None
    decided: Choice | None = None

    @property
    def is_open(self) -> bool:
        return self.decided is None
