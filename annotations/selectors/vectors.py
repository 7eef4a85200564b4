"""Vectors of pages as they are kept: which ones count, and their numbers."""

from __future__ import annotations

import io

import numpy as np
from django.db.models import Max

from annotations.models import Collection, Query, VectorSet
from qc4.model.vectors import Vectors


def latest_vectors(collection: Collection, query: Query | None = None) -> dict[int, VectorSet]:
    """Query id -> its latest vectors; of one query only, if it is given."""
    sets = VectorSet.objects.filter(query__collection=collection)
    if query is not None:
        sets = sets.filter(query=query)
    latest = sets.order_by().values("query").annotate(latest=Max("pk")).values("latest")
    found = VectorSet.objects.filter(pk__in=latest).select_related("query", "created_by")
    return {row.query_id: row for row in found.order_by("query__position", "query_id")}


def read(row: VectorSet) -> Vectors:
    """The vectors of a row; their origin says where they come from."""
    points = np.load(io.BytesIO(npy(row)), allow_pickle=False)
    points.flags.writeable = False
    return Vectors(points, {"origin": row.origin, **row.parameters, "vectors_sha256": row.sha256})


def npy(row: VectorSet) -> bytes:
    """The ``.npy`` file; its SHA-256 is the row's."""
    return row.file.content
