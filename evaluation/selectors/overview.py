"""Collections at a glance, for the home page and the head of a collection's own page."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from accounts.person import Person
from annotations.access import visible_collections
from annotations.models import Collection, GoldVersion, Page
from evaluation.access import visible_runs, visible_submissions
from evaluation.models import Run
from evaluation.selectors.board import Row
from evaluation.selectors.leaderboard import leaderboard
from evaluation.selectors.marks import Mark, marks


@dataclass(frozen=True, slots=True)
class Overview:
    """What a collection holds and who leads it, as one person sees it."""

    collection: Collection
    n_queries: int
    n_pages: int
    n_algorithms: int
    version: GoldVersion | None
    leader: Row | None
    leader_mark: Mark | None
    # Runs that wait or work, and whether the latest one of them all failed.
    busy: int
    failed: int

    @property
    def state(self) -> tuple[str, str]:
        """(kind of chip, words)."""
        if self.busy:
            return "busy", f"{self.busy} run{'s' if self.busy != 1 else ''} at work"
        if self.version is None:
            return "warn", "no gold standard yet"
        if not self.n_algorithms:
            return "", "no submissions yet"
        if self.failed:
            return "warn", f"{self.failed} failed run{'s' if self.failed != 1 else ''}"
        return "good", "scored"


def overviews(person: Person) -> QuerySet[Collection]:
    """The collections this person sees, by name; pass those of one page of the list to `overview`."""
    return visible_collections(person).distinct().order_by("name", "pk")


def overview(collection: Collection, person: Person) -> Overview:
    """One collection (already checked)."""
    runs = (
        visible_runs(person)
        .filter(collection=collection)
        .aggregate(
            busy=Count("pk", filter=Q(state__in=[Run.State.QUEUED, Run.State.RUNNING])),
            failed=Count("pk", filter=Q(state=Run.State.FAILED, reruns__isnull=True)),
        )
    )
    board = leaderboard(collection, person)
    leader = next((row for row in board.rows if row.rank is not None and not row.is_gold), None)
    return Overview(
        collection=collection,
        n_queries=collection.queries.count(),
        n_pages=Page.objects.filter(query__collection=collection).count(),
        n_algorithms=visible_submissions(person, collection).values("algorithm").distinct().count(),
        version=board.latest_version,
        leader=leader,
        leader_mark=marks(collection)[leader.algorithm.pk] if leader else None,
        busy=runs["busy"],
        failed=runs["failed"],
    )


@dataclass(frozen=True, slots=True)
class QueryLine:
    """A query in its collection's table; the gold's numbers are None where no gold standard is published."""

    key: str
    text: str
    n_pages: int
    n_levels: int | None
    topics_per_level: list[int] | None
    n_outliers: int | None


def query_lines(collection: Collection, version: GoldVersion | None) -> list[QueryLine]:
    """Every query of a collection, in order."""
    golds = {}
    if version is not None:
        entries = version.entries.values_list(
            "query_id", "gold__n_levels", "gold__topics_per_level", "gold__n_outliers"
        )
        golds = {query: rest for query, *rest in entries}
    lines = []
    for query in collection.queries.annotate(n=Count("pages")).order_by("position", "pk"):
        levels, topics, outliers = golds.get(query.pk, (None, None, None))
        lines.append(QueryLine(query.key, query.text or query.key, query.n, levels, topics, outliers))
    return lines
