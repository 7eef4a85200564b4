"""Measures of what clusters are called. Importing the package declares them all."""

import qc4.measures.labels.names
import qc4.measures.labels.wording  # noqa: F401  # registers its measures
