"""Comparing systems: who is better, why that can be said, and how sure it is. See `compare`."""

from qc4.comparison.agreement import (
    Contradiction,
    MeasureAgreement,
    MeasureComparison,
    compare_measures,
    discriminative_power,
)
from qc4.comparison.apart import apart_sentence, apart_sentences
from qc4.comparison.comparing import compare
from qc4.comparison.covariates import Bin, ByCovariate, WhereBetter, where_better
from qc4.comparison.f_of_means import FOfMeans, FOfMeansPair, FOfMeansSystem, Reversal, f_of_means
from qc4.comparison.letters import letters
from qc4.comparison.literature import comparison_bibtex
from qc4.comparison.means import means
from qc4.comparison.method import PROCEDURES, RANKS, Method
from qc4.comparison.partial import ENOUGH, without_partial
from qc4.comparison.repeats import Repeats, VarianceComponents, fold_repeats, repeats_by_separator
from qc4.comparison.result import Comparison, PairResult, SetAside, SystemResult
from qc4.comparison.robustness import Alternative, Robustness, RobustnessRow, WithoutQuery, robustness, stays_ahead
from qc4.comparison.scores import MISSING, Scores, read_scores
from qc4.comparison.words import (
    PROCEDURE_NAMES,
    SYSTEM,
    About,
    aside_sentence,
    covariate_sentence,
    gold_words,
    leader_sentence,
    looks_sentence,
    measures_methods_sentence,
    measures_sentence,
    methods_sentence,
    number,
    p_number,
    p_words,
    pair_sentence,
    robustness_methods_sentence,
    robustness_sentences,
    source_words,
    variance_sentence,
)

__all__ = [
    "ENOUGH",
    "MISSING",
    "PROCEDURES",
    "PROCEDURE_NAMES",
    "RANKS",
    "SYSTEM",
    "About",
    "Alternative",
    "Bin",
    "ByCovariate",
    "Comparison",
    "Contradiction",
    "FOfMeans",
    "FOfMeansPair",
    "FOfMeansSystem",
    "MeasureAgreement",
    "MeasureComparison",
    "Method",
    "PairResult",
    "Repeats",
    "Reversal",
    "Robustness",
    "RobustnessRow",
    "Scores",
    "SetAside",
    "SystemResult",
    "VarianceComponents",
    "WhereBetter",
    "WithoutQuery",
    "apart_sentence",
    "apart_sentences",
    "aside_sentence",
    "compare",
    "compare_measures",
    "comparison_bibtex",
    "covariate_sentence",
    "discriminative_power",
    "f_of_means",
    "fold_repeats",
    "gold_words",
    "leader_sentence",
    "letters",
    "looks_sentence",
    "means",
    "measures_methods_sentence",
    "measures_sentence",
    "methods_sentence",
    "number",
    "p_number",
    "p_words",
    "pair_sentence",
    "read_scores",
    "repeats_by_separator",
    "robustness",
    "robustness_methods_sentence",
    "robustness_sentences",
    "source_words",
    "stays_ahead",
    "variance_sentence",
    "where_better",
    "without_partial",
]
