"""Comparison of two clusterings without a gold standard: every symmetric measure, in any order."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qc4 import Clustering, GoldStandard, InputError, Undefined, compare_clusterings, list_measures, score

LABELS = st.lists(st.integers(-1, 3), min_size=6, max_size=6)
SETS = st.lists(st.sets(st.integers(0, 5), min_size=1), max_size=4)
POLICIES = st.fixed_dictionaries(
    {
        "unclustered": st.sampled_from(["singletons", "together", "drop"]),
        "overlap": st.sampled_from(["refuse", "first"]),
    }
)
PAGES = range(6)


def made(value: list) -> object:
    return value if value and isinstance(value[0], int) else Clustering.from_sets(value, pages=PAGES)


@given(LABELS | SETS, LABELS | SETS, POLICIES)
@settings(deadline=None)
def test_the_order_of_the_two_clusterings_does_not_matter(first, second, policies):
    one = compare_clusterings(made(first), made(second), policies=policies)
    two = compare_clusterings(made(second), made(first), policies=policies)
    for here, there in zip(one.scores, two.scores, strict=True):
        assert (here.value is None) == (there.value is None)
        assert here.value is None or here.value == pytest.approx(there.value, abs=1e-9)


@given(LABELS | SETS.filter(bool), st.sampled_from(["singletons", "together"]))
@settings(deadline=None)
def test_a_clustering_compared_with_itself_gets_the_best_values(value, unclustered):
    found = compare_clusterings(made(value), made(value), policies={"unclustered": unclustered})
    best = {
        each.key: each.high if each.better == "higher" else each.low for each in list_measures() if each.gold_is_best
    }
    for each in found.scores:
        if each.value is not None and best.get(each.measure) is not None:
            assert each.value == pytest.approx(best[each.measure], abs=1e-9), each.measure


@given(st.lists(st.integers(0, 3), min_size=6, max_size=6), st.lists(st.integers(0, 3), min_size=6, max_size=6))
@settings(deadline=None)
def test_without_noise_values_equal_those_of_score(first, second):
    found = compare_clusterings(first, second)
    expected = score(first, second, [each.measure for each in found.scores])
    for each in found.scores:
        level = None if each.measure == "ecs_hierarchy" else 1
        if any((one.measure, one.level) == (each.measure, level) for one in expected.scores):
            assert each.value == pytest.approx(expected.value(each.measure, level), abs=1e-12)


def test_exactly_the_symmetric_measures_are_included():
    found = {each.measure for each in compare_clusterings([0, 1], [0, 1]).scores}
    symmetric = {each.key: each for each in list_measures() if each.symmetric and each.needs == ("gold topics",)}
    assert found <= set(symmetric)
    assert {key for key, each in symmetric.items() if each.view.name != "whole hierarchy"} <= found
    assert {"ari", "vi", "omega", "nmi_sqrt", "ecs", "ecs_hierarchy"} <= found


def test_the_unclustered_option_applies_to_both_clusterings():
    first, second = [0, 0, -1, -1, 1, 1], [0, 0, 0, -1, 1, 1]
    # Pages 0 1 | 2 | 3 | 4 5 and 0 1 2 | 3 | 4 5; then 0 1 | 2 3 | 4 5 and the same; then 0 1 | 4 5 twice.
    for unclustered, clusters in [("singletons", [0, 0, 1, 2, 3, 3]), ("together", [0, 0, 1, 1, 2, 2])]:
        other = [0, 0, 0, 1, 2, 2]
        found = compare_clusterings(first, second, ["ari", "vi"], {"unclustered": unclustered})
        assert found.value("ari") == pytest.approx(score(clusters, other, "ari").value("ari"))
        assert found.value("vi") == pytest.approx(score(clusters, other, "vi").value("vi"))
    assert compare_clusterings(first, second, "ari", {"unclustered": "drop"}).value("ari") == 1.0
    with pytest.raises(Undefined, match="no page is left when unclustered pages are dropped"):
        compare_clusterings([-1, 0], [0, -1], "ari", {"unclustered": "drop"}).value("ari")


def test_overlap_is_undefined_unless_the_first_cluster_counts():
    first, second = Clustering.from_sets([[0, 1], [1, 2]]), Clustering.from_sets([[0, 1], [2]])
    with pytest.raises(Undefined, match=r"^1 page in more than one cluster of the first$"):
        compare_clusterings(first, second, "ari").value("ari")
    with pytest.raises(Undefined, match=r"^1 page in more than one cluster of the second$"):
        compare_clusterings(second, first, "ari").value("ari")
    found = compare_clusterings(first, second, ["ari", "omega"], {"overlap": "first"})
    assert (found.value("ari"), found.scores[0].flattened, found.scores[1].flattened) == (1.0, True, False)
    assert found.value("omega") < 1


def test_pages_missing_from_one_clustering_are_unclustered_in_it():
    first, second = Clustering.from_sets([["a", "b"], ["c"]]), Clustering.from_sets([["b", "a"], ["d"]])
    found = compare_clusterings(first, second)
    assert (found.pages, found.value("ari")) == (4, 1.0)
    assert [warning.where for warning in found.warnings] == ["first", "second"]
    assert "1 page of the second that is in no cluster: 'd'" in str(found.warnings[0])
    more = compare_clusterings(first, second, pages=["a", "b", "c", "d", "e", "f"])
    assert (more.pages, more.value("ari")) == (6, 1.0)
    assert compare_clusterings([0, 0, 1], ["x", "x", "y"], pages=["a", "b", "c"]).value("ari") == 1.0


def test_different_page_lists_are_rejected():
    """If they were joined, with missing pages unclustered, ARI of the same labels twice would be -0.07."""
    labels = [0, 0, 0, 1, 1, 1]
    first = Clustering.from_labels(labels, pages=[f"page {n}" for n in range(6)])
    for pages in (None, [f"p{n}" for n in range(6)], ["page 0", *(f"p{n}" for n in range(5))]):
        second = Clustering.from_labels(labels, pages=pages)
        with pytest.raises(InputError, match=r"pages? that the (first|second) does not have"):
            compare_clusterings(first, second, "ari")
    assert compare_clusterings(first, Clustering.from_labels(labels, pages=first.pages[::-1]), "vi").pages == 6


def test_an_unclustered_page_missing_from_the_other_is_rejected():
    first = Clustering.from_labels([0, 0, 1], pages=["a", "b", "c"])
    second = Clustering.from_labels([0, 0, 1, -1], pages=["a", "b", "c", "d"])
    with pytest.raises(InputError, match="second: found 1 page that the first does not have: 'd'"):
        compare_clusterings(first, second, "ari")
    assert compare_clusterings(first, second, "ari", pages=["a", "b", "c", "d"]).value("ari") == 1.0


def test_clusterings_without_pages_take_the_known_page_list():
    first = Clustering.from_labels([0, 0, 1], pages=["a", "b", "c"])
    assert compare_clusterings(first, Clustering.from_sets([["a", "b"]]), "ari").pages == 3
    with pytest.raises(InputError, match="second: found 1 page that the first does not have: 'x'"):
        compare_clusterings(first, Clustering.from_sets([["a", "x"]]), "ari")


def test_clusterings_without_common_pages_are_rejected():
    with pytest.raises(InputError, match="no page in common"):
        compare_clusterings(Clustering.from_sets([["a", "b"]]), Clustering.from_sets([["x", "y"]]))


def test_labels_use_the_pages_of_the_other_clustering():
    other = Clustering.from_labels([0, 0, 1], pages=["a", "b", "c"])
    assert compare_clusterings([5, 5, 6], other, "ari").value("ari") == 1.0
    assert compare_clusterings(other, [5, 5, 6], "ari").value("ari") == 1.0


@pytest.mark.parametrize(
    ("first", "second", "options", "words"),
    [
        ([0, 1], [0], {}, "second: found 1 label; expected 2, one for each page of the first"),
        ([0, 1], Clustering.from_labels([0]), {}, "first: found 2 labels; expected 1"),
        (GoldStandard.from_labels([0]), [0], {}, r"first: found a gold standard; .* qc4.score\(gold, clustering\)"),
        ([0], None, {}, "second: found None; expected a list with a label for each page"),
        (
            [0, 1],
            [0, 1],
            {"measures": "purity"},
            "'purity', which needs to know which one is the gold standard; .* symmetric",
        ),
        ([0, 1], [0, 1], {"measures": "arri"}, "Did you mean 'ari'"),
        ([0, 1], [0, 1], {"policies": {"unclustered": "no"}}, "policies.unclustered: found 'no'"),
        ([0, 1], [0, 1], {"pages": ["a"]}, "first: found 2 labels; expected 1, one for each page"),
        ([], [], {}, "pages: found no page; expected at least one"),
        (Clustering("q", ()), Clustering("r", ()), {}, "second: found a clustering of query 'r'; expected query 'q'"),
        (
            Clustering.from_sets([["a"]]),
            Clustering.from_sets([["b"]]),
            {"pages": ["a"]},
            r"second: clusters\[0\] \(id '0'\): found pages that are not in the page list: 'b'",
        ),
    ],
)
def test_mistakes_are_reported_with_their_place(first, second, options, words):
    with pytest.raises(InputError, match=words):
        compare_clusterings(first, second, **options)


def test_the_comparison_prints_as_a_table_and_converts_to_json():
    found = compare_clusterings([0, 0, -1], ["x", "x", "y"], ["ari", "vi"])
    assert repr(found) == "<ClusteringComparison: 3 pages, ari 1.0000, vi 0.0000>"
    assert "Adjusted Rand" in found.table()
    assert "warning: first: found the label '-1' on 1 page" in found.table()
    assert '<td align="left">ari</td>' in found._repr_html_()
    first = {"measure": "ari", "level": None, "depth": None, "value": 1.0, "undefined": None}
    assert found.to_dict()["scores"][0] == first
