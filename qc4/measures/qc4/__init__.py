"""QC4 (Crabtree, Andreae & Gao, PAKDD 2007): quality and coverage of a clustering against a topic hierarchy."""

from qc4.measures.qc4.calculation import qc4, removed_clusters
from qc4.measures.qc4.explanation import (
    HALF,
    ClusterExplanation,
    ClusterMatch,
    Fate,
    ForeignPage,
    PageCoverage,
    RunnerUp,
    TopicFate,
    TopicShare,
    cluster_matches,
    common_pages,
    explain_cluster,
    page_coverage,
    topic_fates,
)
from qc4.measures.qc4.result import ClusterQuality, QC4Result, TopicCoverage

__all__ = [
    "HALF",
    "ClusterExplanation",
    "ClusterMatch",
    "ClusterQuality",
    "Fate",
    "ForeignPage",
    "PageCoverage",
    "QC4Result",
    "RunnerUp",
    "TopicCoverage",
    "TopicFate",
    "TopicShare",
    "cluster_matches",
    "common_pages",
    "explain_cluster",
    "page_coverage",
    "qc4",
    "removed_clusters",
    "topic_fates",
]
