"""Data streams as they are kept."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np

from annotations.models import Stream
from common.limits import STREAM_LIMITS
from qc4.streams.documents import StreamDocument

KEPT = replace(STREAM_LIMITS, file_bytes=4 * 2**30, json_values=1_000_000_000)
"""What was taken in is read back whatever it weighs: canonical JSON is longer than the table it came as."""


def canonical(row: Stream) -> bytes:
    """The canonical ``qc4-stream/1`` file; its SHA-256 is the row's."""
    return row.file.content


def read(row: Stream) -> StreamDocument:
    """The stream of a row, without the fields its format does not know.

    It was checked when it was taken in, and checking costs many times what reading does.
    """
    value = json.loads(canonical(row))
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
