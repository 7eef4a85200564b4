"""Rows of this app as engine input: clusterings, and whole cases.

Page lists, gold standards, vectors and streams are read in `annotations.selectors`.
"""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from dataclasses import replace
from threading import Lock

from annotations.collections import vectors as vector_sets
from annotations.collections.streams import STORED_STREAM_LIMITS
from annotations.gold.selectors import load_gold_document
from annotations.models import Gold, VectorSet
from evaluation.models import Clustering as ClusteringRow
from evaluation.models import StreamSubmission
from qc4.io import read_clustering, write_clustering
from qc4.io.streams import read_stream_clustering
from qc4.model.case import Case
from qc4.model.clustering import Clustering
from qc4.model.gold_standard import GoldStandard
from qc4.model.rules import prepare
from qc4.streams.documents import StreamClustering, StreamDocument

CACHED_PAGES = 200_000
"""Prepared gold standards stay in memory while together they have at most this many pages."""

_prepared: OrderedDict[str, GoldStandard] = OrderedDict()
_lock = Lock()


def gold_standard(gold: Gold) -> GoldStandard:
    """Return the prepared gold standard of a row; the last used ones are cached by the hash of their content."""
    with _lock:
        known = _prepared.get(gold.sha256)
        if known is not None:
            _prepared.move_to_end(gold.sha256)
            return known
    standard = prepare(load_gold_document(gold))
    with _lock:
        _prepared[gold.sha256] = standard
        while len(_prepared) > 1 and sum(kept.n_pages for kept in _prepared.values()) > CACHED_PAGES:
            _prepared.popitem(last=False)
    return standard


def clustering(row: ClusteringRow) -> Clustering:
    """Read the clusters of a row, as they were submitted."""
    return read_clustering(row.file.content, name=f"clustering {row.sha256[:8]}")


def cluster_names(row: ClusteringRow) -> dict[str, str]:
    """Return cluster id -> label or id, in file order, without reading the pages, of which there may be 100,000."""
    held = json.loads(row.file.content)["clusters"]
    return {cluster["id"]: cluster.get("label") or cluster["id"] for cluster in held}


def case(row: ClusteringRow, gold: Gold, vectors: VectorSet | None = None) -> Case:
    """Build a case from a clustering and a gold standard of the same query, with the vectors of its pages if given.

    Raises:
        InputError: the clustering contains pages that are not in the gold standard.
    """
    points = None if vectors is None else vector_sets.load_vectors(vectors)
    return Case.build(gold_standard(gold), clustering(row), points)


def case_against(standard: GoldStandard, row: ClusteringRow) -> Case:
    """Build a case with a gold standard that has no row, such as a draft."""
    return Case.build(standard, clustering(row))


def without_clusters(gold: Gold) -> Case:
    """Build a case without clusters, for functions that only use the gold standard's topics."""
    return Case.build(gold_standard(gold), Clustering(gold.query.key, ()))


def content_sha256(answer: Clustering) -> str:
    """Return the SHA-256 of the clusters alone (ids, labels, parents, members).

    Equal clusterings share their scores, whatever their query, algorithm and parameters.
    """
    bare = Clustering("", tuple(replace(cluster, extra={}) for cluster in answer.clusters))
    return hashlib.sha256(write_clustering(bare)).hexdigest()


def stream_file(submission: StreamSubmission) -> bytes:
    """Return the canonical ``qc4-stream-clustering/1`` file; its SHA-256 is the submission's."""
    return submission.file.content


def stream_clustering(submission: StreamSubmission, document: StreamDocument) -> StreamClustering:
    """Read the clusterings of a submission; ``document`` is its stream."""
    name = f"stream submission {submission.pk}"
    return read_stream_clustering(stream_file(submission), document, name=name, limits=STORED_STREAM_LIMITS)
