"""Measures from information theory."""

import qc4.measures.information.entropies
import qc4.measures.information.reduced  # noqa: F401  # registers its measures
