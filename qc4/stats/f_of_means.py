"""The F of two means, compared with the mean of F.

QC4-F of a query is the harmonic mean of its quality and coverage, and leaderboards show its mean over queries. A system
that is ahead by both means can be behind by mean F (a reversal), because a query with very different quality and
coverage has a low F. The F of the means cannot reverse both means. It is a statistic of two means: intervals and tests
draw queries once for both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from qc4.arrays import FloatArray
from qc4.problems import InputError, Problem
from qc4.records import Record
from qc4.stats.draws import EXACT_QUERIES, means_of, sign_flips
from qc4.stats.intervals import Intervals, Kind, bootstrap, jackknife_influence
from qc4.stats.results import Method
from qc4.stats.scores import Scores, aligned_tables, read_scores
from qc4.stats.tests import holm
from qc4.wording import counted, decimals

SAME = 1e-12
_NAMED = 3


@dataclass(frozen=True, slots=True)
class FOfMeansSystem(Record):
    """One system.

    Attributes:
        quality, coverage: its two means.
        value: their harmonic mean; ``low`` and ``high`` are the ends of its interval, None for one query.
        mean_of_f: the mean of the queries' harmonic means.
    """

    system: str
    quality: float
    coverage: float
    value: float
    low: float | None
    high: float | None
    interval: Kind
    mean_of_f: float


@dataclass(frozen=True, slots=True)
class FOfMeansPair(Record):
    """Two systems, of which ``a`` has the larger F of the means.

    Attributes:
        p: two-sided p of this pair alone; None for one query.
        p_adjusted: p adjusted over all pairs by Holm. There is no interval, because the F of the means is not a mean
            over queries, so that these tests give none.
    """

    a: str
    b: str
    difference: float
    p: float | None
    p_adjusted: float | None


@dataclass(frozen=True, slots=True)
class Reversal(Record):
    """``ahead`` has the better mean F, but ``behind`` is better by at least one mean and not worse by the other."""

    ahead: str
    behind: str


@dataclass(frozen=True, slots=True)
class FOfMeans(Record):
    """F of the means of several systems on the same queries, best first, and the orders that the mean of F reverses.

    Attributes:
        turned: the reversals as indices of ``systems``: (ahead, behind). With many systems there are thousands.
        left_out: queries on which not all systems have both scores.
    """

    KEYS = "queries left_out systems pairs reversals sentence methods"

    queries: int
    systems: tuple[FOfMeansSystem, ...]
    pairs: tuple[FOfMeansPair, ...]
    turned: tuple[tuple[int, int], ...]
    method: Method
    left_out: tuple[str, ...] = ()

    @property
    def reversals(self) -> tuple[Reversal, ...]:
        return tuple(Reversal(self.systems[ahead].system, self.systems[behind].system) for ahead, behind in self.turned)

    @property
    def sentence(self) -> str:
        """The orders that the mean of F reverses; "" if there are none."""
        sentences = [
            _reversal_words(self.systems[ahead], self.systems[behind]) for ahead, behind in self.turned[:_NAMED]
        ]
        more = len(self.turned) - len(sentences)
        if not sentences:
            return ""
        also = f" And {counted(more, 'more pair')}." if more else ""
        return f"Mean QC4-F reverses the order of {counted(len(self.turned), 'pair')}: {'; '.join(sentences)}.{also}"

    @property
    def methods(self) -> str:
        """The method, as a sentence for a paper."""
        how = self.method
        exact = " (exact)" if self.queries <= EXACT_QUERIES else ""
        return (
            f"Harmonic mean of mean quality and mean coverage over {counted(self.queries, 'query', 'queries')}; "
            f"{100 * how.confidence:g} % BCa bootstrap intervals of each F of the means over queries, drawn once for "
            f"both means, which do not say whether two of them differ; two-sided paired randomization tests{exact} "
            f"that exchange both scores of a query, adjusted by Holm over "
            f"{counted(len(self.pairs), 'pair')}; {how.draws:,} draws, seed {how.seed}."
        )


def f_of_means(
    quality: object,
    coverage: object,
    systems: Sequence[str] | None = None,
    queries: Sequence[str] | None = None,
    *,
    f: object = None,
    tests: bool = True,
    **method: object,
) -> FOfMeans:
    """Return the F of two means, with intervals over queries and tests of all pairs. Both means use the same draws.

    Args:
        quality, coverage: (systems, queries) numbers from 0 to 1, or data frames or dicts as in `compare`, joined by
            their names. A query for which a system lacks either score is omitted.
        f: (systems, queries) the F of the queries, by default the harmonic mean of both. For an algorithm with repeats
            the mean of their F values differs from that.
        tests: False omits pairs, which take long for very many systems.
        method: ``alpha``, ``draws``, ``seed``, as in `compare`.

    Raises:
        InputError: scores of another shape or out of range; options out of range.
    """
    how = Method(**method)  # type: ignore[arg-type]  # checked by Method
    given = {"quality": quality, "coverage": coverage} | ({} if f is None else {"f": f})
    tables = aligned_tables(given, systems, queries)
    systems, queries = tables["quality"].systems, tables["quality"].queries
    one, other = tables["quality"].values, tables["coverage"].values
    each = _harmonic(one, other) if f is None else tables["f"].values
    lacking = np.isnan(one) | np.isnan(other) | np.isnan(each)
    first, second, third = (
        read_scores(np.where(lacking, np.nan, scores), systems, queries, missing="skip")
        for scores in (one, other, each)
    )
    for name, table in (("quality", first), ("coverage", second)):
        if table.values.min() < 0 or table.values.max() > 1:
            raise InputError([Problem("out-of-range", name, "values below 0 or above 1", "shares from 0 to 1")])
    return _found(first, second, third, how, tests=tests)


def _found(first: Scores, second: Scores, third: Scores, how: Method, *, tests: bool) -> FOfMeans:
    q, c, n = first.values, second.values, first.n_queries
    means = q.mean(axis=1), c.mean(axis=1)
    values, each = _harmonic(*means), third.values.mean(axis=1)
    rows = np.argsort(-values, kind="stable").tolist()
    left_out = [(n * mean[:, None] - scores) / max(n - 1, 1) for mean, scores in zip(means, (q, c), strict=True)]
    influence = jackknife_influence(values, _harmonic(*left_out))
    of_both = [means_of(scores) for scores in (q, c)]
    of_systems = bootstrap(influence, lambda counts: _harmonic(*(of(counts) for of in of_both)), how)
    ends = _ends(of_systems)
    pairs = list(combinations(rows, 2)) if tests else []
    names = first.systems
    found = tuple(
        FOfMeansSystem(
            system=names[row],
            quality=float(means[0][row]),
            coverage=float(means[1][row]),
            value=float(values[row]),
            low=ends[row][0],
            high=ends[row][1],
            interval=of_systems.kinds[row],
            mean_of_f=float(each[row]),
        )
        for row in rows
    )
    compared = _pairs(names, values, q, c, pairs, how)
    places = {row: place for place, row in enumerate(rows)}
    turned = tuple((places[ahead], places[behind]) for ahead, behind in _reversals(*means, each))
    return FOfMeans(n, found, compared, turned, how, first.left_out)


def _pairs(
    names: Sequence[str],
    values: FloatArray,
    q: FloatArray,
    c: FloatArray,
    pairs: Sequence[tuple[int, int]],
    how: Method,
) -> tuple[FOfMeansPair, ...]:
    if not pairs:
        return ()
    if q.shape[1] == 1:
        differences = ((one, two, float(values[one] - values[two])) for one, two in pairs)
        return tuple(FOfMeansPair(names[one], names[two], by, None, None) for one, two, by in differences)
    raw = _ps(q, c, pairs, how)
    p, adjusted = raw.tolist(), holm(raw).tolist()
    return tuple(
        FOfMeansPair(names[one], names[two], float(values[one] - values[two]), p[place], adjusted[place])
        for place, (one, two) in enumerate(pairs)
    )


def _ps(q: FloatArray, c: FloatArray, pairs: Sequence[tuple[int, int]], how: Method) -> FloatArray:
    """Return (pairs,) two-sided p for equally good systems. Both scores of a query are exchanged together.

    All pairs use the same draws, so that each block is drawn only once; drawing is most of the work.
    """
    n, drawn = q.shape[1], 0
    reached = np.zeros(len(pairs), dtype=np.int64)
    for signs in sign_flips(n, how.draws, how.seed):
        drawn += len(signs)
        for place, (a, b) in enumerate(pairs):
            middle = [(x[a] + x[b]).mean() / 2 for x in (q, c)]
            half = np.stack([x[a] - x[b] for x in (q, c)], axis=1) / (2 * n)
            observed = abs(_difference(middle, half.sum(axis=0, keepdims=True))[0]) - SAME
            reached[place] += np.count_nonzero(np.abs(_difference(middle, signs @ half)) >= observed)
    found: FloatArray = reached / drawn if n <= EXACT_QUERIES else (1 + reached) / (drawn + 1)
    return found


def _difference(middle: Sequence[float], moved: FloatArray) -> FloatArray:
    """Return (draws,) differences of the F of the means if both means are moved apart by these amounts."""
    up, down = (_harmonic(middle[0] + side * moved[:, 0], middle[1] + side * moved[:, 1]) for side in (1, -1))
    return up - down


def _harmonic(one: FloatArray, other: FloatArray) -> FloatArray:
    total = one + other
    found: FloatArray = np.where(total > 0, 2 * one * other / np.where(total > 0, total, 1.0), 0.0)
    return found


def _reversals(quality: FloatArray, coverage: FloatArray, each: FloatArray) -> list[tuple[int, int]]:
    """Return pairs of rows (ahead by mean F, behind by both means), best first."""
    found = []
    order = np.argsort(-each, kind="stable").tolist()
    for ahead, behind in combinations(order, 2):
        ahead_by_f = each[ahead] > each[behind] + SAME
        worse = [mean[ahead] <= mean[behind] + SAME for mean in (quality, coverage)]
        worse_by_one = any(mean[ahead] < mean[behind] - SAME for mean in (quality, coverage))
        if ahead_by_f and all(worse) and worse_by_one:
            found.append((ahead, behind))
    return found


def _ends(of: Intervals) -> list[tuple[float | None, float | None]]:
    ends = zip(of.low.tolist(), of.high.tolist(), strict=True)
    return [(None, None) if low != low else (low, high) for low, high in ends]


def _reversal_words(ahead: FOfMeansSystem, behind: FOfMeansSystem) -> str:
    f, q, c = (
        f"{decimals(getattr(one, name))} against {decimals(getattr(two, name))}"
        for one, two, name in (
            (ahead, behind, "mean_of_f"),
            (behind, ahead, "quality"),
            (behind, ahead, "coverage"),
        )
    )
    no_worse = f"{behind.system} is no worse in mean quality ({q}) and mean coverage ({c})"
    return f"{ahead.system} is ahead of {behind.system} ({f}), although {no_worse}"
