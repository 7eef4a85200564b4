"""CMM, the Cluster Mapping Measure: clusterings of evolving data streams against their ground truth."""

from qc4.streams.balls import Ball, smallest_enclosing_ball
from qc4.streams.measure import CMMResult, Fault, GroundTruth, cmm

__all__ = ["Ball", "CMMResult", "Fault", "GroundTruth", "cmm", "smallest_enclosing_ball"]
