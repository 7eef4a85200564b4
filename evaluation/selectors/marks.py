"""The colour and shape by which an algorithm is known on every page of the site."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from annotations.models import Collection
from evaluation.baselines.catalogue import BASELINES
from evaluation.baselines.streams import STREAM_BASELINES
from evaluation.models import Algorithm

HUES = 8
SHAPES = ("circle", "square", "triangle", "diamond", "cross", "hexagon", "kite")


@dataclass(frozen=True, slots=True)
class Mark:
    """``hue`` is one of Okabe and Ito's eight; ``hollow`` marks are baselines."""

    hue: int
    shape: str
    hollow: bool


def marks(*collections: Collection) -> dict[int, Mark]:
    """Algorithm id -> its mark: by the order algorithms came to their collection, so later ones change no earlier one.

    Baselines carry the same mark in every collection. With 8 colours and 7 shapes the first 56 differ in the pair
    and neighbours in both.
    """
    return marks_of(Algorithm.objects.filter(collection__in=collections).order_by("pk"))


def marks_of(algorithms: Iterable[Algorithm]) -> dict[int, Mark]:
    """As `marks`, for all algorithms of some collections in the order they came."""
    baselines = {key: position for position, key in enumerate([*BASELINES, *STREAM_BASELINES])}
    result: dict[int, Mark] = {}
    others = Counter[int]()
    for algorithm in algorithms:
        is_baseline = algorithm.baseline in baselines
        number = baselines[algorithm.baseline] if is_baseline else others[algorithm.collection_id]
        others[algorithm.collection_id] += not is_baseline
        result[algorithm.pk] = Mark(number % HUES, SHAPES[number % len(SHAPES)], is_baseline)
    return result
