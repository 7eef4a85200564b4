"""CMM, the Cluster Mapping Measure: clusterings of evolving data streams against their ground truth."""

from qc4.streams.balls import Ball, smallest_enclosing_ball
from qc4.streams.measure import GroundTruth, cmm
from qc4.streams.result import CMMResult, Fault

__all__ = ["Ball", "CMMResult", "Fault", "GroundTruth", "cmm", "smallest_enclosing_ball"]
