"""The colour and shape that identify an algorithm on every page of the site."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from annotations.models import Collection
from evaluation.baselines.catalogue import BASELINES
from evaluation.baselines.streams import STREAM_BASELINES
from evaluation.models import Algorithm

HUES = 8
PATHS = {
    "circle": "M8 2.2a5.8 5.8 0 1 1 0 11.6a5.8 5.8 0 1 1 0-11.6z",
    "square": "M2.8 2.8h10.4v10.4H2.8z",
    "triangle": "M8 1.8 14.6 13.6H1.4z",
    "diamond": "M8 1.2 14.8 8 8 14.8 1.2 8z",
    "cross": "M5.6 1.6h4.8v4h4v4.8h-4v4H5.6v-4h-4V5.6h4z",
    "hexagon": "M4.6 2.2h6.8L14.8 8l-3.4 5.8H4.6L1.2 8z",
    "kite": "M1.4 2.4h13.2L8 14.2z",
}
"""Shape -> SVG path in a square of 16 pixels."""
SHAPES = tuple(PATHS)
ON_PAPER = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b8a800", "#1b212c")
"""The hues as `static/css/tokens.css` defines them for light pages."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A colour and a shape. ``hue`` is an index of Okabe and Ito's eight; ``hollow`` marks are baselines."""

    hue: int
    shape: str
    hollow: bool


def marks(*collections: Collection) -> dict[int, Mark]:
    """Return algorithm id -> mark, in the order in which algorithms were created, so new ones change no earlier mark.

    A baseline has the same mark in every collection; variants with other parameters get the next ones. With 8 colours
    and 7 shapes the first 56 marks are different, and consecutive marks differ in both.
    """
    rows = Algorithm.objects.filter(collection__in=collections).order_by("pk")
    return marks_of(Marked(*row) for row in rows.values_list("pk", "collection_id", "baseline", "settings"))


class Marked(NamedTuple):
    """The fields of an algorithm that determine its mark."""

    pk: int
    collection_id: int
    baseline: str
    settings: str


def marks_of(algorithms: Iterable[Algorithm] | Iterable[Marked]) -> dict[int, Mark]:
    """As `marks`, for all algorithms of some collections in the order in which they were created."""
    baselines = {key: position for position, key in enumerate([*BASELINES, *STREAM_BASELINES])}
    result: dict[int, Mark] = {}
    others, variants = Counter[int](), Counter[int]()
    for algorithm in algorithms:
        is_baseline = algorithm.baseline in baselines
        if algorithm.settings:
            number = len(baselines) + variants[algorithm.collection_id]
            variants[algorithm.collection_id] += 1
        elif is_baseline:
            number = baselines[algorithm.baseline]
        else:
            number = others[algorithm.collection_id]
            others[algorithm.collection_id] += 1
        result[algorithm.pk] = Mark(number % HUES, SHAPES[number % len(SHAPES)], is_baseline)
    return result
