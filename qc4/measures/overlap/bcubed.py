"""Extended BCubed: for each page, how right its company is. Pages weigh alike, and each counts itself.

Two pages that share v clusters and l topics contribute the multiplicity precision min(v, l) / v and the multiplicity
recall min(v, l) / l.

Source: Amigó et al., A comparison of extrinsic clustering evaluation metrics based on formal constraints, Information
Retrieval 12, 2009, section 6.
"""

from __future__ import annotations

import math

from qc4.measures.f_measure import BETA, f_measure
from qc4.measures.overlap.co_membership import co_membership
from qc4.measures.registry import measure
from qc4.views.covers import COVERS, Covers
from qc4.views.view import FLAT_CLUSTERS


@measure(
    COVERS,
    key="bcubed_precision",
    title="BCubed precision",
    family="overlap",
    meaning="Mean over pages of the share of a page's cluster mates that belong with it, as often as they are joined.",
    formula="mean_d mean_{d': C(d) ∩ C(d') ≠ ∅} min(|C(d) ∩ C(d')|, |T(d) ∩ T(d')|) / |C(d) ∩ C(d')|",
    source="amigo2009",
    accepts=FLAT_CLUSTERS,
)
def bcubed_precision(covers: Covers) -> float:
    pairs = co_membership(covers)
    return min(1.0, math.fsum(pairs.weight * (pairs.precise / pairs.cluster_mates)) / covers.n)


@measure(
    COVERS,
    key="bcubed_recall",
    title="BCubed recall",
    family="overlap",
    meaning="Mean over pages of the share of a page's topic mates that are joined with it, as often as they belong.",
    formula="mean_d mean_{d': T(d) ∩ T(d') ≠ ∅} min(|C(d) ∩ C(d')|, |T(d) ∩ T(d')|) / |T(d) ∩ T(d')|",
    source="amigo2009",
    accepts=FLAT_CLUSTERS,
)
def bcubed_recall(covers: Covers) -> float:
    pairs = co_membership(covers)
    return min(1.0, math.fsum(pairs.weight * (pairs.complete / pairs.topic_mates)) / covers.n)


@measure(
    COVERS,
    key="bcubed_f",
    title="BCubed F{beta}",
    family="overlap",
    meaning="Harmonic mean of BCubed precision and recall in which recall counts β times as much, β = {beta}.",
    formula="(1 + β²) · precision · recall / (β² · precision + recall), β = {beta}",
    source="amigo2009; rijsbergen1979, chapter 7",
    accepts=FLAT_CLUSTERS,
    symmetric=True,
    parameters=(BETA,),
    stored={"bcubed_f": 1, "bcubed_f2": 2, "bcubed_f5": 5},
)
def bcubed_f(covers: Covers, beta: float = 1) -> float:
    return f_measure(bcubed_precision(covers), bcubed_recall(covers), beta)
