"""The summary of a clustering, as numbers and as one line."""

import json

import pytest

from qc4.io import read_submission, read_submissions
from qc4.model.clustering import Cluster, Clustering
from qc4.model.clustering_summary import ClusteringSummary
from qc4.problems import ProblemList


def test_nested_clusters_do_not_count_as_overlap():
    clusters = (
        Cluster("a", ("p1", "p2", "p3")),
        Cluster("b", ("p1", "p2"), parent="a"),
        Cluster("c", ("p2",), parent="a"),
        Cluster("d", ("p2",), parent="b"),
    )
    found = ClusteringSummary.of(Clustering("q", clusters), 5)
    assert (found.overlapping, found.covered, found.nested, found.levels) == (1, 3, 3, 3)
    assert found.sentence == (
        "5 pages; 4 clusters; 2 pages in no cluster (40 %): 2 pages not in the file; 1 page in several clusters; "
        "3 clusters lie in another (3 levels)"
    )


def test_the_summary_of_labels_includes_pages_in_no_cluster():
    found = ClusteringSummary.of(Clustering.from_labels([0, 0, -1, None]))
    assert found.sentence == (
        "4 pages; 1 cluster; 2 pages in no cluster (50 %): the label '-1' on 1 page and the label 'None' on 1 page; "
        "no page in several clusters; no nesting"
    )


@pytest.mark.parametrize(("covered", "share"), [(1, ">99 %"), (999, "<1 %"), (1000, None)])
def test_very_small_and_large_percentages_are_not_rounded_to_0_or_100(covered, share):
    pages = tuple(map(str, range(covered)))
    sentence = ClusteringSummary.of(Clustering("q", (Cluster("a", pages),)), 1000).sentence
    assert (f"({share})" in sentence) if share else ("every page in a cluster" in sentence)


def test_pages_in_carrot2s_other_topics_group_are_counted():
    xml = """<searchresult><query>q</query>
    <document id="1"/><document id="2"/><document id="3"/>
    <group id="0"><title><phrase>A</phrase></title><document refid="1"/></group>
    <group id="1"><title><phrase>Other Topics</phrase></title><attribute key="other-topics"><value
      type="java.lang.Boolean" value="true"/></attribute><document refid="2"/></group></searchresult>"""
    (answer,) = read_submission(xml.encode(), {"q": ["1", "2", "3"]}, name="q.xml").clusterings
    found = ClusteringSummary.of(answer, 3)
    assert (found.other_topics, found.unclustered) == (1, 2)
    assert found.reasons == "1 page in a group of other topics, 1 page not in the file"


def test_a_group_named_other_topics_without_the_attribute_is_a_reading_choice():
    groups = [{"labels": ["Fruit"], "documents": [0]}, {"labels": ["Other topics"], "documents": [1]}]
    data, notes = json.dumps({"clusters": groups}).encode(), ProblemList()
    read_submissions(data, {"q": ["p1", "p2"]}, notes=notes)
    (warning,) = notes
    assert warning.code == "cluster-called-noise"
    noise = json.loads(warning.choice.value)
    (answer,) = read_submission(data, {"q": ["p1", "p2"]}, noise=noise).clusterings
    assert [cluster.pages for cluster in answer.clusters] == [("p1",)]


@pytest.mark.parametrize("label", ["-1", "noise", "\u22121"])
def test_the_part_of_a_subtopic_id_after_its_query_may_be_noise(label):
    data = f"subTopicID\tresultID\n1.0\t1.1\n1.0\t1.2\n1.{label}\t1.3\n".encode()
    (answer,) = read_submission(data).clusterings
    assert [(cluster.id, cluster.pages) for cluster in answer.clusters] == [("1.0", ("1.1", "1.2"))]
    assert [(each.label, each.pages) for each in answer.noise] == [(f"1.{label}", 1)]
