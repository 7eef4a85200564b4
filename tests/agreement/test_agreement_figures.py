"""The statistics of an agreement: the engine's measures in both directions, with intervals, or reasons if undefined."""

from __future__ import annotations

import pytest
from hypothesis import given

from annotations.agreement.statistics import Agreement, compare
from annotations.agreement.statistics.coefficients import intervals
from qc4.model.clustering import Cluster, Clustering
from qc4.model.gold_document import GoldDocument
from qc4.model.rules import prepare
from qc4.scoring.scoring import score
from tests.agreement.hierarchies import complete_drafts, drafts, hierarchy

QC4 = ("quality", "coverage", "qc4", "qc4_f")
LEVEL = ("omega", "bcubed_precision", "bcubed_recall", "bcubed_f")


def values(agreement: Agreement) -> dict[tuple[str, object], float | None]:
    return {(figure.measure, figure.level or figure.clusters): figure.value for figure in agreement.figures}


def whole_topics(document: GoldDocument) -> Clustering:
    """Return every topic, with the pages of its subtopics, as a cluster."""
    members = {topic.id: set(topic.pages) for topic in document.topics}
    for topic in reversed(document.topics):
        if topic.parent is not None:
            members[topic.parent] |= members[topic.id]
    return Clustering("", tuple(Cluster(name, tuple(sorted(pages))) for name, pages in members.items() if pages))


@given(complete_drafts())
def test_identical_hierarchies_agree_fully(document: GoldDocument) -> None:
    found = compare(document, document, groups=0)
    assert all(figure.value == 1 for figure in found.figures if not figure.undefined)
    assert [figure.measure for figure in found.figures if figure.undefined] in ([], ["outlier_kappa"])
    assert found.differing == []
    assert [(pair.first, pair.second) for pair in found.alignment.pairs] == [
        (n, n) for n in range(len(document.topics))
    ]


@given(complete_drafts(), complete_drafts())
def test_qc4_equals_engine_with_all_topics_as_clusters(first: GoldDocument, second: GoldDocument) -> None:
    found = compare(first, second, groups=0)
    for clusters, own, gold in (("first", first, second), ("second", second, first)):
        scores = score(prepare(gold), whole_topics(own), QC4)
        for key in QC4:
            assert found.figure(key, clusters).value == pytest.approx(scores.value(key), abs=1e-12)


@given(complete_drafts(), complete_drafts())
def test_overlap_measures_equal_engine_with_outliers_as_topic(first: GoldDocument, second: GoldDocument) -> None:
    found = compare(first, second, groups=0)
    clustering = Clustering(
        "", (*(Cluster(topic.id, topic.pages) for topic in first.topics if topic.parent), *outlier_cluster(first))
    )
    scores = score(prepare(second), clustering, LEVEL, [2], {"outliers": "topic"})
    assert found.figure("omega", 2).value == pytest.approx(scores.value("omega", 2), abs=1e-12)
    # Here the engine's clusters are the first draft and its topics the second, so precision and recall are swapped.
    assert found.figure("bcubed_precision", 2).value == pytest.approx(scores.value("bcubed_recall", 2), abs=1e-12)
    assert found.figure("bcubed_f", 2).value == pytest.approx(scores.value("bcubed_f", 2), abs=1e-12)


def outlier_cluster(document: GoldDocument) -> tuple[Cluster, ...]:
    return (Cluster("outliers", document.outliers),) if document.outliers else ()


@given(drafts(), drafts())
def test_swapping_drafts_swaps_statistics(first: GoldDocument, second: GoldDocument) -> None:
    there, back = values(compare(first, second, groups=0)), values(compare(second, first, groups=0))
    other = {
        "first": "second",
        "second": "first",
        "bcubed_precision": "bcubed_recall",
        "bcubed_recall": "bcubed_precision",
    }
    for (measure, where), value in there.items():
        assert back[other.get(measure, measure), other.get(where, where)] == pytest.approx(value, abs=1e-12)


@given(drafts(), drafts())
def test_every_statistic_has_value_or_reason(first: GoldDocument, second: GoldDocument) -> None:
    for figure in compare(first, second, groups=4).figures:
        assert (figure.value is None) == bool(figure.undefined)
        if figure.value is not None:
            assert -1 <= figure.value <= 1
        if figure.low is not None:
            assert figure.high is not None
            assert -1 <= figure.low <= figure.high <= 1


def reasons(first: GoldDocument, second: GoldDocument) -> dict[tuple[str, object], str]:
    found = compare(first, second, ("Ana", "Ben"))
    return {(figure.measure, figure.level or figure.clusters): figure.undefined for figure in found.figures}


def test_incomplete_draft_is_named() -> None:
    whole = hierarchy("abcdef", {"A": "abc", "B": "def"})
    partial = hierarchy("abcdef", {"A": "a", "A/C": "bc", "B": "d"})
    found = reasons(whole, partial)
    assert found["qc4", "second"] == ""
    assert found["qc4", "first"] == (
        "Ben leaves 2 pages in no topic and not among the outliers and 1 page in a topic but in none of its subtopics; "
        "a reference hierarchy must assign every page on every level"
    )
    notes = {
        figure.level: (figure.note, figure.pages)
        for figure in compare(whole, partial, ("Ana", "Ben")).figures
        if figure.measure == "omega"
    }
    assert notes == {
        1: ("excludes 2 pages that one of them has not assigned on this level", 4),
        2: (
            "excludes 3 pages that one of them has not assigned on this level; "
            "Ana has 1 level, and the topics of its last level are used here",
            3,
        ),
    }


def test_reasons_of_undefined_statistics() -> None:
    one_topic = hierarchy("abc", {"A": "abc"})
    found = reasons(one_topic, one_topic)
    assert found["omega", 1] == (
        "both put all pages into the same single topic, so agreement cannot be adjusted for chance"
    )
    assert found["outlier_kappa", None] == "neither marks an outlier, so agreement cannot be adjusted for chance"
    empty = reasons(hierarchy("abc", {}), one_topic)
    assert empty["qc4_f", "first"] == empty["qc4_f", "second"] == "Ana has no topic that holds a page"
    assert empty["bcubed_f", 1] == "there is no page that both have assigned on level 1"
    assert empty["outlier_ac1", None] == "there is no page that both have assigned"


def test_topic_with_all_pages_and_empty_topics_are_noted() -> None:
    gold = hierarchy("abcd", {"A": "abcd", "B": "ab"})
    other = hierarchy("abcd", {"A": "ab", "B": "cd", "Empty": ""})
    found = compare(other, gold, ("Ana", "Ben"))
    assert "a topic of Ben holds every page" in found.figure("qc4", "first").note
    assert found.figure("qc4", "second").note == "excludes 1 topic that holds no page"


def test_outliers_are_counted_among_pages_that_both_placed() -> None:
    first = hierarchy("abcdefghij", {"A": "abcdefg"}, "hi")
    second = hierarchy("abcdefghij", {"A": "abcdefh"}, "gi")
    found = compare(first, second)
    outliers = found.outliers
    assert (outliers.both, outliers.only_first, outliers.only_second, outliers.neither) == (1, 1, 1, 6)
    # 7 of 9 agree; by chance (2/9)² + (7/9)² = 53/81; (63 - 53) / (81 - 53).
    assert found.figure("outlier_kappa").value == pytest.approx(10 / 28)
    assert found.figure("outlier_kappa").note == "excludes 1 page that one of them has not assigned"


def test_an_interval_by_hand() -> None:
    # The mean of 1 .. 10, deleting one page at a time: the jackknife's error is that of the mean, s / sqrt(n), and
    # t with 9 degrees of freedom is 2.26216: 5.5 -+ 2.26216 * sqrt(55 / 6 / 10).
    found = intervals(lambda pages: {"mean": float((pages + 1).mean())}, 10, groups=10)
    assert found["mean"] == pytest.approx((5.5 - 2.165852, 5.5 + 2.165852), abs=1e-5)


def test_no_interval_without_variation_or_with_few_pages() -> None:
    assert intervals(lambda pages: {"one": 1.0}, 50) == {}
    assert intervals(lambda pages: {"mean": float(pages.mean())}, 9) == {}


def test_no_interval_for_statistic_undefined_on_subsets() -> None:
    found = intervals(
        lambda pages: {"sum": float(pages.sum()), **({"odd": 1.0 / pages.size} if 3 in pages else {})}, 12
    )
    assert list(found) == ["sum"]


def test_seed_makes_intervals_repeatable() -> None:
    pages = "abcdefghijklmnopqrstuvwx"
    one = hierarchy(pages, {"A": pages[:12], "B": pages[12:20]}, pages[20:])
    other = hierarchy(pages, {"A": pages[:9], "B": pages[9:21]}, pages[21:])
    once, again, others = (compare(one, other, seed=seed, groups=6).figures for seed in (1, 1, 2))
    assert once == again
    assert once != others
    assert all(figure.low is not None for figure in once)
