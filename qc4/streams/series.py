"""A stream run: clusterings with time stamps, each measured on the points in the horizon at that time.

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
from qc4.progress import track_progress
from qc4.records import Record
from qc4.streams.flat import external_values, internal_values, one_cluster_each
from qc4.streams.inputs import Cluster, checked_clusters, is_ball, places_and_neighbours
from qc4.streams.measure import PARTS, GroundTruth
from qc4.streams.stream import Horizon, Stream, checked_times
from qc4.wording import counted


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A clustering at one time.

    Attributes:
        time: the time of the clustering.
        clusters: as for `cmm`; indices refer to the whole stream, and points outside the horizon are ignored.
    """

    time: float
    clusters: Sequence[Cluster]


@dataclass(frozen=True, slots=True)
class TimeStep(Record):
    """The measures at one time step.

    Attributes:
        time: the time of the step.
        points: the number of points in the horizon.
        values: CMM's components and the flat measures by key, 1 is best (except SSQ); undefined measures are absent.
        undefined: why there are no values at all; empty if there are some.
        reasons: why single measures have no value, by key; empty if all have one, or none has.
    """

    time: float
    points: int
    values: dict[str, float] = field(hash=False)
    undefined: str = ""
    reasons: dict[str, str] = field(default_factory=dict, hash=False)

    @property
    def undefined_words(self) -> str:
        """All measures without a value and the reasons, as one text; empty if all measures have a value."""
        return self.undefined or "; ".join(f"{key}: {why}" for key, why in self.reasons.items())


@dataclass(frozen=True, slots=True)
class Series(Record):
    """A measured stream run.

    Attributes:
        moments: the time steps in order.
    """

    KEYS = "moments medians"

    moments: tuple[TimeStep, ...]

    @property
    def medians(self) -> dict[str, float]:
        """For each measure, the median over the time steps with a value."""
        keys = dict.fromkeys(key for moment in self.moments for key in moment.values)
        return {key: float(np.median(self.values(key))) for key in keys}

    def values(self, key: str) -> list[float]:
        """Return the values of one measure over time, where it has one."""
        return [moment.values[key] for moment in self.moments if key in moment.values]


def check_run(stream: Stream, moments: Sequence[float] | FloatArray, horizon: Horizon) -> None:
    """Raise InputError for a run with too much work. Each of its time steps also has the bounds of `cmm`.

    Raises:
        InputError: the time steps together need more work than `RUN_PLACES` or `RUN_NEIGHBOURS`.
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
    """Compute CMM, its components and the flat measures of every clustering of a run.

    Args:
        stream: the points with classes and arrival times.
        snapshots: the clusterings, in order of time.
        horizon: the points in use at a time, and their weights: `Decay` or `LastPoints`.
        k, tau: as for `cmm`.
        flat: whether to compute the flat measures too.
        progress: called with (done, total) after each clustering.

    Raises:
        InputError: times that decrease, more work than `check_run` accepts, or an input that `cmm` rejects, by
            snapshot.
    """
    run = list(snapshots)
    check_run(stream, checked_times([snapshot.time for snapshot in run], len(run), "snapshots"), horizon)
    moments = []
    for number, snapshot in enumerate(track_progress(run, lambda each: f"time {each.time:g}")):
        try:
            moments.append(_time_step(stream, snapshot, horizon, k, tau, flat))
        except InputError as error:
            raise InputError(problem.within(f"snapshots: row {number + 1}") for problem in error.problems) from None
        progress(number + 1, len(run))
    return Series(tuple(moments))


def _time_step(stream: Stream, snapshot: Snapshot, horizon: Horizon, k: int, tau: float, flat: bool) -> TimeStep:
    kept, weights = horizon.select(stream.times, snapshot.time)
    if not kept.size:
        return TimeStep(snapshot.time, 0, {}, "no point has arrived yet, or none is in the horizon")
    truth = GroundTruth.prepare(stream.points[kept], stream.classes[kept], weights, k, tau)
    arrived = int(np.searchsorted(stream.times, snapshot.time, side="right"))
    clusters = _clusters_in_horizon(stream, snapshot.clusters, kept, arrived)
    values, reasons = measure_values(truth, clusters, flat)
    return TimeStep(snapshot.time, kept.size, values, reasons=reasons)


def measure_values(
    truth: GroundTruth, clusters: Sequence[Cluster], flat: bool = True
) -> tuple[dict[str, float], dict[str, str]]:
    """Return the values of one clustering by key, and the reasons why other measures have none.

    They are CMM's components and, optionally, the flat measures.
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


def _clusters_in_horizon(stream: Stream, clusters: Sequence[Cluster], kept: IntArray, arrived: int) -> list[Cluster]:
    """Return the clusters over the points of the horizon: balls unchanged, index lists renumbered.

    Raises:
        InputError: a cluster contains a point that had not arrived, or an input that `cmm` rejects.
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
