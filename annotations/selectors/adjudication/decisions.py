"""Decisions as the desk knows them, as addresses name them and as the API tells them."""

from __future__ import annotations

from typing import Any

from annotations.agreement import About, Choice, Decision, Subject
from annotations.agreement.placements import SideName
from annotations.models import AdjudicationDecision

_SIDES: dict[str, SideName] = {"first": "first", "second": "second"}


def decision_of(row: AdjudicationDecision) -> Decision:
    """A decision as the desk knows it."""
    return Decision(Subject(About(row.about), row.key, _SIDES[row.side]), Choice(row.choice), row.other)


def decision_json(row: AdjudicationDecision) -> dict[str, Any]:
    """A decision for the API."""
    return {
        "id": str(row.op_id),
        "about": row.about,
        "side": row.side,
        "key": row.key,
        "choice": row.choice,
        "other": row.other or None,
        "reason": row.reason or None,
        "note": row.note,
        "revision": row.revision,
        "undoes": str(row.undoes.op_id) if row.undoes else None,
        "by": row.user.get_username(),
        "at": row.created_at.isoformat(),
    }


def address_of(subject: Subject) -> str:
    """A subject in one word, for addresses and forms."""
    return f"{subject.about}:{subject.side}:{subject.key}"


def subject_at(address: str) -> Subject | None:
    """The subject of an address; None for anything else."""
    about, _, rest = address.partition(":")
    side, _, key = rest.partition(":")
    if about not in set(About) or side not in _SIDES:
        return None
    return Subject(About(about), key, _SIDES[side])
