"""The silhouette coefficient, by scikit-learn in chunks."""

from __future__ import annotations

from qc4.measures.internal.scikit_learn import require_scikit_learn
from qc4.measures.registry import measure
from qc4.problems.bounds import DISTANCES
from qc4.views.points import VECTORS, ClusteredPoints
from qc4.views.undefined import refuse_too_much

WORKING_MEBIBYTES = 64


@measure(
    VECTORS,
    key="silhouette",
    title="Silhouette",
    family="internal",
    meaning="Mean over pages of how much nearer their own cluster is than the next one; alone in a cluster counts 0.",
    formula="(1/n) Σₓ (b(x) − a(x)) / max(a(x), b(x)), "
    "a the mean distance to x's own cluster, b to the nearest other cluster",
    source="rousseeuw1987",
    low=-1.0,
    needs=("vectors",),
)
def silhouette(clustered: ClusteredPoints) -> float:
    clustered.require_clusters()
    refuse_too_much(DISTANCES, clustered.n, "vectors")
    require_scikit_learn()
    import sklearn  # a second to load, so only when it is needed
    from sklearn.metrics import silhouette_score

    # Centred, because scikit-learn takes distances from products, which cancel far from the origin.
    with sklearn.config_context(working_memory=WORKING_MEBIBYTES):
        return float(silhouette_score(clustered.points - clustered.mean, clustered.labels))
