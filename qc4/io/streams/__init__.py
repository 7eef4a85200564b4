"""Streams and clusterings of streams as files. Apart from the other formats, as CMM and its geometry come with them."""

from qc4.io.streams.clustering_files import read_stream_clustering, write_stream_clustering
from qc4.io.streams.stream_files import read_stream, write_stream

__all__ = ["read_stream", "read_stream_clustering", "write_stream", "write_stream_clustering"]
