"""QC4's overall numbers as measures of the catalogue; `qc4.measures.qc4` computes them.

Source: Crabtree, Andreae & Gao, QC4: a clustering evaluation method, PAKDD 2007, section 3.
"""

from __future__ import annotations

from qc4.inputs.view import ANY_CLUSTERS, WHOLE_HIERARCHY, Level, View
from qc4.measures.qc4 import QC4Result, qc4
from qc4.measures.registry import measure
from qc4.model.case import Case
from qc4.model.policies import Policies


def _parts(case: Case, level: Level, policies: Policies) -> QC4Result:
    return qc4(case, policies.recall)


HIERARCHY: View[QC4Result] = View(_parts, WHOLE_HIERARCHY, ("recall",))
"""Input of measures that use all levels of the gold standard at once."""

STANDARD_RECALL = (
    "With the scoring option recall = standard, S_recall uses R(c,t) instead of R′(c,t): the variant of section 4.3, "
    "for domains where extending large clusters is as important as finding small ones."
)


@measure(
    HIERARCHY,
    key="aq",
    title="Average quality",
    family="qc4",
    meaning="Mean quality of the clusters: how well each matches a single topic.",
    formula="AQ = mean_c QU(c), QU(c) = (1 − E(c)) min(1, S_recall(c), S_random(c))",
    source="crabtree2007, section 3",
    degenerate=STANDARD_RECALL,
    accepts=ANY_CLUSTERS,
)
def aq(parts: QC4Result) -> float:
    return parts.aq


@measure(
    HIERARCHY,
    key="wq",
    title="Weighted quality",
    family="qc4",
    meaning="Mean quality of the clusters, weighted by their sizes.",
    formula="WQ = Σ_c |D_c| QU(c) / Σ_c |D_c|",
    source="crabtree2007, section 3",
    degenerate=STANDARD_RECALL,
    accepts=ANY_CLUSTERS,
)
def wq(parts: QC4Result) -> float:
    return parts.wq


@measure(
    HIERARCHY,
    key="ac",
    title="Average coverage",
    family="qc4",
    meaning="Mean coverage of the level-1 topics: how well their pages are found in clusters about them.",
    formula="AC = mean_t CV(t), CV(t) = mean_d PC(d, t, 1)",
    source="crabtree2007, section 3",
    accepts=ANY_CLUSTERS,
)
def ac(parts: QC4Result) -> float:
    return parts.ac


@measure(
    HIERARCHY,
    key="wc",
    title="Weighted coverage",
    family="qc4",
    meaning="Mean coverage of the level-1 topics, weighted by their sizes.",
    formula="WC = Σ_t |D_t| CV(t) / Σ_t |D_t|",
    source="crabtree2007, section 3",
    accepts=ANY_CLUSTERS,
)
def wc(parts: QC4Result) -> float:
    return parts.wc


@measure(
    HIERARCHY,
    key="quality",
    title="Quality",
    family="qc4",
    meaning="Mean of average and weighted quality.",
    formula="(AQ + WQ) / 2",
    source="crabtree2007, section 3",
    accepts=ANY_CLUSTERS,
)
def quality(parts: QC4Result) -> float:
    return parts.quality


@measure(
    HIERARCHY,
    key="coverage",
    title="Coverage",
    family="qc4",
    meaning="Mean of average and weighted coverage.",
    formula="(AC + WC) / 2",
    source="crabtree2007, section 3",
    accepts=ANY_CLUSTERS,
)
def coverage(parts: QC4Result) -> float:
    return parts.coverage


@measure(
    HIERARCHY,
    key="qc4",
    title="QC4 (mean)",
    family="qc4",
    meaning="Mean of quality and coverage, as in the paper's Fig. 1; singletons often reach 0.5.",
    formula="(quality + coverage) / 2",
    source="crabtree2007, section 3",
    accepts=ANY_CLUSTERS,
)
def qc4_mean(parts: QC4Result) -> float:
    return parts.qc4


@measure(
    HIERARCHY,
    key="qc4_f",
    title="QC4-F",
    family="qc4",
    meaning="Harmonic mean of quality and coverage: high only if both are high.",
    formula="2 · quality · coverage / (quality + coverage)",
    source="qc4bench; quality and coverage from crabtree2007",
    accepts=ANY_CLUSTERS,
)
def qc4_f(parts: QC4Result) -> float:
    return parts.qc4_f
