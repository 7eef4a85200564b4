"""Streams and clusterings of streams as files. They are separate from other formats because they need CMM's modules."""

from qc4.io.streams.clustering_files import read_stream_clustering, write_stream_clustering
from qc4.io.streams.stream_files import read_stream, write_stream

__all__ = ["read_stream", "read_stream_clustering", "write_stream", "write_stream_clustering"]
