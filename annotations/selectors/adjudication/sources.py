"""The two documents an adjudication compares. They never change and are read with every answer, so they are kept."""

from __future__ import annotations

import zlib
from functools import lru_cache

from annotations.agreement import Alignment, Desk, Side, align, sides, started
from annotations.limits import LIMITS
from annotations.models import Adjudication
from qc4.formats import read_gold_document
from qc4.gold.document import GoldDocument

Names = tuple[str, str]


def sources_of(adjudication: Adjudication) -> tuple[Side, Side, Alignment]:
    """Both sides and their alignment."""
    return _compared(*_content(adjudication))


def asked_at_first(adjudication: Adjudication) -> int:
    """How many questions there were before any was answered."""
    return _asked_at_first(*_content(adjudication))


def _content(adjudication: Adjudication) -> tuple[bytes, bytes, Names, float]:
    names = adjudication.first_name, adjudication.second_name
    return bytes(adjudication.first_document), bytes(adjudication.second_document), names, adjudication.minimum


@lru_cache(maxsize=64)
def _asked_at_first(first: bytes, second: bytes, names: Names, minimum: float) -> int:
    one, other, aligned = _compared(first, second, names, minimum)
    return len(Desk(one, other, aligned, started(one, other, aligned)).questions)


@lru_cache(maxsize=16)
def _compared(first: bytes, second: bytes, names: Names, minimum: float) -> tuple[Side, Side, Alignment]:
    one, other = sides(_unpacked(first), _unpacked(second), names)
    return one, other, align(one, other, minimum)


def _unpacked(content: bytes) -> GoldDocument:
    return read_gold_document(zlib.decompress(content), limits=LIMITS)
