"""Baselines for streams: the true clusters, and K-means.

Pure functions of a stream, settings and a seed: no database, no files, no clock.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from threadpoolctl import threadpool_limits

from evaluation.stream_settings import StreamSettings
from qc4.arrays import IntArray
from qc4.streams.documents import StreamClustering, StreamDocument
from qc4.streams.inputs import Cluster
from qc4.streams.measure import GroundTruth
from qc4.streams.series import Snapshot

FEWEST, MOST = 20, 50
"""Limits on the number of time steps of a baseline, which has one per horizon."""
RESTARTS = 3

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class StreamBaseline:
    """A baseline and its properties.

    Attributes:
        key: permanent identifier.
        function: returns (id, cluster) pairs, given the stream, the points that count, their weights, the settings and
            the seed.
        seeded: whether the clustering depends on the seed.
    """

    key: str
    title: str
    meaning: str
    function: Callable[..., list[tuple[str, Cluster]]]
    seeded: bool = False


def moments(document: StreamDocument, settings: StreamSettings) -> list[float]:
    """Return the times at which baselines cluster a stream: evenly spread over its points, the last one at its end."""
    n, times = document.n_points, document.times
    size = max(1, int(settings.horizon.sizes(times, times[-1:])[0]))
    many = min(n, max(FEWEST, min(MOST, n // size)))
    stops = (np.arange(1, many + 1) * n) // many
    found: list[float] = np.unique(times[stops - 1]).tolist()
    return found


def run_stream_baseline(
    key: str, document: StreamDocument, settings: StreamSettings, seed: int = 0, progress: Progress = lambda *_: None
) -> StreamClustering:
    """Return the clusterings of a baseline at each of the stream's `moments`."""
    baseline = STREAM_BASELINES[key]
    snapshots, ids = [], []
    times = moments(document, settings)
    for number, now in enumerate(times):
        progress(number, len(times))
        kept, weights = settings.horizon.select(document.times, now)
        found = baseline.function(document, kept, weights, settings, seed)
        snapshots.append(Snapshot(now, [cluster for _, cluster in found]))
        ids.append(tuple(name for name, _ in found))
    chosen = {"baseline": key, **settings.to_dict(), **({"seed": seed} if baseline.seeded else {})}
    return StreamClustering(document.id, tuple(snapshots), tuple(ids), baseline.title, chosen)


def _true_balls(
    document: StreamDocument, kept: IntArray, weights: np.ndarray, settings: StreamSettings, seed: int
) -> list[tuple[str, Cluster]]:
    truth = GroundTruth.prepare(document.points[kept], document.classes[kept], weights, settings.k, settings.tau)
    members = truth.classes.members
    return [(document.class_names[labels[0]], ball) for labels, ball in zip(members, truth.classes.balls, strict=True)]


def _kmeans(
    document: StreamDocument, kept: IntArray, weights: np.ndarray, settings: StreamSettings, seed: int
) -> list[tuple[str, Cluster]]:
    from sklearn.cluster import KMeans  # takes a second to import

    classes = document.classes[kept]
    many = min(max(1, np.unique(classes[classes >= 0]).size), len(np.unique(document.points[kept], axis=0)))
    # One thread adds up centroids in the same order, so it gives the same clusters each time.
    with threadpool_limits(limits=1):
        labels = KMeans(many, n_init=RESTARTS, random_state=seed).fit_predict(document.points[kept], None, weights)
    return [(str(number + 1), kept[labels == number]) for number in range(many)]


STREAM_BASELINES = {
    baseline.key: baseline
    for baseline in (
        StreamBaseline(
            "true_clusters",
            "True clusters",
            "The smallest ball around each class: a perfect clustering, with a CMM of 1.",
            _true_balls,
        ),
        StreamBaseline(
            "stream_kmeans",
            "K-means per horizon",
            "K-means on the points that count, with as many clusters as there are classes.",
            _kmeans,
            seeded=True,
        ),
    )
}
