"""Settings of stream measures: the horizon (which points count at a time step), and CMM's k and tau."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from evaluation.limits import MAX_HORIZON_POINTS, NEIGHBOURS
from qc4.problems import InputError, Problem
from qc4.streams.inputs import check_options
from qc4.streams.stream import Decay, Horizon, LastPoints
from qc4.wording import counted

LAST = 1_000
"""Points of the default horizon."""
K, TAU = 2, 0.5
MOST = {"last": MAX_HORIZON_POINTS, "k": NEIGHBOURS}
NAMES = ("last", "decay", "threshold", "k", "tau")


@dataclass(frozen=True, slots=True)
class StreamSettings:
    """The settings of one stream result.

    Attributes:
        horizon: which points count at a time step, and their weights.
        k: number of neighbours for connectivity.
        tau: connectivity above which two classes are merged.
    """

    horizon: Horizon = field(default_factory=lambda: LastPoints(LAST))
    k: int = K
    tau: float = TAU

    @classmethod
    def of(
        cls,
        *,
        last: int | None = None,
        decay: float | None = None,
        threshold: float | None = None,
        k: int | None = None,
        tau: float | None = None,
    ) -> StreamSettings:
        """Make settings from a number of last points, or from decay and threshold; omitted values have their defaults.

        Raises:
            InputError: both kinds of horizon are given, or only half of one; a value is out of range.
        """
        if last is not None and (decay is not None or threshold is not None):
            raise InputError([_wrong("last beside decay or threshold", "only one of the two")])
        if (decay is None) != (threshold is None):
            raise InputError([_wrong("only one of decay and threshold", "both of them, or last")])
        beyond = {name: value for name, value in (("last", last), ("k", k)) if value is not None and value > MOST[name]}
        if beyond:
            raise InputError(
                Problem("out-of-range", name, f"{value:,}", f"at most {MOST[name]:,}") for name, value in beyond.items()
            )
        if decay is not None and threshold is not None:
            horizon: Horizon = Decay(decay, threshold)
        else:
            horizon = LastPoints(LAST if last is None else last)
        k, tau = K if k is None else k, TAU if tau is None else tau
        check_options(k, tau, "all")
        return cls(horizon, k, tau)

    @classmethod
    def parse(cls, stored: Mapping[str, Any]) -> StreamSettings:
        """Read the settings that `to_dict` returned."""
        return cls.of(**{name: stored[name] for name in NAMES if name in stored})

    def to_dict(self) -> dict[str, Any]:
        """Return JSON values: ``last``, or ``decay`` and ``threshold``; and ``k`` and ``tau``."""
        if isinstance(self.horizon, LastPoints):
            chosen: dict[str, Any] = {"last": self.horizon.count}
        else:
            chosen = {"decay": float(self.horizon.decay), "threshold": float(self.horizon.threshold)}
        return {**chosen, "k": self.k, "tau": float(self.tau)}

    @property
    def sha256(self) -> str:
        """SHA-256 of the canonical JSON."""
        text = json.dumps(self.to_dict(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def horizon_words(self) -> str:
        """The horizon in words."""
        if isinstance(self.horizon, LastPoints):
            return f"the last {counted(self.horizon.count, 'point')}"
        return f"decay {self.horizon.decay:g}, down to weight {self.horizon.threshold:g}"

    @property
    def words(self) -> str:
        """All settings in words."""
        return f"{self.horizon_words}, k = {self.k}, τ = {self.tau:g}"

    @property
    def arguments(self) -> list[str]:
        """The options of ``python -m qc4 stream`` and of ``manage.py submit_stream``."""
        return [part for name, value in self.to_dict().items() for part in (f"--{name}", str(value))]


def _wrong(found: str, expected: str) -> Problem:
    fix = "Choose the last N points, or both a decay and a threshold below which points no longer count."
    return Problem("bad-horizon", "horizon", found, expected, fix)
