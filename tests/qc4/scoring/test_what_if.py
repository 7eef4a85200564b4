"""What-if scores: equal to the scores of the changed clustering."""

from __future__ import annotations

import pytest
from hypothesis import given

from qc4 import score
from qc4.measures.qc4 import qc4
from qc4.model.case import Case
from qc4.model.changes import is_disjoint, merged, without
from qc4.model.clustering import Cluster, Clustering
from qc4.model.gold_standard import GoldStandard
from qc4.problems import InputError
from qc4.scoring.what_if import Changes, DropEffect, apply_changes, one_at_a_time, what_if
from tests.qc4.measures.qc4.reference import Gold, Pages, best_topic
from tests.qc4.measures.qc4.strategies import cases, gold_standard

KEYS = ["aq", "wq", "ac", "wc", "quality", "coverage", "qc4_f"]
# Cars are pages 0-5, animals 6-9, outliers 10 and 11.
GOLD = gold_standard(
    Gold(12, ((frozenset(range(6)), None, None), (frozenset(range(6, 10)), None, None)), frozenset({10, 11}))
)


def clustering(*clusters: str) -> Clustering:
    """Return clusters from texts such as "0 1 2"; they are named a, b, .."""
    return Clustering("", tuple(Cluster("abcdef"[n], tuple(text.split())) for n, text in enumerate(clusters)))


def pages(found: Clustering) -> dict[str, set[int]]:
    return {cluster.id: set(map(int, cluster.pages)) for cluster in found.clusters}


def changed(given: Clustering, changes: Changes, gold: GoldStandard = GOLD) -> dict[str, set[int]]:
    return pages(apply_changes(Case.build(gold, given), given, changes))


FLAT = clustering("0 1 2 6", "3 4", "7 8 9 10", "11")


def test_complete_adds_missing_pages_and_clean_removes_foreign_ones() -> None:
    assert changed(FLAT, Changes(complete=("a",))) == {"a": {0, 1, 2, 3, 4, 5, 6}, "c": {7, 8, 9, 10}, "d": {11}}
    assert changed(FLAT, Changes(clean=("a", "c"))) == {"a": {0, 1, 2}, "b": {3, 4}, "c": {7, 8, 9}, "d": {11}}
    both = changed(FLAT, Changes(complete=("a",), clean=("a",)))
    assert both == {"a": {0, 1, 2, 3, 4, 5}, "c": {7, 8, 9, 10}, "d": {11}}


def test_added_pages_stay_in_overlapping_clusters() -> None:
    overlapping = clustering("0 1 2", "2 3 4 5")
    assert changed(overlapping, Changes(complete=("a",))) == {"a": {0, 1, 2, 3, 4, 5}, "b": {2, 3, 4, 5}}


def test_clusters_are_dropped_then_completed_then_merged() -> None:
    assert changed(FLAT, Changes(merge=("a", "b"), clean=("a",))) == {
        "a": {0, 1, 2, 3, 4},
        "c": {7, 8, 9, 10},
        "d": {11},
    }
    everything = Changes(drop=("a",), merge=("a", "b", "c"), complete=("a",), clean=("a",))
    assert changed(FLAT, everything) == {"b": {3, 4, 7, 8, 9, 10}, "d": {11}}


def test_what_if_scores_equal_those_of_the_changed_clustering() -> None:
    found = what_if(GOLD, FLAT, Changes(drop=("c",), merge=("a", "b")), [*KEYS, "ari"], policies={"outliers": "topic"})
    other = merged(without(FLAT, ["c"]), ["a", "b"])
    for side, whole in (("before", FLAT), ("after", other)):
        scores = score(GOLD, whole, [*KEYS, "ari"], policies={"outliers": "topic"}).scores
        assert [getattr(change, side) for change in found.scores] == [one.value for one in scores]
    assert [(one.id, one.size_before, one.size_after) for one in found.clusters] == [
        ("a", 4, 6),
        ("b", 2, 0),
        ("c", 4, 0),
    ]
    assert found.clusters[0].difference == pytest.approx(qc4(Case.build(GOLD, other)).clusters[0].quality
                                                         - qc4(Case.build(GOLD, FLAT)).clusters[0].quality)  # fmt: skip
    assert {change.id for change in found.topics} == {"0", "1"}
    assert found.to_dict()["changes"] == {"drop": ["c"], "merge": ["a", "b"], "complete": [], "clean": []}


def test_the_sentence_names_the_changes_and_their_effect() -> None:
    pure = clustering("0 1 2 3 4 5", "6 7 8 9", "0 6 1 7")
    assert what_if(GOLD, pure, Changes(drop=("c",))).sentence.startswith("One cluster dropped: QC4-F rises from .")
    assert "to 1.000 (quality +." in what_if(GOLD, pure, Changes(drop=("c",))).sentence
    assert "falls from" in what_if(GOLD, pure, Changes(drop=("a",))).sentence
    assert "2 clusters merged into one" in what_if(GOLD, pure, Changes(merge=("a", "b"))).sentence
    assert "stays at" in what_if(GOLD, FLAT, Changes(drop=("d",))).sentence
    assert what_if(GOLD, FLAT, Changes()).sentence == "Nothing is changed."


@given(cases())
def test_one_at_a_time_agrees_with_dropping_each_cluster(drawn: tuple[Gold, list[Pages]]) -> None:
    gold, clusters = drawn
    standard = gold_standard(gold)
    whole = Clustering("", tuple(Cluster(f"c{n}", tuple(map(str, sorted(c)))) for n, c in enumerate(clusters)))
    found = one_at_a_time(Case.build(standard, whole))
    assert {one.id for one in found} == {part.id for part in qc4(Case.build(standard, whole)).clusters}
    assert [one.qc4_f for one in found] == sorted((one.qc4_f for one in found), reverse=True)
    for one in found:
        differences = {
            change.measure: change.difference for change in what_if(standard, whole, Changes((one.id,))).scores
        }
        assert one == DropEffect(one.id, **differences)  # QC4 is never undefined


@given(cases())
def test_completed_and_cleaned_clusters_equal_their_best_topics(drawn: tuple[Gold, list[Pages]]) -> None:
    gold, clusters = drawn
    standard = gold_standard(gold)
    whole = Clustering("", tuple(Cluster(f"c{n}", tuple(map(str, sorted(c)))) for n, c in enumerate(clusters)))
    remaining = tuple(part.id for part in qc4(Case.build(standard, whole)).clusters)
    changes = Changes(complete=remaining[:1], clean=remaining[:1])
    for id in remaining[:1]:
        expected = set(gold.pages(best_topic(gold, clusters[int(id[1:])])))
        assert changed(whole, changes, standard)[id] == expected
        assert not is_disjoint(whole) or is_disjoint(apply_changes(Case.build(standard, whole), whole, changes))


def test_the_error_names_impossible_changes() -> None:
    with pytest.raises(InputError, match="'x'"):
        what_if(GOLD, FLAT, Changes(drop=("x",)))
    with pytest.raises(InputError, match="cluster 'd', which QC4 excludes"):
        what_if(GOLD, FLAT, Changes(complete=("d",)))
