"""Small valid files for the tests of the formats, and helpers for their problems."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

from qc4.problems import InputError, Problem
from tests.paths import SHARED_DATA


def needs_data(name: str) -> pytest.MarkDecorator:
    """Skip a test if the real collection of that name is not beside the repository."""
    return pytest.mark.skipif(not (SHARED_DATA / name).is_dir(), reason=f"no real collection at {SHARED_DATA / name}")


def gold() -> dict[str, Any]:
    """Return six pages; Cars splits into XK and Dealers; page 6 is an outlier."""
    return {
        "format": "qc4-gold/1",
        "query": {"id": "jaguar", "text": "jaguar"},
        "pages": [{"id": str(n), "rank": n, "url": None, "title": f"Page {n}"} for n in range(1, 7)],
        "topics": [
            {"id": "cars", "name": "Cars", "parent": None, "level": 1, "pages": []},
            {"id": "xk", "name": "XK", "parent": "cars", "level": 2, "pages": ["1", "2"]},
            {"id": "dealers", "name": "Dealers", "parent": "cars", "pages": ["2", "3"]},
            {"id": "animal", "name": "Animal", "parent": None, "pages": ["4", "5"]},
        ],
        "outliers": ["6"],
    }


def clustering(query: str = "jaguar") -> dict[str, Any]:
    return {
        "format": "qc4-clustering/1",
        "query": query,
        "algorithm": "STC",
        "parameters": {"merge": 0.6},
        "clusters": [
            {"id": "c1", "label": "car dealers", "parent": None, "pages": ["1", "2", "3"]},
            {"id": "c2", "label": "cats", "parent": None, "pages": ["3", "4"]},
        ],
    }


def zipped(entries: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def problems_of(read: Callable[[], object]) -> tuple[Problem, ...]:
    """Return the problems of a reader, and fail if it has none."""
    with pytest.raises(InputError) as caught:
        read()
    assert caught.value.problems
    return caught.value.problems


def codes_of(read: Callable[[], object]) -> list[str]:
    return [problem.code for problem in problems_of(read)]


def packed(*names: str, content: bytes = b"x") -> bytes:
    """Return an uncompressed archive of files with these names and the same content."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            archive.writestr(name, content)
    return buffer.getvalue()
