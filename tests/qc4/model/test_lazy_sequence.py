"""Lazy page lists and clusters are equal to the corresponding tuples."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qc4
from qc4.model.case import Case
from qc4.model.clustering import Cluster, ClusterColumns, Clustering
from qc4.model.gold_document import GoldDocument, Page, PageColumns
from qc4.model.gold_standard import GoldStandard

IDS = ("a", "b", "c")
PAGES = (Page("a", 1, title="A"), Page("b", 2), Page("c", 3, title="C", extra={"more": 1}))


def by_columns(extras: bool = True) -> PageColumns:
    columns = {"rank": [1, 2, 3], "title": ["A", None, "C"]}
    return PageColumns(IDS, columns, [{}, {}, {"more": 1}] if extras else None)


def test_page_columns_equal_the_tuple_of_pages():
    found = by_columns()
    assert tuple(found) == PAGES
    assert found == PAGES
    assert found == PAGES
    assert hash(found) == hash(PAGES)
    assert repr(found) == repr(PAGES)
    assert (len(found), found[0], found[-1], found[1:]) == (3, PAGES[0], PAGES[-1], PAGES[1:])
    assert pickle.loads(pickle.dumps(found)) == PAGES
    assert [page.extra for page in by_columns(extras=False)] == [{}, {}, {}]
    assert found != PAGES[:2]
    with pytest.raises(IndexError):
        found[3]


def test_documents_with_page_columns_equal_documents_with_tuples():
    one, other = GoldDocument("q", "q", PAGES), GoldDocument("q", "q", by_columns())
    assert one == other
    assert hash(one) == hash(other)
    assert one.page_ids == other.page_ids == IDS
    assert replace(other, pages=PAGES[:1]).page_ids == ("a",)


CLUSTERS = (Cluster("one", ("a", "b")), Cluster("two", ("c",), "Two", "one", {"more": 1}))


def test_cluster_columns_equal_the_tuple_of_clusters():
    found = ClusterColumns.of(CLUSTERS)
    assert found == CLUSTERS
    assert hash(found) == hash(CLUSTERS)
    assert repr(found) == repr(CLUSTERS)
    assert (len(found), found[-1], found[:1]) == (2, CLUSTERS[-1], CLUSTERS[:1])
    assert pickle.loads(pickle.dumps(found)) == CLUSTERS
    assert ClusterColumns.of(found) is found
    assert found[1] is found[1]
    assert not found.are_flat
    with pytest.raises(IndexError):
        found[2]


def test_optional_columns_may_be_omitted():
    found = ClusterColumns(["x", "y"], [("a",), ()])
    assert found == (Cluster("x", ("a",)), Cluster("y", ()))
    assert found.are_flat
    assert found[0].extra is not found[1].extra
    assert ClusterColumns([], []) == ()


def test_clusterings_with_cluster_columns_equal_clusterings_with_tuples():
    one, other = Clustering("q", CLUSTERS), Clustering("q", ClusterColumns.of(CLUSTERS))
    assert one == other
    assert hash(one) == hash(other)
    assert repr(one) == repr(other)


labels = st.lists(st.sampled_from([0, 1, 2, -1]), min_size=1, max_size=12)


@given(labels)
def test_a_case_from_labels_equals_the_case_from_their_clusters(given_labels):
    gold = GoldStandard.from_labels([0] * len(given_labels))
    found = Clustering.from_labels(given_labels)
    listed = replace(found, clusters=tuple(found.clusters))
    assert found == listed
    quick, slow = Case.build(gold, found), Case.build(gold, listed)
    assert quick.cluster_ids == slow.cluster_ids
    assert np.array_equal(quick.clusters.toarray(), slow.clusters.toarray())
    assert quick.clusters.has_sorted_indices
    assert quick.forest.labels == slow.forest.labels
    for kept in ("parent", "row"):
        assert np.array_equal(getattr(quick.forest, kept), getattr(slow.forest, kept))


def test_labels_of_other_pages_are_matched_by_id():
    gold = GoldStandard.from_labels([0, 0, 1], pages=["a", "b", "c"])
    clustering = Clustering.from_labels([1, 0, 0], pages=["c", "b", "a"])
    assert qc4.score(gold, clustering, "ari").scores[0].value == 1
