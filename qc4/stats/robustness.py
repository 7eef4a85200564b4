"""Robustness of the winner: one pair of systems under other measures, levels, scoring options and gold standards.

Each table is analysed separately: each p is that of the pair alone. Further tables look at the same question again and
are not further tests.

Source of the number of queries that reverse a difference: Broderick, Giordano & Meager, An automatic finite-sample
robustness metric, arXiv:2011.14999, 2020. For a mean it is exact, removing the largest differences first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from qc4.arrays import FloatArray
from qc4.problems import InputError, ProblemList, repeated
from qc4.records import Record
from qc4.stats.comparing import compare
from qc4.stats.draws import resampled_means
from qc4.stats.intervals import best_first, exact_means
from qc4.stats.pairs import Pairs
from qc4.stats.results import Comparison
from qc4.stats.scores import Better, Scores, read_scores, read_table
from qc4.text import Spellings
from qc4.wording import listed

PairVerdict = Literal["better", "worse", "not separated", "no difference", "untested"]


@dataclass(frozen=True, slots=True, eq=False)
class Alternative:
    """Another table of scores for the same pair of systems.

    Attributes:
        kind: what differs: "measure", "level", "cut", "policy", "gold version", "draft".
        name: which one it is: "ari", "level 2", "overlap first", "gold v2", "the draft of Mika".
        scores: a (systems, queries) array, or a data frame or dicts as in `compare`; NaN is a missing score.
        systems, queries: names of the rows and columns of an array; tables need not have the same.
    """

    kind: str
    name: str
    scores: Any
    systems: Sequence[str] | None = None
    queries: Sequence[str] | None = None
    better: Better = "higher"

    def named(self) -> Alternative:
        """Return the same table as an array with the names of its systems.

        Raises:
            InputError: not a table of numbers.
        """
        table = read_table(self.scores, self.systems, self.queries, f"{self.kind} {self.name}".strip())
        systems = table.systems or [f"system {row}" for row in range(1, len(table.values) + 1)]
        return replace(self, scores=table.values, systems=systems, queries=table.queries)


@dataclass(frozen=True, slots=True)
class RobustnessRow(Record):
    """The pair under one table.

    Attributes:
        queries: number of queries that both systems have.
        difference: advantage of a over b, negative if a is worse, whichever direction is better; ``low`` and ``high``
            are the ends of its interval.
        p: two-sided p of this pair alone.
        verdict: verdict on a at alpha, by this p.
        agrees: True if a and b are in the same order as under the reference; None if either has no order.
        share: share of the resampled sets of queries on which a is better, ties counted half.
        leader: the system with the best mean, over the queries that all systems have.
        note: why there is no result; empty otherwise.
    """

    kind: str
    name: str
    queries: int
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    verdict: PairVerdict
    agrees: bool | None
    share: float | None
    leader: str | None
    note: str = ""


@dataclass(frozen=True, slots=True)
class WithoutQuery(Record):
    """The reference without the query that favours its winner most."""

    query: str
    difference: float
    low: float | None
    high: float | None
    p: float | None
    verdict: PairVerdict


@dataclass(frozen=True)
class Robustness(Record):
    """Whether a stays ahead of b.

    Attributes:
        a, b: the pair; a is ahead under the reference.
        reference: the first table.
        rows: the other tables, in the given order.
        without: the reference without the query that favours a most; None for fewer than three queries, or equal means.
        to_turn: minimum number of queries whose removal ends a's lead; None for equal means.
    """

    KEYS = "a b alpha draws seed reference rows without to_turn"

    a: str
    b: str
    alpha: float
    draws: int
    seed: int
    reference: RobustnessRow
    rows: tuple[RobustnessRow, ...]
    without: WithoutQuery | None
    to_turn: int | None

    def agreeing(self) -> tuple[RobustnessRow, ...]:
        return tuple(row for row in self.rows if row.agrees)

    def turned(self) -> tuple[RobustnessRow, ...]:
        """Return the tables under which b is ahead."""
        return tuple(row for row in self.rows if row.agrees is False)


def robustness(
    tables: Sequence[Alternative],
    a: str | None = None,
    b: str | None = None,
    *,
    alpha: float = 0.05,
    draws: int = 10_000,
    seed: int = 0,
) -> Robustness:
    """Compare a with b under each table.

    Args:
        tables: the reference first.
        a, b: two systems of the reference. If only a is given, it is compared with the best of the others; if neither,
            the leader with the second. In the result the leading system comes first.
        alpha, draws, seed: as in `compare`.

    Raises:
        InputError: no table, two of one kind and name, unknown systems, or a table that `compare` rejects.
    """
    if not tables:
        problems = ProblemList()
        problems.error("no-tables", "tables", "none", "the reference, and others to compare with it")
        problems.refuse_errors()
    _check_names(tables)
    tables = [table.named() for table in tables]
    method = {"alpha": alpha, "draws": draws, "seed": seed}
    a, b = leading_pair(tables[0], a, b)
    found = _row(tables[0], a, b, method)
    if found.difference is not None and found.difference < 0:
        a, b = b, a
        found = _row(tables[0], a, b, method)
    sign = np.sign(found.difference or 0.0)
    rows = [_row(table, a, b, method, float(sign)) for table in tables[1:]]
    without, to_turn = _without(tables[0], a, b, method)
    return Robustness(a, b, alpha, draws, seed, found, tuple(rows), without, to_turn)


def stays_ahead(tables: Sequence[Alternative], a: str, b: str) -> tuple[bool | None, ...]:
    """Return for each table whether a has the better mean, on the queries both have, without tests.

    This is `RobustnessRow.agrees` of a pair that a leads. It is None if the means are equal, or no query has both
    systems.
    """
    return tuple(_ahead(table.named(), a, b) for table in tables)


def _ahead(table: Alternative, a: str, b: str) -> bool | None:
    scores = _two(table, a, b)
    if isinstance(scores, str):
        return None
    pairs = Pairs(scores.values)
    difference = float(pairs.differences(np.array([0]))[0].mean())
    return None if abs(difference) <= pairs.same else difference > 0


def _check_names(tables: Sequence[Alternative]) -> None:
    problems = ProblemList()
    if twice := repeated([f"{table.kind}: {table.name}" for table in tables]):
        problems.error("name-twice", "tables", listed(twice), "each kind and name once")
    problems.refuse_errors()


def leading_pair(table: Alternative, a: str | None = None, b: str | None = None) -> tuple[str, str]:
    """Return two systems of a table: the named ones, completed by the systems with the best means.

    Raises:
        InputError: unknown systems, one system twice, or fewer than two systems.
    """
    table, problems = table.named(), ProblemList()
    names = list(table.systems or ())
    known = Spellings(names)
    a, b = (None if name is None else known.of(name) for name in (a, b))
    for name in (a, b):
        if name is not None and name not in names:
            problems.error("unknown-system", "systems", repr(name), f"one of {listed(names)}")
    if (a is not None and a == b) or len(names) < 2:
        problems.error("no-pair", "systems", repr(a or names[0]), "two systems")
    problems.refuse_errors()
    if a is not None and b is not None:
        return a, b
    ordered = _ordered(read_scores(table.scores, names, table.queries, better=table.better))
    a = a or next(name for name in ordered if name != b)
    return a, b or next(name for name in ordered if name != a)


def _two(table: Alternative, a: str, b: str) -> Scores | str:
    """Return the scores of both systems on the queries that both have, or why there are none."""
    names = [str(name) for name in table.systems or ()]
    known = Spellings(names)
    a, b = known.of(a), known.of(b)
    if absent := [name for name in (a, b) if name not in names]:
        return f"no scores of {' and '.join(absent)}"
    values = np.array(table.scores, dtype=np.float64)[[names.index(a), names.index(b)]]
    if np.isnan(values).any(axis=0).all():
        return f"no query has scores of both {a} and {b}"
    # The names sort in this order, so that a is the first row.
    return read_scores(values, ["1", "2"], table.queries, better=table.better)


def _row(table: Alternative, a: str, b: str, method: dict[str, Any], sign: float = 1.0) -> RobustnessRow:
    scores = _two(table, a, b)
    leader = _leader(table)
    if isinstance(scores, str):
        nothing = (None, None, None, None, "untested", None, None)
        return RobustnessRow(table.kind, table.name, 0, *nothing, leader, scores)  # type: ignore[arg-type]  # as the fields
    found = _compared(scores, method)
    difference, low, high, p, verdict = _signed(found)
    agrees = None if difference == 0 or sign == 0 else bool(np.sign(difference) == sign)
    share = _share_ahead(scores, method) if scores.n_queries > 1 else None
    return RobustnessRow(
        table.kind, table.name, scores.n_queries, difference, low, high, p, verdict, agrees, share, leader, found.note
    )


def _compared(scores: Scores, method: dict[str, Any]) -> Comparison:
    return compare(scores.values, scores.systems, scores.queries, **method)


def _signed(found: Comparison) -> tuple[float, float | None, float | None, float | None, PairVerdict]:
    """Return the signed results of the pair: first system minus second."""
    pair = found.pairs[0]
    if pair.a == "1":
        return pair.difference, pair.low, pair.high, pair.p, pair.verdict
    low, high = (None if end is None else -end + 0.0 for end in (pair.high, pair.low))
    return -pair.difference + 0.0, low, high, pair.p, "worse" if pair.verdict == "better" else pair.verdict


def _share_ahead(scores: Scores, method: dict[str, Any]) -> float:
    pairs = Pairs(scores.values)
    drawn = resampled_means(pairs.differences(np.array([0])), method["draws"], method["seed"])[0]
    ahead, same = (drawn > pairs.same).sum(), (np.abs(drawn) <= pairs.same).sum()
    return float((ahead + same / 2) / drawn.size)


def _leader(table: Alternative) -> str | None:
    """Return the system with the best mean, or None if no query has scores of all."""
    try:
        scores = read_scores(table.scores, table.systems, table.queries, better=table.better)
    except InputError as error:
        if any(problem.code != "no-queries" for problem in error.problems):
            raise
        return None
    return _ordered(scores)[0]


def _ordered(scores: Scores) -> list[str]:
    """Return the systems, best mean first, as in a comparison."""
    order = best_first(exact_means(scores.values), Pairs(scores.values).same)
    return [scores.systems[row] for row in order.tolist()]


def _without(table: Alternative, a: str, b: str, method: dict[str, Any]) -> tuple[WithoutQuery | None, int | None]:
    """Return the result without the query that favours a most, and the number of queries that reverse the order."""
    scores = _two(table, a, b)
    assert isinstance(scores, Scores)  # a and b were found in it
    differences: FloatArray = Pairs(scores.values).differences(np.array([0]))[0]
    if differences.mean() <= Pairs(scores.values).same:
        return None, None
    order = np.argsort(-differences, kind="stable")
    left = differences.sum() - np.cumsum(differences[order])
    to_turn = 1 + int(np.argmax(left <= Pairs(scores.values).same))
    if differences.size < 3:
        return None, to_turn
    kept = np.sort(order[1:])
    rest = compare(scores.values[:, kept], scores.systems, [scores.queries[place] for place in kept], **method)
    return WithoutQuery(scores.queries[order[0]], *_signed(rest)), to_turn
