"""Overviews of collections, for the home page and the head of a collection's page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet

from accounts.person import Person
from annotations.challenges.access import challenge_states
from annotations.gold.selectors import latest_versions
from annotations.models import Collection, GoldVersion, Query
from annotations.models.challenges import ChallengeState
from annotations.models.collections import TOTAL_PAGES
from evaluation.access import visible_runs, visible_submissions
from evaluation.charts.marks import Mark, marks
from evaluation.models import Run
from evaluation.ranking.leading import Leader, leaders_of
from evaluation.runs.scheduling import UNFINISHED


@dataclass(frozen=True, slots=True)
class Overview:
    """A collection's contents and its leader, as one person sees them."""

    collection: Collection
    n_queries: int
    n_pages: int
    n_algorithms: int
    version: GoldVersion | None
    leader: Leader | None
    leader_mark: Mark | None
    # Runs that are queued or running, and failed runs that were not repeated.
    busy: int
    failed: int
    # The state of its challenge; None if it is not a challenge.
    challenge: ChallengeState | None

    @property
    def state(self) -> tuple[str, str]:
        """(kind of chip, text)."""
        if self.busy:
            return "busy", f"{self.busy} unfinished run{'s' if self.busy != 1 else ''}"
        if self.version is None:
            return "warn", "no gold standard yet"
        if not self.n_algorithms:
            return "", "no submissions yet"
        if self.failed:
            return "warn", f"{self.failed} failed run{'s' if self.failed != 1 else ''}"
        return "good", "scored"


def overviews(
    collections: Sequence[Collection],
    person: Person,
    named: Mapping[int, Mark] | None = None,
) -> list[Overview]:
    """Overviews of these collections (already checked), in their order, with a constant number of database queries.

    Args:
        named: the marks of their algorithms, if they are known.
    """
    versions = latest_versions(collections)
    leaders = leaders_of(collections, versions, person)
    named = marks(*collections) if named is None else named
    of_queries = Query.objects.filter(collection__in=collections).order_by().values("collection")
    counts = of_queries.annotate(n=Count("pk"), held=TOTAL_PAGES).values_list("collection", "n", "held")
    sizes = {collection: (queries, pages) for collection, queries, pages in counts}
    answers = visible_submissions(person, *collections)
    algorithms = _counted(answers, "collection", Count("algorithm", distinct=True))
    busy, failed = _runs_of(collections, person)
    challenges = challenge_states(collections)
    return [
        Overview(
            collection=collection,
            n_queries=n_queries,
            n_pages=n_pages,
            n_algorithms=algorithms[collection.pk],
            version=versions.get(collection.pk),
            leader=leader,
            leader_mark=named[leader.algorithm] if leader else None,
            busy=busy[collection.pk],
            failed=failed[collection.pk],
            challenge=challenges.get(collection.pk),
        )
        for collection in collections
        for leader in [next(iter(leaders.get(collection.pk, ())), None)]
        for n_queries, n_pages in [sizes.get(collection.pk, (0, 0))]
    ]


def _runs_of(collections: Sequence[Collection], person: Person) -> tuple[Counter[int], Counter[int]]:
    """Numbers of unfinished runs and of failed runs that were not repeated, by collection id. One query."""
    repeated = Run.objects.filter(rerun_of__isnull=False).order_by().values("rerun_of")
    told = Q(state__in=UNFINISHED) | (Q(state=Run.State.FAILED) & ~Q(pk__in=repeated))
    rows = visible_runs(person).filter(told, collection__in=collections).order_by()
    busy, failed = Counter[int](), Counter[int]()
    for collection, state, n in (
        rows.values("collection", "state").annotate(n=Count("pk")).values_list("collection", "state", "n")
    ):
        (failed if state == Run.State.FAILED else busy)[collection] += n
    return busy, failed


def _counted(rows: QuerySet[Any], collection: str, what: Count) -> Counter[int]:
    """The number of rows by collection id; ``collection`` is the lookup of the collection."""
    return Counter(dict(rows.order_by().values(collection).annotate(n=what).values_list(collection, "n")))
