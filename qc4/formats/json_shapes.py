"""JSON that means clusters and is of none of our formats: what it is, and the Python that makes one of ours of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from qc4.formats.fields import described
from qc4.formats.kinds import EXAMPLE

_LOOKED_AT = 20
_OBJECT = '{"format": "qc4-clustering/1", "query": "jaguar", "clusters": clusters}'
_FROM_DICT = '[{"id": name, "label": name, "pages": pages} for name, pages in found.items()]'
_FROM_LISTS = '[{"id": str(n), "pages": pages} for n, pages in enumerate(found)]'
_FROM_LABELS = (
    '[{"id": str(label), "pages": [p for p in found if found[p] == label]} '
    "for label in set(found.values()) if label not in (-1, None)]"
)
_IN_ORDER = "With the ids of the pages in their order, found = dict(zip(pages, labels)). "


def told(value: Any) -> tuple[str, str] | None:
    """What a JSON value seems to be, and how to write it as ``qc4-clustering/1``; None for what looks like nothing."""
    if isinstance(value, Mapping) and value:
        return _told_of_object(list(value.values())[:_LOOKED_AT])
    if isinstance(value, list) and value:
        return _told_of_list(value[:_LOOKED_AT])
    return None


def without_format(value: Any) -> str:
    """What is found instead of the ``format`` that an object should have."""
    named = value.get("format") if isinstance(value, Mapping) else None
    shape = told(value) if named is None else None
    return shape[0] if shape else described(named)


def _told_of_object(values: Sequence[Any]) -> tuple[str, str] | None:
    if all(map(_is_pages, values)):
        return "an object with a list of pages under each name: clusters as a dict", _how(_FROM_DICT)
    if all(map(_is_label, values)):
        return "an object with a label under each name: pages as a dict", _how(_FROM_LABELS)
    if all(isinstance(each, Mapping) and each and all(map(_is_pages, each.values())) for each in values):
        each = "one such line for each query makes JSON Lines"
        return "an object of objects: clusters as a dict, for each query", f"{_how(_FROM_DICT)}; {each}."
    return None


def _told_of_list(values: Sequence[Any]) -> tuple[str, str] | None:
    if all(map(_is_pages, values)):
        return "a list of lists: the pages of each cluster", _how(_FROM_LISTS)
    if all(map(_is_label, values)):
        return "a list of labels, one for each page", _IN_ORDER + _how(_FROM_LABELS)
    return None


def _how(clusters: str) -> str:
    return f"In Python: clusters = {clusters}; json.dump({_OBJECT}, file). A whole file: {EXAMPLE}"


def _is_pages(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(page, str | int) for page in value)


def _is_label(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float)
