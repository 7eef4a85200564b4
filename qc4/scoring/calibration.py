"""Comparison with chance: a clustering's scores, and the scores of the same clusters with shuffled pages.

Shuffling keeps the sizes, nesting and overlaps of the clusters and randomises which page is which. If shuffled clusters
reach the same score, the score is no evidence for the clustering: singletons, for example, cover nearly everything.

Source: Hubert & Arabie, Comparing partitions, Journal of Classification 2, 1985: their model of chance (given sizes,
permuted pages) and their general form of an adjusted index, (index - expected) / (largest - expected). Here the
expectation is estimated from draws and not derived, so that it works for every measure. p as in Phipson & Smyth,
Permutation p-values should never be zero, SAGMB 9, 2010.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from numbers import Integral
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike

from qc4.arrays import FloatArray
from qc4.inputs.undefined import Undefined
from qc4.inputs.view import Depths, Level, reusable_depths
from qc4.measures.registry import REGISTRY, Measure
from qc4.model.case import Case, GivenClustering, GivenGold
from qc4.model.policies import Policies
from qc4.model.vectors import Vectors
from qc4.problems import Problem, ProblemList
from qc4.progress import track_progress
from qc4.records import Record
from qc4.scoring.results import (
    chance_blocks,
    find_score,
    heading,
    place_words,
    scoring_options_line,
    warning_blocks,
)
from qc4.scoring.scoring import collect_errors, plan_with_depths, score
from qc4.tables import Block, as_html, as_text
from qc4.version import ENGINE_VERSION
from qc4.wording import counted, decimals, percentage

Place = tuple[Measure, Level, int | None]
DRAWS = 200
LEAST_DRAWS, MOST_DRAWS = 2, 100_000
CENTRAL = (2.5, 97.5)
"""The percentiles of the draws that are ``low`` and ``high``."""
SAME = 1e-12
"""Values this close are treated as equal; they differ only by rounding."""


@dataclass(frozen=True, slots=True)
class ChanceLevel(Record):
    """A score on one level, at one depth as in `Score`, and the scores of shuffled clusters.

    Attributes:
        value: the score of the clustering; None where it is undefined.
        undefined: the reason why there is no score, or no draw has one; None if both exist.
        draws: the number of shuffles with a value; others are excluded, and ``note`` gives their number.
        mean, deviation: mean and standard deviation of the draws (divisor draws - 1).
        low, high: 2.5th and 97.5th percentiles of the draws.
        percentile: 0 to 100, the percentage of draws that the clustering is better than; ties count half.
        z: how many standard deviations the clustering is better than the mean, positive also if lower is better; None
            if all draws are equal.
        p: (1 + draws that are at least as good) / (1 + draws), one-sided.
        adjusted: (value - mean) / (best - mean), where best is the better end of the measure's range: 0 is chance, 1 is
            the best value; None if the range has no such end, or chance reaches it.
        note: a remark on the draws; empty if there is none.
        unit: nats or bits if the value is an amount of information, else None.
        drawn: (draws,) the values of the draws, in order.
    """

    KEYS = (
        "measure level depth value undefined draws mean deviation low high percentile z p adjusted note unit? sentence"
    )

    measure: str
    level: Level
    value: float | None
    undefined: str | None = None
    draws: int = 0
    mean: float | None = None
    deviation: float | None = None
    low: float | None = None
    high: float | None = None
    percentile: float | None = None
    z: float | None = None
    p: float | None = None
    adjusted: float | None = None
    note: str = ""
    unit: str | None = None
    drawn: FloatArray = field(default_factory=lambda: np.empty(0), repr=False, compare=False)
    depth: int | None = None

    @property
    def title(self) -> str:
        """The title of the measure, without its unit, which follows the value."""
        measure = REGISTRY.get(self.measure)
        return measure.title.removesuffix(f" ({measure.unit})") if measure.unit else measure.title

    @property
    def sentence(self) -> str:
        """The comparison in words."""
        where = place_words(self, self.title)
        if self.undefined is not None or self.value is None or self.mean is None or self.percentile is None:
            return f"{where}: undefined; {self.undefined}."
        unit = f" {self.unit}" if self.unit else ""
        chance = (
            f"{where} is {decimals(self.value)}{unit}; the same clusters with shuffled pages get {decimals(self.mean)}"
        )
        draws = counted(self.draws, "draw")
        if self.deviation == 0.0 and abs(self.value - self.mean) <= SAME:
            return f"{chance} in each of {draws} too: the score depends only on cluster sizes."
        spread = f" on average ({decimals(self.low or 0.0)} to {decimals(self.high or 0.0)} in 95 % of {draws})"
        rest = "" if self.adjusted is None else f"; {decimals(self.adjusted)} of the way from chance to the best value"
        return f"{chance}{spread}. {_position_among_draws(self.percentile)}{rest}."


@dataclass(frozen=True, slots=True)
class Calibration(Record):
    """A clustering's scores compared with chance, with everything needed to compute them again."""

    KEYS = "engine query pages policies draws seed levels"

    engine: str
    query: str
    pages: int
    policies: Policies
    draws: int
    seed: int
    levels: tuple[ChanceLevel, ...]
    warnings: tuple[Problem, ...] = ()

    def of(self, measure: str, level: Level = None, depth: int | None = None) -> ChanceLevel:
        """Return the comparison for one measure; level and depth may be omitted if the measure has only one.

        Raises:
            InputError: it was not computed; the error lists what was.
        """
        return find_score(self.levels, measure, level, depth)

    def table(self) -> str:
        """Format one row per measure, level and depth as text in columns, with the warnings below."""
        return as_text([*self._blocks(), *warning_blocks(self.warnings)])

    def _repr_html_(self) -> str:
        return as_html([*self._blocks(), *warning_blocks(self.warnings)])

    def _blocks(self) -> list[Block]:
        draws = f"; {counted(self.draws, 'draw')} of the same clusters with shuffled pages, seed {self.seed}"
        head = heading(self.query, self.pages, self.engine, draws) + scoring_options_line(self.policies)
        return [head, *chance_blocks(self.levels)]


def calibrate(
    gold: GivenGold,
    clustering: GivenClustering,
    measures: Iterable[str | Measure],
    levels: int | str | Iterable[int | str] | None = None,
    policies: Policies | Mapping[str, str] | None = None,
    draws: int = DRAWS,
    seed: int = 0,
    vectors: Vectors | ArrayLike | None = None,
    depths: Depths = None,
    noise: Any = None,
) -> Calibration:
    """Compare scores with chance: with the scores of clusters of the same sizes and overlaps but shuffled pages.

    The same input and seed give exactly the same result; all measures use the same shuffles.

    Args:
        gold, clustering, levels, policies, vectors, depths, noise: as in `score`.
        measures: one key or several.
        draws: the number of shuffles, 2 to 100,000. The standard error of the mean is deviation / √draws.
        seed: the seed of the shuffles, 0 or more.

    Raises:
        InputError: as in `score`; draws or seed out of range.

    >>> found = calibrate(["a", "a", "b", "b"], [0, 1, 2, 3], "homogeneity").of("homogeneity")
    >>> found.value, found.mean
    (1.0, 1.0)
    """
    problems, depths = ProblemList(), reusable_depths(depths)
    with collect_errors(problems):
        scored = score(gold, clustering, measures, levels, policies, vectors=vectors, depths=depths, noise=noise)
    with collect_errors(problems):
        check_draws(draws, seed)
    problems.refuse_errors()
    assert scored.case is not None  # only results read from a file have none
    plan = dict.fromkeys((REGISTRY.get(one.measure), one.level) for one in scored.scores)
    found = calibrate_case(scored.case, plan, scored.policies, draws, seed, depths)
    return Calibration(ENGINE_VERSION, scored.query, scored.pages, scored.policies, draws, seed, found, scored.warnings)


def calibrate_case(
    case: Case,
    plan: Iterable[tuple[Measure, Level]],
    policies: Policies,
    draws: int = DRAWS,
    seed: int = 0,
    depths: Depths = None,
) -> tuple[ChanceLevel, ...]:
    """Compare each measure with chance on its level, at each of the depths as in `score`, with the same shuffles.

    Raises:
        InputError: draws or seed out of range; a measure does not exist on its level; unknown depths.
    """
    check_draws(draws, seed)
    wanted = plan_with_depths(case, plan, depths)
    observed = [_value(case, place, policies) for place in wanted]
    drawn = np.full((len(wanted), draws), math.nan)
    reasons: list[str] = [""] * len(wanted)
    known = [row for row, value in enumerate(observed) if isinstance(value, float)]
    random = np.random.default_rng(seed)
    for draw in track_progress(range(draws if known else 0), lambda draw: f"draw {draw + 1}"):
        shuffled = shuffle(case, random)
        for row in known:
            value = _value(shuffled, wanted[row], policies)
            if isinstance(value, str):
                reasons[row] = reasons[row] or value
            else:
                drawn[row, draw] = value
    levels = map(_chance_level, wanted, observed, drawn, reasons)
    units = (measure.unit_under(policies) or None for measure, _, _ in wanted)
    return tuple(replace(level, unit=unit) for level, unit in zip(levels, units, strict=True))


def shuffle(case: Case, random: np.random.Generator) -> Case:
    """Return the same clusters over shuffled pages; sizes, nesting, overlaps and the gold standard are unchanged."""
    places = random.permutation(case.n_pages)
    rows = np.repeat(np.arange(case.n_clusters, dtype=np.int64), case.sizes)
    keys = rows * case.n_pages + places[case.clusters.indices]
    keys.sort()
    clusters = sp.csr_array(
        (case.clusters.data, keys - rows * case.n_pages, case.clusters.indptr), shape=case.clusters.shape
    )
    return replace(case, clusters=clusters, warnings=())


def check_draws(draws: int, seed: int) -> None:
    """Raise InputError if draws or seed are out of range; the error names both."""
    problems = ProblemList()
    if not (_is_whole(draws) and LEAST_DRAWS <= draws <= MOST_DRAWS):
        expected = f"a whole number from {LEAST_DRAWS} to {MOST_DRAWS:,}"
        problems.error("bad-draws", "draws", f"{draws:,}" if _is_whole(draws) else repr(draws), expected)
    if not (_is_whole(seed) and seed >= 0):
        problems.error("bad-seed", "seed", repr(seed), "a whole number, 0 or more")
    problems.refuse_errors()


def _is_whole(number: Any) -> bool:
    return isinstance(number, Integral) and not isinstance(number, bool)


def _value(case: Case, place: Place, policies: Policies) -> float | str:
    """Return the measure's value, or the reason why it is undefined."""
    measure, level, depth = place
    try:
        return measure.compute(case, level, policies, depth)
    except Undefined as reason:
        return str(reason)


def _chance_level(wanted: Place, observed: float | str, drawn: FloatArray, reason: str) -> ChanceLevel:
    measure, level, depth = wanted
    if isinstance(observed, str):
        return ChanceLevel(measure.key, level, None, observed, depth=depth)
    values = drawn[~np.isnan(drawn)]
    if not values.size:
        no_chance = f"no shuffled clustering has a value: {reason}"
        return ChanceLevel(measure.key, level, observed, no_chance, depth=depth)
    lost = drawn.size - values.size
    mean = math.fsum(values.tolist()) / values.size
    if np.ptp(values) <= SAME:
        mean, deviation = float(values[0]), 0.0
    else:
        deviation = float(values.std(ddof=1))
    sign = 1.0 if measure.better == "higher" else -1.0
    ahead = sign * (observed - values)
    better, same = int((ahead > SAME).sum()), int((np.abs(ahead) <= SAME).sum())
    low, high = np.percentile(values, CENTRAL).tolist()
    best = measure.high if measure.better == "higher" else measure.low
    return ChanceLevel(
        measure=measure.key,
        level=level,
        value=observed,
        draws=int(values.size),
        mean=mean,
        deviation=deviation,
        low=low,
        high=high,
        percentile=100 * (better + same / 2) / values.size,
        z=sign * (observed - mean) / deviation + 0.0 if deviation else None,
        p=(1 + values.size - better) / (1 + values.size),
        adjusted=None if best is None or abs(best - mean) <= SAME else (observed - mean) / (best - mean) + 0.0,
        note=f"{lost:,} of {drawn.size:,} draws have no value: {reason}" if lost else "",
        drawn=values,
        depth=depth,
    )


def _position_among_draws(percentile: float) -> str:
    """Return the beginning of a sentence on the clustering's position among the draws."""
    if percentile == 100:
        return "It is better than every draw"
    if percentile == 0:
        return "It is worse than every draw"
    return f"It is better than {percentage(percentile, 100, 1)} of the draws"
