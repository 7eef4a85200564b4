"""Files people bring and take away: readers that report every problem at once, and canonical writers."""

from measures.cmm.documents import StreamClustering, StreamDocument
from measures.formats.clustering_json import write_clustering, write_submission
from measures.formats.collection import CollectionDocument, read_collection
from measures.formats.context import PageLists, page_lists
from measures.formats.gold_json import write_gold
from measures.formats.limits import DEFAULT_LIMITS, Limits
from measures.formats.reading import read_clustering, read_gold, read_gold_document
from measures.formats.stream_clusterings import read_stream_clustering, write_stream_clustering
from measures.formats.streams import read_stream, write_stream
from measures.formats.submission import check_submission, read_submission, read_submissions
from measures.formats.vector_files import read_vectors

__all__ = [
    "DEFAULT_LIMITS",
    "CollectionDocument",
    "Limits",
    "PageLists",
    "StreamClustering",
    "StreamDocument",
    "check_submission",
    "page_lists",
    "read_clustering",
    "read_collection",
    "read_gold",
    "read_gold_document",
    "read_stream",
    "read_stream_clustering",
    "read_submission",
    "read_submissions",
    "read_vectors",
    "write_clustering",
    "write_gold",
    "write_stream",
    "write_stream_clustering",
    "write_submission",
]
