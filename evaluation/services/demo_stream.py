"""The stream of the demo collection: moving clusters, the baselines, and an invented algorithm that goes wrong."""

from __future__ import annotations

from accounts.models import User
from annotations.models import Collection
from annotations.services import streams as stored
from evaluation.models import Run, StreamSubmission
from evaluation.services import stream_baselines, streams
from evaluation.services.provenance import Provenance
from evaluation.stream_settings import StreamSettings
from qc4.streams.documents import StreamClustering, StreamDocument
from qc4.streams.horizon import LastPoints
from qc4.streams.measure import GroundTruth
from qc4.streams.series import Snapshot
from studies.streams.flawed import join_clusters, shrink_clusters
from studies.streams.generator import GeneratorSettings, moving_clusters

KEY = "moving-clusters"
TEXT = "Six moving clusters"
ALGORITHM = "Late Riser"
SETTINGS = StreamSettings(LastPoints(500))
MOVEMENT, SEED = GeneratorSettings(points=3_000, interval=50, radius=0.07, noise=0.08), 11
MOMENTS = 20


def load(collection: Collection, owner: User | None) -> None:
    """Put in whatever of the stream is not there yet."""
    made = document()
    stream = collection.streams.filter(key=KEY).first() or stored.add(collection, made, owner)
    if not stream.submissions.exists():
        provenance = Provenance(owner, StreamSubmission.Origin.COMMAND, published=True, limited=False)
        streams.submit(stream, made, flawed(made), provenance, settings=SETTINGS)
    if not stream.runs.filter(kind=Run.Kind.STREAM_BASELINES).exists():
        stream_baselines.enqueue(stream=stream, settings=SETTINGS, user=owner, limited=False)


def document() -> StreamDocument:
    """The stream; the seed makes it the same each time."""
    points = moving_clusters(MOVEMENT, SEED)
    names = tuple(f"class {number + 1}" for number in range(MOVEMENT.clusters))
    return StreamDocument(KEY, points.points.round(6), points.classes, names, points.times, TEXT)


def flawed(of: StreamDocument) -> StreamClustering:
    """Clusters that fit at the beginning, shrink in the first half of the stream and join neighbours in the second."""
    snapshots = []
    for number in range(1, MOMENTS + 1):
        now = float(of.times[number * of.n_points // MOMENTS - 1])
        kept, weights = SETTINGS.horizon.select(of.times, now)
        truth = GroundTruth.prepare(of.points[kept], of.classes[kept], weights)
        level = number / MOMENTS
        snapshots.append(
            Snapshot(now, shrink_clusters(truth, level) if level <= 0.5 else join_clusters(truth, 2 * level - 1))
        )
    ids = tuple(tuple(str(number + 1) for number in range(len(snapshot.clusters))) for snapshot in snapshots)
    return StreamClustering(of.id, tuple(snapshots), ids, ALGORITHM, {"invented": True})
