"""Runs of one system with other seeds, prompts or samples, averaged into one row, and components of variance.

Each score is mean + system + query + system x query + repeat (of its system) + residual. The residual is query x
repeat and any other measurement error, because every run answers every query once. Repeats of one system are
unrelated to those of another, so they are nested in systems.

Sources: Henderson, Estimation of variance and covariance components, Biometrics 9, 1953, method 1; the same for this
design (p x (i:h), unbalanced, queries as p, systems as h, repeats as i) in Brennan, Generalizability Theory, 2001,
chapter 7.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from qc4.arrays import FloatArray, IntArray
from qc4.problems import ProblemList
from qc4.records import Record
from qc4.stats.scores import Better, Missing, Scores, read_scores
from qc4.wording import counted, listed


@dataclass(frozen=True, slots=True)
class VarianceComponents(Record):
    """Components of the variance of scores.

    Estimates are unbiased and may be negative, which means that the component is too small to be detected. A component
    is None if the runs cannot show it, because there is only one system or one query.

    Attributes:
        query: some queries are harder than others for all systems.
        system: some systems are better than others.
        system_query: systems are good at different queries.
        repeat: runs of one system differ in their means.
        residual: runs of one system are good at different queries, and all other variation.
    """

    KEYS = "systems queries runs query system system_query repeat residual shares"

    systems: int
    queries: int
    runs: int
    query: float | None
    system: float | None
    system_query: float | None
    repeat: float | None
    residual: float | None

    def named(self) -> dict[str, float | None]:
        """Return the components by name."""
        return {name: getattr(self, name) for name in ("query", "system", "system_query", "repeat", "residual")}

    @property
    def shares(self) -> dict[str, float]:
        """Share of each component in the variance. Negative ones count as 0. Empty if a component is unknown."""
        found = {name: max(value, 0.0) for name, value in self.named().items() if value is not None}
        total = math.fsum(found.values())
        return {name: value / total for name, value in found.items()} if total > 0 and len(found) == 5 else {}

    def error_of_difference(self, queries: int, repeats: int) -> float | None:
        """Return the standard error of the difference of two systems' means for this number of queries and repeats.

        √(2 (σ²(system x query) / n + σ²(repeat) / r + σ²(residual) / (n r))), with negative estimates counted as 0. It
        shows the effect of more queries and of more repeats. None if a component is unknown.
        """
        if self.system_query is None or self.repeat is None or self.residual is None:
            return None
        of_queries, of_repeats, rest = (max(part, 0.0) for part in (self.system_query, self.repeat, self.residual))
        return math.sqrt(2 * (of_queries / queries + of_repeats / repeats + rest / (queries * repeats)))


@dataclass(frozen=True, slots=True)
class Repeats(Record):
    """The runs of each system, and their components of variance."""

    runs: Mapping[str, tuple[str, ...]]
    components: VarianceComponents

    @property
    def repeated(self) -> int:
        """Number of systems with more than one run."""
        return sum(len(runs) > 1 for runs in self.runs.values())


def check_repeats(runs: Sequence[str], repeats: Mapping[str, str]) -> None:
    """Reject repeats that name unknown runs, and repeats in which no system has a second run.

    Raises:
        InputError: either of these.
    """
    problems = ProblemList()
    if unknown := sorted(set(repeats) - set(runs)):
        problems.error("unknown-system", "repeats", listed(unknown), f"runs among {listed(runs)}")
    problems.refuse_errors()
    if len({repeats.get(run, run) for run in runs}) == len(runs):
        found = f"{counted(len(runs), 'run')}, each of a different system"
        problems.error("no-repeats", "repeats", found, "at least two runs of one system")
    problems.refuse_errors()


@dataclass(frozen=True, eq=False)
class Runs:
    """A table of runs with the system of each.

    Attributes:
        table: the runs as rows.
        rows: system -> the rows of its runs, sorted by name.
    """

    table: Scores
    rows: Mapping[str, IntArray]

    @classmethod
    def of(cls, table: Scores, repeats: Mapping[str, str]) -> Runs:
        """Group the rows of a table. A run that ``repeats`` does not name is its own system."""
        found: dict[str, list[int]] = {}
        for row, run in enumerate(table.systems):
            found.setdefault(str(repeats.get(run, run)), []).append(row)
        return cls(table, {system: np.array(found[system], dtype=np.int64) for system in sorted(found)})

    @property
    def folded(self) -> Scores:
        """A row for each system: the mean over its runs, query by query."""
        values = np.array([self.table.values[rows].mean(axis=0) for rows in self.rows.values()])
        return replace(self.table, systems=tuple(self.rows), values=values)

    @property
    def summary(self) -> Repeats:
        names = {system: tuple(self.table.systems[row] for row in rows) for system, rows in self.rows.items()}
        return Repeats(names, variance_components(self.table.values, list(self.rows.values())))


@dataclass(frozen=True, eq=False)
class Folded:
    """Systems as the means of their runs.

    Attributes:
        scores: (systems, queries) in the measure's own direction.
        repeats: the runs of each system and the variance components.
        left_out: queries that not all runs have, under the rule ``skip``.
    """

    systems: tuple[str, ...]
    queries: tuple[str, ...]
    scores: FloatArray
    repeats: Repeats
    left_out: tuple[str, ...]


def fold_repeats(
    scores: Any,
    systems: Sequence[str],
    repeats: Mapping[str, str],
    queries: Sequence[str] | None = None,
    *,
    missing: Missing = "skip",
    better: Better = "higher",
    worst: float | None = None,
) -> Folded:
    """Average the runs of each system query by query, and estimate the components of variance.

    Args:
        scores: (runs, queries) numbers; NaN is a missing cell.
        systems: names of the rows.
        repeats: run -> system; a run that it does not name is its own system.
        missing: ``skip`` omits queries that not all runs have, ``worst`` counts a missing cell as ``worst``.

    Raises:
        InputError: as in `compare`; unknown runs; no two runs of one system.
    """
    table = read_scores(scores, systems, queries, missing=missing, better=better, worst=worst)
    check_repeats(table.systems, repeats)
    runs = Runs.of(table, repeats)
    folded = runs.folded
    return Folded(folded.systems, folded.queries, folded.sign * folded.values, runs.summary, folded.left_out)


def repeats_by_separator(systems: Sequence[str], separator: str) -> dict[str, str]:
    """Return run -> system, by the text before the last separator: "STC#1" and "STC#2" are runs of "STC".

    A name without separator, or with nothing before or after it, is its own system.

    Raises:
        InputError: an empty separator.
    """
    if not separator:
        problems = ProblemList()
        problems.error("empty-separator", "repeats", "nothing", "text between the name of a system and its run number")
        problems.refuse_errors()
    found = {}
    for name in systems:
        system, _, run = name.rpartition(separator)
        found[name] = system if system and run else name
    return found


def variance_components(values: FloatArray, groups: Sequence[IntArray]) -> VarianceComponents:
    """Return ANOVA estimates for repeats nested in systems and crossed with queries. Numbers of repeats may differ.

    Args:
        values: (runs, queries) without gaps.
        groups: the rows of each system.
    """
    n, k = values.shape[1], len(groups)
    sizes = np.array([rows.size for rows in groups])
    runs = int(sizes.sum())
    if n < 2 or runs == k:
        return VarianceComponents(k, n, runs, None, None, None, None, None)
    grand, of_query = values.mean(), values.mean(axis=0)
    cells = np.array([values[rows].mean(axis=0) for rows in groups])
    of_system = cells.mean(axis=1)
    within = np.concatenate([values[rows] - cell for rows, cell in zip(groups, cells, strict=True)])
    run_effect = within.mean(axis=1)
    rest = ((within - run_effect[:, None]) ** 2).sum() / ((runs - k) * (n - 1))
    repeat = (n * (run_effect**2).sum() / (runs - k) - rest) / n
    if k < 2:
        return VarianceComponents(k, n, runs, None, None, None, float(repeat), float(rest))
    each = (runs - (sizes**2).sum() / runs) / (k - 1)
    of_pairs = cells - of_system[:, None] - of_query + grand
    mean_square_pairs = (sizes[:, None] * of_pairs**2).sum() / ((k - 1) * (n - 1))
    system_query = (mean_square_pairs - rest) / each
    mean_square_system = n * (sizes * (of_system - grand) ** 2).sum() / (k - 1)
    mean_square_repeat = rest + n * repeat
    system = (mean_square_system - mean_square_repeat - mean_square_pairs + rest) / (n * each)
    mean_square_query = runs * ((of_query - grand) ** 2).sum() / (n - 1)
    query = (mean_square_query - rest - (sizes**2).sum() / runs * system_query) / runs
    return VarianceComponents(k, n, runs, *map(float, (query, system, system_query, repeat, rest)))
