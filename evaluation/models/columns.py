"""What boards read: scores once more, a row per column of a run."""

from __future__ import annotations

from django.db import models

from annotations.limits import MEASURE_CHARS
from evaluation.models.runs import Run


class RunColumn(models.Model):
    """A finished evaluation's scores by one measure on one level, all queries of the gold version at once.

    Nested clusterings have their finest cut in it. Runs with such have further columns: for each depth above the finest
    the cuts there, and what is not so deep as it is.

    Scores are shared by content, one row each; boards read those of hundreds of runs. Written with the run's end, never
    changed.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="columns")
    measure = models.CharField(max_length=MEASURE_CHARS)
    # As `Score.level`.
    level = models.CharField(max_length=6, blank=True)
    # Where nested clusterings are cut, 0 for the finest cut.
    depth = models.PositiveIntegerField(default=0)
    # Little-endian doubles, a query each in the order of their ids; NaN where there is no value.
    packed = models.BinaryField()
    # Where there is none: [state, reason, [places]], as `evaluation.scoring.scores.Cell` has them.
    gaps = models.JSONField(default=list, blank=True)
    # Places of queries whose value is flattened, as `Score` has it.
    flattened = models.JSONField(default=list, blank=True)
    # [depth, deepest, [places]] of queries whose value is of a cut, as `Score` has them; null where none is.
    cuts = models.JSONField(null=True, blank=True)
    # The versions of the engine that the values are from.
    engines = models.JSONField(default=list)

    class Meta:
        constraints = [models.UniqueConstraint(fields=("run", "measure", "level", "depth"), name="one_column_per_run")]

    def __str__(self) -> str:
        return f"{self.measure}[{self.level}] of run {self.run_id}"
