"""PAC-MDL: how well a clustering predicts labels, as a bound on its errors on pages that are not labelled yet.

`bound` is the bound itself; `select_model` runs the whole procedure over a parameter sweep of clusterings of one query;
`over_queries` combines the queries of a collection.
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
