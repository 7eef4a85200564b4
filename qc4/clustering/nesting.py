"""Clusters inside clusters: a parent holds the pages of its children, whether or not a file lists them again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from qc4.clustering.clustering import Cluster, ClusterColumns
from qc4.problems.references import parents_first


def with_children(clusters: Sequence[Cluster], most: int) -> Sequence[Cluster] | None:
    """The clusters, each with the pages of its children after its own, every page once; flat clusters as they are.

    Args:
        clusters: ids come once, every parent is one of them, and none is its own ancestor.
        most: memberships that may come out: a chain of n clusters may come to n² / 2.

    Returns:
        None where there would be more than ``most``.
    """
    if ClusterColumns.of(clusters).are_flat:
        return clusters
    children, order = _children(clusters)
    held: list[dict[str, None]] = [{}] * len(clusters)
    total = 0
    for place in reversed(order):
        pages = dict.fromkeys(clusters[place].pages)
        for child in children[place]:
            pages.update(held[child])
        total += len(pages)
        if total > most:
            return None
        held[place] = pages
    return tuple(
        replace(cluster, pages=tuple(pages)) if len(pages) > len(cluster.pages) else cluster
        for cluster, pages in zip(clusters, held, strict=True)
    )


def depths_of_clusters(clusters: Sequence[Cluster]) -> list[int]:
    """How deep each cluster lies: 1 for a cluster that lies in no other, 2 for one that lies in such a cluster.

    Args:
        clusters: ids come once, every parent is one of them, and none is its own ancestor.
    """
    if ClusterColumns.of(clusters).are_flat:
        return [1] * len(clusters)
    children, order = _children(clusters)
    depths = [1] * len(clusters)
    for place in order:
        for child in children[place]:
            depths[child] = depths[place] + 1
    return depths


def path_up(parents: Mapping[str, str | None], id: str) -> list[str]:
    """The clusters that one lies in, the nearest first.

    Args:
        parents: cluster -> its parent, None where it has none. Ids that are no cluster end the path, as circles do.
    """
    found: dict[str, None] = {}
    above = parents[id]
    while above is not None and above in parents and above not in found:
        found[above] = None
        above = parents[above]
    return list(found)


def _children(clusters: Sequence[Cluster]) -> tuple[list[list[int]], list[int]]:
    """The places of each cluster's children in the order of the file, and an order with parents first."""
    places = {cluster.id: place for place, cluster in enumerate(clusters)}
    parents = [-1 if cluster.parent is None else places[cluster.parent] for cluster in clusters]
    children: list[list[int]] = [[] for _ in clusters]
    for place, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(place)
    return children, parents_first(parents)[0]
