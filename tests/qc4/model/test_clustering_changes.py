"""Changes to clusterings: their effect on pages, ids, labels and parents, and invalid arguments."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qc4.model.changes import cleaned, completed, is_disjoint, merged, redistributed, without
from qc4.model.clustering import Cluster, Clustering
from qc4.model.nesting import with_children
from qc4.problems import InputError

CARS = Cluster("c1", ("p1", "p2"), "Cars")
USED = Cluster("c2", ("p2", "p3"), "", parent="c1")
ZOO = Cluster("c3", ("p4",), "Zoo", parent="c2")
NESTED = Clustering("jaguar", (CARS, USED, ZOO), "STC")
FLAT = Clustering("jaguar", (Cluster("a", ("p1", "p2")), Cluster("b", ("p3",)), Cluster("c", ("p4", "p5"))))
TREE = Clustering(
    "",
    (
        Cluster("cat", ("a", "b", "c")),
        Cluster("lion", ("a", "b"), parent="cat"),
        Cluster("puma", ("c",), parent="cat"),
        Cluster("dog", ("d", "e")),
    ),
)
CHAIN = Clustering(
    "",
    (
        Cluster("top", ("a", "b", "c")),
        Cluster("mid", ("a", "b"), parent="top"),
        Cluster("low", ("a",), parent="mid"),
    ),
)


def pages(clustering: Clustering) -> dict[str, tuple[str, ...]]:
    return {cluster.id: cluster.pages for cluster in clustering.clusters}


def test_children_of_a_dropped_cluster_move_to_its_parent() -> None:
    left = without(NESTED, ["c2"])
    assert left.clusters == (CARS, Cluster("c3", ("p4",), "Zoo", parent="c1"))
    assert without(NESTED, ["c2", "c1"]).clusters == (Cluster("c3", ("p4",), "Zoo"),)
    assert (left.query, left.algorithm) == ("jaguar", "STC")
    assert NESTED.clusters == (CARS, USED, ZOO)


def test_the_merged_cluster_replaces_the_first_and_has_every_page_once() -> None:
    one = merged(NESTED, ["c2", "c1"])
    assert one.clusters == (Cluster("c1", ("p1", "p2", "p3"), "Cars + c2"), Cluster("c3", ("p4",), "Zoo", parent="c1"))
    assert merged(NESTED, ["c1"]) == NESTED
    assert merged(NESTED, []) == NESTED


def test_pages_added_in_a_disjoint_clustering_leave_their_cluster() -> None:
    assert pages(completed(FLAT, "a", ["p3", "p1", "p5", "p6"])) == {"a": ("p1", "p2", "p3", "p5", "p6"), "c": ("p4",)}


def test_pages_added_in_an_overlapping_clustering_stay_in_their_clusters() -> None:
    assert pages(completed(NESTED, "c3", ["p1", "p2"])) == {
        "c1": ("p1", "p2"),
        "c2": ("p2", "p3", "p1"),
        "c3": ("p4", "p1", "p2"),
    }


def test_ancestors_gain_added_pages_and_descendants_lose_removed_pages() -> None:
    assert pages(completed(TREE, "puma", ["e"])) == pages(TREE) | {"puma": ("c", "e"), "cat": ("a", "b", "c", "e")}
    assert pages(cleaned(TREE, "cat", ["a", "c"])) == {"cat": ("b",), "lion": ("b",), "dog": ("d", "e")}


def test_the_parent_of_merged_clusters_gains_their_pages() -> None:
    one = merged(TREE, ["puma", "dog"])
    assert pages(one) == {"cat": ("a", "b", "c", "d", "e"), "lion": ("a", "b"), "puma": ("c", "d", "e")}
    assert [each.parent for each in one.clusters] == [None, "cat", "cat"]


def test_a_cluster_merged_with_an_ancestor_replaces_it() -> None:
    turned = Clustering("", tuple(reversed(CHAIN.clusters)))
    assert [(each.id, each.parent) for each in merged(turned, ["low", "top"]).clusters] == [
        ("low", None),
        ("mid", "low"),
    ]
    assert [(each.id, each.parent) for each in merged(CHAIN, ["low", "top"]).clusters] == [
        ("top", None),
        ("mid", "top"),
    ]


@given(st.data())
def test_clusters_contain_the_pages_of_their_children_after_any_change(data: st.DataObject) -> None:
    tree = data.draw(st.sampled_from((TREE, CHAIN)))
    some = st.lists(st.sampled_from([each.id for each in tree.clusters]), unique=True)
    chosen = st.dictionaries(
        st.sampled_from([each.id for each in tree.clusters]), st.frozensets(st.sampled_from("abcdef"))
    )
    changes = (
        lambda found: without(found, data.draw(some)),
        lambda found: merged(found, data.draw(some)),
        lambda found: redistributed(
            found, {id: tuple(sorted(more)) for id, more in data.draw(chosen).items()}, data.draw(chosen)
        ),
    )
    after = data.draw(st.sampled_from(changes))(tree)
    assert with_children(after.clusters, 1000) == after.clusters


def test_a_cluster_that_loses_every_page_is_dropped() -> None:
    assert pages(cleaned(FLAT, "c", ["p4"])) == {"a": ("p1", "p2"), "b": ("p3",), "c": ("p5",)}
    assert pages(cleaned(FLAT, "b", ["p3"])) == {"a": ("p1", "p2"), "c": ("p4", "p5")}


def test_a_page_added_to_two_disjoint_clusters_goes_to_the_first() -> None:
    found = redistributed(FLAT, {"c": ("p3",), "b": ("p2", "p3"), "a": ("p3",)}, {})
    assert pages(found) == {"a": ("p1", "p3"), "b": ("p2",), "c": ("p4", "p5")}


@pytest.mark.parametrize("change", [without, merged])
def test_the_error_names_all_unknown_clusters(change: object) -> None:
    with pytest.raises(InputError) as refused:
        change(FLAT, ["a", "x", "aa"])  # every change takes a clustering and ids
    assert [problem.found for problem in refused.value.problems] == ["'x'", "'aa'"]
    assert "Did you mean 'a'?" in str(refused.value)


@given(
    st.lists(st.integers(0, 3), min_size=1, max_size=8),
    st.dictionaries(st.integers(0, 3), st.frozensets(st.integers(0, 9))),
)
def test_a_partition_stays_a_partition_of_the_same_pages(labels: list[int], wanted: dict[int, frozenset[int]]) -> None:
    members = {str(c): tuple(str(page) for page, own in enumerate(labels) if own == c) for c in sorted(set(labels))}
    clustering = Clustering("q", tuple(Cluster(id, held) for id, held in members.items()))
    more = {str(c): tuple(map(str, sorted(held))) for c, held in wanted.items() if str(c) in members}
    after = redistributed(clustering, more, {})
    assert is_disjoint(after)
    held = {page for each in after.clusters for page in each.pages}
    assert held == {str(page) for page in range(len(labels))} | {page for new in more.values() for page in new}
