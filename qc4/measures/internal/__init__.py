"""Internal measures: how well clusters fit the vectors of their pages. Importing the package registers them all."""

from qc4.measures.internal import centres, centres as silhouette, graph, correlation, cdbw  # noqa: F401, I001  # in catalogue order
