"""Measures that match each cluster with a class, or each class with a cluster."""

from __future__ import annotations

from measures.contingency import PARTITION, Contingency
from measures.registry import measure


@measure(
    PARTITION,
    key="purity",
    title="Purity",
    family="set-matching",
    meaning="Share of pages that belong to the largest class of their cluster.",
    formula="(1/n) Σ_c max_t n_tc",
    source="Zaki & Meira, Data Mining and Machine Learning, 2nd ed., 17.1.1",
)
def purity(table: Contingency) -> float:
    return int(table.largest_in_cluster.sum()) / table.n


@measure(
    PARTITION,
    key="inverse_purity",
    title="Inverse purity",
    family="set-matching",
    meaning="Share of pages that belong to the largest cluster of their class.",
    formula="(1/n) Σ_t max_c n_tc",
    source="Amigó et al., A comparison of extrinsic clustering evaluation metrics, Information Retrieval 12, 2009",
)
def inverse_purity(table: Contingency) -> float:
    return purity(table.transposed)
