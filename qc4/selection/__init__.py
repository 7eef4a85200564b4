"""PAC-MDL: how well a clustering predicts labels, as a bound on the errors it will make on pages not yet labelled.

`bound` is the bound itself; `select_model` the whole procedure over a sweep of clusterings of one query, and
`over_queries` puts the queries of a collection together.
"""

from qc4.selection.figures import Choice, Figures, LanguageMean, over_queries
from qc4.selection.languages import LANGUAGES, Language, bound
from qc4.selection.prediction import FRACTIONS, SAMPLINGS, Evaluation, Prediction, Sampling, predict, train_pages
from qc4.selection.selection import Candidate, ModelSelection, labels_and_clusters, select_model

__all__ = [
    "FRACTIONS",
    "LANGUAGES",
    "SAMPLINGS",
    "Candidate",
    "Choice",
    "Evaluation",
    "Figures",
    "Language",
    "LanguageMean",
    "ModelSelection",
    "Prediction",
    "Sampling",
    "bound",
    "labels_and_clusters",
    "over_queries",
    "predict",
    "select_model",
    "train_pages",
]
