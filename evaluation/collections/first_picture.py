"""The picture on the first page: the leading algorithms of a public collection, and how sure it is that they lead.

It is the same for everybody: only public collections and published submissions are looked at.
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
from evaluation.limits import PICTURED_ALGORITHMS
from evaluation.models import Run
from evaluation.ranking.board import Row
from evaluation.ranking.leaderboard import LEADS_BY, board_so_far
from evaluation.ranking.means import Mean
from evaluation.scoring.effective import finished_of
from evaluation.scoring.options import Choice
from qc4.stats import SystemResult, row_sentence

FEWEST = 2
"""Algorithms that a comparison needs."""


@dataclass(frozen=True, slots=True)
class PicturedAlgorithm:
    """One line of the picture.

    Attributes:
        system: its places and its distance behind the best; None where these are not known.
        places: "1–4".
    """

    name: str
    mark: Mark
    mean: Mean
    system: SystemResult | None
    places: str

    @property
    def words(self) -> str:
        """Place and distance behind the best in words."""
        return "" if self.system is None else row_sentence(self.system)


@dataclass(frozen=True, slots=True)
class Compared:
    """What the picture shows of a collection.

    Attributes:
        verdict: which algorithms could be the best.
        method: how that was found.
        queries: how many the means are over.
        algorithms: the best first; at most `PICTURED_ALGORITHMS`.
        compared: how many the verdict is about.
        scored: how many have scores, compared or not.
    """

    verdict: str
    method: str
    queries: int
    algorithms: tuple[PicturedAlgorithm, ...]
    compared: int
    scored: int

    @property
    def reach(self) -> float:
        """The largest distance behind the best that is drawn."""
        systems = [one.system for one in self.algorithms if one.system is not None]
        return max([end for one in systems for end in (one.behind, one.behind_high or 0.0)], default=0.0) or 1.0

    @property
    def more(self) -> int:
        """How many were compared and are not shown."""
        return self.compared - len(self.algorithms)

    @property
    def left_aside(self) -> int:
        """How many have scores and were not compared."""
        return self.scored - self.compared


@dataclass(frozen=True, slots=True)
class FirstPicture:
    """A public collection and what is compared of it."""

    collection: Collection
    version: GoldVersion
    compared: Compared


def first_picture() -> FirstPicture | None:
    """The picture of the public collection with the most scored queries; None while none has two scored algorithms.

    A few database queries, however many collections, algorithms and scores there are.
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
    """The evaluations anybody may see, of algorithms that are no references."""
    runs = finished_of(visible_evaluations(AnonymousUser(), *collections))
    return runs.exclude(submission__algorithm__baseline__in=REFERENCES)


def _largest(collections: Iterable[Collection], versions: dict[int, GoldVersion]) -> int | None:
    """The collection with the most queries among those with something to compare; of equal ones the oldest."""
    runs = _scored(collections).filter(gold_version__in=versions.values()).order_by()
    counted = runs.values("collection").annotate(n=Count("submission__algorithm", distinct=True))
    algorithms = Counter(dict(counted.values_list("collection", "n")))
    entries = visible_entries(AnonymousUser(), *versions.values()).order_by()
    sizes = entries.values("version__collection").annotate(n=Count("pk"))
    queries = Counter(dict(sizes.values_list("version__collection", "n")))
    enough = [pk for pk in versions if algorithms[pk] >= FEWEST]
    return max(enough, key=lambda pk: (queries[pk], -pk), default=None)


def _compared(collection: Collection) -> Compared | None:
    """What the board says so far."""
    board = board_so_far(collection, AnonymousUser(), Choice(measures=(LEADS_BY,)))
    rows = board.compared if board else ()
    if board is None or len(rows) < FEWEST:
        return None
    marked = marks(collection)
    return Compared(
        verdict=board.standing.sentence,
        method=board.methods,
        queries=board.standing.queries,
        algorithms=tuple(_pictured(row, marked[row.algorithm.pk]) for row in rows[:PICTURED_ALGORITHMS]),
        compared=len(rows),
        scored=sum(row.run is not None and not row.is_reference for row in board.rows),
    )


def _pictured(row: Row, mark: Mark) -> PicturedAlgorithm:
    mean = row.mean
    if mean is None or mean.value is None:
        raise ValueError("an algorithm that is compared has a mean")
    return PicturedAlgorithm(row.algorithm.name, mark, mean, row.system, row.ranks)
