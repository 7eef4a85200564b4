"""Scores as leaderboards read them: one row for each column of a run."""

from __future__ import annotations

from django.db import models

from annotations.limits import MEASURE_CHARS
from evaluation.models.runs import Run


class RunColumn(models.Model):
    """A finished evaluation's scores by one measure on one level, for all queries of the gold version.

    Nested clusterings are scored at their finest cut. Runs with nested clusterings have further columns, one for each
    smaller depth, which also contain the finest cuts of clusterings that are less deep.

    Scores are shared by content, one row each, and leaderboards read those of hundreds of runs. Columns are written
    when the run ends and never change.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="columns")
    measure = models.CharField(max_length=MEASURE_CHARS)
    # As `Score.level`.
    level = models.CharField(max_length=6, blank=True)
    # Depth at which nested clusterings are cut, 0 for the finest cut.
    depth = models.PositiveIntegerField(default=0)
    # Little-endian doubles, one for each query in the order of their ids; NaN for a missing value.
    packed = models.BinaryField()
    # Missing values: [state, reason, [positions]], as in `evaluation.scoring.scores.Cell`.
    gaps = models.JSONField(default=list, blank=True)
    # Positions of queries whose value is flattened, as in `Score`.
    flattened = models.JSONField(default=list, blank=True)
    # [depth, deepest, [positions]] of queries with a cut clustering, as in `Score`; null if none.
    cuts = models.JSONField(null=True, blank=True)
    # The engine versions that computed the values.
    engines = models.JSONField(default=list)

    class Meta:
        constraints = [models.UniqueConstraint(fields=("run", "measure", "level", "depth"), name="one_column_per_run")]

    def __str__(self) -> str:
        return f"{self.measure}[{self.level}] of run {self.run_id}"
