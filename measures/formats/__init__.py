"""Files people bring and take away: readers that report every problem at once, and canonical writers."""

from measures.formats.clustering_json import write_clustering, write_submission
from measures.formats.gold_json import write_gold
from measures.formats.limits import DEFAULT_LIMITS, Limits
from measures.formats.reading import read_clustering, read_gold, read_gold_document

__all__ = [
    "DEFAULT_LIMITS",
    "Limits",
    "read_clustering",
    "read_gold",
    "read_gold_document",
    "write_clustering",
    "write_gold",
    "write_submission",
]
