"""The QC4 measures engine: works alone, without the web site.

from qc4 import read_gold, read_clustering, score

gold = read_gold("jaguar.gold.json")
score(gold, read_clustering("jaguar.stc.json")).to_dict()
"""

from qc4.clustering.clustering import Cluster, Clustering
from qc4.formats import read_clustering, read_gold, read_vectors
from qc4.gold.standard import GoldStandard
from qc4.measures.calibration import Calibration, ChanceLevel, calibrate
from qc4.measures.scoring import Score, ScoreResult, score
from qc4.problems import InputError, Problem
from qc4.vectors.text import text_vectors
from qc4.vectors.vectors import Vectors
from qc4.version import ENGINE_VERSION

__all__ = [
    "ENGINE_VERSION",
    "Calibration",
    "ChanceLevel",
    "Cluster",
    "Clustering",
    "GoldStandard",
    "InputError",
    "Problem",
    "Score",
    "ScoreResult",
    "Vectors",
    "calibrate",
    "read_clustering",
    "read_gold",
    "read_vectors",
    "score",
    "text_vectors",
]
