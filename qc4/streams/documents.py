"""Streams and clusterings of them as they are brought in files (``qc4-stream/1``, ``qc4-stream-clustering/1``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from qc4.arrays import FloatArray, IntArray
from qc4.model.gold_document import Extra
from qc4.model.noise import NoiseLabel
from qc4.streams.series import Snapshot
from qc4.streams.stream import Stream


@dataclass(frozen=True, eq=False)
class StreamDocument:
    """A stream with its ground truth. Points are numbered from 0 in the order of the file.

    Attributes:
        id: the stream's identity.
        points: (points, dimensions) finite.
        classes: (points,) number of each point's class, in order of first appearance; -1 for noise.
        class_names: the label of each class.
        times: (points,) arrival times, never going back.
        text: what the stream is, in words.
        extra, stream_extra: fields the format does not know, of the file and of its ``stream``.
        point_extra: those of points, by point; only of points that have some.
        noise: the classes that were read as noise, as they are written, with their points.
    """

    id: str
    points: FloatArray
    classes: IntArray
    class_names: tuple[str, ...]
    times: FloatArray
    text: str = ""
    extra: Extra = field(default_factory=dict)
    stream_extra: Extra = field(default_factory=dict)
    point_extra: Mapping[int, Extra] = field(default_factory=dict)
    noise: tuple[NoiseLabel, ...] = ()

    @property
    def n_points(self) -> int:
        return len(self.points)

    @property
    def n_dimensions(self) -> int:
        return int(self.points.shape[1])

    @property
    def n_classes(self) -> int:
        """Classes without noise."""
        return len(self.class_names)

    @property
    def stream(self) -> Stream:
        """What `qc4.streams.series.measure_stream` takes."""
        return Stream(self.points, self.classes, self.times)


@dataclass(frozen=True, eq=False)
class StreamClustering:
    """One algorithm's clusterings of a stream over time.

    Attributes:
        stream_id: the stream they are of.
        snapshots: in the order of time; clusters are arrays of point numbers, or balls.
        cluster_ids: per snapshot, the id of each cluster; each once per snapshot.
        algorithm, parameters: what made them.
        extra: fields the format does not know.
        snapshot_extra: those of snapshots, by snapshot.
        cluster_extra: those of clusters, by snapshot and cluster.
    """

    stream_id: str
    snapshots: tuple[Snapshot, ...]
    cluster_ids: tuple[tuple[str, ...], ...]
    algorithm: str = ""
    parameters: Extra = field(default_factory=dict)
    extra: Extra = field(default_factory=dict)
    snapshot_extra: Mapping[int, Extra] = field(default_factory=dict)
    cluster_extra: Mapping[tuple[int, int], Extra] = field(default_factory=dict)

    @property
    def n_snapshots(self) -> int:
        return len(self.snapshots)
