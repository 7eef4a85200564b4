"""CMM, the Cluster Mapping Measure: clusterings of evolving data streams against their ground truth."""

from measures.cmm.balls import Ball, smallest_enclosing_ball
from measures.cmm.measure import GroundTruth, cmm
from measures.cmm.result import CMMResult, Fault

__all__ = ["Ball", "CMMResult", "Fault", "GroundTruth", "cmm", "smallest_enclosing_ball"]
