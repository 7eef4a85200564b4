"""The documents an adjudication compares. They never change and are read with every answer, so they are kept."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import lru_cache

from annotations.agreement import Concept, Side, concepts, sides
from annotations.agreement.desk.desk import Desk
from annotations.agreement.desk.start import started
from annotations.models import Adjudication, ComparedDraft
from qc4.io import read_gold_document
from qc4.model.gold_document import GoldDocument

_Content = tuple[tuple[bytes, ...], tuple[str, ...], float]


def compared_in(adjudication: Adjudication) -> list[ComparedDraft]:
    """What an adjudication compares, in its order, with the drafts as they are now."""
    return list(adjudication.compared.select_related("draft__reopened_by").order_by("position"))


def sources_of(
    adjudication: Adjudication, compared: Sequence[ComparedDraft]
) -> tuple[tuple[Side, ...], tuple[Concept, ...]]:
    """Its sides, and which of their topics are the same."""
    return _compared(*_content(adjudication, compared))


def asked_at_first(adjudication: Adjudication, compared: Sequence[ComparedDraft]) -> int:
    """How many questions there were before any was answered."""
    return _asked_at_first(*_content(adjudication, compared))


def _content(adjudication: Adjudication, compared: Sequence[ComparedDraft]) -> _Content:
    documents = tuple(bytes(row.document) for row in compared)
    return documents, tuple(row.name for row in compared), adjudication.minimum


@lru_cache(maxsize=64)
def _asked_at_first(documents: tuple[bytes, ...], names: tuple[str, ...], minimum: float) -> int:
    found, aligned = _compared(documents, names, minimum)
    return len(Desk(found, aligned, started(found, aligned)).questions)


@lru_cache(maxsize=16)
def _compared(
    documents: tuple[bytes, ...], names: tuple[str, ...], minimum: float
) -> tuple[tuple[Side, ...], tuple[Concept, ...]]:
    found = sides([_unpacked(content) for content in documents], names)
    return found, concepts(found, minimum)


def _unpacked(content: bytes) -> GoldDocument:
    return read_gold_document(zlib.decompress(content))
