"""The QC4 measures engine: works alone, without the web site.

from measures import read_gold, read_clustering, score

gold = read_gold("jaguar.gold.json")
score(gold, read_clustering("jaguar.stc.json")).to_dict()
"""

from measures.formats import read_clustering, read_gold
from measures.problems import InputError, Problem
from measures.scoring import Score, ScoreResult, score
from measures.version import ENGINE_VERSION

__all__ = [
    "ENGINE_VERSION",
    "InputError",
    "Problem",
    "Score",
    "ScoreResult",
    "read_clustering",
    "read_gold",
    "score",
]
