"""Internal measures: hand-computed values, textbook formulas, scikit-learn and SciPy, and invariances."""

import math
from importlib import import_module

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from sklearn import metrics

from qc4.inputs.points import ClusteredPoints
from qc4.inputs.undefined import Undefined
from qc4.measures.registry import REGISTRY
from tests.qc4.measures.internal import reference as literal

MEASURES = {found.key: found for found in REGISTRY.family("internal")}
KEYS = sorted(MEASURES)
SCALE_FREE = sorted(set(KEYS) - {"ssq", "cdbw"})
SLACK = 1e-6  # for equal points, as scikit-learn computes distances from products

# Two pairs of points on a line: distances inside are 1, 1; distances between are 4, 5, 3, 4.
LINE = np.array([[0.0], [1.0], [4.0], [5.0]])
PAIRS = [0, 0, 1, 1]


def value(key, points, labels):
    return MEASURES[key].function(ClusteredPoints.from_labels(points, labels))


def clouds(seed, n=40, k=4, dimensions=3):
    """Return overlapping clouds of different sizes, each with at least 2 points."""
    rng = np.random.default_rng(seed)
    labels = np.concatenate([np.arange(k), np.arange(k), rng.integers(0, k, n - 2 * k) // 2])
    return rng.normal(size=(n, dimensions)) + labels[:, None] * rng.uniform(0.2, 2), labels


@st.composite
def grids(draw):
    """Draw integer points in 2 to 4 clusters, so that equal points and equal distances are common."""
    n = draw(st.integers(4, 14))
    coordinates = st.integers(0, 4)
    points = draw(st.lists(st.tuples(coordinates, coordinates), min_size=n, max_size=n))
    labels = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    assume(1 < len(set(labels)) < n)
    return np.array(points, dtype=float), np.array(labels)


def test_the_catalogue_has_every_internal_measure():
    assert (
        set(MEASURES)
        == set(literal.MEASURES)
        == {
            *("ssq", "silhouette", "dunn", "davies_bouldin", "calinski_harabasz", "c_index", "baker_hubert_gamma"),
            *("tau", "point_biserial", "beta_cv", "normalized_cut", "modularity", "cdbw", "stdi"),
        }
    )
    assert {found.needs for found in MEASURES.values()} == {("vectors",)}


class TestWorkedByHand:
    """On `LINE`: centres 0.5 and 4.5, mean 2.5, every page at 0.5 from its centre."""

    @pytest.mark.parametrize(
        ("key", "expected"),
        [
            ("ssq", 4 * 0.25),
            ("calinski_harabasz", (4 * 4 / 1) / (1 / 2)),
            ("davies_bouldin", (0.5 + 0.5) / 4),
            ("stdi", ((4 + 4) / 2) / (0.25 + 0.25)),
            ("silhouette", (2 * (4.5 - 1) / 4.5 + 2 * (3.5 - 1) / 3.5) / 4),
            ("dunn", 3 / 1),
            ("beta_cv", 1 / 4),
            ("normalized_cut", 2 * 16 / (2 + 16)),
            ("modularity", 2 * (2 / 36 - 0.25)),
            ("c_index", 0.0),
            ("baker_hubert_gamma", 1.0),
            ("tau", 8 / math.sqrt(2 * 4 * 15)),
            ("point_biserial", (4 - 1) * math.sqrt(2 * 4 / 36) / math.sqrt((2 * 4 + 2 * 1 + 4 + 0) / 6)),
        ],
    )
    def test_two_pairs_on_a_line(self, key, expected):
        assert value(key, LINE, PAIRS) == pytest.approx(expected, abs=1e-12)

    def test_cdbw_of_two_pairs_on_a_line(self):
        """σ = .5: only at s = 1 is a moved page within .5 of both pages of its cluster; before, it counts one of two,
        so Intra(s) = (1/2σ)(.5 + .5) = 1 for every s. The nearest representatives are 1 and 4, with nothing near 2.5.
        So compactness is 1, cohesion 1, separation 3."""
        assert value("cdbw", LINE, PAIRS) == pytest.approx(3.0)

    def test_cdbw_counts_pages_between_clusters(self):
        """0 and 2 against 3 and 5: σ = 1, and 2 of 4 pages are within 1 of the midpoint 2.5: Dens = 1/2 · 1/2."""
        points = np.array([[0.0], [2.0], [3.0], [5.0]])
        compactness = 0.5  # (1/2σ)(1/2 + 1/2) for every s < 1
        assert value("cdbw", points, PAIRS) == pytest.approx(compactness**2 * 1 / (1 + 0.25))

    def test_a_mixed_clustering(self):
        """0, 1 | 2, 3 with clusters across: distances inside 2 and 2; between 1, 1, 1, 3. s⁺ = 2 · 1, s⁻ = 2 · 3."""
        points, mixed = np.arange(4.0)[:, None], [0, 1, 0, 1]
        assert value("baker_hubert_gamma", points, mixed) == (2 - 6) / 8
        assert value("tau", points, mixed) == pytest.approx(-4 / math.sqrt(8 * 15))
        assert value("c_index", points, mixed) == pytest.approx((4 - 2) / (5 - 2))

    def test_modularity_and_cut_of_one_cluster_are_0(self):
        assert value("modularity", LINE, [0] * 4) == 0.0
        assert value("normalized_cut", LINE, [0] * 4) == 0.0
        assert value("stdi", LINE, [0] * 4) == 0.0

    def test_stdi_takes_the_mean_of_all_pages_not_of_the_centres(self):
        """Centres are 1 (3 pages) and 5 (1 page), the mean of all is 2: (1 + 9) / 2 over the variance 2/3 of the
        first."""
        assert value("stdi", np.array([[0.0], [1], [2], [5]]), [0, 0, 0, 1]) == pytest.approx(5 / (2 / 3))


class TestAgainstOthers:
    @pytest.mark.parametrize("key", KEYS)
    @pytest.mark.parametrize("seed", range(3))
    def test_values_agree_with_the_textbook_formula(self, key, seed):
        points, labels = clouds(seed)
        assert value(key, points, labels) == pytest.approx(literal.MEASURES[key](points, labels), rel=1e-9)

    @given(grid=grids())
    def test_values_with_ties_agree_with_the_textbook_formula(self, grid):
        for key in set(KEYS) - {"cdbw"}:  # rounding decides which of equally distant pages is a representative
            try:
                ours = value(key, *grid)
            except Undefined:
                continue
            assert ours == pytest.approx(literal.MEASURES[key](*grid), rel=SLACK, abs=SLACK), key

    @pytest.mark.parametrize(
        ("key", "peer"),
        [
            ("silhouette", metrics.silhouette_score),
            ("davies_bouldin", metrics.davies_bouldin_score),
            ("calinski_harabasz", metrics.calinski_harabasz_score),
        ],
    )
    def test_values_agree_with_scikit_learn(self, key, peer):
        points, labels = clouds(7, n=300)
        assert value(key, points, labels) == pytest.approx(peer(points, labels))

    def test_k_means_minimises_ssq(self):
        from sklearn.cluster import KMeans

        points, _ = clouds(3, n=200)
        found = KMeans(5, n_init=1, random_state=0).fit(points)
        assert value("ssq", points, found.labels_) == pytest.approx(found.inertia_)

    def test_values_agree_with_kendall_and_pearson_without_ties(self):
        points, labels = clouds(5)
        i, j = np.triu_indices(len(points), 1)
        distance, between = np.linalg.norm(points[i] - points[j], axis=1), labels[i] != labels[j]
        assert value("tau", points, labels) == pytest.approx(stats.kendalltau(distance, between).statistic)
        expected = stats.pointbiserialr(between, distance).statistic
        assert value("point_biserial", points, labels) == pytest.approx(expected)
        u = stats.mannwhitneyu(distance[between], distance[~between]).statistic
        assert value("baker_hubert_gamma", points, labels) == pytest.approx(
            2 * u / (between.sum() * (~between).sum()) - 1
        )


class TestWhatDoesNotMatter:
    @pytest.mark.parametrize("key", KEYS)
    def test_names_of_clusters_and_order_of_pages(self, key):
        points, labels = clouds(11)
        order = np.random.default_rng(0).permutation(len(points))
        renamed = np.array(["d", "c", "b", "a"])[labels]
        assert value(key, points[order], renamed[order]) == pytest.approx(value(key, points, labels))

    @given(grid=grids(), seed=st.integers(0, 99))
    def test_order_where_points_and_distances_are_equal(self, grid, seed):
        points, labels = grid
        order = np.random.default_rng(seed).permutation(len(points))
        for key in KEYS:
            one, other = answer(key, points, labels), answer(key, points[order], labels[order])
            assert other == (one if isinstance(one, str) else pytest.approx(one, rel=SLACK, abs=SLACK)), key

    @pytest.mark.parametrize("key", KEYS)
    def test_moving_and_turning_the_space(self, key):
        points, labels = clouds(12)
        turn = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0]
        assert value(key, points @ turn + 100, labels) == pytest.approx(value(key, points, labels), rel=1e-6)

    @pytest.mark.parametrize("key", SCALE_FREE)
    @pytest.mark.parametrize("unit", [1e-12, 1e-3, 1e6])
    def test_the_unit_of_length(self, key, unit):
        points, labels = clouds(13)
        assert value(key, points * unit, labels) == pytest.approx(value(key, points, labels), rel=1e-9)

    def test_the_unit_of_length_matters_to_ssq_and_cdbw(self):
        """SSQ grows with the square of the unit. CDbw's density is per unit of length and constant here: (c/u)² (u ·
        sep)."""
        assert value("ssq", 10 * LINE, PAIRS) == pytest.approx(100 * value("ssq", LINE, PAIRS))
        assert value("cdbw", 10 * LINE, PAIRS) == pytest.approx(value("cdbw", LINE, PAIRS) / 10)

    @pytest.mark.parametrize("key", KEYS)
    def test_the_number_of_blocks(self, key, monkeypatch):
        points, labels = clouds(14)
        whole = value(key, points, labels)
        for module in ("distances", "correlation"):
            monkeypatch.setattr(import_module(f"qc4.measures.internal.{module}"), "BLOCK", 7)
        assert value(key, points, labels) == pytest.approx(whole)


def answer(key, points, labels):
    """Return the value or the reason."""
    try:
        return value(key, points, labels)
    except Undefined as reason:
        return str(reason)


class TestBetterClusteringsScoreBetter:
    @pytest.mark.parametrize("key", KEYS)
    def test_true_clusters_score_better_than_a_random_split(self, key):
        rng = np.random.default_rng(2)
        labels = np.repeat([0, 1, 2], [30, 20, 10])
        points = rng.normal(size=(60, 2)) + 12 * np.array([[0, 0], [1, 0], [0, 1]])[labels]
        good, bad = value(key, points, labels), value(key, points, rng.permutation(labels))
        assert good > bad if MEASURES[key].better == "higher" else good < bad

    def test_perfectly_separated_clusters_reach_the_bounds_exactly(self):
        points, labels = np.repeat([0.1, 7.3], 50)[:, None] + np.linspace(0, 1, 100)[:, None] / 3, np.repeat([0, 1], 50)
        assert value("c_index", points, labels) == 0.0
        assert value("baker_hubert_gamma", points, labels) == 1.0


class TestUndefined:
    @pytest.mark.parametrize("key", sorted(set(KEYS) - {"ssq", "stdi", "normalized_cut", "modularity"}))
    def test_one_cluster(self, key):
        with pytest.raises(Undefined, match="all pages are in one cluster"):
            value(key, LINE, [0] * 4)

    @pytest.mark.parametrize("key", sorted(set(KEYS) - {"ssq", "stdi", "normalized_cut", "modularity"}))
    def test_singletons(self, key):
        with pytest.raises(Undefined, match="every page is alone in its cluster"):
            value(key, LINE, range(4))

    def test_singletons_where_the_formula_has_a_value(self):
        assert value("ssq", LINE, range(4)) == 0.0
        assert value("normalized_cut", LINE, range(4)) == 4.0
        with pytest.raises(Undefined, match="the sum of the clusters' variances is 0"):
            value("stdi", LINE, range(4))

    @pytest.mark.parametrize("key", sorted(set(KEYS) - {"ssq", "silhouette", "tau"}))
    def test_all_pages_equal(self, key):
        """A tenth has no exact binary form, and rounding errors must not become distances."""
        with pytest.raises(Undefined, match=r"[a-z]+ [a-z]+"):
            value(key, np.full((6, 2), 0.1), [0, 0, 0, 1, 1, 1])

    @pytest.mark.parametrize("key", ["ssq", "silhouette", "tau"])
    def test_all_pages_equal_where_the_formula_has_a_value(self, key):
        assert value(key, np.full((6, 2), 0.1), [0, 0, 0, 1, 1, 1]) == 0.0

    @pytest.mark.parametrize("key", ["calinski_harabasz", "stdi", "dunn", "cdbw"])
    def test_equal_pages_in_every_cluster_are_undefined(self, key):
        with pytest.raises(Undefined, match="all pages of each cluster have the same vector"):
            value(key, np.repeat([[0.1, 0.7], [0.3, 0.3]], 3, axis=0), [0, 0, 0, 1, 1, 1])

    @pytest.mark.parametrize("apart", [0.0, 1e-10])
    def test_clusters_around_the_same_centre(self, apart):
        with pytest.raises(Undefined, match="two clusters have the same centre"):
            value("davies_bouldin", np.array([[-1.0], [1], [apart - 2], [apart + 2]]), PAIRS)

    @pytest.mark.parametrize("key", ["c_index", "baker_hubert_gamma", "point_biserial"])
    def test_equal_distances(self, key):
        with pytest.raises(Undefined, match="same distance"):
            value(key, np.eye(4), PAIRS)

    @pytest.mark.parametrize("key", ["dunn", "beta_cv", "normalized_cut", "modularity", "point_biserial"])
    def test_a_single_page(self, key):
        with pytest.raises(Undefined, match="a single page has no distances"):
            value(key, [[1.0]], [0])


class TestLimits:
    @pytest.mark.parametrize(
        ("key", "n"),
        [
            *((key, 20_002) for key in ("silhouette", "dunn", "beta_cv", "normalized_cut", "modularity")),
            *((key, 8_194) for key in ("c_index", "baker_hubert_gamma", "tau")),
            ("point_biserial", 20_002),
        ],
    )
    def test_too_many_pages_are_undefined(self, key, n):
        with pytest.raises(Undefined, match=rf"vectors: found {n:,} pages; expected at most (20,000|8,192), because"):
            value(key, np.arange(float(n))[:, None], np.arange(n) % 2)

    def test_too_many_clusters(self):
        with pytest.raises(Undefined, match="found 2,501 clusters; expected at most 2,500"):
            value("davies_bouldin", np.arange(5002.0)[:, None], np.arange(5002) % 2501)
        with pytest.raises(Undefined, match="found 301 clusters; expected at most 300"):
            value("cdbw", np.arange(602.0)[:, None], np.arange(602) % 301)
        with pytest.raises(Undefined, match=r"found 5,000,000,000 pages x clusters \(100,000 pages, 50,000 clusters\)"):
            value("calinski_harabasz", np.arange(100_000.0)[:, None], np.arange(100_000) % 50_000)


@given(grid=grids())
def test_values_are_plain_floats_in_range(grid):
    for key, found in MEASURES.items():
        try:
            ours = value(key, *grid)
        except Undefined:
            continue
        assert type(ours) is float, key
        assert math.isfinite(ours), key
        assert found.low - 1e-12 <= ours <= (math.inf if found.high is None else found.high + 1e-12), key


def test_labels_must_match_the_points():
    with pytest.raises(ValueError, match="4 points with 3 labels"):
        ClusteredPoints.from_labels(LINE, [0, 0, 1])
