"""Clusterings that write page ids in another Unicode form than the page list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from qc4.clustering.clustering import Cluster, ClusterColumns, Clustering
from qc4.problems import Problem
from qc4.problems.spelling import spelling_warnings
from qc4.text import Spellings, are_ascii


def with_known_pages(clustering: Clustering, known: Spellings) -> tuple[Clustering, list[tuple[str, str]]]:
    """Return the clustering with its page ids spelled as in the page list, and the pairs of ids that were changed.

    Args:
        known: the ids of the page list. Ids that are not among them stay as they are.
    """
    clusters = ClusterColumns.of(clustering.clusters)
    spelled = [known.of_all(pages) for pages in clusters.pages]
    changed = dict.fromkeys(
        pair
        for before, after in zip(clusters.pages, spelled, strict=True)
        if before != after
        for pair in zip(before, after, strict=True)
        if pair[0] != pair[1]
    )
    if not changed:
        return clustering, []
    columns = ClusterColumns(clusters.ids, spelled, clusters.labels, clusters.parents, clusters.extras)
    return replace(clustering, clusters=columns), list(changed)


def with_known_parents(clusters: Sequence[Cluster]) -> Sequence[Cluster]:
    """Return the clusters with every parent spelled as the id of the cluster that it names."""
    columns = ClusterColumns.of(clusters)
    if columns.parents is None or are_ascii(chain(columns.ids, filter(None, columns.parents))):
        return clusters
    known = Spellings(columns.ids)
    parents = [None if parent is None else known.of(parent) for parent in columns.parents]
    return ClusterColumns(columns.ids, columns.pages, columns.labels, parents, columns.extras)


def unusual_texts(clustering: Clustering) -> Iterator[Problem]:
    """Yield warnings about labels and ids that look like others, or that hold invisible characters."""
    clusters = ClusterColumns.of(clustering.clusters)
    texts = {
        "cluster ids": clusters.ids,
        "cluster labels": [label for label in clusters.labels or () if label],
        "page ids": list(chain.from_iterable(clusters.pages)),
    }
    if clusters.labels == clusters.ids:
        del texts["cluster ids"]
    for what, those in texts.items():
        yield from spelling_warnings(what, those)
