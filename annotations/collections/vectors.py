"""Page vectors: read uploaded files, store vectors, and load stored vectors."""

from __future__ import annotations

import hashlib
import io
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
from django.db import transaction
from django.db.models import Max

from accounts.models import User
from annotations.collections import storage
from annotations.collections.query_keys import QueryKey
from annotations.collections.selectors import page_lists, query_names
from annotations.limits import VECTOR_NUMBERS
from annotations.models import Collection, Query, VectorFile, VectorSet
from common.file_reading import read_sent
from common.limits import LIMITS
from qc4.io import read_vectors
from qc4.io.archives import is_zip, read_zip, without_side_files
from qc4.io.limits import Budget
from qc4.io.source import Blob, read_blob
from qc4.model.query_names import QueryNames
from qc4.model.vectors import Vectors
from qc4.problems import InputError, ProblemList
from qc4.wording import listed, quoted


def latest_vectors(collection: Collection, query: Query | None = None) -> dict[int, VectorSet]:
    """Return a dict of query id -> latest vectors, optionally for one query only."""
    sets = VectorSet.objects.filter(query__collection=collection)
    if query is not None:
        sets = sets.filter(query=query)
    latest = sets.order_by().values("query").annotate(latest=Max("pk")).values("latest")
    found = VectorSet.objects.filter(pk__in=latest).select_related("query", "created_by")
    return {row.query_id: row for row in found.order_by("query__position", "query_id")}


def load_vectors(row: VectorSet) -> Vectors:
    """Return the vectors of a row, with their origin."""
    points = np.load(io.BytesIO(npy_bytes(row)), allow_pickle=False)
    points.flags.writeable = False
    return Vectors(points, {"origin": row.origin, **row.parameters, "vectors_sha256": row.sha256})


def npy_bytes(row: VectorSet) -> bytes:
    """Return the ``.npy`` file, whose SHA-256 is in the row."""
    return row.file.content


# --- Writing ----------------------------------------------------------------------------------------------------------

_ENDINGS = (".npy", ".csv", ".tsv", ".txt")


def pack_vectors(query: Query, vectors: Vectors, origin: VectorSet.Origin, user: User | None) -> VectorFile:
    """Compress vectors and make the rows for `keep`. This takes time, so it is done before the transaction.

    Raises:
        InputError: there are more than `VECTOR_NUMBERS` numbers.
    """
    check_vector_size(query, vectors.n_pages, vectors.dimensions)
    file = io.BytesIO()
    np.lib.format.write_array(file, np.ascontiguousarray(vectors.points, dtype="<f8"), version=(1, 0))
    packed = zlib.compress(file.getbuffer(), 1)
    row = VectorSet(
        query=query,
        origin=origin,
        parameters=dict(vectors.origin),
        sha256=hashlib.sha256(file.getbuffer()).hexdigest(),
        n_pages=vectors.n_pages,
        n_dimensions=vectors.dimensions,
        created_by=user,
        stored_bytes=len(packed),
        stored_rows=1,
    )
    return VectorFile(vectors=row, packed=packed)


def store_vectors(files: Iterable[VectorFile]) -> list[VectorSet]:
    """Store packed vectors as the latest of their queries, and return the sets that differ from the previous ones.

    Raises:
        InputError: a quota is exceeded.
    """
    changed = []
    with transaction.atomic():
        for file in files:
            row = file.vectors
            latest = latest_vectors(row.query.collection, row.query).get(row.query_id)
            if latest is None or latest.sha256 != row.sha256:
                storage.check_quota(row.created_by, row.query.collection, row.stored_bytes)
                row.save(force_insert=True)
                file.save(force_insert=True)
                changed.append(row)
    return changed


def read_vector_file(collection: Collection, path: Path, name: str) -> list[tuple[Query, Vectors]]:
    """Read vectors from a ``.npy`` or CSV file named after its query's key, or from a ZIP of such files.

    If the collection has only one query, a single file may have any name.

    Raises:
        InputError: a file matches no query, two files match one query, or `qc4.io.read_vectors` rejects a file. The
            error lists all problems of all files.
    """
    blob = read_blob(path, name, LIMITS)
    blobs = without_side_files(read_zip(blob, Budget(LIMITS)))[0] if is_zip(blob.data) else [blob]
    problems = ProblemList()
    if not blobs:
        problems.error("no-vectors", name, "no files", "one .npy or CSV file per query, named after its key")
    queries = {query.key: query for query in collection.queries.select_related("collection")}
    only = next(iter(queries.values())) if len(queries) == len(blobs) == 1 and not is_zip(blob.data) else None
    pages, names = page_lists(collection), query_names(queries.values())
    found: dict[str, tuple[Query, Vectors]] = {}
    for one in blobs:
        query = _query_of(one, queries, names) or only
        if query is None:
            fix = f"Name the file after its query's key or text: {listed([f'{key}.npy' for key in queries])}."
            expected = "a query's key or text"
            problems.error("unknown-query", one.name, "a file name that matches no query here", expected, fix)
        elif query.key in found:
            problems.error("duplicate-query", one.name, f"a second file for query {quoted(query.key)}", "one per query")
        else:
            try:
                found[query.key] = query, read_vectors_of_query(query, one, pages[query.key])
            except InputError as error:
                problems.extend(error.problems)
    problems.refuse_errors()
    return list(found.values())


def read_vectors_of_query(query: Query, blob: Blob, page_ids: tuple[str, ...]) -> Vectors:
    """Read the vectors of one query. Raises InputError like `qc4.io.read_vectors`."""
    vectors = read_sent(read_vectors, blob.data, page_ids, name=blob.name)
    check_vector_size(query, vectors.n_pages, vectors.dimensions)
    return vectors


def check_vector_size(query: Query, pages: int, dimensions: int) -> None:
    """Raise InputError if there are more numbers than fit in a worker's memory."""
    given = f"{pages:,} pages of {dimensions:,} dimensions"
    VECTOR_NUMBERS.check(pages * dimensions, f"query {quoted(query.key)}", given)


def _query_of(blob: Blob, queries: Mapping[str, Query], names: QueryNames) -> Query | None:
    """Return the query that a file is named after, by its key or text.

    The key may be escaped as in URLs, because a file name cannot contain every character.
    """
    name = blob.name.rsplit("/", 1)[-1]
    for ending in _ENDINGS:
        name = name[: -len(ending)] if name.casefold().endswith(ending) else name
    found = queries.get(names.key(name))
    try:
        return found or queries.get(QueryKey().to_python(name))
    except ValueError:
        return None
