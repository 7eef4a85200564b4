"""Changes to a clustering, each by name: what it would be without some clusters, with several as one, with other pages.

Every function gives a new clustering and leaves the given one as it is. The order of clusters stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from difflib import get_close_matches

from qc4.clustering.clustering import Cluster, Clustering
from qc4.problems import ProblemList
from qc4.problems.wording import listed, quoted


def without(clustering: Clustering, ids: Iterable[str]) -> Clustering:
    """The clustering without these clusters; their pages stay wherever else they are.

    A cluster whose parent is dropped has none.

    Raises:
        InputError: there is no such cluster.
    """
    gone = set(known(clustering, ids))
    left = (cluster for cluster in clustering.clusters if cluster.id not in gone)
    return _of(clustering, (replace(each, parent=None if each.parent in gone else each.parent) for each in left))


def merged(clustering: Clustering, ids: Iterable[str]) -> Clustering:
    """The clustering with these clusters as one, which has every page of theirs once.

    It stands where the first of them stands and has its id and parent; its label names all of them. Children of any of
    them are its children. Fewer than two clusters stay as they are.

    Raises:
        InputError: there is no such cluster.
    """
    together = [cluster for cluster in clustering.clusters if cluster.id in set(known(clustering, ids))]
    if len(together) < 2:
        return clustering
    first, gone = together[0], {cluster.id for cluster in together[1:]}
    one = replace(
        first,
        pages=tuple(dict.fromkeys(page for cluster in together for page in cluster.pages)),
        label=" + ".join(cluster.label or cluster.id for cluster in together),
        parent=None if first.parent in gone else first.parent,
    )
    left = (one if each.id == one.id else each for each in clustering.clusters if each.id not in gone)
    return _of(clustering, (replace(each, parent=one.id) if each.parent in gone else each for each in left))


def completed(clustering: Clustering, id: str, pages: Iterable[str]) -> Clustering:
    """The clustering with these pages in this cluster, at its end.

    Where no page is in two clusters it stays so: pages that are added leave the cluster they were in, and clusters that
    lose all their pages are dropped. Elsewhere pages stay in the other clusters, too.

    Raises:
        InputError: there is no such cluster.
    """
    return redistributed(clustering, {id: tuple(pages)}, {})


def cleaned(clustering: Clustering, id: str, pages: Iterable[str]) -> Clustering:
    """The clustering without these pages in this cluster; a cluster that loses all of its pages is dropped.

    Raises:
        InputError: there is no such cluster.
    """
    return redistributed(clustering, {}, {id: frozenset(pages)})


def redistributed(
    clustering: Clustering, more: Mapping[str, Sequence[str]], fewer: Mapping[str, Set[str]]
) -> Clustering:
    """Several clusters `completed` and `cleaned` at once, so that the order of doing so cannot matter.

    A page that several clusters of a disjoint clustering are to get goes to the first of them.

    Args:
        more: cluster -> pages to add; those it has already are not added again.
        fewer: cluster -> pages to take out.

    Raises:
        InputError: there is no such cluster.
    """
    known(clustering, [*more, *fewer])
    keeps_apart = disjoint(clustering)
    taken: dict[str, str] = {}
    members: dict[str, list[str]] = {}
    for cluster in clustering.clusters:
        held = [page for page in cluster.pages if page not in fewer.get(cluster.id, ())]
        new = [page for page in dict.fromkeys(more.get(cluster.id, ())) if page not in set(cluster.pages)]
        if keeps_apart:
            new = [page for page in new if page not in taken]
            taken.update(dict.fromkeys(new, cluster.id))
        members[cluster.id] = held + new
    if keeps_apart:
        members = {id: [page for page in pages if taken.get(page, id) == id] for id, pages in members.items()}
    emptied = {each.id for each in clustering.clusters if each.pages and not members[each.id]}
    changed = (replace(each, pages=tuple(members[each.id])) for each in clustering.clusters)
    return without(_of(clustering, changed), emptied)


def disjoint(clustering: Clustering) -> bool:
    """Whether no page is in two clusters."""
    pages = [page for cluster in clustering.clusters for page in cluster.pages]
    return len(pages) == len(set(pages))


def known(clustering: Clustering, ids: Iterable[str]) -> tuple[str, ...]:
    """The ids, each once, if the clustering has such clusters.

    Raises:
        InputError: it has not; all that are unknown are named.
    """
    there = {cluster.id: None for cluster in clustering.clusters}
    wanted = tuple(dict.fromkeys(ids))
    problems = ProblemList()
    for id in wanted:
        if id not in there:
            close = get_close_matches(id, there, 1)
            fix = f"Did you mean {quoted(close[0])}?" if close else ""
            problems.error("no-such-cluster", "clusters", quoted(id), f"one of {listed(tuple(there)) or 'none'}", fix)
    problems.refuse_errors()
    return wanted


def _of(clustering: Clustering, clusters: Iterable[Cluster]) -> Clustering:
    return replace(clustering, clusters=tuple(clusters))
