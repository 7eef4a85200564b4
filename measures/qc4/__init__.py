"""QC4 (Crabtree, Andreae & Gao, PAKDD 2007): quality and coverage of a clustering against a topic hierarchy."""

from measures.qc4.calculation import qc4
from measures.qc4.result import ClusterQuality, QC4Result, TopicCoverage

__all__ = ["ClusterQuality", "QC4Result", "TopicCoverage", "qc4"]
