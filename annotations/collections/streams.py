"""Data streams: read uploaded files, store streams, and load stored streams."""

from __future__ import annotations

import hashlib
import json
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from django.db import IntegrityError, transaction
from django.db.models import Max

from accounts.models import User
from annotations.collections import storage
from annotations.limits import STREAM_NUMBERS
from annotations.models import Collection, Stream, StreamFile
from common.file_reading import read_sent
from common.limits import STREAM_LIMITS
from qc4.io.streams import read_stream, write_stream
from qc4.problems import InputError, Problem
from qc4.streams.documents import StreamDocument
from qc4.wording import quoted

STORED_STREAM_LIMITS = replace(STREAM_LIMITS, file_bytes=4 * 2**30, json_values=1_000_000_000)
"""Limits for reading stored streams. Canonical JSON is longer than the uploaded table, so these are generous."""


def stream_bytes(row: Stream) -> bytes:
    """Return the canonical ``qc4-stream/1`` file, whose SHA-256 is in the row."""
    return row.file.content


def load_stream(row: Stream) -> StreamDocument:
    """Return the stream of a row, without fields unknown to its format.

    The content was checked when it was uploaded. It is not checked again because that takes much longer than reading.
    """
    value = json.loads(stream_bytes(row))
    points = value["points"]
    labels = [point["class"] for point in points]
    names = tuple(dict.fromkeys(label for label in labels if label is not None))
    number = {None: -1} | {name: place for place, name in enumerate(names)}
    return StreamDocument(
        id=row.key,
        points=np.array([point["vector"] for point in points], dtype=np.float64),
        classes=np.array([number[label] for label in labels], dtype=np.int64),
        class_names=names,
        times=np.array([point["time"] for point in points], dtype=np.float64),
        text=row.text,
    )


# --- Writing ----------------------------------------------------------------------------------------------------------


def read_stream_file(
    source: Path | bytes, name: str, key: str = "", *, noise: list[Any] | None = None
) -> StreamDocument:
    """Read a stream from a file.

    Args:
        key: the stream's key; by default the one in the file.
        noise: the classes that mean noise; None for the default ones.

    Raises:
        InputError: see `qc4.io.read_stream`; or the stream is larger than `STREAM_NUMBERS`.
    """
    document = read_sent(read_stream, source, name=name, limits=STREAM_LIMITS, noise=noise)
    given = f"{document.n_points:,} points of {document.n_dimensions:,} dimensions"
    STREAM_NUMBERS.check(document.n_points * document.n_dimensions, name, given)
    return replace(document, id=key.strip()) if key.strip() else document


def add_stream(collection: Collection, document: StreamDocument, user: User | None) -> Stream:
    """Append a stream to a collection's streams.

    Raises:
        InputError: the collection already has a stream with this key, or a quota is exceeded.
    """
    content = write_stream(document)
    packed = zlib.compress(content, 6)
    last = collection.streams.aggregate(last=Max("position"))["last"]
    row = Stream(
        collection=collection,
        key=document.id,
        text=document.text,
        position=0 if last is None else last + 1,
        sha256=hashlib.sha256(content).hexdigest(),
        n_points=document.n_points,
        n_dimensions=document.n_dimensions,
        n_classes=document.n_classes,
        n_noise=int((document.classes < 0).sum()),
        first_time=float(document.times[0]),
        last_time=float(document.times[-1]),
        created_by=user,
        stored_bytes=len(packed),
        stored_rows=1,
    )
    storage.check_quota(user, collection, row.stored_bytes)
    try:
        with transaction.atomic():
            row.save(force_insert=True)
            StreamFile.objects.create(stream=row, packed=packed)
    except IntegrityError:
        raise InputError([_taken(document.id)]) from None
    return row


def _taken(key: str) -> Problem:
    fix = "Streams never change. Give this one another name, or delete the existing one first."
    return Problem("duplicate-stream", "stream", f"{quoted(key)}, which already exists", "an unused name", fix)
