"""Changes to clusterings: what each does to pages, ids, labels and parents, and what it refuses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qc4.model.changes import cleaned, completed, disjoint, merged, redistributed, without
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


def test_a_dropped_cluster_leaves_its_pages_elsewhere_and_its_children_to_what_it_lies_in() -> None:
    left = without(NESTED, ["c2"])
    assert left.clusters == (CARS, Cluster("c3", ("p4",), "Zoo", parent="c1"))
    assert without(NESTED, ["c2", "c1"]).clusters == (Cluster("c3", ("p4",), "Zoo"),)
    assert (left.query, left.algorithm) == ("jaguar", "STC")
    assert NESTED.clusters == (CARS, USED, ZOO)


def test_merged_clusters_stand_where_the_first_stood_with_every_page_once() -> None:
    one = merged(NESTED, ["c2", "c1"])
    assert one.clusters == (Cluster("c1", ("p1", "p2", "p3"), "Cars + c2"), Cluster("c3", ("p4",), "Zoo", parent="c1"))
    assert merged(NESTED, ["c1"]) == NESTED
    assert merged(NESTED, []) == NESTED


def test_pages_added_to_a_cluster_of_a_partition_leave_the_others() -> None:
    assert pages(completed(FLAT, "a", ["p3", "p1", "p5", "p6"])) == {"a": ("p1", "p2", "p3", "p5", "p6"), "c": ("p4",)}


def test_pages_added_where_clusters_overlap_stay_in_the_others() -> None:
    assert pages(completed(NESTED, "c3", ["p1", "p2"])) == {
        "c1": ("p1", "p2"),
        "c2": ("p2", "p3", "p1"),
        "c3": ("p4", "p1", "p2"),
    }


def test_what_a_cluster_gets_those_it_lies_in_get_and_what_it_loses_those_in_it_lose() -> None:
    assert pages(completed(TREE, "puma", ["e"])) == pages(TREE) | {"puma": ("c", "e"), "cat": ("a", "b", "c", "e")}
    assert pages(cleaned(TREE, "cat", ["a", "c"])) == {"cat": ("b",), "lion": ("b",), "dog": ("d", "e")}


def test_clusters_merged_below_a_parent_bring_it_their_pages() -> None:
    one = merged(TREE, ["puma", "dog"])
    assert pages(one) == {"cat": ("a", "b", "c", "d", "e"), "lion": ("a", "b"), "puma": ("c", "d", "e")}
    assert [each.parent for each in one.clusters] == [None, "cat", "cat"]


def test_a_cluster_merged_with_one_far_above_it_takes_its_place() -> None:
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
def test_whatever_is_changed_clusters_hold_the_pages_of_those_in_them(data: st.DataObject) -> None:
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


def test_a_page_two_clusters_of_a_partition_would_get_goes_to_the_first() -> None:
    found = redistributed(FLAT, {"c": ("p3",), "b": ("p2", "p3"), "a": ("p3",)}, {})
    assert pages(found) == {"a": ("p1", "p3"), "b": ("p2",), "c": ("p4", "p5")}


@pytest.mark.parametrize("change", [without, merged])
def test_unknown_clusters_are_named_all_at_once(change: object) -> None:
    with pytest.raises(InputError) as refused:
        change(FLAT, ["a", "x", "aa"])  # each takes a clustering and ids
    assert [problem.found for problem in refused.value.problems] == ["'x'", "'aa'"]
    assert "Did you mean 'a'?" in str(refused.value)


@given(
    st.lists(st.integers(0, 3), min_size=1, max_size=8),
    st.dictionaries(st.integers(0, 3), st.frozensets(st.integers(0, 9))),
)
def test_a_partition_stays_one_and_loses_no_page(labels: list[int], wanted: dict[int, frozenset[int]]) -> None:
    members = {str(c): tuple(str(page) for page, own in enumerate(labels) if own == c) for c in sorted(set(labels))}
    clustering = Clustering("q", tuple(Cluster(id, held) for id, held in members.items()))
    more = {str(c): tuple(map(str, sorted(held))) for c, held in wanted.items() if str(c) in members}
    after = redistributed(clustering, more, {})
    assert disjoint(after)
    held = {page for each in after.clusters for page in each.pages}
    assert held == {str(page) for page in range(len(labels))} | {page for new in more.values() for page in new}
