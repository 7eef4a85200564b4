"""Clusterings built in Python from labels, sets, dendrograms and trees."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage

from qc4 import Clustering, InputError
from qc4.model.labels import by_first_page

MERGES = [[0, 1, 0.5, 2], [2, 3, 0.7, 2], [4, 5, 2.0, 4]]


def clusters(found: Clustering) -> dict[str, tuple[str, ...]]:
    return {cluster.id: cluster.pages for cluster in found.clusters}


def test_pages_with_the_same_label_form_a_cluster():
    found = Clustering.from_labels(np.array([7, 7, -1, 3]), pages=["p", "q", "r", "s"])
    assert clusters(found) == {"7": ("p", "q"), "3": ("s",)}
    assert found.pages == ("p", "q", "r", "s")
    assert [cluster.id for cluster in found.clusters] == ["7", "3"]
    assert [cluster.label for cluster in found.clusters] == ["", ""]  # numbers are not labels


def test_sets_may_overlap_and_have_names():
    assert clusters(Clustering.from_sets([["a", "b"], ["b"], []])) == {"0": ("a", "b"), "1": ("b",), "2": ()}
    named = Clustering.from_sets({"cats": {2, 1}}, pages=[1, 2, 3])
    assert clusters(named) == {"cats": ("1", "2")}
    assert (named.clusters[0].label, named.pages) == ("cats", ("1", "2", "3"))
    with pytest.raises(InputError, match="cluster '0': found pages that are not in the page list: 'b'"):
        Clustering.from_sets([["a", "b"]], pages=["a"])


@given(
    st.integers(2, 30),
    st.sampled_from(["single", "complete", "average", "ward", "centroid", "median"]),
    st.integers(0, 2**32 - 1),
    st.floats(0, 3),
)
@settings(deadline=None)
def test_a_cut_agrees_with_scipy(n_pages, method, seed, cut):
    merges = linkage(np.random.default_rng(seed).normal(size=(n_pages, 2)), method)
    expected = by_first_page(fcluster(merges, cut, "distance"))
    found = np.full(n_pages, -1)
    for number, pages in enumerate(clusters(Clustering.from_linkage(merges, cut=cut)).values()):
        found[list(map(int, pages))] = number
    assert found.tolist() == expected.tolist()


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_a_dendrogram_is_cut_into_the_requested_number_of_clusters(number):
    found = clusters(Clustering.from_linkage(MERGES, clusters=number))
    assert len(found) == number
    assert sorted(page for pages in found.values() for page in pages) == ["0", "1", "2", "3"]
    assert clusters(Clustering.from_linkage(MERGES, clusters=3)) == {"0": ("0", "1"), "1": ("2",), "2": ("3",)}


@given(st.integers(2, 25), st.integers(0, 2**32 - 1))
@settings(deadline=None)
def test_every_merge_of_a_dendrogram_is_a_cluster_inside_its_parent(n_pages, seed):
    merges = linkage(np.random.default_rng(seed).normal(size=(n_pages, 2)), "average")
    found = Clustering.from_linkage(merges, pages=[f"p{number}" for number in range(n_pages)])
    by_id = {cluster.id: cluster for cluster in found.clusters}
    assert sorted(map(int, by_id)) == list(range(n_pages, 2 * n_pages - 1))
    for row, (left, right, _, size) in enumerate(merges.tolist()):
        cluster = by_id[str(n_pages + row)]
        below = [by_id[str(int(node))].pages if node >= n_pages else (f"p{int(node)}",) for node in (left, right)]
        assert sorted(cluster.pages) == sorted([*below[0], *below[1]])
        assert len(cluster.pages) == size
        assert all(by_id[str(int(node))].parent == cluster.id for node in (left, right) if node >= n_pages)
    assert [cluster.parent for cluster in found.clusters].count(None) == 1


@pytest.mark.parametrize(
    ("merges", "more", "words"),
    [
        (np.zeros((3, 3)), {}, "linkage: found an array of 3 x 3; expected a linkage matrix"),
        ([0, 1, 0, 1], {}, "linkage: found an array of 4; expected a linkage matrix"),
        (None, {}, "linkage: found an array of a single value|linkage: found None"),
        ("x", {}, "linkage: found a str; expected a linkage matrix"),
        ([[0, 1, np.inf, 2]], {}, r"linkage\[0\]: found \[0.0, 1.0, inf, 2.0\]; expected finite numbers"),
        ([[0, 2, 1, 2]], {}, r"linkage\[0\]: found \[0.0, 2.0\]; expected two nodes from 0 to 1"),
        ([[0, 0.5, 1, 2]], {}, r"linkage\[0\]: found \[0.0, 0.5\]"),
        pytest.param(
            [[0, 1e300, 1, 2]], {}, r"linkage\[0\]: found \[0.0, 1e\+300\]", marks=pytest.mark.filterwarnings("error")
        ),
        ([[0, 1, 1, 2], [0, 2, 1, 2]], {}, "linkage: found the node 0 merged twice"),
        (MERGES, {"cut": 1, "clusters": 2}, "cut, clusters: found both; expected only one of the two"),
        (MERGES, {"cut": "1"}, "cut: found '1'; expected a distance"),
        (MERGES, {"cut": float("nan")}, "cut: found nan"),
        (MERGES, {"clusters": 0}, "clusters: found 0; expected a whole number from 1 to 4, the number of pages"),
        (MERGES, {"clusters": 2.5}, "clusters: found 2.5"),
        (MERGES, {"pages": ["a"]}, "pages: found 1 ids; expected 4"),
    ],
)
def test_invalid_dendrograms_are_rejected_with_place_and_fix(merges, more, words):
    with pytest.raises(InputError, match=words):
        Clustering.from_linkage(merges, **more)


def test_a_long_chain_of_merges_is_rejected():
    n_pages = 12_000
    merges = [[0, 1, 1, 2], *([number, n_pages + number - 2, number, number + 1] for number in range(2, n_pages))]
    with pytest.raises(InputError, match=r"found 72,005,999 memberships; .* Use the argument cut or clusters"):
        Clustering.from_linkage(merges)
    assert len(Clustering.from_linkage(merges, clusters=2).clusters) == 2


def test_parents_in_a_tree_contain_the_pages_of_their_children():
    found = Clustering.from_tree({"cats": {"lions": ["a", "b"], "other": {"pumas": ["c"]}}, "dogs": ["d"]})
    assert clusters(found) == {
        "cats": ("a", "b", "c"),
        "dogs": ("d",),
        "cats/lions": ("a", "b"),
        "cats/other": ("c",),
        "cats/other/pumas": ("c",),
    }
    assert [cluster.parent for cluster in found.clusters] == [None, None, "cats", "cats", "cats/other"]
    assert [cluster.label for cluster in found.clusters] == ["cats", "dogs", "lions", "other", "pumas"]


def test_a_tree_of_lists_may_mix_pages_and_clusters():
    found = Clustering.from_tree(
        [["a", ["b", {"x": [np.int64(1)]}], np.array(["c"])], ("d",)], pages=["a", "b", "c", "d", 1]
    )
    assert clusters(found) == {
        "0": ("a", "b", "1", "c"),
        "1": ("d",),
        "0/1": ("b", "1"),
        "0/2": ("c",),
        "0/1/x": ("1",),
    }


def test_numeric_names_are_ids_but_not_labels():
    sets = Clustering.from_sets({1: ["p"], "cats": ["q"]})
    tree = Clustering.from_tree({1: {2: ["p"], "cats": ["q"]}, "dogs": [{3: ["r"]}]})
    assert [(cluster.id, cluster.label) for cluster in sets.clusters] == [("1", ""), ("cats", "cats")]
    assert {cluster.id: cluster.label for cluster in tree.clusters} == {
        "1": "",
        "1/2": "",
        "1/cats": "cats",
        "dogs": "dogs",
        "dogs/3": "",
    }


def test_clusters_with_the_same_name_are_numbered():
    found = Clustering.from_tree([{"x": ["a"]}, {"x": ["b"]}, {"x #2": ["c"]}])
    assert [cluster.id for cluster in found.clusters] == ["x", "x #3", "x #2"]


def test_clusters_of_a_tree_have_unique_ids():
    found = Clustering.from_tree({"a": {"b": {"c": ["p"]}}, "a/b": {"c": ["q"]}})
    assert len(clusters(found)) == len(found.clusters) == 5
    parents = {cluster.id: cluster.parent for cluster in found.clusters}
    assert set(parents.values()) - {None} <= set(parents)


def endless() -> list[object]:
    inner: list[object] = []
    inner.append(inner)
    return inner


@pytest.mark.parametrize(
    ("tree", "words"),
    [
        (None, "tree: found None; expected nested lists of pages, or a mapping .* from_linkage"),
        ("abc", "tree: found a str"),
        (["a", ["b"]], "tree: found the page 'a' in no group"),
        ([[0.5]], r"tree\[0\]\[0\]: found the page id 0.5"),
        ({"x": ["a", None]}, r"tree\['x'\]\[1\]: found the page id None"),
        ({"x": None}, r"tree\['x'\]: found None; expected a list of pages or groups"),
        ({"x": ["a", "a"]}, r"tree\['x'\]: found pages listed twice: 'a'"),
        (endless(), "tree: found more than 500 levels"),
    ],
)
def test_invalid_trees_are_rejected_with_place_and_fix(tree, words):
    with pytest.raises(InputError, match=words):
        Clustering.from_tree(tree)
