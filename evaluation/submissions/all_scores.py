"""All scores of one submission: every measure on every level, as means by family and as a wide table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from accounts.person import Person
from evaluation.limits import MEAN_INTERVALS
from evaluation.models import Run, Submission
from evaluation.ranking.own_means import MeanInterval, SubmissionMean, submission_intervals, submission_means
from evaluation.scoring.columns import BoardColumn, own_depth
from evaluation.scoring.effective import finished
from evaluation.scoring.scores import ScoredQuery, names_in_files, shown_depths, stored_and_visible
from evaluation.scoring.tables import Stored, Table, read_all, table
from qc4.measures.registry import REGISTRY, Family
from qc4.model.policies import Policies
from qc4.problems import InputError, Problem
from qc4.tables import Table as Sheet

TABLES = {"scores": "a row per query, a column per measure and level", "means": "a row per measure and level"}
"""The CSV tables of a submission's scores; the first is the default."""


class FamilyMeans(NamedTuple):
    """The columns of one measure family and their means."""

    family: Family
    lines: tuple[tuple[BoardColumn, SubmissionMean], ...]


@dataclass(frozen=True)
class WholeScores:
    """All columns of a finished evaluation, in the order of the catalogue.

    Attributes:
        stored_queries: all queries of the evaluation's gold version; the stored scores cover these.
        queries: the queries whose scores this person may see.
        columns: every measure on every level, and for nested clusterings at every stored depth.
    """

    run: Run
    stored_queries: tuple[ScoredQuery, ...]
    queries: tuple[ScoredQuery, ...]
    columns: tuple[BoardColumn, ...]
    stored: Stored

    @cached_property
    def means(self) -> tuple[SubmissionMean, ...]:
        """The mean of each column."""
        return tuple(submission_means(self._table(column))[0] for column in self.columns)

    @property
    def mean_of(self) -> dict[BoardColumn, SubmissionMean]:
        return dict(zip(self.columns, self.means, strict=True))

    def intervals(self, columns: Sequence[BoardColumn]) -> list[MeanInterval | None]:
        """Confidence intervals of these columns' means.

        None for columns beyond the number that a request computes.
        """
        most = max(1, MEAN_INTERVALS // max(1, len(self.queries)))
        known = [column for column in columns if column in self.columns][:most]
        of_column = dict(zip(known, submission_intervals(self.run, [self._table(one) for one in known]), strict=True))
        return [of_column.get(column) for column in columns]

    @property
    def families(self) -> tuple[FamilyMeans, ...]:
        """The means, grouped by measure family."""
        mean_of, found = self.mean_of, []
        for family in REGISTRY.families():
            lines = tuple((column, mean_of[column]) for column in self.columns if column.measure.family == family.key)
            if lines:
                found.append(FamilyMeans(family, lines))
        return tuple(found)

    def table(self, name: str) -> Sheet:
        """Return one of `TABLES`."""
        return self._mean_table() if name == "means" else self._score_table()

    def _score_table(self) -> Sheet:
        """A row per query and a column per measure and level; None if there is no value."""
        names = names_in_files(self.queries)
        values = [self._table(column).listed(0) for column in self.columns]
        head = ["query", *(column.name for column in self.columns)]
        rows = ([names[query.key], *row] for query, *row in zip(self.queries, *values, strict=True))
        return Sheet(chain([head], rows))

    def _mean_table(self) -> Sheet:
        """A row per column of the scores: its mean and the number of queries behind it."""
        head = ["measure", "mean", "queries counted", "queries"]
        rows = ([column.name, mean.value, mean.counted, mean.total] for column, mean in self.mean_of.items())
        return Sheet(chain([head], rows))

    def _table(self, column: BoardColumn) -> Table:
        return table(column, [(self.run,)], self.stored, self.stored_queries, self.queries)


def last_run(submission: Submission, policies: Policies) -> Run:
    """The last finished evaluation of a submission under these policies, against the newest gold version.

    The caller has checked access to the submission.

    Raises:
        InputError: there is no such evaluation.
    """
    run = finished(Submission.objects.filter(pk=submission.pk), policies).last()
    if run is None:
        expected = "a submission that is scored with these scoring options"
        raise InputError([Problem("not-scored", f"submission {submission.pk}", "no scores yet", expected)])
    return run


def whole_scores(run: Run, person: Person | None) -> WholeScores:
    """The scores of a finished evaluation that this person may see. Makes three database queries.

    The caller has checked access to the run.
    """
    if run.gold_version is None:
        raise ValueError(f"run {run.pk} is not an evaluation")
    stored = read_all(run)
    place = {measure.key: number for number, measure in enumerate(REGISTRY.all())}
    policies = Policies.parse(run.policies)
    known = [key for key in stored if REGISTRY.knows(key[1])]
    keys = sorted(known, key=lambda key: (place.get(key[1], len(place)), key[1], _level(key[2]), key[3]))
    version = run.gold_version
    every, visible = (one[version.pk] for one in stored_and_visible([version], person))
    # Levels and depths that occur only in hidden gold standards would reveal something about them.
    n_levels = max((query.n_levels for query in visible), default=1)
    deepest = shown_depths([run], every, visible)[run.pk]
    columns = tuple(
        _column(measure, level, depth, policies, deepest)
        for _, measure, level, depth in keys
        if depth < deepest and (not level.isdigit() or int(level) <= n_levels)
    )
    return WholeScores(run, every, visible, columns, stored)


def _column(key: str, level: str, depth: int, policies: Policies, deepest: int) -> BoardColumn:
    measure = REGISTRY.select([key])[0].under(policies)
    # Flat clusterings have only one depth, so the column does not name it.
    return BoardColumn(measure, level, depth if deepest > 1 else own_depth(measure, level))


def _level(level: str) -> tuple[int, str]:
    return (int(level), "") if level.isdigit() else (0 if not level else 1_000_000, level)
