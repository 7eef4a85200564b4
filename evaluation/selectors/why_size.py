"""What is too large to be explained while somebody waits."""

from __future__ import annotations

from evaluation.limits import EXPLAINED_CLUSTERS, EXPLAINED_MEMBERSHIPS, EXPLAINED_TOPICS
from evaluation.models import Clustering
from qc4.gold.standard import GoldStandard
from qc4.problems import InputError, Problem


def refuse_what_is_too_large(row: Clustering, gold: GoldStandard) -> None:
    """Told by what is stored of the clustering, before it is read.

    Raises:
        InputError: it has too many clusters or pages in them, or the gold standard too many topics.
    """
    most = (EXPLAINED_CLUSTERS, EXPLAINED_MEMBERSHIPS, EXPLAINED_TOPICS)
    held = (row.n_clusters, row.n_memberships, len(gold.topic_ids))
    if all(one <= limit for one, limit in zip(held, most, strict=True)):
        return
    fix = "Run `qc4 score --explain` on the files: the engine takes more."
    raise InputError([Problem("too-large", "clustering", _words(held), f"at most {_words(most)}", fix)])


def _words(counts: tuple[int, int, int]) -> str:
    clusters, memberships, topics = counts
    return f"{clusters:,} clusters with {memberships:,} pages, {topics:,} topics"
