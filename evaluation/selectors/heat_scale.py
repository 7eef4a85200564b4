"""The nine steps in which a heat map shades values: the better, the stronger."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan

STEPS = ("#f4f7fb", "#dfe9f5", "#c6d8ee", "#a6c3e4", "#7fa8d6", "#4776b4", "#3568a6", "#1d4a82", "#0c2d57")
"""On paper and light pages; each darker than the one before, so that they can be told apart in grey."""
DARK_FROM = 5
"""From this step on text is white."""


@dataclass(frozen=True, slots=True)
class HeatScale:
    """Values from the worst to the best on the steps 0 .. 8."""

    low: float
    high: float
    lower_is_better: bool

    def step(self, value: float) -> int | None:
        """None where there is no value; what is beyond the ends is on the last step."""
        if isnan(value):
            return None
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 1.0
        if self.lower_is_better:
            share = 1.0 - share
        return min(len(STEPS) - 1, max(0, int(share * len(STEPS))))

    @property
    def ends(self) -> tuple[float, float]:
        """The values of the weakest and of the strongest shade."""
        return (self.high, self.low) if self.lower_is_better else (self.low, self.high)
