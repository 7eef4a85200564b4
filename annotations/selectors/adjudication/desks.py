"""The desk of an adjudication: its questions as its draft and its decisions leave them."""

from __future__ import annotations

import zlib
from functools import lru_cache

from django.db.models import Q

from annotations.agreement import About, Alignment, Choice, Decision, Desk, Side, Subject, align, sides, started
from annotations.agreement.placements import SideName
from annotations.limits import LIMITS
from annotations.models import Adjudication, AdjudicationDecision, Draft
from annotations.selectors.drafts import states
from qc4.formats import read_gold_document
from qc4.gold.document import GoldDocument


def existing(first: Draft, second: Draft) -> Draft | None:
    """The adjudication of two drafts that is not archived."""
    pairs = Q(first=first, second=second) | Q(first=second, second=first)
    found = Draft.objects.filter(pairs, kind=Draft.Kind.ADJUDICATION, archived_at=None, adjudication__isnull=False)
    return found.order_by("-pk").first()


def desk_of(adjudication: Adjudication) -> Desk:
    """The questions of an adjudication as its draft and its decisions leave them."""
    documents = bytes(adjudication.first_document), bytes(adjudication.second_document)
    names = adjudication.first_name, adjudication.second_name
    one, other, aligned = _compared(*documents, names, adjudication.minimum)
    decisions = tuple(map(decision_of, adjudication.decisions.order_by("pk")))
    return Desk(one, other, aligned, states.current(adjudication.draft).state, decisions)


def asked_at_first(adjudication: Adjudication) -> int:
    """How many questions there were before any was answered."""
    documents = bytes(adjudication.first_document), bytes(adjudication.second_document)
    names = adjudication.first_name, adjudication.second_name
    return _asked_at_first(*documents, names, adjudication.minimum)


@lru_cache(maxsize=64)
def _asked_at_first(first: bytes, second: bytes, names: tuple[str, str], minimum: float) -> int:
    one, other, aligned = _compared(first, second, names, minimum)
    return len(Desk(one, other, aligned, started(one, other, aligned)).questions)


@lru_cache(maxsize=16)
def _compared(first: bytes, second: bytes, names: tuple[str, str], minimum: float) -> tuple[Side, Side, Alignment]:
    """What an adjudication compares; it never changes, and is read with every answer."""
    one, other = sides(_unpacked(first), _unpacked(second), names)
    return one, other, align(one, other, minimum)


def decision_of(row: AdjudicationDecision) -> Decision:
    """A decision as the desk knows it."""
    side: SideName = "first" if row.side == "first" else "second"
    return Decision(Subject(About(row.about), row.key, side), Choice(row.choice), row.other)


def _unpacked(content: bytes) -> GoldDocument:
    return read_gold_document(zlib.decompress(content), limits=LIMITS)
