"""Measures of the tree: which clusters lie in which, not only what they hold. Importing the package declares all."""

import qc4.measures.tree.best_cluster  # noqa: I001  # in catalogue order
import qc4.measures.tree.dendrogram_purity
import qc4.measures.tree.paths
import qc4.measures.tree.hierarchical_information
import qc4.measures.tree.triplets  # noqa: F401  # registers its measure
