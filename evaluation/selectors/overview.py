"""Collections at a glance, for the home page and the head of a collection's own page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, QuerySet

from accounts.paging import ListPage, list_page
from accounts.person import Person
from annotations.access import hidden_gold, visible_entries
from annotations.models import Collection, GoldVersion, Page, Query
from annotations.models.challenges import ChallengeState
from annotations.selectors.challenges import states
from annotations.selectors.gold import latest_versions
from evaluation.access import visible_runs, visible_submissions
from evaluation.models import Run
from evaluation.runs.admission import UNFINISHED
from evaluation.selectors.leaderboard import Leader, leaders
from evaluation.selectors.marks import Mark, marks


@dataclass(frozen=True, slots=True)
class Overview:
    """What a collection holds and who leads it, as one person sees it."""

    collection: Collection
    n_queries: int
    n_pages: int
    n_algorithms: int
    version: GoldVersion | None
    leader: Leader | None
    leader_mark: Mark | None
    # Runs that wait or work, and whether the latest one of them all failed.
    busy: int
    failed: int
    # Where its challenge stands; None where it is none.
    challenge: ChallengeState | None

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


def overviews(collections: Sequence[Collection], person: Person) -> list[Overview]:
    """These collections (already checked), in their order; the same few database queries however many they are."""
    versions = latest_versions(collections)
    leading, named = leaders(collections, versions, person), marks(*collections)
    everything = Count("pk")
    queries = _counted(Query.objects.filter(collection__in=collections), "collection", everything)
    pages = _counted(Page.objects.filter(query__collection__in=collections), "query__collection", everything)
    answers = visible_submissions(person, *collections)
    algorithms = _counted(answers, "collection", Count("algorithm", distinct=True))
    runs = visible_runs(person).filter(collection__in=collections)
    busy = _counted(runs.filter(state__in=UNFINISHED), "collection", everything)
    failed = _counted(runs.filter(state=Run.State.FAILED, reruns__isnull=True), "collection", everything)
    challenges = states(collections)
    return [
        Overview(
            collection=collection,
            n_queries=queries[collection.pk],
            n_pages=pages[collection.pk],
            n_algorithms=algorithms[collection.pk],
            version=versions.get(collection.pk),
            leader=leader,
            leader_mark=named[leader.algorithm.pk] if leader else None,
            busy=busy[collection.pk],
            failed=failed[collection.pk],
            challenge=challenges.get(collection.pk),
        )
        for collection in collections
        for leader in [leading.get(collection.pk)]
    ]


def _counted(rows: QuerySet[Any], collection: str, what: Count) -> Counter[int]:
    """Collection id -> how many there are; ``collection`` says where it is found."""
    return Counter(dict(rows.order_by().values(collection).annotate(n=what).values_list(collection, "n")))


@dataclass(frozen=True, slots=True)
class QueryLine:
    """A query in its collection's table; the gold's numbers are None where no gold standard is published."""

    key: str
    text: str
    n_pages: int
    n_levels: int | None
    topics_per_level: list[int] | None
    n_outliers: int | None
    is_hidden: bool = False


def query_pages(
    collection: Collection, person: Person, version: GoldVersion | None
) -> Callable[[str, int], ListPage[QueryLine]]:
    """The queries of a collection (already checked) in order, page by page, as `accounts.paging` asks for them."""

    def page(cursor: str, size: int) -> ListPage[QueryLine]:
        found = list_page(cursor, size, collection.queries.order_by("position", "pk"))
        return ListPage(query_lines(found.rows, person, version), found.previous, found.next)

    return page


def query_lines(queries: Sequence[Query], person: Person, version: GoldVersion | None) -> list[QueryLine]:
    """These queries of a collection (already checked), in their order."""
    pks = [query.pk for query in queries]
    golds = {}
    if version is not None:
        entries = (
            visible_entries(person, version)
            .filter(query__in=pks)
            .values_list("query_id", "gold__n_levels", "gold__topics_per_level", "gold__n_outliers")
        )
        golds = {query: rest for query, *rest in entries}
    lines, hidden = [], set(hidden_gold(person).filter(pk__in=pks).values_list("pk", flat=True))
    pages = _counted(Page.objects.filter(query__in=pks), "query", Count("pk"))
    for query in queries:
        levels, topics, outliers = golds.get(query.pk, (None, None, None))
        lines.append(
            QueryLine(query.key, query.text or query.key, pages[query.pk], levels, topics, outliers, query.pk in hidden)
        )
    return lines
