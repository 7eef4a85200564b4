"""Readers that report all problems at once, and writers of canonical files."""

from qc4.io.collection import CollectionDocument, read_collection
from qc4.io.context import PageLists, page_lists
from qc4.io.limits import DEFAULT_LIMITS, Limits
from qc4.io.qc4_json import write_clustering, write_gold, write_submission
from qc4.io.reading import read_clustering, read_clusterings, read_gold, read_gold_document
from qc4.io.submission import check_submission, read_submission, read_submissions
from qc4.io.vector_files import read_vectors

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
