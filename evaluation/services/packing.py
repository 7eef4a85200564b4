"""Clusterings as they are stored, made before the transaction that stores them: of the largest submission that takes
seconds, in which nobody else could write on SQLite."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass

from evaluation import cases
from qc4.io import write_clustering
from qc4.model.clustering import Clustering


@dataclass(frozen=True, slots=True)
class Packed:
    """A clustering's file, and the SHA-256 of what it says (`evaluation.cases.content_sha256`)."""

    sha256: str
    content: bytes


def pack(answers: Iterable[Clustering]) -> dict[str, Packed]:
    """Query key -> its clustering, packed."""
    return {
        answer.query: Packed(cases.content_sha256(answer), zlib.compress(write_clustering(answer), 6))
        for answer in answers
    }
