"""Decisions as the desk knows them and as addresses name them."""

from __future__ import annotations

from annotations.agreement import About, Choice, Decision, Subject
from annotations.agreement.placements import SideName
from annotations.models import AdjudicationDecision

_SIDES: dict[str, SideName] = {"first": "first", "second": "second"}


def decision_of(row: AdjudicationDecision) -> Decision:
    """A decision as the desk knows it."""
    return Decision(Subject(About(row.about), row.key, _SIDES[row.side]), Choice(row.choice), row.other)


def subject_at(address: str) -> Subject | None:
    """The subject of an address; None for anything else."""
    about, _, rest = address.partition(":")
    side, _, key = rest.partition(":")
    if about not in set(About) or side not in _SIDES:
        return None
    return Subject(About(about), key, _SIDES[side])
