"""Measures from information theory."""

import qc4.measures.information.entropies  # noqa: F401  # registers its measures
