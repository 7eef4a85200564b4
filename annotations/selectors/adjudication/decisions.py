"""Decisions as the desk knows them and as addresses name them."""

from __future__ import annotations

from typing import cast

from annotations.agreement import SIDES, SideName
from annotations.agreement.desk.questions import Decision, Subject
from annotations.answers import About, Choice
from annotations.models import AdjudicationDecision


def decision_of(row: AdjudicationDecision) -> Decision:
    """A decision as the desk knows it."""
    side = cast("SideName", row.side)  # held by a constraint of the table
    return Decision(Subject(About(row.about), row.key, side), Choice(row.choice), row.other)


def subject_at(address: str) -> Subject | None:
    """The subject of an address; None for anything else."""
    about, _, rest = address.partition(":")
    side, _, key = rest.partition(":")
    found = next((name for name in SIDES if name == side), None)
    return Subject(About(about), key, found) if about in set(About) and found else None
