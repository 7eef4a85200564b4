"""Measures made for overlap: pages may be in several topics and clusters. Importing the package declares them all."""

import measures.overlap.bcubed  # noqa: I001  # in catalogue order
import measures.overlap.omega
import measures.overlap.onmi
import measures.overlap.element_centric  # noqa: F401  # registers its measures
