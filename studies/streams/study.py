"""The experiments of the CMM paper's Fig. 6, 7 and 9, repeated on synthetic streams.

Source: seed 000 (Kremer et al., An Effective Evaluation Measure for Clustering on Evolving Data Streams, KDD 2011),
section 6. The paper used real streams for Fig. 6 and 7(d); here all figures use synthetic ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from qc4.arrays import FloatArray, IntArray
from qc4.problems import require_package
from qc4.progress import track_progress
from qc4.streams.flat import EXTERNAL, INTERNAL, external_values, internal_values, one_cluster_each
from qc4.streams.inputs import Cluster, checked_clusters
from qc4.streams.measure import GroundTruth
from qc4.streams.series import Series, Snapshot, measure_stream, measure_values
from qc4.streams.stream import LastPoints, Stream
from studies.streams.generator import ERROR_GENERATORS, GeneratorSettings, moving_clusters

HORIZONS = (100, 250, 500, 1_000, 5_000, 10_000)
"""Numbers of points of the horizons of Fig. 6."""
ERROR_HORIZONS = (5_000, 10_000)
"""Numbers of points of the horizons of Fig. 9. Fig. 7 uses the first one."""
LEVELS = tuple(level / 10 for level in range(11))
"""Error levels of Fig. 7 and 9."""
INTERVAL = 500
"""Number of points between two shifts of the centres.

The paper says 100. With that, a cluster crosses the whole square within 10,000 points, and the balls around the points
cover nearly everything (redundancy 0.94). No two clusters are separate, so the join error cannot join any: CMM stays at
1 on that horizon, unlike in the paper's Fig. 9(b). With 500, the curves are like the paper's.
"""
MAX_EVALUATIONS = 100
"""Maximum number of evaluations per horizon. Otherwise there is one per horizon length, as in the paper."""


@dataclass(frozen=True, slots=True)
class FigureValue:
    """One point of one line.

    Attributes:
        figure: panel of a figure, ``6a`` .. ``9l``.
        panel: title of the panel.
        x: horizon, error level or time.
        measure: name of the line.
        median: median over all time steps; the value itself if the panel shows every time step.
        moments: number of time steps.
    """

    figure: str
    panel: str
    x: float
    measure: str
    median: float
    moments: int


def stream_study(points: int = 200_000, interval: int = INTERVAL, seed: int = 0) -> list[FigureValue]:
    """Compute every value of Fig. 6, 7 and 9.

    Args:
        points: length of the stream. Longer horizons are omitted.
        interval: number of points between two shifts of the centres.
        seed: random seed of the stream, of removed clusters and of samples.

    Raises:
        InputError: scikit-learn is not installed.
    """
    require_package("scikit-learn", "stream study")
    stream = moving_clusters(GeneratorSettings(points=points, interval=interval), seed)
    values = list(_over_horizons(stream))
    values += _over_time(kmeans_run(stream, min(ERROR_HORIZONS[0], points), seed))
    fast = moving_clusters(GeneratorSettings(points=points, interval=max(1, interval // 5)), seed)
    values += _structure({"slow": stream, "fast": fast})
    for horizon in (horizon for horizon in ERROR_HORIZONS if horizon <= points):
        values += _over_errors(stream, horizon, seed)
    return sorted(values, key=lambda value: value.figure)


def evaluation_slices(stream: Stream, horizon: int) -> Iterator[slice]:
    """Yield the points of each evaluation: consecutive horizons, thinned out evenly if there are too many."""
    count = len(stream.points) // horizon
    for number in np.unique(np.linspace(1, count, min(count, MAX_EVALUATIONS)).round()).astype(int).tolist():
        yield slice((number - 1) * horizon, number * horizon)


def _watched(stream: Stream, horizon: int, what: str) -> Iterable[slice]:
    """Yield `moments` and report progress."""
    return track_progress(list(evaluation_slices(stream, horizon)), lambda _: f"{what}, horizon {horizon:,}")


def kmeans_run(stream: Stream, horizon: int, seed: int = 0) -> Series:
    """Evaluate K-means on each horizon of the stream, with as many clusters as classes."""
    snapshots = [
        Snapshot(
            float(stream.times[part.stop - 1]), _kmeans(stream.points[part], stream.classes[part], part.start, seed)
        )
        for part in _watched(stream, horizon, "figure 6a: K-means over time")
    ]
    return measure_stream(stream, snapshots, LastPoints(horizon))


def _kmeans(points: FloatArray, classes: IntArray, first: int, seed: int) -> list[Cluster]:
    from sklearn.cluster import KMeans  # takes a second to load

    count = max(1, np.unique(classes[classes >= 0]).size)
    labels = KMeans(count, n_init=1, random_state=seed).fit_predict(points)
    return [first + np.flatnonzero(labels == number) for number in range(count)]


def _over_time(series: Series) -> Iterator[FigureValue]:
    for key in ("cmm", "purity", "vi"):
        for moment in series.moments:
            if key in moment.values:
                yield FigureValue("6a", "K-means", moment.time, NAMES[key], moment.values[key], 1)
                yield FigureValue("6a", "K-means", moment.time, f"{NAMES[key]} (median)", series.medians[key], 1)


def _over_horizons(stream: Stream) -> Iterator[FigureValue]:
    for horizon in (horizon for horizon in HORIZONS if horizon <= len(stream.points)):
        rows = []
        for part in _watched(stream, horizon, "figure 6: the ground truth"):
            truth = GroundTruth.prepare(stream.points[part], stream.classes[part])
            rows.append(measure_values(truth, truth.classes.balls)[0])
        yield from _medians(
            "6b", "ground truth: CMM and structure", horizon, ("cmm", "separability", "redundancy"), rows
        )
        yield from _medians("6c", "ground truth: internal measures", horizon, INTERNAL, rows)
        yield from _medians("6d", "ground truth: external measures", horizon, EXTERNAL, rows)


def _structure(streams: dict[str, Stream]) -> Iterator[FigureValue]:
    for name, stream in streams.items():
        for horizon in (horizon for horizon in (100, 500, 5_000) if horizon <= len(stream.points)):
            rows = []
            for part in _watched(stream, horizon, f"figure 7d: structure of the {name} stream"):
                truth = GroundTruth.prepare(stream.points[part], stream.classes[part])
                rows.append({"separability": truth.separability, "redundancy": truth.redundancy})
            for found in _medians("7d", "structure", horizon, ("separability", "redundancy"), rows):
                yield FigureValue(
                    found.figure, found.panel, found.x, f"{found.measure}, {name}", found.median, found.moments
                )


def _over_errors(stream: Stream, horizon: int, seed: int) -> Iterator[FigureValue]:
    truths = [
        GroundTruth.prepare(stream.points[part], stream.classes[part]) for part in evaluation_slices(stream, horizon)
    ]
    place = ERROR_HORIZONS.index(horizon)
    flawed = [(number, flaw, level) for number, flaw in enumerate(PANELS) for level in LEVELS]
    for number, flaw, level in track_progress(
        flawed, lambda one: f"figures 7 and 9: {PANELS[one[1]]}, horizon {horizon:,}"
    ):
        rows = [
            _with_error(truth, flaw, level, seed + moment, internal=place == 0) for moment, truth in enumerate(truths)
        ]
        title = f"{PANELS[flaw]}, horizon {horizon:,}"
        if place == 0:
            yield from _medians("7" + "abc"[number], title, level, ("cmm", *INTERNAL), rows)
        yield from _medians("9" + "abefij"[2 * number + place], title, level, CMM_LINES[flaw], rows)
        yield from _medians("9" + "cdghkl"[2 * number + place], title, level, EXTERNAL, rows)


def _with_error(truth: GroundTruth, flaw: str, level: float, seed: int, internal: bool) -> dict[str, float]:
    clusters = ERROR_GENERATORS[flaw](truth, level, seed)
    result, plain = truth.measure(clusters), truth.measure(clusters, refine_missed=False)
    values = {"cmm": result.cmm, "missed": result.missed, "misplaced": result.misplaced, "noise": result.noise}
    values |= {"cmm_plain": plain.cmm, "missed_plain": plain.missed}
    found = checked_clusters(clusters, truth.points)
    chosen = one_cluster_each(truth.points, found)
    values |= external_values(truth.classes.class_of, chosen)
    return values | internal_values(truth.points, found, chosen, seed)[0] if internal else values


def _medians(
    figure: str, panel: str, x: float, keys: Sequence[str], rows: Iterable[dict[str, float]]
) -> Iterator[FigureValue]:
    found = list(rows)
    for key in keys:
        values = [row[key] for row in found if key in row]
        if values:
            yield FigureValue(figure, panel, x, NAMES[key], float(np.median(values)), len(values))


CMM_LINES = {
    "join": ("cmm", "misplaced", "noise"),
    "radius": ("cmm", "missed", "cmm_plain", "missed_plain"),
    "remove": ("cmm", "missed", "cmm_plain", "missed_plain"),
}
PANELS = {"join": "cluster join", "radius": "radius decrease", "remove": "cluster remove"}
NAMES = {
    "cmm": "CMM",
    "missed": "CMM missed",
    "misplaced": "CMM misplaced",
    "noise": "CMM noise",
    "cmm_plain": "CMM without discount",
    "missed_plain": "CMM missed without discount",
    "separability": "separability",
    "redundancy": "redundancy",
    "ari": "adjusted Rand",
    "purity": "purity",
    "f_zaki": "F",
    "v_measure": "V-measure",
    "van_dongen": "1 - van Dongen",
    "vi": "1 - VI / ln n",
    "silhouette": "(1 + silhouette) / 2",
    "c_index": "1 - C index",
    "ssq": "SSQ",
}
