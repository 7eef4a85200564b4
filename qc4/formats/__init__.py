"""Files people bring and take away: readers that report every problem at once, and canonical writers."""

from qc4.formats.clustering_json import write_clustering, write_submission
from qc4.formats.collection import CollectionDocument, read_collection
from qc4.formats.context import PageLists, page_lists
from qc4.formats.gold_json import write_gold
from qc4.formats.limits import DEFAULT_LIMITS, Limits
from qc4.formats.reading import read_clustering, read_clusterings, read_gold, read_gold_document
from qc4.formats.submission import check_submission, read_submission, read_submissions
from qc4.formats.vector_files import read_vectors

__all__ = [
    "DEFAULT_LIMITS",
    "CollectionDocument",
    "Limits",
    "PageLists",
    "check_submission",
    "page_lists",
    "read_clustering",
    "read_clusterings",
    "read_collection",
    "read_gold",
    "read_gold_document",
    "read_submission",
    "read_submissions",
    "read_vectors",
    "write_clustering",
    "write_gold",
    "write_submission",
]
