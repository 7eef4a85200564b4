"""What is too large to be explained while somebody waits."""

from __future__ import annotations

from annotations.models import Gold
from evaluation.limits import EXPLAINED_CLUSTERS, EXPLAINED_MEMBERSHIPS, EXPLAINED_TOPICS
from evaluation.models import Clustering
from qc4.problems import InputError, Problem

MOST = (EXPLAINED_CLUSTERS, EXPLAINED_MEMBERSHIPS, EXPLAINED_TOPICS)


def is_too_large(row: Clustering, gold: Gold) -> bool:
    """Told by what is stored of the two, before they are read."""
    return any(one > limit for one, limit in zip(_held(row, gold), MOST, strict=True))


def refuse_what_is_too_large(row: Clustering, gold: Gold) -> None:
    """InputError: it has too many clusters or pages in them, or the gold standard too many topics."""
    if is_too_large(row, gold):
        found, expected = counts_of(row, gold), f"at most {_words(MOST)}"
        fix = "Run `qc4 score --explain` on the files: the engine takes more."
        raise InputError([Problem("too-large", "clustering", found, expected, fix)])


def counts_of(row: Clustering, gold: Gold) -> str:
    """How large it is, in words."""
    return _words(_held(row, gold))


def _held(row: Clustering, gold: Gold) -> tuple[int, int, int]:
    return row.n_clusters, row.n_memberships, gold.n_topics


def _words(counts: tuple[int, int, int]) -> str:
    clusters, memberships, topics = counts
    return f"{clusters:,} clusters with {memberships:,} pages, {topics:,} topics"
