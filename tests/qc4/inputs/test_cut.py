"""Nested clusterings flattened at each depth, for measures that need one cluster per page."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qc4 import Clustering, GoldStandard, InputError, Undefined, calibrate, compare_clusterings, score
from qc4.inputs.view import MOST_DEPTHS, cut
from qc4.measures.registry import REGISTRY
from qc4.model.case import Case
from qc4.model.clustering import Cluster
from qc4.model.nesting import with_children
from qc4.model.policies import Policies
from qc4.scoring.what_if import Changes, what_if
from qc4.selection.selection import labels_and_clusters
from tests.qc4.small_cases import blocks, clustering, gold, nested

GOLD = gold(8, [[0, 1], [2, 3, 4], [5, 6, 7]])
TREE = nested([[0, 1, 2, 3, 4], [0, 1], [2, 3], [5, 6, 7]], [-1, 0, 0, -1])
"""A cluster of five pages with two children of two pages, and a cluster beside it. Its rest at depth 2 is page 4."""
CHAIN = nested([range(8 - start) for start in range(8)], [-1, *range(7)])


def parts(clusters: Clustering, depth: int | None = None, standard: GoldStandard = GOLD) -> list[list[int]]:
    """Return the pages of each cluster after flattening."""
    found = cut(Case.build(standard, clusters), depth).clusters
    return [found[[row]].indices.tolist() for row in range(found.shape[0])]


def entropy(*sizes: int) -> float:
    return -math.fsum(size / sum(sizes) * math.log(size / sum(sizes)) for size in sizes)


class TestCut:
    def test_a_parent_is_split_into_its_children_and_its_rest(self):
        assert parts(TREE, 1) == [[0, 1, 2, 3, 4], [5, 6, 7]]
        assert parts(TREE, 2) == [[4], [0, 1], [2, 3], [5, 6, 7]]

    def test_depths_below_the_deepest_cluster_give_the_finest_cut(self):
        assert parts(TREE, 7) == parts(TREE, 2) == parts(TREE)

    @pytest.mark.parametrize("depth", [1, 2, 9])
    def test_a_flat_clustering_is_unchanged_at_every_depth(self, depth):
        flat = Case.build(GOLD, clustering([0, 1, 2], [2, 3], []))
        assert flat.deepest == 1
        assert cut(flat, depth) is flat

    def test_parents_without_listed_pages_have_those_of_their_children(self):
        bare = nested([[], [], [0, 1], [2], [5, 6, 7]], [-1, 0, 1, 1, -1])
        assert [parts(bare, depth) for depth in (1, 2, 3)] == [
            [[0, 1, 2], [5, 6, 7]],
            [[0, 1, 2], [5, 6, 7]],
            [[0, 1], [2], [5, 6, 7]],
        ]

    def test_clusters_without_pages_do_not_add_a_depth(self):
        assert Case.build(GOLD, nested([[0, 1], [2]], [-1, -1])).deepest == 1
        assert Case.build(GOLD, nested([[0, 1], [], []], [-1, 0, 1])).deepest == 1

    def test_nested_sets_without_parents_are_not_flattened(self):
        found = score(GOLD, clustering([0, 1, 2], [0, 1]), "ari")
        assert [(one.depth, one.undefined) for one in found.scores] == [(None, "2 pages are in more than one cluster")]

    def test_a_chain_leaves_a_page_at_each_depth(self):
        assert parts(CHAIN, 3) == [[7], [6], [0, 1, 2, 3, 4, 5]]


class TestScores:
    def test_purity_and_ari_by_hand(self):
        found = score(GOLD, TREE, ["purity", "ari"])
        assert [(one.measure, one.level, one.depth, one.deepest) for one in found.scores] == [
            ("purity", 1, 1, 2), ("purity", 1, 2, 2), ("ari", 1, 1, 2), ("ari", 1, 2, 2),
        ]  # fmt: skip
        assert found.value("purity", 1, 1) == 6 / 8
        assert found.value("purity", 1, 2) == 1
        # There are 28 pairs, 7 of them in one topic. At depth 1, 13 are in one cluster and 7 in both; at depth 2, 5 and
        # 5.
        assert found.value("ari", 1, 1) == pytest.approx((7 - 7 * 13 / 28) / (10 - 7 * 13 / 28), abs=1e-12)
        assert found.value("ari", 1, 2) == pytest.approx((5 - 7 * 5 / 28) / (6 - 7 * 5 / 28), abs=1e-12)

    def test_normalised_mutual_information_by_hand(self):
        found = score(GOLD, TREE, "nmi_arithmetic")
        topics, coarse, fine = entropy(2, 3, 3), entropy(5, 3), entropy(2, 2, 1, 3)
        assert found.value("nmi_arithmetic", depth=1) == pytest.approx(2 * coarse / (coarse + topics), abs=1e-12)
        assert found.value("nmi_arithmetic", depth=2) == pytest.approx(2 * topics / (fine + topics), abs=1e-12)

    def test_a_perfect_tree_scores_one_on_each_level_at_its_depth(self):
        topics, parents = [range(4), [0, 1], [2, 3], range(4, 8), [4, 5, 6], [7]], [-1, 0, 0, -1, 3, 3]
        found = score(gold(8, topics, parents=parents), nested(topics, parents), ["ari", "nmi_sqrt", "purity_harmonic"])
        for key in ("ari", "nmi_sqrt", "purity_harmonic"):
            values = [[found.value(key, level, depth) for depth in (1, 2)] for level in (1, 2)]
            assert values[0][0] == values[1][1] == 1
            assert max(values[0][1], values[1][0]) < 1

    def test_depths_may_be_given_by_an_iterator(self):
        standard = gold(8, [range(4), [0, 1], [2, 3], range(4, 8)], parents=[-1, 0, 0, -1])
        found = score(standard, TREE, ["ari", "purity"], depths=iter([1, 2]))
        assert found.scores == score(standard, TREE, ["ari", "purity"], depths=[1, 2]).scores
        chance = calibrate(standard, TREE, ["ari"], draws=5, depths=iter([1, 2]))
        assert [one.depth for one in chance.levels] == [1, 2, 1, 2]

    def test_the_overlap_option_decides_on_overlapping_siblings(self):
        overlapping = nested([range(5), [0, 1, 2], [2, 3]], [-1, 0, 0])
        at_1, at_2 = score(GOLD, overlapping, "purity").scores
        assert (at_1.undefined, at_1.flattened) == (None, False)
        assert (at_2.undefined, at_2.depth, at_2.deepest) == ("1 page is in more than one cluster", 2, 2)
        first = score(GOLD, overlapping, "purity", policies={"overlap": "first"}).scores
        assert [(one.value, one.flattened) for one in first] == [((3 + 3) / 8, False), ((2 + 1 + 1 + 3) / 8, True)]

    def test_a_page_in_a_nested_and_a_flat_cluster_stays_in_both(self):
        beside = nested([[0, 1], [0], [0, 2]], [-1, 0, -1])
        with pytest.raises(Undefined, match="1 page is in more than one cluster"):
            score(GOLD, beside, "ari", depths=2).value("ari")

    def test_the_unclustered_option_applies_at_every_depth(self):
        tree = nested([[0, 1, 2], [0, 1]], [-1, 0])
        together = score(GOLD, tree, "purity", policies={"unclustered": "together"})
        assert [one.value for one in together.scores] == [(2 + 3) / 8, (1 + 2 + 3) / 8]

    def test_vector_and_prediction_measures_use_flattened_clusters(self):
        points = np.array([[page, page % 2] for page in range(8)], dtype=float)
        standard = gold(8, blocks([0, 0, 1, 1, 1, 2, 2, 2]), ranks=range(1, 9))
        found = score(standard, TREE, ["silhouette", "pac_mdl", "qc4", "omega"], vectors=points)
        assert [(one.measure, one.level, one.depth) for one in found.scores] == [
            ("silhouette", None, 1), ("silhouette", None, 2), ("pac_mdl", 1, 1), ("pac_mdl", 1, 2),
            ("qc4", None, None), ("omega", 1, None),
        ]  # fmt: skip
        flat = score(standard, clustering(range(5), range(5, 8)), ["silhouette", "pac_mdl"], vectors=points)
        assert found.value("silhouette", depth=1) == flat.value("silhouette")
        assert found.value("pac_mdl", 1, 1) == flat.value("pac_mdl")

    def test_flattening_does_not_change_scores_of_flat_clusterings(self):
        # Without parents nothing is flattened: 13 pairs are in one cluster, as computed above.
        found = score(GOLD, clustering(range(5), range(5, 8)))
        assert all(one.depth is None and one.deepest is None for one in found.scores)
        assert found.value("ari") == pytest.approx((7 - 7 * 13 / 28) / (10 - 7 * 13 / 28), abs=1e-12)

    def test_the_catalogue_lists_measures_that_flatten(self):
        cuts = {measure.key for measure in REGISTRY.all() if measure.to_dict()["cuts"]}
        assert {"ari", "pac_mdl", "silhouette"} < cuts
        assert not cuts & {"qc4_f", "f", "omega", "tree_f", "labels", "ecs_hierarchy"}


class TestChoice:
    @pytest.mark.parametrize(
        ("depths", "expected"),
        [(None, [1, 2]), (1, [1]), ([2, 1, 2], [1, 2]), ("finest", [2]), ("level", [1]), (np.int64(2), [2])],
    )
    def test_scores_are_computed_at_the_chosen_depths(self, depths, expected):
        assert [one.depth for one in score(GOLD, TREE, "ari", depths=depths).scores] == expected

    @pytest.mark.parametrize("wrong", [3, 0, True, "1", 1.0, []])
    def test_unknown_depths_are_rejected(self, wrong):
        with pytest.raises(InputError, match="one of 1, 2, 'finest' or 'level'") as refused:
            score(GOLD, TREE, "ari", depths=wrong)
        assert refused.value.problems[0].code == "unknown-depth"

    def test_a_flat_clustering_has_only_depth_1(self):
        flat = clustering(range(4), range(4, 8))
        for depths in (1, "finest", "level"):
            assert score(GOLD, flat, "ari", depths=depths) == score(GOLD, flat, "ari")
        with pytest.raises(InputError, match="found 2; expected 1, as no cluster is inside another"):
            score(GOLD, flat, "ari", depths=2)

    def test_at_the_depth_of_the_level_a_perfect_tree_scores_one(self):
        standard = GoldStandard.from_levels([[0, 0, 0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 2, 2, 2]])
        perfect = nested([[0, 1, 2, 3, 4], [0, 1], [2, 3, 4], [5, 6, 7]], [-1, 0, 0, -1])
        found = score(standard, perfect, ["ari", "rand", "purity"], depths="level")
        assert [(one.level, one.depth, one.value) for one in found.scores] == [(1, 1, 1), (2, 2, 1)] * 3

    def test_at_the_depth_of_the_level_shallow_clusters_use_the_finest_cut(self):
        standard = GoldStandard.from_levels([[0] * 8, [0, 0, 0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 2, 2, 2]])
        found = score(standard, TREE, "ari", depths="level")
        assert [(one.level, one.depth) for one in found.scores] == [(1, 1), (2, 2), (3, 2)]

    def test_with_many_depths_only_the_first_and_the_finest_are_scored(self):
        long = gold(16, [range(8), range(8, 16)])
        chain = nested([range(16 - start) for start in range(12)], [-1, *range(11)])
        found = score(long, chain, "ari")
        assert [one.depth for one in found.scores] == [*range(1, MOST_DEPTHS), 12]
        assert [one.code for one in found.warnings] == ["many-depths"]
        assert not score(long, chain, "qc4").warnings
        assert [one.depth for one in score(long, chain, "ari", depths=[11]).scores] == [11]

    def test_value_needs_a_depth_if_there_are_several(self):
        found = score(GOLD, TREE, "ari")
        with pytest.raises(InputError, match=r"one of 1, 2\. Choose one; depth=2"):
            found.value("ari", 1)
        with pytest.raises(InputError, match="found 3; expected one of 1, 2"):
            found.value("ari", 1, 3)
        with pytest.raises(InputError, match="no depth, as nothing was flattened"):
            score(GOLD, TREE, "qc4").value("qc4", depth=1)
        assert score(GOLD, TREE, "ari", depths="finest").value("ari") == found.value("ari", 1, 2)

    def test_tables_and_json_include_the_depth(self):
        found = score(GOLD, TREE, ["ari", "f"])
        assert found.table().splitlines()[4].split("   ")[-3:] == ["level 1, depth 1", "level 1, depth 2", "all levels"]
        assert "depth (of 2)" in found.table()
        assert found.to_dict()["scores"][0] | {"value": 0} == {
            "measure": "ari", "level": 1, "depth": 1, "deepest": 2, "value": 0, "undefined": None,
        }  # fmt: skip
        assert "ari on level 1 at depth 2 0." in repr(score(GOLD, TREE, ["ari"]))


class TestOtherAnswers:
    def test_scores_are_compared_with_chance_at_each_depth(self):
        found = calibrate(GOLD, TREE, "ari", draws=20)
        assert [(one.depth, one.value) for one in found.levels] == [
            (one.depth, one.value) for one in score(GOLD, TREE, "ari").scores
        ]
        assert found.of("ari", depth=2).sentence.startswith("Adjusted Rand on level 1 at depth 2 is ")
        assert found.of("ari", depth=1).mean == calibrate(GOLD, TREE, "ari", draws=20, depths=1).of("ari").mean

    def test_two_clusterings_are_compared_at_their_finest_cuts(self):
        found = compare_clusterings(TREE, clustering([0, 1], [2, 3], [4], [5, 6, 7]), ["ari", "vi"])
        assert (found.value("ari"), found.value("vi")) == (1, 0)
        assert [(one.code, one.where) for one in found.warnings] == [("nested", "first")]

    def test_set_measures_compare_nested_clusterings_unflattened(self):
        found = compare_clusterings(TREE, TREE, "bcubed_f")
        assert found.value("bcubed_f") == 1
        assert not found.warnings

    def test_what_if_flattens_at_the_depth_of_the_level(self):
        changed = what_if(GOLD, TREE, Changes(drop=("c0",)), ["purity"])
        assert [(one.before, one.after) for one in changed.scores] == [(6 / 8, 1)]

    def test_model_selection_flattens_at_the_depth_of_the_level(self):
        clusters = labels_and_clusters(Case.build(GOLD, TREE), 1, Policies())[1]
        assert sorted(map(len, blocks(clusters.tolist()))) == [3, 5]


@st.composite
def strict_trees(draw: st.DrawFn) -> tuple[Clustering, list[int]]:
    """Draw clusters in which each page is directly in at most one; return them and this cluster, -1 for none."""
    n = draw(st.integers(1, 7))
    above = [draw(st.integers(-1, number - 1)) for number in range(n)]
    direct = draw(st.lists(st.integers(-1, n - 1), min_size=10, max_size=10))
    ids = [f"c{number}" for number in range(n)]
    clusters = tuple(
        Cluster(
            ids[k], tuple(str(page) for page, own in enumerate(direct) if own == k), "", ids[up] if up >= 0 else None
        )
        for k, up in enumerate(above)
    )
    return Clustering("", with_children(clusters, 10_000) or ()), direct


@given(strict_trees(), st.lists(st.integers(0, 3), min_size=10, max_size=10))
def test_the_finest_cut_of_a_tree_groups_pages_by_their_own_cluster(drawn, topics):
    tree, direct = drawn
    own = [page for page in range(10) if direct[page] >= 0]
    flat = clustering(*([own[place] for place in group] for group in blocks([direct[page] for page in own])))
    standard = gold(10, blocks(topics))
    keys = ["ari", "purity", "vi", "nmi_max", "accuracy"]
    cut_values = [one.value for one in score(standard, tree, keys, depths="finest").scores]
    assert cut_values == pytest.approx([one.value for one in score(standard, flat, keys).scores], abs=1e-12)
