"""Measures that compare clusterings with gold standards, or with each other. The package works without the web site.

    >>> from qc4 import score
    >>> score(["cat", "cat", "dog", "dog"], [0, 0, 0, 1], ["ari", "purity"])
    <ScoreResult: 4 pages, ari on level 1 0.0000, purity on level 1 0.7500>

    gold = read_gold("jaguar.gold.json")        # or GoldStandard.from_labels, .from_levels, .from_sets
    clustering = read_clustering("jaguar.stc.json")  # or Clustering.from_labels, .from_sets, .from_linkage, .from_tree
    print(score(gold, clustering).table())

`score` compares a clustering with a gold standard, and `compare_clusterings` compares two clusterings. `calibrate`
compares scores with chance, and `list_measures` lists the measures. `qc4.stats` compares algorithms. `qc4.sklearn` has
scorers for scikit-learn.
"""

from qc4.inputs.undefined import Undefined
from qc4.io import read_clustering, read_gold, read_vectors
from qc4.measures.catalogue import list_measures
from qc4.model.clustering import Cluster, Clustering
from qc4.model.clustering_summary import ClusteringSummary
from qc4.model.gold_standard import GoldStandard
from qc4.model.policies import Policies
from qc4.model.vectors import Vectors, text_vectors
from qc4.problems import InputError, Problem
from qc4.scoring.calibration import Calibration, ChanceLevel, calibrate
from qc4.scoring.results import Score, ScoreResult
from qc4.scoring.scoring import score
from qc4.scoring.two_clusterings import ClusteringComparison, compare_clusterings
from qc4.version import ENGINE_VERSION

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
    "list_measures",
    "read_clustering",
    "read_gold",
    "read_vectors",
    "score",
    "text_vectors",
]
