"""Internal measures in scoring: included with vectors, following scoring options, ignoring the gold standard."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qc4.inputs.undefined import Undefined
from qc4.measures.registry import REGISTRY
from qc4.model.case import Case
from qc4.model.policies import CHOICES, Policies
from qc4.model.vectors import Vectors
from qc4.problems import InputError
from qc4.scoring.scoring import score
from tests.qc4.small_cases import clustering, gold

GOLD = gold(6, [[0, 1, 2], [3]], outliers=[4, 5])
LINE = Vectors.of([[0.0], [1], [4], [5], [9], [9]], {"file": "line.csv"})
INTERNAL = [found.key for found in REGISTRY.family("internal")]


def ssq(answer, policies=None):
    return score(GOLD, answer, ["ssq"], policies=policies, vectors=LINE).scores[0]


def test_vectors_add_internal_measures_to_the_default():
    with_vectors = {found.measure for found in score(GOLD, clustering([0, 1], [2, 3, 4, 5]), vectors=LINE).scores}
    without = {found.measure for found in score(GOLD, clustering([0, 1], [2, 3, 4, 5])).scores}
    assert with_vectors - without == set(INTERNAL)


def test_internal_measures_are_kept_for_any_choice_of_levels():
    scores = score(GOLD, clustering([0, 1]), INTERNAL, [1], vectors=LINE).scores
    assert [(found.measure, found.level) for found in scores] == [(key, None) for key in INTERNAL]


def test_the_result_contains_the_origin_of_the_vectors():
    assert score(GOLD, clustering([0]), ["ssq"], vectors=LINE).to_dict()["vectors"] == {"file": "line.csv"}
    assert "vectors" not in score(GOLD, clustering([0]), ["ari"]).to_dict()


def test_outliers_are_included_in_internal_measures():
    """Pages 4 and 5 are outliers; their cluster counts under every option."""
    for outliers in ("drop", "topic"):
        assert ssq(clustering([0, 1], [2, 3], [4, 5]), {"outliers": outliers}).value == pytest.approx(0.5 + 0.5)


@pytest.mark.parametrize(
    ("unclustered", "expected"),
    [("singletons", 0.5), ("together", 0.5 + np.var([4, 5, 9, 9]) * 4), ("drop", 0.5)],
)
def test_pages_in_no_cluster(unclustered, expected):
    assert ssq(clustering([0, 1]), {"unclustered": unclustered}).value == pytest.approx(expected)


def test_dropped_pages_are_excluded_and_singletons_are_not():
    values = {
        choice: score(GOLD, clustering([0, 1], [2, 3]), ["stdi"], policies={"unclustered": choice}, vectors=LINE)
        for choice in ("singletons", "drop")
    }
    assert values["drop"].value("stdi") == pytest.approx(4 / 0.5)
    assert values["singletons"].value("stdi") != pytest.approx(values["drop"].value("stdi"))


def test_no_remaining_page():
    found = ssq(clustering(), {"unclustered": "drop"})
    assert found.undefined == "no page is left when unclustered pages are dropped"


def test_overlap_is_undefined_or_marked():
    overlapping = clustering([0, 1, 2], [2, 3], [4, 5])
    assert ssq(overlapping).undefined == "1 page is in more than one cluster"
    found = ssq(overlapping, {"overlap": "first"})
    assert found.flattened
    assert found.value == pytest.approx(np.var([0, 1, 4]) * 3)
    assert not ssq(clustering([0, 1]), {"overlap": "first"}).flattened


def test_internal_measures_without_vectors():
    found = score(GOLD, clustering([0, 1]), ["ssq", "ari"]).scores
    assert found[0].undefined.startswith("no vectors: internal measures need one vector per page")
    assert found[1].undefined is None


def test_a_wrong_number_of_vectors_is_reported_with_other_mistakes():
    with pytest.raises(InputError) as caught:
        score(GOLD, clustering([99]), vectors=Vectors.of([[1.0]] * 4))
    assert [problem.code for problem in caught.value.problems] == ["unknown-page", "wrong-number-of-vectors"]
    assert "Row 5, for page '4', is missing" in str(caught.value)


def test_points_are_grouped_once_for_all_measures():
    case = Case.build(GOLD, clustering([0, 1], [2, 3]), LINE)
    view = REGISTRY.get("ssq").view
    assert view.of(case, None, Policies()) is view.of(case, None, Policies(outliers="topic"))
    assert view.of(case, None, Policies()) is not view.of(case, None, Policies(unclustered="drop"))


def answers(case, policies):
    found = {}
    for key in INTERNAL:
        try:
            found[key] = REGISTRY.get(key).compute(case, None, policies)
        except Undefined as reason:
            found[key] = str(reason)
    return found


@given(data=st.data(), unclustered=st.sampled_from(CHOICES["unclustered"]))
def test_names_and_order_of_pages_and_clusters_do_not_matter(data, unclustered):
    n = data.draw(st.integers(2, 12))
    labels = np.array(data.draw(st.lists(st.integers(-1, 3), min_size=n, max_size=n)))  # -1: in no cluster
    points = np.array(data.draw(st.lists(st.tuples(*[st.integers(0, 3)] * 2), min_size=n, max_size=n)), dtype=float)
    page, order = np.random.default_rng(n).permutation(n), data.draw(st.permutations(range(4)))
    clusters = [np.flatnonzero(labels == label).tolist() for label in range(4) if (labels == label).any()]
    shuffled = [page[row].tolist() for row in (clusters[k] for k in order if k < len(clusters))]
    moved = np.empty_like(points)
    moved[page] = points
    policies = Policies(unclustered=unclustered)
    one = answers(Case.build(gold(n, [range(n)]), clustering(*clusters), Vectors.of(points)), policies)
    other = answers(Case.build(gold(n, [range(n)]), clustering(*shuffled), Vectors.of(moved)), policies)
    for key, answer in one.items():
        assert other[key] == (answer if isinstance(answer, str) else pytest.approx(answer, rel=1e-6, abs=1e-6)), key
