"""What the three partitioning baselines share: how many clusters, and clusters out of row labels."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from evaluation.baselines.task import Answer, Parameter, Task
from evaluation.baselines.vectors import PageVectors
from qc4.model.clustering import Cluster

K = Parameter("k", None, "number of clusters; nothing: round(sqrt(n)), n pages with words, at most k_max", low=1)
K_MAX = Parameter("k_max", 20, "the most clusters the rule may ask for", low=1)


def number_of_clusters(task: Task, vectors: PageVectors) -> int:
    """``k`` if it is given, else a rule that does not look at the gold; never more than there are different pages."""
    given = task.parameters["k"]
    wanted = given or min(round(math.sqrt(len(vectors.page_ids))), task.parameters["k_max"])
    return int(min(max(wanted, 1), vectors.n_distinct))


def partition(vectors: PageVectors, labels: npt.NDArray[np.int64]) -> Answer:
    """Clusters from one label per row: largest first, then by first page; pages in the order of the page list."""
    members = [np.flatnonzero(labels == label) for label in np.unique(labels)]
    members.sort(key=lambda rows: (-rows.size, int(rows[0])))
    clusters = tuple(
        Cluster(f"c{number}", tuple(vectors.page_ids[row] for row in rows.tolist()), vectors.label(rows))
        for number, rows in enumerate(members, start=1)
    )
    return Answer(clusters, {"k": len(clusters)})
