"""Scales, round ticks and paths: the numbers of a chart, whoever draws it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scale:
    """Values from ``low`` to ``high`` on places from ``start`` to ``end``; what is beyond stays on the border."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.0
        return self.start + (self.end - self.start) * min(1.0, max(0.0, share))


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers from low to high, at most so many."""
    raw = (high - low) / max(1, most - 1)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= raw * (1 - 1e-9))
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [number * step for number in range(first, last + 1)]


def path(places: Iterable[tuple[float, float] | None]) -> str:
    """The ``d`` of an SVG path through places; it breaks where there is none."""
    drawn, pen = [], "M"
    for place in places:
        if place is not None:
            drawn.append(f"{pen}{place[0]:.1f} {place[1]:.1f}")
        pen = "M" if place is None else "L"
    return "".join(drawn)
