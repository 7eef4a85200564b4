"""The chart on the home page: the leading algorithms of a public collection, and how certain their lead is.

It is the same for everyone, because it uses only public collections and published submissions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, QuerySet

from annotations.access import visible_collections
from annotations.challenges.access import visible_entries
from annotations.gold.selectors import latest_versions
from annotations.models import Collection, GoldVersion
from evaluation.access import visible_evaluations
from evaluation.baselines.catalogue import REFERENCES
from evaluation.charts.marks import Mark, marks
from evaluation.limits import HOME_CHART_ALGORITHMS
from evaluation.models import Run
from evaluation.ranking.board import BoardRow
from evaluation.ranking.leaderboard import DEFAULT_RANKING, board_or_partial
from evaluation.ranking.means import Mean
from evaluation.scoring.effective import finished_of
from evaluation.scoring.options import BoardOptions
from qc4.stats import SystemResult, row_sentence

FEWEST = 2
"""Minimum number of algorithms in a comparison."""


@dataclass(frozen=True, slots=True)
class PicturedAlgorithm:
    """One row of the chart.

    Attributes:
        system: its range of ranks and its distance from the best; None if these are not known.
        places: the range of ranks, such as "1–4".
    """

    name: str
    mark: Mark
    mean: Mean
    system: SystemResult | None
    places: str

    @property
    def words(self) -> str:
        """Rank and distance from the best as a sentence."""
        return "" if self.system is None else row_sentence(self.system)


@dataclass(frozen=True, slots=True)
class Compared:
    """The chart's data for a collection.

    Attributes:
        verdict: the algorithms that could be the best.
        method: the statistical method behind the verdict.
        queries: number of queries behind the means.
        algorithms: the best first; at most `PICTURED_ALGORITHMS`.
        compared: number of algorithms that the verdict covers.
        scored: number of algorithms with scores, compared or not.
    """

    verdict: str
    method: str
    queries: int
    algorithms: tuple[PicturedAlgorithm, ...]
    compared: int
    scored: int

    @property
    def reach(self) -> float:
        """The largest distance from the best that is drawn."""
        systems = [one.system for one in self.algorithms if one.system is not None]
        return max([end for one in systems for end in (one.behind, one.behind_high or 0.0)], default=0.0) or 1.0

    @property
    def more(self) -> int:
        """The number of compared algorithms that are not shown."""
        return self.compared - len(self.algorithms)

    @property
    def left_aside(self) -> int:
        """The number of algorithms that have scores but were not compared."""
        return self.scored - self.compared


@dataclass(frozen=True, slots=True)
class FirstPicture:
    """A public collection and its comparison."""

    collection: Collection
    version: GoldVersion
    compared: Compared


def first_picture() -> FirstPicture | None:
    """The chart of the public collection with the most scored queries; None until one has two scored algorithms.

    Makes a few database queries for any number of collections, algorithms and scores.
    """
    public = {collection.pk: collection for collection in visible_collections(AnonymousUser())}
    versions = latest_versions(public.values())
    chosen = _largest(public.values(), versions)
    if chosen is None:
        return None
    collection, version = public[chosen], versions[chosen]
    compared = _compared(collection)
    return None if compared is None else FirstPicture(collection, version, compared)


def _scored(collections: Iterable[Collection]) -> QuerySet[Run]:
    """The evaluations that everyone can see, of algorithms other than references."""
    runs = finished_of(visible_evaluations(AnonymousUser(), *collections))
    return runs.exclude(submission__algorithm__baseline__in=REFERENCES)


def _largest(collections: Iterable[Collection], versions: dict[int, GoldVersion]) -> int | None:
    """The collection with the most queries among those with something to compare; the oldest in a tie."""
    runs = _scored(collections).filter(gold_version__in=versions.values()).order_by()
    counted = runs.values("collection").annotate(n=Count("submission__algorithm", distinct=True))
    algorithms = Counter(dict(counted.values_list("collection", "n")))
    entries = visible_entries(AnonymousUser(), *versions.values()).order_by()
    sizes = entries.values("version__collection").annotate(n=Count("pk"))
    queries = Counter(dict(sizes.values_list("version__collection", "n")))
    enough = [pk for pk in versions if algorithms[pk] >= FEWEST]
    return max(enough, key=lambda pk: (queries[pk], -pk), default=None)


def _compared(collection: Collection) -> Compared | None:
    """The leaderboard's comparison, if it is already computed."""
    board = board_or_partial(collection, AnonymousUser(), BoardOptions(measures=(DEFAULT_RANKING,)))
    rows = board.compared if board else ()
    if board is None or len(rows) < FEWEST:
        return None
    marked = marks(collection)
    return Compared(
        verdict=board.standing.sentence,
        method=board.methods,
        queries=board.standing.queries,
        algorithms=tuple(_pictured(row, marked[row.algorithm.pk]) for row in rows[:HOME_CHART_ALGORITHMS]),
        compared=len(rows),
        scored=sum(row.run is not None and not row.is_reference for row in board.rows),
    )


def _pictured(row: BoardRow, mark: Mark) -> PicturedAlgorithm:
    mean = row.mean
    if mean is None or mean.value is None:
        raise ValueError("an algorithm that is compared has a mean")
    return PicturedAlgorithm(row.algorithm.name, mark, mean, row.system, row.ranks)
