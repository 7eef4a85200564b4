"""A stream run: clusterings with time stamps, each measured on the points that still count at its time.

Source: seed 000 (Kremer et al., An Effective Evaluation Measure for Clustering on Evolving Data Streams, KDD 2011),
section 6 and Fig. 6(a).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from qc4.arrays import FloatArray, IntArray
from qc4.model.bounds import RUN_NEIGHBOURS, RUN_PLACES
from qc4.problems import InputError, ProblemList
from qc4.progress import watched
from qc4.records import Record
from qc4.streams.flat import external_values, internal_values, one_cluster_each
from qc4.streams.inputs import Cluster, checked_clusters, is_ball, places_and_neighbours
from qc4.streams.measure import PARTS, GroundTruth
from qc4.streams.stream import Horizon, Stream, checked_times
from qc4.wording import counted


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A clustering as it was at one time.

    Attributes:
        time: when.
        clusters: as for `cmm`; indices are those of the whole stream, and points that no longer count are passed over.
    """

    time: float
    clusters: Sequence[Cluster]


@dataclass(frozen=True, slots=True)
class Moment(Record):
    """The measures at one time.

    Attributes:
        time: when.
        points: how many counted.
        values: CMM's parts and the flat measures by key, 1 best (SSQ apart); a measure without a value is not there.
        undefined: why there are no values at all; empty if there are.
        reasons: why a measure has no value, by key; empty if all have one, or none has.
    """

    time: float
    points: int
    values: dict[str, float] = field(hash=False)
    undefined: str = ""
    reasons: dict[str, str] = field(default_factory=dict, hash=False)

    @property
    def undefined_words(self) -> str:
        """Everything that has no value and why, in one text; empty if all measures have a value."""
        return self.undefined or "; ".join(f"{key}: {why}" for key, why in self.reasons.items())


@dataclass(frozen=True, slots=True)
class Series(Record):
    """A stream run, measured.

    Attributes:
        moments: in the order of time.
    """

    KEYS = "moments medians"

    moments: tuple[Moment, ...]

    @property
    def medians(self) -> dict[str, float]:
        """Per measure, the median over the moments that have a value."""
        keys = dict.fromkeys(key for moment in self.moments for key in moment.values)
        return {key: float(np.median(self.values(key))) for key in keys}

    def values(self, key: str) -> list[float]:
        """One measure over time, where it has a value."""
        return [moment.values[key] for moment in self.moments if key in moment.values]


def check_run(stream: Stream, moments: Sequence[float] | FloatArray, horizon: Horizon) -> None:
    """Refuse a run with too much work before any of it is done; each of its time steps has the bounds of `cmm`, too.

    Raises:
        InputError: the time steps together have more work than `RUN_PLACES` or `RUN_NEIGHBOURS`.
    """
    classes = np.unique(stream.classes[stream.classes >= 0]).size
    dimensions = int(stream.points.shape[1])
    sizes: list[int] = horizon.sizes(stream.times, np.asarray(moments, dtype=np.float64)).tolist()
    given = f"{counted(len(sizes), 'clustering')} on up to {counted(max(sizes, default=0), 'point')}"
    given = f"{given} of {dimensions} dimensions in {counted(classes, 'class', 'classes')}"
    steps = [places_and_neighbours(n, dimensions, classes) for n in sizes]
    RUN_PLACES.check(sum(places for places, _ in steps), "snapshots", given)
    RUN_NEIGHBOURS.check(sum(neighbours for _, neighbours in steps), "snapshots", given)


def measure_stream(
    stream: Stream,
    snapshots: Iterable[Snapshot],
    horizon: Horizon,
    k: int = 2,
    tau: float = 0.5,
    flat: bool = True,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Series:
    """CMM, its parts and the flat measures of every clustering of a run.

    Args:
        stream: the points with classes and arrival times.
        snapshots: the clusterings, in the order of time.
        horizon: which points count at a time, and how much: `Decay` or `LastPoints`.
        k, tau: as for `cmm`.
        flat: whether to compute the flat measures too.
        progress: called with (done, total) after each clustering.

    Raises:
        InputError: times that go back, more work than `check_run` accepts, or what `cmm` refuses, named by snapshot.
    """
    run = list(snapshots)
    check_run(stream, checked_times([snapshot.time for snapshot in run], len(run), "snapshots"), horizon)
    moments = []
    for number, snapshot in enumerate(watched(run, lambda each: f"time {each.time:g}")):
        try:
            moments.append(_moment(stream, snapshot, horizon, k, tau, flat))
        except InputError as error:
            raise InputError(problem.within(f"snapshots: row {number + 1}") for problem in error.problems) from None
        progress(number + 1, len(run))
    return Series(tuple(moments))


def _moment(stream: Stream, snapshot: Snapshot, horizon: Horizon, k: int, tau: float, flat: bool) -> Moment:
    kept, weights = horizon.select(stream.times, snapshot.time)
    if not kept.size:
        return Moment(snapshot.time, 0, {}, "no point has arrived yet, or none still counts")
    truth = GroundTruth.prepare(stream.points[kept], stream.classes[kept], weights, k, tau)
    arrived = int(np.searchsorted(stream.times, snapshot.time, side="right"))
    clusters = _within(stream, snapshot.clusters, kept, arrived)
    values, reasons = measured(truth, clusters, flat)
    return Moment(snapshot.time, kept.size, values, reasons=reasons)


def measured(
    truth: GroundTruth, clusters: Sequence[Cluster], flat: bool = True
) -> tuple[dict[str, float], dict[str, str]]:
    """Return the values of one clustering by key, and why the other measures have none.

    They are CMM's parts and, if wanted, the flat measures.
    """
    result = truth.measure(clusters)
    reasons: dict[str, str] = {}
    values: dict[str, float] = {name: getattr(result, name) for name in PARTS}
    if flat:
        found = checked_clusters(clusters, truth.points)
        chosen = one_cluster_each(truth.points, found)
        values |= external_values(truth.classes.class_of, chosen)
        internal, reasons = internal_values(truth.points, found, chosen)
        values |= internal
    return values, reasons


def _within(stream: Stream, clusters: Sequence[Cluster], kept: IntArray, arrived: int) -> list[Cluster]:
    """The clusters over the points of the horizon: balls as they are, index lists renumbered.

    Raises:
        InputError: a cluster holds a point that had not arrived, or what `cmm` refuses.
    """
    place = np.full(len(stream.points), -1)
    place[kept] = np.arange(kept.size)
    listed = checked_clusters([[] if is_ball(cluster) else cluster for cluster in clusters], stream.points)
    problems = ProblemList()
    found: list[Cluster] = []
    for number, (cluster, checked) in enumerate(zip(clusters, listed, strict=True)):
        late = checked.indices[checked.indices >= arrived]
        if late.size:
            shown, expected = ", ".join(map(str, late[:20])), f"points that had arrived: 0 to {arrived - 1}"
            problems.error("point-not-arrived", f"clusters[{number}]", f"point {shown}", expected)
        places = place[checked.indices]
        found.append(cluster if is_ball(cluster) else places[places >= 0])
    problems.refuse_errors()
    return found
