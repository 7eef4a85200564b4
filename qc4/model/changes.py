"""Named changes to a clustering: remove clusters, merge clusters, add or remove pages.

Each function returns a new clustering and leaves the original unchanged. The order of clusters stays the same. A
cluster still contains the pages of its descendants: a page added to a cluster is also added to its ancestors, and a
page removed from it is also removed from its descendants.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace

from qc4.model.clustering import Cluster, Clustering
from qc4.model.nesting import ancestors_of
from qc4.problems import ProblemList
from qc4.wording import did_you_mean, listed, quoted


def without(clustering: Clustering, ids: Iterable[str]) -> Clustering:
    """Return the clustering without these clusters. Their pages stay in any other clusters that contain them.

    The children of a removed cluster move to its nearest remaining ancestor.

    Raises:
        InputError: a cluster does not exist.
    """
    gone, parents = set(existing_clusters(clustering, ids)), _parents(clustering)
    left = (cluster for cluster in clustering.clusters if cluster.id not in gone)
    return _with_clusters(
        clustering,
        (
            replace(each, parent=next((above for above in ancestors_of(parents, each.id) if above not in gone), None))
            if each.parent in gone
            else each
            for each in left
        ),
    )


def merged(clustering: Clustering, ids: Iterable[str]) -> Clustering:
    """Return the clustering with these clusters merged into one, which contains each of their pages once.

    The merged cluster has the position and id of the first; its label joins all labels. Its parent is that of the first
    cluster, or the nearest ancestor that is not itself merged. Children of the merged clusters become its children.
    With fewer than two clusters nothing changes.

    Raises:
        InputError: a cluster does not exist.
    """
    together = [cluster for cluster in clustering.clusters if cluster.id in set(existing_clusters(clustering, ids))]
    if len(together) < 2:
        return clustering
    first, gone = together[0], {cluster.id for cluster in together[1:]}
    above = ancestors_of(_parents(clustering), first.id)
    above = above[max((place for place, id in enumerate(above, 1) if id in gone), default=0) :]
    one = replace(
        first,
        pages=tuple(dict.fromkeys(page for cluster in together for page in cluster.pages)),
        label=" + ".join(cluster.label or cluster.id for cluster in together),
        parent=next(iter(above), None),
    )
    left = (one if each.id == one.id else each for each in clustering.clusters if each.id not in gone)
    joined = _with_clusters(
        clustering, (replace(each, parent=one.id) if each.parent in gone else each for each in left)
    )
    return joined if is_disjoint(clustering) else _with_pages(joined, dict.fromkeys(above, one.pages))


def completed(clustering: Clustering, id: str, pages: Iterable[str]) -> Clustering:
    """Return the clustering with these pages added at the end of this cluster.

    If the clustering is disjoint it stays disjoint: added pages leave their former cluster, and clusters without pages
    are removed. Otherwise the pages also stay in their other clusters.

    Raises:
        InputError: the cluster does not exist.
    """
    return redistributed(clustering, {id: tuple(pages)}, {})


def cleaned(clustering: Clustering, id: str, pages: Iterable[str]) -> Clustering:
    """Return the clustering without these pages in this cluster. A cluster that loses all of its pages is removed.

    Raises:
        InputError: the cluster does not exist.
    """
    return redistributed(clustering, {}, {id: frozenset(pages)})


def redistributed(
    clustering: Clustering, more: Mapping[str, Sequence[str]], fewer: Mapping[str, Set[str]]
) -> Clustering:
    """Apply `completed` and `cleaned` to several clusters at once, so that the order does not matter.

    In a disjoint clustering, a page to be added to several clusters is added to the first of them.

    Args:
        more: cluster -> pages to add; pages that it already contains are ignored.
        fewer: cluster -> pages to remove.

    Raises:
        InputError: a cluster does not exist.
    """
    existing_clusters(clustering, [*more, *fewer])
    held = {cluster.id: frozenset(cluster.pages) for cluster in clustering.clusters}
    new = {id: [page for page in dict.fromkeys(pages) if page not in held[id]] for id, pages in more.items()}
    changed = (
        _leave_former_clusters(clustering, new, fewer)
        if is_disjoint(clustering)
        else _apply_to_relatives(clustering, new, fewer)
    )
    emptied = {
        one.id
        for one, other in zip(clustering.clusters, changed.clusters, strict=True)
        if one.pages and not other.pages
    }
    return without(changed, emptied)


def _leave_former_clusters(
    clustering: Clustering, more: Mapping[str, Sequence[str]], fewer: Mapping[str, Set[str]]
) -> Clustering:
    """Move added pages out of their former clusters; a page to be added to several clusters goes to the first."""
    taken: dict[str, str] = {}
    for cluster in clustering.clusters:
        for page in more.get(cluster.id, ()):
            taken.setdefault(page, cluster.id)
    mine = {id: [page for page in pages if taken[page] == id] for id, pages in more.items()}
    return _with_pages(
        _without_pages(clustering, {id: {*fewer.get(id, ()), *taken} for id in _parents(clustering)}), mine
    )


def _apply_to_relatives(
    clustering: Clustering, more: Mapping[str, Sequence[str]], fewer: Mapping[str, Set[str]]
) -> Clustering:
    """Add pages to a cluster and its ancestors, and remove pages from a cluster and its descendants."""
    parents = _parents(clustering)
    lost = {id: {page for one in (id, *ancestors_of(parents, id)) for page in fewer.get(one, ())} for id in parents}
    got: dict[str, list[str]] = {}
    for id in parents:
        for one in (id, *ancestors_of(parents, id)) if id in more else ():
            got.setdefault(one, []).extend(more[id])
    return _with_pages(_without_pages(clustering, lost), got)


def _with_pages(clustering: Clustering, pages: Mapping[str, Iterable[str]]) -> Clustering:
    """Return the clustering with these pages appended to these clusters, each page once."""
    return _with_clusters(
        clustering,
        (
            replace(each, pages=tuple(dict.fromkeys((*each.pages, *pages[each.id])))) if each.id in pages else each
            for each in clustering.clusters
        ),
    )


def _without_pages(clustering: Clustering, pages: Mapping[str, Set[str]]) -> Clustering:
    """Return the clustering without these pages in these clusters, which may become empty."""
    return _with_clusters(
        clustering,
        (
            replace(each, pages=tuple(page for page in each.pages if page not in pages[each.id]))
            for each in clustering.clusters
        ),
    )


def _parents(clustering: Clustering) -> dict[str, str | None]:
    """Return the parent of each cluster."""
    return {cluster.id: cluster.parent for cluster in clustering.clusters}


def is_disjoint(clustering: Clustering) -> bool:
    """Return True if no page is in two clusters."""
    pages = [page for cluster in clustering.clusters for page in cluster.pages]
    return len(pages) == len(set(pages))


def existing_clusters(clustering: Clustering, ids: Iterable[str]) -> tuple[str, ...]:
    """Return the ids, each once, after checking that the clustering has these clusters.

    Raises:
        InputError: some clusters do not exist; the error names all of them.
    """
    there = {cluster.id: None for cluster in clustering.clusters}
    wanted = tuple(dict.fromkeys(ids))
    problems = ProblemList()
    for id in wanted:
        if id not in there:
            fix = did_you_mean(id, there)
            problems.error("no-such-cluster", "clusters", quoted(id), f"one of {listed(tuple(there)) or 'none'}", fix)
    problems.refuse_errors()
    return wanted


def _with_clusters(clustering: Clustering, clusters: Iterable[Cluster]) -> Clustering:
    return replace(clustering, clusters=tuple(clusters))
