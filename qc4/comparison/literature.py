"""Which works one comparison used."""

from __future__ import annotations

from qc4.bibliography import SOFTWARE, bibtex
from qc4.comparison.procedures import REGISTRY
from qc4.comparison.result import Comparison

LETTERS = "piepho2004"
REPEATS = "henderson1953"


def comparison_bibtex(found: Comparison) -> str:
    """The works behind what a comparison holds, and the software, as BibTeX."""
    keys = [SOFTWARE]
    if not found.note:
        keys += REGISTRY[found.method.procedure].works
        keys += [LETTERS] if any(system.compact_letter_display for system in found.systems) else []
        keys += [REPEATS] if found.repeats is not None else []
    return bibtex(keys)
