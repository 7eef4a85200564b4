"""Measures that compare clusterings with gold standards, or with each other. Works alone, without the web site.

    >>> from qc4 import score
    >>> score(["cat", "cat", "dog", "dog"], [0, 0, 0, 1], ["ari", "purity"])
    <ScoreResult: 4 pages, ari on level 1 0.0000, purity on level 1 0.7500>

    gold = read_gold("jaguar.gold.json")        # or GoldStandard.from_labels, .from_levels, .from_sets
    answer = read_clustering("jaguar.stc.json")  # or Clustering.from_labels, .from_sets, .from_linkage, .from_tree
    print(score(gold, answer).table())

`score` compares a clustering with a gold standard, `compare_clusterings` two clusterings, `calibrate` says what chance
reaches, `measures` lists what there is. `qc4.comparison` compares algorithms, `qc4.sklearn` scores for scikit-learn.
"""

from qc4.clustering.clustering import Cluster, Clustering
from qc4.clustering.summary import ClusteringSummary
from qc4.formats import read_clustering, read_gold, read_vectors
from qc4.gold.standard import GoldStandard
from qc4.measures.calibration import Calibration, ChanceLevel, calibrate

# From here on `qc4.measures` is the function; the package of that name is imported from as ever.
from qc4.measures.catalogue import measures
from qc4.measures.result import Score, ScoreResult
from qc4.measures.scoring import score
from qc4.measures.two_clusterings import ClusteringComparison, compare_clusterings
from qc4.problems import InputError, Problem
from qc4.vectors.text import text_vectors
from qc4.vectors.vectors import Vectors
from qc4.version import ENGINE_VERSION
from qc4.views.policies import Policies
from qc4.views.undefined import Undefined

__version__ = ENGINE_VERSION

__all__ = [
    "ENGINE_VERSION",
    "Calibration",
    "ChanceLevel",
    "Cluster",
    "Clustering",
    "ClusteringComparison",
    "ClusteringSummary",
    "GoldStandard",
    "InputError",
    "Policies",
    "Problem",
    "Score",
    "ScoreResult",
    "Undefined",
    "Vectors",
    "calibrate",
    "compare_clusterings",
    "measures",
    "read_clustering",
    "read_gold",
    "read_vectors",
    "score",
    "text_vectors",
]
