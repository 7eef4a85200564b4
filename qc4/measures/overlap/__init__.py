"""Measures made for overlap: pages may be in several topics and clusters. Importing the package declares them all."""

import qc4.measures.overlap.bcubed  # noqa: I001  # in catalogue order
import qc4.measures.overlap.reliability
import qc4.measures.overlap.majority_topics
import qc4.measures.overlap.omega
import qc4.measures.overlap.onmi
import qc4.measures.overlap.element_centric  # noqa: F401  # registers its measures
