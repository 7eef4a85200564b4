"""Nested clusterings are read alike in all formats: a parent contains the pages of its children."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qc4 import InputError, read_clustering, read_gold, score
from qc4.io import Limits, read_submission, write_clustering
from qc4.model.clustering import Cluster
from qc4.model.nesting import with_children

MOST = 10_000


def tree(*, leaves_only: bool) -> dict[str, Any]:
    """Return two parents with two children of three pages each; parents list their pages, or none."""
    clusters = []
    for parent in range(2):
        whole = [f"p{page}" for page in range(6 * parent, 6 * parent + 6)]
        clusters.append({"id": f"c{parent}", "parent": None, "pages": [] if leaves_only else whole})
        for child in range(2):
            part = whole[3 * child : 3 * child + 3]
            clusters.append({"id": f"c{parent}{child}", "parent": f"c{parent}", "pages": part})
    return {"format": "qc4-clustering/1", "query": "q", "clusters": clusters}


def gold() -> dict[str, Any]:
    topics = [
        {"id": f"t{cluster['id']}", "name": cluster["id"], "pages": cluster["pages"]}
        | {"parent": cluster["parent"] and f"t{cluster['parent']}"}
        for cluster in tree(leaves_only=False)["clusters"]
    ]
    pages = [{"id": f"p{page}"} for page in range(12)]
    return {"format": "qc4-gold/1", "query": {"id": "q", "text": "q"}, "pages": pages, "topics": topics}


def carrot2(*, leaves_only: bool) -> dict[str, Any]:
    """Return the same clustering as Carrot2 4.x output, with documents by position."""
    clusters = tree(leaves_only=leaves_only)["clusters"]

    def group(cluster: dict[str, Any]) -> dict[str, Any]:
        below = [group(other) for other in clusters if other["parent"] == cluster["id"]]
        documents = [int(page[1:]) for page in cluster["pages"]]
        return {"labels": [cluster["id"]], "documents": documents, "clusters": below}

    roots = [group(cluster) for cluster in clusters if cluster["parent"] is None]
    return {"clusters": roots, "documents": [{"title": f"p{page}"} for page in range(12)]}


@pytest.mark.parametrize("keys", [["qc4", "ecs_hierarchy", "cluster_depth"], ["bcubed_f", "f"]])
def test_listing_pages_only_at_leaves_does_not_change_scores(keys: list[str]) -> None:
    leaves, everywhere = (
        score(read_gold(gold()), read_clustering(tree(leaves_only=leaves_only)), keys) for leaves_only in (True, False)
    )
    assert leaves.scores == everywhere.scores


def test_a_perfect_tree_scores_one_in_both_notations() -> None:
    found = score(read_gold(gold()), read_clustering(tree(leaves_only=True)), ["qc4", "ecs_hierarchy"])
    assert [one.value for one in found.scores] == pytest.approx([1, 1])


@pytest.mark.parametrize("leaves_only", [True, False])
def test_all_formats_give_the_same_clusters(leaves_only: bool) -> None:
    members = {cluster.id: set(cluster.pages) for cluster in read_clustering(tree(leaves_only=leaves_only)).clusters}
    (answer,) = read_submission(carrot2(leaves_only=leaves_only), query="q").clusterings
    numbered = {cluster.label: {f"p{page}" for page in cluster.pages} for cluster in answer.clusters}
    assert numbered == members
    assert [len(members[id]) for id in ("c0", "c00", "c01", "c1", "c10", "c11")] == [6, 3, 3, 6, 3, 3]


def test_writing_after_reading_gives_the_same_bytes() -> None:
    found = read_clustering(tree(leaves_only=True))
    written = write_clustering(found)
    assert read_clustering(json.loads(written)) == found
    assert write_clustering(read_clustering(json.loads(written))) == written


@st.composite
def forests(draw: st.DrawFn) -> list[Cluster]:
    """Clusters in any order, parents before or after their children."""
    n = draw(st.integers(1, 8))
    parents = [draw(st.none() | st.integers(0, place - 1)) if place else None for place in range(n)]
    pages = [draw(st.lists(st.sampled_from("abcdef"), unique=True, max_size=3)) for _ in range(n)]
    clusters = [
        Cluster(str(place), tuple(pages[place]), parent=None if parent is None else str(parent))
        for place, parent in enumerate(parents)
    ]
    return draw(st.permutations(clusters))


@given(forests())
def test_a_parent_contains_its_own_pages_first_and_those_of_descendants_once(clusters: list[Cluster]) -> None:
    whole = with_children(clusters, MOST)
    assert whole is not None
    by_id = {cluster.id: cluster for cluster in clusters}

    def below(id: str) -> set[str]:
        return set(by_id[id].pages).union(*(below(one.id) for one in clusters if one.parent == id))

    for before, after in zip(clusters, whole, strict=True):
        assert (after.id, after.parent) == (before.id, before.parent)
        assert after.pages[: len(before.pages)] == before.pages
        assert len(set(after.pages)) == len(after.pages)
        assert set(after.pages) == below(after.id)
    assert with_children(whole, MOST) == whole


def test_a_chain_with_too_many_memberships_is_rejected() -> None:
    """300 clusters of one page, each inside the next, have 45,150 memberships in total."""
    chain = [
        {"id": str(place), "parent": str(place + 1) if place < 299 else None, "pages": [f"p{place}"]}
        for place in range(300)
    ]
    document = {"format": "qc4-clustering/1", "query": "q", "clusters": chain}
    assert len(read_submission(document, limits=Limits(memberships=45_150)).clusterings[0].clusters[-1].pages) == 300
    with pytest.raises(InputError, match="limit 'memberships'"):
        read_submission(document, limits=Limits(memberships=45_149))
