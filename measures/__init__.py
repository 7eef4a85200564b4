"""The QC4 measures engine: works alone, without the web site.

from measures import read_gold, read_clustering, score

gold = read_gold("jaguar.gold.json")
score(gold, read_clustering("jaguar.stc.json")).to_dict()
"""

from measures.formats import read_clustering, read_gold, read_vectors
from measures.problems import InputError, Problem
from measures.scoring import Score, ScoreResult, score
from measures.text_vectors import text_vectors
from measures.vectors import Vectors
from measures.version import ENGINE_VERSION

__all__ = [
    "ENGINE_VERSION",
    "InputError",
    "Problem",
    "Score",
    "ScoreResult",
    "Vectors",
    "read_clustering",
    "read_gold",
    "read_vectors",
    "score",
    "text_vectors",
]
