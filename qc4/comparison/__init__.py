"""Comparing systems: who is better, why that can be said, and how sure it is. See `compare`."""

from qc4.comparison.agreement import MeasureAgreement, MeasureComparison, compare_measures, discriminative_power
from qc4.comparison.comparing import compare
from qc4.comparison.letters import letters
from qc4.comparison.method import PROCEDURES, RANKS, Method
from qc4.comparison.result import Comparison, PairResult, SystemResult
from qc4.comparison.scores import MISSING
from qc4.comparison.words import leader_sentence, methods_sentence, number, p_words, pair_sentence

__all__ = [
    "MISSING",
    "PROCEDURES",
    "RANKS",
    "Comparison",
    "MeasureAgreement",
    "MeasureComparison",
    "Method",
    "PairResult",
    "SystemResult",
    "compare",
    "compare_measures",
    "discriminative_power",
    "leader_sentence",
    "letters",
    "methods_sentence",
    "number",
    "p_words",
    "pair_sentence",
]
