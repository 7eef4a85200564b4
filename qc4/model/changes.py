"""Changes to a clustering, each by name: what it would be without some clusters, with several as one, with other pages.

Every function gives a new clustering and leaves the given one as it is. The order of clusters stays, and so does that a
cluster holds the pages of those in it: what one gets, those that it lies in get, too; what one loses, those in it lose.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace

from qc4.model.clustering import Cluster, Clustering
from qc4.model.nesting import path_up
from qc4.problems import ProblemList
from qc4.wording import did_you_mean, listed, quoted


def without(clustering: Clustering, ids: Iterable[str]) -> Clustering:
    """The clustering without these clusters; their pages stay wherever else they are.

    A cluster whose parent is dropped lies in the next one above that is left.

    Raises:
        InputError: there is no such cluster.
    """
    gone, parents = set(known(clustering, ids)), _parents(clustering)
    left = (cluster for cluster in clustering.clusters if cluster.id not in gone)
    return _of(
        clustering,
        (
            replace(each, parent=next((above for above in path_up(parents, each.id) if above not in gone), None))
            if each.parent in gone
            else each
            for each in left
        ),
    )


def merged(clustering: Clustering, ids: Iterable[str]) -> Clustering:
    """The clustering with these clusters as one, which has every page of theirs once.

    It stands where the first of them stands and has its id; its label names all of them. It lies where the first lies,
    or where those of them lie that the first is in. Children of any of them are its children. Fewer than two clusters
    stay as they are.

    Raises:
        InputError: there is no such cluster.
    """
    together = [cluster for cluster in clustering.clusters if cluster.id in set(known(clustering, ids))]
    if len(together) < 2:
        return clustering
    first, gone = together[0], {cluster.id for cluster in together[1:]}
    above = path_up(_parents(clustering), first.id)
    above = above[max((place for place, id in enumerate(above, 1) if id in gone), default=0) :]
    one = replace(
        first,
        pages=tuple(dict.fromkeys(page for cluster in together for page in cluster.pages)),
        label=" + ".join(cluster.label or cluster.id for cluster in together),
        parent=next(iter(above), None),
    )
    left = (one if each.id == one.id else each for each in clustering.clusters if each.id not in gone)
    joined = _of(clustering, (replace(each, parent=one.id) if each.parent in gone else each for each in left))
    return joined if disjoint(clustering) else _with_pages(joined, dict.fromkeys(above, one.pages))


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
    held = {cluster.id: frozenset(cluster.pages) for cluster in clustering.clusters}
    new = {id: [page for page in dict.fromkeys(pages) if page not in held[id]] for id, pages in more.items()}
    changed = _apart(clustering, new, fewer) if disjoint(clustering) else _nested(clustering, new, fewer)
    emptied = {
        one.id
        for one, other in zip(clustering.clusters, changed.clusters, strict=True)
        if one.pages and not other.pages
    }
    return without(changed, emptied)


def _apart(clustering: Clustering, more: Mapping[str, Sequence[str]], fewer: Mapping[str, Set[str]]) -> Clustering:
    """Pages that clusters get leave those they were in; the first that is to get a page gets it."""
    taken: dict[str, str] = {}
    for cluster in clustering.clusters:
        for page in more.get(cluster.id, ()):
            taken.setdefault(page, cluster.id)
    mine = {id: [page for page in pages if taken[page] == id] for id, pages in more.items()}
    return _with_pages(
        _without_pages(clustering, {id: {*fewer.get(id, ()), *taken} for id in _parents(clustering)}), mine
    )


def _nested(clustering: Clustering, more: Mapping[str, Sequence[str]], fewer: Mapping[str, Set[str]]) -> Clustering:
    """Clusters get pages together with those that they lie in, and lose them together with those in them."""
    parents = _parents(clustering)
    lost = {id: {page for one in (id, *path_up(parents, id)) for page in fewer.get(one, ())} for id in parents}
    got: dict[str, list[str]] = {}
    for id in parents:
        for one in (id, *path_up(parents, id)) if id in more else ():
            got.setdefault(one, []).extend(more[id])
    return _with_pages(_without_pages(clustering, lost), got)


def _with_pages(clustering: Clustering, pages: Mapping[str, Iterable[str]]) -> Clustering:
    """The clustering with these pages in these clusters, after their own, each once."""
    return _of(
        clustering,
        (
            replace(each, pages=tuple(dict.fromkeys((*each.pages, *pages[each.id])))) if each.id in pages else each
            for each in clustering.clusters
        ),
    )


def _without_pages(clustering: Clustering, pages: Mapping[str, Set[str]]) -> Clustering:
    """The clustering without these pages in these clusters, which may be empty then."""
    return _of(
        clustering,
        (
            replace(each, pages=tuple(page for page in each.pages if page not in pages[each.id]))
            for each in clustering.clusters
        ),
    )


def _parents(clustering: Clustering) -> dict[str, str | None]:
    """Cluster -> its parent."""
    return {cluster.id: cluster.parent for cluster in clustering.clusters}


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
            fix = did_you_mean(id, there)
            problems.error("no-such-cluster", "clusters", quoted(id), f"one of {listed(tuple(there)) or 'none'}", fix)
    problems.refuse_errors()
    return wanted


def _of(clustering: Clustering, clusters: Iterable[Cluster]) -> Clustering:
    return replace(clustering, clusters=tuple(clusters))
