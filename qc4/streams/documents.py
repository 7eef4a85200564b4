"""Streams, and clusterings of them, as stored in files (``qc4-stream/1``, ``qc4-stream-clustering/1``)."""

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
    """A stream with its ground truth. Points are numbered from 0 in file order.

    Attributes:
        id: the identifier of the stream.
        points: (points, dimensions) finite.
        classes: (points,) the number of each point's class, in order of first appearance; -1 for noise.
        class_names: the label of each class.
        times: (points,) arrival times, in non-decreasing order.
        text: a description of the stream.
        extra, stream_extra: unknown fields, of the file and of its ``stream``.
        point_extra: unknown fields of points, by point, for points that have some.
        noise: the classes that were read as noise, as written, with their numbers of points.
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
        """The number of classes without noise."""
        return len(self.class_names)

    @property
    def stream(self) -> Stream:
        """The stream as input of `qc4.streams.series.measure_stream`."""
        return Stream(self.points, self.classes, self.times)


@dataclass(frozen=True, eq=False)
class StreamClustering:
    """One algorithm's clusterings of a stream over time.

    Attributes:
        stream_id: the identifier of the clustered stream.
        snapshots: the snapshots in order of time; clusters are arrays of point numbers, or balls.
        cluster_ids: for each snapshot, the id of each cluster, unique in the snapshot.
        algorithm, parameters: the algorithm and its parameters.
        extra: unknown fields.
        snapshot_extra: unknown fields of snapshots, by snapshot.
        cluster_extra: unknown fields of clusters, by snapshot and cluster.
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
