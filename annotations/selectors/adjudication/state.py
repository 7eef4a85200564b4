"""Which state of an adjudication somebody has seen, as pages and programs send it back with an answer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self

from annotations.models import Adjudication

_FORM = re.compile(r"(\d{1,9})\.(\d{1,9})")


@dataclass(frozen=True, slots=True)
class State:
    """A state of an adjudication.

    Attributes:
        revision: the draft's.
        number: of its latest step; 0 before the first one.
    """

    revision: int
    number: int

    @classmethod
    def of(cls, adjudication: Adjudication) -> Self:
        """Return the state an adjudication is in now."""
        latest = adjudication.steps.order_by("-number").values_list("number", flat=True).first()
        return cls(adjudication.draft.revision, latest or 0)

    @classmethod
    def read(cls, text: str) -> Self | None:
        """Return the state that a text such as "12.3" names; None if it names none."""
        found = _FORM.fullmatch(text)
        return cls(int(found[1]), int(found[2])) if found else None

    def __str__(self) -> str:
        return f"{self.revision}.{self.number}"
