"""Comparison with chance: the same clusters over shuffled pages."""

import re
from itertools import permutations

import numpy as np
import pytest

from qc4 import InputError, calibrate, score
from qc4.model.case import Case
from qc4.model.policies import Policies
from qc4.scoring.calibration import calibrate_case, shuffle
from qc4.scoring.scoring import select_measures
from tests.qc4.small_cases import blocks, clustering, gold

TREE = gold(12, [range(6), [0, 1, 2], [3, 4, 5], [6, 7, 8, 9]], outliers=[10, 11], parents=[-1, 0, 0, -1])
OVERLAPPING = ([0, 1, 2, 3], [0, 1], [3, 4, 6, 7], [8], [10, 11, 9])


def random_partitions(pages: int, topics: int, seed: int) -> tuple[list[int], list[int]]:
    random = np.random.default_rng(seed)
    classes = random.integers(0, topics, pages)
    return classes.tolist(), np.where(random.random(pages) < 0.6, classes, random.integers(0, topics, pages)).tolist()


def test_a_shuffle_keeps_sizes_nesting_and_overlaps():
    case = Case.build(TREE, clustering(*OVERLAPPING))
    shuffled = shuffle(case, np.random.default_rng(3))
    assert (shuffled.clusters.indices != case.clusters.indices).any()
    assert shuffled.clusters.has_sorted_indices
    before, after = ((found.clusters @ found.clusters.T).toarray() for found in (case, shuffled))
    assert (before == after).all()


def test_draws_are_scores_of_the_clustering_with_its_pages_renamed():
    """The expected clustering is built page by page with the permutation from the same generator."""
    measures = ["quality", "coverage", "qc4_f", "f", "bcubed_f"]
    found = calibrate(TREE, clustering(*OVERLAPPING), measures, draws=25, seed=4)
    random = np.random.default_rng(4)
    expected = []
    for _ in range(25):
        places = random.permutation(12).tolist()
        renamed = clustering(*([places[page] for page in cluster] for cluster in OVERLAPPING))
        expected.append([one.value for one in score(TREE, renamed, measures).scores])
    table = np.array(expected, dtype=float)
    for column, level in enumerate(found.levels):
        values = table[:, column]
        assert level.drawn.tolist() == pytest.approx(values.tolist(), abs=1e-12)
        assert level.value == score(TREE, clustering(*OVERLAPPING), measures).scores[column].value
        assert level.mean == pytest.approx(values.mean())
        assert level.deviation == pytest.approx(values.std(ddof=1))
        assert (level.low, level.high) == pytest.approx(np.percentile(values, [2.5, 97.5]))
        ahead, same = (values < level.value - 1e-12).sum(), (np.abs(values - level.value) <= 1e-12).sum()
        assert level.percentile == pytest.approx(100 * (ahead + same / 2) / 25)
        assert level.p == pytest.approx((1 + 25 - ahead) / 26)
        assert level.z == pytest.approx((level.value - values.mean()) / values.std(ddof=1))
        assert level.adjusted == pytest.approx((level.value - values.mean()) / (1 - values.mean()))


def test_the_mean_converges_to_that_of_all_permutations():
    standard, clusters = gold(5, [[0, 1, 2], [3, 4]]), [[0, 1, 3], [2, 3], [4]]
    found = calibrate(standard, clustering(*clusters), "coverage", draws=1500).of("coverage")
    every = [
        score(standard, clustering(*([places[page] for page in cluster] for cluster in clusters)), ["coverage"])
        for places in permutations(range(5))
    ]
    exact = np.mean([one.value("coverage") for one in every])
    assert abs(found.mean - exact) < 4 * found.deviation / np.sqrt(1500)


def test_rand_adjusted_by_draws_approximates_the_adjusted_rand_index():
    classes, clusters = random_partitions(120, 7, 1)
    found = calibrate(gold(120, blocks(classes)), clustering(*blocks(clusters)), ["rand", "ari"], draws=2000)
    rand, ari = found.levels
    error = rand.deviation / np.sqrt(2000) / (1 - rand.mean)
    assert rand.adjusted == pytest.approx(ari.value, abs=4 * error)
    assert ari.adjusted == pytest.approx(ari.value, abs=4 * error)
    assert abs(ari.mean) < 4 * ari.deviation / np.sqrt(2000)


def test_coverage_of_singletons_depends_only_on_sizes():
    standard = gold(60, [range(20), range(15, 60)])
    level = calibrate(standard, clustering(*([page] for page in range(60))), "coverage").of("coverage")
    assert 0.7 < level.value < 1
    assert (level.mean, level.deviation, level.percentile, level.z) == (level.value, 0.0, 50.0, None)
    assert level.adjusted == pytest.approx(0.0)
    assert level.p == 1.0
    assert level.sentence.endswith("in each of 200 draws too: the score depends only on cluster sizes.")


def test_there_is_no_adjusted_value_if_chance_reaches_the_best():
    level = calibrate(gold(4, [[0, 1], [2, 3]]), clustering(*([page] for page in range(4))), "coverage").of("coverage")
    assert (level.value, level.mean, level.adjusted) == (1.0, 1.0, None)


def test_the_gold_standard_has_adjusted_value_1_for_any_direction():
    classes, _ = random_partitions(40, 5, 3)
    found = calibrate(gold(40, blocks(classes)), clustering(*blocks(classes)), ["qc4", "ari", "class_entropy", "vi"])
    for level in found.levels:
        assert (level.percentile, level.p) == (100.0, 1 / 201)
        assert level.z > 3
        assert level.adjusted == pytest.approx(1.0)
        assert "It is better than every draw; 1.000 of the way" in level.sentence


def test_the_order_of_clusters_does_not_change_the_draws():
    one, other = (calibrate(TREE, clustering(*order), "qc4_f") for order in (OVERLAPPING, OVERLAPPING[::-1]))
    assert one.to_dict() == other.to_dict()
    assert one.to_dict() != calibrate(TREE, clustering(*OVERLAPPING), "qc4_f", seed=1).to_dict()


def test_undefined_scores_have_a_reason():
    level = calibrate(TREE, clustering(*OVERLAPPING), "ari", 1).of("ari", 1)
    assert (level.value, level.mean, level.draws) == (None, None, 0)
    assert level.undefined == "3 pages are in more than one cluster"
    assert level.sentence == "Adjusted Rand on level 1: undefined; 3 pages are in more than one cluster."


def test_undefined_draws_are_excluded_and_counted():
    """Minkowski's distance needs two counted pages of one class; here it depends on the draw if there are any."""
    standard = gold(6, [[0, 1], [2], [3], [4], [5]])
    policies = Policies(unclustered="drop")
    case = Case.build(standard, clustering([0, 1, 2]))
    (level,) = calibrate_case(case, select_measures(standard, ["minkowski"]), policies, draws=100)
    assert 0 < level.draws < 100
    assert level.note.startswith(f"{100 - level.draws} of 100 draws have no value: no two pages share a class")
    assert level.adjusted is not None


def test_all_mistakes_are_reported_at_once():
    with pytest.raises(InputError) as error:
        calibrate(TREE, clustering([0, 99]), "quality", draws=1, seed=-1)
    assert [problem.code for problem in error.value.problems] == ["unknown-page", "bad-draws", "bad-seed"]


@pytest.mark.parametrize(("draws", "seed", "codes"), [(2.5, 0, ["bad-draws"]), ("9", 1.5, ["bad-draws", "bad-seed"])])
def test_draws_and_seed_must_be_whole_numbers(draws, seed, codes):
    with pytest.raises(InputError) as error:
        calibrate([0, 0, 1], [0, 1, 1], "ari", draws=draws, seed=seed)
    assert [problem.code for problem in error.value.problems] == codes
    assert f"draws: found {draws!r}; expected a whole number from 2 to 100,000" in str(error.value)


def test_amounts_of_information_name_their_unit():
    found = calibrate([0, 1, 1], [0, 1, 0], ["vi", "ari"], policies={"unit": "bits"}, draws=20)
    assert [re.split(r"  +", row)[0] for row in found.table().splitlines()[4:]] == [
        "Variation of information (bits)",
        "Adjusted Rand",
    ]
    assert found.of("vi").sentence.startswith("Variation of information on level 1 is 1.333 bits; the same clusters")
    assert [level.get("unit") for level in found.to_dict()["levels"]] == ["bits", None]
