"""A known value for every measure of the catalogue, computed by hand from the definition in its source.

Each line shows the computation. The cases are small enough to count on paper. Agreement with other packages and printed
tables is tested with each family.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from math import comb, e, log, sqrt

import numpy as np
import pytest

from qc4.inputs.view import Level
from qc4.measures.registry import REGISTRY
from qc4.model.case import Case
from qc4.model.gold_document import GoldDocument, Page
from qc4.model.policies import Policies
from qc4.model.vectors import Vectors
from tests.qc4.measures.qc4.strategies import engine_case
from tests.qc4.measures.qc4.test_hand_numbers import HUNDRED, A, B
from tests.qc4.small_cases import case, clustering, gold, nested

Known = dict[str, tuple[Case, Level, float]]


def on(built: Case, level: Level = 1, **values: float) -> Known:
    return {key: (built, level, value) for key, value in values.items()}


# QC4. Of 100 pages topic A has 40, B 30, C 25, of which 5 are also in B. Clusters A and B equal topics: quality 1. The
# third cluster is every fifth page, as by chance: its S_random, and so its quality and coverage, is 0. A and B are
# covered; the 5 pages of C in cluster B count 5 / 30 each.
AC = (1 + 1 + 5 * (5 / 30) / 25) / 3
WC = (40 * 1 + 30 * 1 + 25 * (5 * (5 / 30) / 25)) / (40 + 30 + 25)
QUALITY, COVERAGE = ((1 + 1 + 0) / 3 + (40 + 30 + 0) / 90) / 2, (AC + WC) / 2
QC4: Known = on(
    engine_case(HUNDRED, [A, B, frozenset(range(0, 100, 5))]),
    None,
    aq=(1 + 1 + 0) / 3,
    wq=(40 * 1 + 30 * 1 + 20 * 0) / 90,
    quality=QUALITY,
    ac=AC,
    wc=WC,
    coverage=COVERAGE,
    qc4=(QUALITY + COVERAGE) / 2,
    qc4_f=2 * QUALITY * COVERAGE / (QUALITY + COVERAGE),
)

# The classic measures have their own rules for overlap and outliers. Example: language 1-5, snake 6-9, film 9-11,
# outlier 12; clusters 1-5, 1-2, 6-8, and 9, 10, 12. All clusters except the last are pure; its fractions are snake 1/3,
# film 2/3, outliers 1/3, and there are 4 topics with the outliers.
LAST = (2 / 3 * log(3) + 2 / 3 * log(3 / 2)) / log(4)
CLASSIC: Known = on(
    Case.build(
        gold(12, [range(5), range(5, 9), range(8, 11)], outliers=[11]),
        clustering(range(5), range(2), range(5, 8), [8, 9, 11]),
    ),
    ap=(1 + 1 + 1 + 2 / 3) / 4,
    wp=(5 + 2 + 3 + 2) / 13,
    ae=LAST / 4,
    we=3 * LAST / 13,
    ar=(5 / 5 + 3 / 4 + 2 / 3 + 0) / 4,
    wr=(5 + 3 + 2 + 0) / 13,
    f=(5 * 1 + 2 * (2 * 2 / 7) + 3 * (2 * 3 / 7) + 3 * (2 * 2 / 6)) / 13,
    mi=2 / 12 * (7 * log(12 / 5) + 3 * log(3) + log(1) + 2 * log(8 / 3) + log(4)) / log(16),
)

# Two partitions of ten pages: classes of 5, 3, 2; clusters of 4, 2, 3, 1; cells 4, 1 1, 2 1, 1.
# Of 45 pairs 14 share a class, 10 a cluster, 7 both: TP 7, FP 3, FN 7, TN 28.
FLAT = case([1, 1, 1, 1, 1, 2, 2, 2, 3, 3], [1, 1, 1, 1, 2, 2, 3, 3, 3, 4])
SENSITIVITY, SPECIFICITY = 7 / 14, 28 / 31
PAIRS: Known = on(
    FLAT,
    rand=35 / 45,
    ari=(7 - 14 * 10 / 45) / (12 - 14 * 10 / 45),
    jaccard=7 / 17,
    fowlkes_mallows=7 / sqrt(14 * 10),
    hubert_gamma=(45 * 7 - 14 * 10) / sqrt(14 * 10 * 31 * 35),
    minkowski=sqrt(10 / 14),
    pair_precision=7 / 10,
    pair_recall=7 / 14,
    pair_f1=2 * 7 / (2 * 7 + 3 + 7),
    pair_f2=5 * 7 / (5 * 7 + 3 + 4 * 7),
    pair_f5=26 * 7 / (26 * 7 + 3 + 25 * 7),
    ps2=2 * SENSITIVITY * SPECIFICITY / (SENSITIVITY + SPECIFICITY),
)


def harmonic(one: float, other: float) -> float:
    return 2 * one * other / (one + other)


SETS: Known = on(
    FLAT,
    purity=(4 + 1 + 2 + 1) / 10,
    inverse_purity=(4 + 2 + 1) / 10,
    purity_harmonic=harmonic(8 / 10, 7 / 10),
    f_zaki=(2 * 4 / 9 + 2 * 1 / 5 + 2 * 2 / 6 + 2 * 1 / 3) / 4,  # the second is a tie: the class of 3, not that of 5
    max_matching=(4 + 2 + 1) / 10,
    accuracy=(4 + 2 + 1) / 10,
    nca=((4 / 5 + 2 / 3 + 1 / 2) / 3 - 1 / 3) / (1 - 1 / 3),
    van_dongen=(20 - 8 - 7) / 20,
    s2=(harmonic(4 / 5, 5 / 5) + harmonic(2 / 3, 6 / 7) + harmonic(1 / 2, 8 / 8)) / 3,
)


def entropy(*sizes: int) -> float:
    return -sum(size / sum(sizes) * log(size / sum(sizes)) for size in sizes)


def expected_information(classes: tuple[int, ...], clusters: tuple[int, ...]) -> float:
    """Return the mean mutual information over all tables with these margins (Vinh, Epps & Bailey 2010), exactly."""
    n = sum(classes)
    return sum(
        comb(a, x) * comb(n - a, b - x) / comb(n, b) * x / n * log(n * x / (a * b))
        for a in classes
        for b in clusters
        for x in range(max(1, a + b - n), min(a, b) + 1)
    )


H_T, H_C = entropy(5, 3, 2), entropy(4, 2, 3, 1)
T_GIVEN_C = 0.2 * entropy(1, 1) + 0.3 * entropy(2, 1)
C_GIVEN_T = 0.5 * entropy(4, 1) + 0.3 * entropy(1, 2) + 0.2 * entropy(1, 1)
SHARED = H_T - T_GIVEN_C
BY_CHANCE = expected_information((5, 3, 2), (4, 2, 3, 1))
# Classes of two and two pages, one of them split. At best, all classes are equally likely (4 ln 2); given the clusters,
# only the first page of each is a surprise (3 ln 2); given the classes themselves, likewise (2 ln 2).
SPLIT = case([0, 0, 1, 1], [0, 0, 1, 2])
REDUCED: Known = on(
    SPLIT,
    reduced_mutual_information=(4 - 3) * log(2) / 4,
    nrmi=(4 - 3) / (4 - 2),
)
INFORMATION: Known = on(
    FLAT,
    class_entropy=C_GIVEN_T / log(4),
    cluster_entropy=T_GIVEN_C / log(3),
    gold_entropy=H_T,
    clustering_entropy=H_C,
    joint_entropy=entropy(4, 1, 1, 2, 1, 1),
    conditional_entropy=T_GIVEN_C,
    mutual_information=SHARED,
    nmi_sqrt=SHARED / sqrt(H_T * H_C),
    nmi_arithmetic=SHARED / ((H_T + H_C) / 2),
    nmi_min=SHARED / H_T,
    nmi_max=SHARED / H_C,
    ami=(SHARED - BY_CHANCE) / ((H_T + H_C) / 2 - BY_CHANCE),
    vi=T_GIVEN_C + C_GIVEN_T,
    homogeneity=1 - T_GIVEN_C / H_T,
    completeness=1 - C_GIVEN_T / H_C,
    v_measure=harmonic(1 - T_GIVEN_C / H_T, 1 - C_GIVEN_T / H_C),
)

# Overlap. Page 1 is in both topics, and all three pages in one cluster (BCubed). Pairs 01 and 12 share a topic, 01 a
# cluster (Omega). One topic is found, the other split (ONMI: given {2}, the rest of {2, 3} stays unexplained).
SHARED_PAGE = gold(3, [[0, 1], [1, 2]])
REST = 3 / 4 * (log(3) - 2 / 3 * log(2))
TOPICS, CLUSTERS = 2 * log(2), log(2) + 2 * entropy(1, 3)
# A walk between two pages that leaves its page with probability q at each step has mass 1/2 (1 - (1 - a) / (1 - a (1 -
# 2q))) at the other page. In one cluster of both, q is 1/2; with single-page topics of e-fold weight below it, q is 1 /
# (2 (1 + e)).
ALPHA = 0.9
OTHER = (1 - (1 - ALPHA) / (1 - ALPHA * (1 - 1 / (1 + e)))) / 2
# Topics 0 1 and 2, outliers 3 and 4; one cluster 0 1 3. For each page: the statements on it, and those that are
# correct. Reliability: 0 and 1 are with three, two of them correctly, and have priority over 2 and 4, the latter
# correctly; 3 is with three and has priority over two; 2 is with itself, and below three; 4 is with itself, and below
# three, two of them correctly.
ORGANIZED = Case.build(gold(5, [[0, 1], [2]], outliers=[3, 4]), clustering([0, 1, 3]))
RELIABILITY = (3 / 5 + 3 / 5 + 1 / 4 + 1 / 5 + 3 / 4) / 5
SENSITIVITY_OF_IT = (3 / 4 + 3 / 4 + 1 / 3 + 1 / 4 + 3 / 4) / 5
# Topics 0 1 2 and 2 3 5, outlier 4. Clusters 0 1 4 and 1 2 are tagged with the first topic, 3 4 with the second; 5 is
# in none.
TAGGED = Case.build(gold(6, [[0, 1, 2], [2, 3, 5]], outliers=[4]), clustering([0, 1, 4], [1, 2], [3, 4]))
OVERLAP: Known = {
    **on(
        ORGANIZED,
        reliability=RELIABILITY,
        sensitivity=SENSITIVITY_OF_IT,
        reliability_sensitivity_f=harmonic(RELIABILITY, SENSITIVITY_OF_IT),
    ),
    **on(TAGGED, semeval_f1=harmonic((2 + 2 + 1) / 7, (3 + 1) / 6)),
    **on(
        Case.build(SHARED_PAGE, clustering([0, 1, 2])),
        bcubed_precision=(2 / 3 + 1 + 2 / 3) / 3,
        bcubed_recall=(1 + 5 / 6 + 1) / 3,
        bcubed_f=harmonic(7 / 9, 17 / 18),
        bcubed_f2=5 * (7 / 9) * (17 / 18) / (4 * 7 / 9 + 17 / 18),
        bcubed_f5=26 * (7 / 9) * (17 / 18) / (25 * 7 / 9 + 17 / 18),
    ),
    **on(Case.build(SHARED_PAGE, clustering([0, 1], [2])), omega=(2 / 3 - 4 / 9) / (1 - 4 / 9)),
    **on(
        case([0, 0, 1, 1], [0, 0, 1, 2]),
        onmi_lfk=1 - (REST / log(2) / 2 + 2 / 3 * (log(2) / 2) / entropy(1, 3)) / 2,
        onmi_mgh=(TOPICS - REST + CLUSTERS - log(2)) / 2 / max(TOPICS, CLUSTERS),
    ),
    **on(case([0, 0, 0, 1, 1, 1], [0, 0, 0, 0, 1, 1]), ecs=(3**2 / 4 + 1 / 4 + 2**2 / 3) / 6),
    **on(
        Case.build(gold(2, [[0, 1], [0], [1]], parents=[-1, 0, 0]), clustering([0, 1])),
        None,
        ecs_hierarchy=1 - (ALPHA / 2 - OTHER) / ALPHA,
    ),
}


def gain(*gains: float) -> float:
    return sum(value / math.log2(rank + 1) for rank, value in enumerate(gains, 1))


# Topics of the 1st, 8th, 15th and 25th of 25 results; the others are outliers, and there is no cluster.
SPREAD = Case.build(gold(25, [[0], [7], [14], [24]], outliers=set(range(25)) - {0, 7, 14, 24}), clustering())
# Seven results of topics a a b b c d d; clusters 1 2 and 3 4. The reading order is 1, 3, 2, 4, then 5, 6, 7.
SEVEN = Case.build(gold(7, [[0, 1], [2, 3], [4], [5, 6]]), clustering([0, 1], [2, 3]))
# Six results: topics 1 3 4 and 2 6; clusters 2 3 and 4 6; the 5th is an outlier.
SIX = Case.build(gold(6, [[0, 2, 3], [1, 5]], outliers=[4]), clustering([1, 2], [3, 5]))
# Six of eight pages are in 5 clusters of 4, 2, 1, 2, 2 pages; the first three are nested.
SHAPE = Case.build(gold(8, [range(8)]), clustering([0, 1, 2, 3], [0, 1], [1], [4, 5], [3, 4]))
# Topic A has the 1st and the 7th of twelve results, each a topic of its own on level 2; B has the 2nd; no cluster.
DEEP = Case.build(
    gold(12, [[0, 6], [1], [0], [6]], outliers=set(range(12)) - {0, 1, 6}, parents=[-1, -1, 0, 0]), clustering()
)
BEST_OF_DEEP = gain(1, 1, 1)
ONE_LATE = gain(1, 1, 0, 0, 0, 0, 1) / BEST_OF_DEEP
SPREAD_GAINS = [
    gain(*(1 if page in {0, 7, 14, 24} else 0 for page in range(k))) / gain(1, 1, 1, 1) for k in (5, 10, 20)
]
SEARCH: Known = {
    **on(SPREAD, s_recall_5=1 / 4, s_recall_10=2 / 4, s_recall_20=3 / 4),
    **on(SPREAD, d_ndcg_5=SPREAD_GAINS[0], d_ndcg_10=SPREAD_GAINS[1], d_ndcg_20=SPREAD_GAINS[2]),
    **on(
        SPREAD,
        d_sharp_ndcg_5=(1 / 4 + SPREAD_GAINS[0]) / 2,
        d_sharp_ndcg_10=(2 / 4 + SPREAD_GAINS[1]) / 2,
        d_sharp_ndcg_20=(3 / 4 + SPREAD_GAINS[2]) / 2,
    ),
    **on(
        DEEP,
        None,
        hd_sharp_ndcg_5=((2 / 2 + gain(1, 1) / BEST_OF_DEEP) / 2 + (2 / 3 + gain(1, 1) / BEST_OF_DEEP) / 2) / 2,
        hd_sharp_ndcg_10=(1 + ONE_LATE) / 2,
        hd_sharp_ndcg_20=(1 + ONE_LATE) / 2,
    ),
    **on(
        SEVEN,
        s_precision_50=2 / 2,
        s_precision_75=3 / 5,
        s_precision_100=4 / 6,
        alpha_ndcg_5=gain(1, 1, 0.5, 0.5, 1) / gain(1, 1, 1, 1, 0.5),
        alpha_ndcg_10=gain(1, 1, 0.5, 0.5, 1, 1, 0.5) / gain(1, 1, 1, 1, 0.5, 0.5, 0.5),
        alpha_ndcg_20=gain(1, 1, 0.5, 0.5, 1, 1, 0.5) / gain(1, 1, 1, 1, 0.5, 0.5, 0.5),
    ),
    # First topic: label, 2, 3; label, 4, 6; then 1 of the list. Second: label, 2, 3; label, 4, 6.
    **on(SIX, kssl_1=(3 + 2) / 2, kssl_2=(5 + 6) / 2, kssl_3=(7 + 6) / 2, kssl_4=(7 + 6) / 2),
    # Down the tree: for topic 1 3 4 the first label, then page 3 after 2; for 2 6 the first label, then page 2.
    **on(SIX, reach_time=((1 + 2) + (1 + 1)) / 2),
    **on(SIX, kssl_list_1=(1 + 2) / 2, kssl_list_2=(3 + 6) / 2, kssl_list_3=(4 + 6) / 2, kssl_list_4=(4 + 6) / 2),
    **on(
        SHAPE, None, page_coverage=6 / 8, cluster_count=5, cluster_size=11 / 5, cluster_overlap=11 / 6, cluster_depth=3
    ),
}

# Trees. Topics A = 0-5 with A1 = 0-3 and A2 = 4-5, B = 6-11 with B1 = 6-8 and B2 = 9-11. Clusters X = 0-3 6-8 with A1
# and B1 inside, Y = 4-5 9-11 with A2 and B2 inside: the subtopics are right, but their parents are not.
TWO_LEVELS = [range(6), range(4), [4, 5], range(6, 12), [6, 7, 8], [9, 10, 11]]
EXCHANGED = [[0, 1, 2, 3, 6, 7, 8], range(4), [6, 7, 8], [4, 5, 9, 10, 11], [4, 5], [9, 10, 11]]
BELOW = [-1, 0, 0, -1, 3, 3]
SWAPPED = Case.build(gold(12, TWO_LEVELS, parents=BELOW), nested(EXCHANGED, BELOW))
ROOT = sum(n / 12 * log(n * 12 / (a * b)) for n, a, b in ((4, 6, 7), (2, 6, 5), (3, 6, 7), (3, 6, 5)))
OWN = (log(2) + (entropy(4, 2) + entropy(3, 3)) / 2 + entropy(7, 5) + (7 * entropy(4, 3) + 5 * entropy(2, 3)) / 12) / 2


def expected_x_log_x(ones: tuple[int, ...], others: tuple[int, ...]) -> float:
    """Return the sum, over sets of a and of b of 12 pages, of the mean of x ln x, where x is their number of common
    pages."""
    chances = ((a, b, x) for a in ones for b in others for x in range(max(1, a + b - 12), min(a, b) + 1))
    return sum(comb(a, x) * comb(12 - a, b - x) / comb(12, b) * x * log(x) for a, b, x in chances)


HALVES, FOURS = ((6, 6), (7, 5)), ((4, 2, 3, 3), (4, 3, 2, 3))
DEEPER = expected_x_log_x(*HALVES) + expected_x_log_x(*FOURS)
DEEPER -= expected_x_log_x(FOURS[0], HALVES[1]) + expected_x_log_x(HALVES[0], FOURS[1])
CHANCE = expected_information(*HALVES) + DEEPER / 12
# Triples: pairs of a subtopic with the rest of its topic, 34; pairs of a topic with the other topic, 15 · 6 twice. X
# and Y agree on all 34; of the others, 39 agree through the clusters inside X and Y, and 39 through X and Y.
TREE: Known = {
    **on(
        SWAPPED,
        None,
        tree_f=(12 * 1 + 6 * 8 / 10 + 6 * 6 / 9) / 24,
        ancestor_p=(12 + 4 + 3) / 24,
        ancestor_r=(12 + 4 + 3) / 24,
        ancestor_f1=(12 + 4 + 3) / 24,
        edge_f1=2 * (8 / 13 + 4 / 11 + 6 / 13 + 6 / 11) / (4 + 4),
        hmi=ROOT,
        nhmi=ROOT / OWN,
        ahmi=(ROOT - CHANCE) / (OWN - CHANCE),
        triplet_agreement=(34 + 39 + 39) / (34 + 15 * 6 + 15 * 6),
    ),
    # Of 15 pairs in A, 6 and 1 are joined in A1 and A2, the others at the root; of those in B, 3 and 3, and 9 at the
    # root.
    **on(SWAPPED, 1, dendrogram_purity=(7 * 1 + 8 * 6 / 12 + 6 * 1 + 9 * 6 / 12) / 30),
}

# Labels. Topics Cats and Cars, with Makers and Jaguar inside Cars. Clusters "Big cats", "Cars", with "Cars of Jaguar"
# inside it, and one without a label. The first three are aligned with Cats, Cars and Jaguar.
TITLES = ["A cat", "Cats", "Cars!", "A car", "Jaguar", "Old cars"]
NAMED = replace(
    gold(6, [[0, 1], [2, 3, 4, 5], [2, 3], [4, 5]], parents=[-1, -1, 1, 1]),
    topic_names=["Cats", "Cars", "Makers", "Jaguar"],
    document=GoldDocument("", "", tuple(Page(str(number), title=title) for number, title in enumerate(TITLES))),
)
NAMES = ["Big cats", "Cars", "Cars of Jaguar", ""]
LABELS: Known = on(
    Case.build(NAMED, nested([[0, 1], [2, 3, 4, 5], [4, 5], [1]], [-1, -1, 1, -1], NAMES)),
    None,
    label_term_p=(1 + 1 + 1) / (2 + 1 + 3),
    label_term_r=(1 + 1 + 1) / 4,
    label_term_f=2 * 3 / (6 + 4),
    label_exact_f=2 * 1 / (4 + 3),
    label_distinct=1 - (0 + 0 + 1 / 3) / 3,
    label_fit=(1 + 2 + 2) / (2 + 4 + 2),  # "Cats"; "Cars!" and "Old cars"; "Jaguar" and "Old cars"
)

# 3,000 pages in three pure clusters: 0.1 / 27 = 0.0037 is between C(1500, 8) / C(3000, 8) and the same with 9.
THREE = [0, 1, 2] * 1000
PREDICTION: Known = on(case(THREE, THREE), pac_mdl=8 / 1500)

# Pages at 0, 1 | 4, 5: centres 0.5 and 4.5, mean 2.5; distances inside 1, 1, distances between 4, 5, 3, 4.
LINE = Case.build(gold(4, [range(4)]), clustering([0, 1], [2, 3]), Vectors.of(np.array([[0.0], [1.0], [4.0], [5.0]])))
INTERNAL: Known = on(
    LINE,
    None,
    ssq=4 * 0.5**2,
    silhouette=(2 * (4.5 - 1) / 4.5 + 2 * (3.5 - 1) / 3.5) / 4,
    dunn=3 / 1,
    davies_bouldin=(0.5 + 0.5) / 4,
    calinski_harabasz=(4 * 2**2 / 1) / (4 * 0.5**2 / 2),
    c_index=(2 - 2) / (9 - 2),
    baker_hubert_gamma=(8 - 0) / (8 + 0),
    tau=8 / sqrt(2 * 4 * 15),
    point_biserial=(4 - 1) * sqrt(2 * 4) / 6 / sqrt(14 / 6),  # variance of the distances: mean 3, squares 14 / 6
    beta_cv=1 / 4,
    normalized_cut=2 * 16 / (2 + 16),
    modularity=2 * (2 / 36 - (18 / 36) ** 2),
    cdbw=1 * 1 * 3,  # at every shrinkage 1/(2 · 0.5) (1/2 + 1/2) = 1; nearest representatives 1 and 4, nothing between
    stdi=((2**2 + 2**2) / 2) / (0.5**2 + 0.5**2),
)
FAMILIES = (QC4, CLASSIC, PAIRS, SETS, INFORMATION, REDUCED, OVERLAP, TREE, LABELS, SEARCH, PREDICTION, INTERNAL)
KNOWN: Known = {key: line for family in FAMILIES for key, line in family.items()}


def test_every_measure_of_the_catalogue_has_a_known_value():
    assert set(KNOWN) == {measure.key for measure in REGISTRY.all()}
    assert max(Counter(key for family in FAMILIES for key in family).values()) == 1


@pytest.mark.parametrize("key", KNOWN)
def test_known_value(key):
    built, level, expected = KNOWN[key]
    assert REGISTRY.get(key).compute(built, level, Policies()) == pytest.approx(expected, rel=1e-12, abs=1e-12)
