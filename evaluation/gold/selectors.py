"""The effects of a gold version: changed queries, submissions to score again, and people to notify."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Q, QuerySet

from accounts.models import User
from accounts.person import Person
from annotations.challenges.access import visible_entries
from annotations.drafts.state_machine.difference import Difference, difference
from annotations.gold.selectors import load_gold_document
from annotations.limits import COMPARED_VERSION_TOPICS
from annotations.models import Collection, DraftPublication, Gold, GoldVersion, Query
from evaluation.baselines.catalogue import MADE_FROM_GOLD
from evaluation.limits import BASELINES_AT_ONCE, MAX_DRAWS
from evaluation.models import Submission
from evaluation.scoring.effective import latest_submissions
from evaluation.scoring.selectors import policies_for
from qc4.problems import InputError


@dataclass(frozen=True, slots=True)
class Rescoring:
    """The effects of publishing another gold version.

    Attributes:
        submissions: number of submissions scored against it; queries with an unchanged gold standard keep their scores.
        remade: number of these submissions that are made from the gold standard and so are made again first.
        runs: number of runs that are queued.
    """

    submissions: int
    remade: int
    runs: int


def rescoring(collection: Collection) -> Rescoring:
    """The effects that publishing another gold version of this collection would have now."""
    latest = latest_submissions(collection)
    evaluated = list(latest.exclude(algorithm__baseline__in=MADE_FROM_GOLD).values_list("algorithm", flat=True))
    sets = policies_for(None, set(evaluated))
    remade = latest.filter(algorithm__baseline__in=MADE_FROM_GOLD).count()
    runs = sum(len(sets[algorithm]) for algorithm in evaluated)
    return Rescoring(len(evaluated) + remade, remade, runs + len(made_from_gold(latest)))


class Remade(NamedTuple):
    """Baselines to make again in one run: their keys, the first seed and the number of draws."""

    seed: int
    draws: int
    keys: tuple[str, ...]


def made_from_gold(latest: QuerySet[Submission]) -> tuple[Remade, ...]:
    """The latest submissions of baselines that use the gold standard, grouped into as few runs as possible."""
    seeds: dict[str, set[int]] = defaultdict(set)
    unseeded: set[str] = set()
    rows = latest.filter(algorithm__baseline__in=MADE_FROM_GOLD).order_by()
    for key, settings, seed in rows.values_list("algorithm__baseline", "algorithm__settings", "seed"):
        written = f"{key}:{settings}" if settings else key
        if seed is None:
            unseeded.add(written)
        else:
            seeds[written].add(seed)
    by_range: dict[tuple[int, int], set[str]] = defaultdict(set)
    for written, of_one in seeds.items():
        for first, draws in _ranges(sorted(of_one)):
            by_range[first, draws].add(written)
    if unseeded:
        by_range[min(by_range, default=(0, 1))] |= unseeded
    return tuple(
        Remade(seed, draws, keys)
        for (seed, draws), of_range in sorted(by_range.items())
        for keys in _batched(sorted(of_range), BASELINES_AT_ONCE)
    )


def _batched(keys: Sequence[str], size: int) -> Iterator[tuple[str, ...]]:
    """Split the keys into batches of this size."""
    return (tuple(keys[start : start + size]) for start in range(0, len(keys), size))


def _ranges(seeds: Sequence[int]) -> list[tuple[int, int]]:
    """Group sorted seeds into ranges (first, length) of consecutive seeds, each at most `MOST_DRAWS` long."""
    found: list[tuple[int, int]] = []
    for seed in seeds:
        if found and sum(found[-1]) == seed and found[-1][1] < MAX_DRAWS:
            found[-1] = (found[-1][0], found[-1][1] + 1)
        else:
            found.append((seed, 1))
    return found


# --- Changes of a gold version, query by query, from the version before it ---


@dataclass(frozen=True, slots=True)
class ChangedGold:
    """A query whose gold standard differs from the version before.

    Attributes:
        difference: None if the query had no gold standard before, or if the two cannot be compared.
        too_large: True if they have too many topics to be compared.
        had_one: True if the query had a gold standard before.
        publication: the draft it came from; None if it came from a file.
        titles: page id -> title.
    """

    query: Query
    gold: Gold
    had_one: bool
    difference: Difference | None
    publication: DraftPublication | None
    titles: dict[str, str]
    too_large: bool = False


def changed_golds(version: GoldVersion, person: Person | None = None) -> list[ChangedGold]:
    """The queries a version changed, in the order of the collection. Makes six database queries for any number of them.

    Args:
        person: queries that are hidden from this person are omitted; None omits no query.
    """
    before = _golds(version.collection.gold_versions.filter(number=version.number - 1).first(), person)
    publications = {row.gold_id: row for row in version.publications.select_related("draft", "published_by")}
    return [
        _changed(query, gold, before.get(query), publications.get(gold.pk))
        for query, gold in _golds(version, person).items()
        if query not in before or before[query].pk != gold.pk
    ]


def _golds(version: GoldVersion | None, person: Person | None) -> dict[Query, Gold]:
    if version is None:
        return {}
    entries = (
        visible_entries(person, version).select_related("query", "gold__file").order_by("query__position", "query_id")
    )
    return {entry.query: entry.gold for entry in entries}


def _changed(query: Query, gold: Gold, old: Gold | None, publication: DraftPublication | None) -> ChangedGold:
    if old is not None and max(old.n_topics, gold.n_topics) > COMPARED_VERSION_TOPICS:
        return ChangedGold(query, gold, True, None, publication, {}, too_large=True)
    document = load_gold_document(gold)
    try:
        found = None if old is None else difference(load_gold_document(old), document)
    except InputError:
        # A gold standard from before drafts had rules: it can be read and scored, but not compared by topic.
        found = None
    titles = {page.id: page.title or page.id for page in document.pages}
    return ChangedGold(query, gold, old is not None, found, publication, titles)


# --- The people who get an e-mail about a new gold version ---


def concerned(version: GoldVersion) -> QuerySet[User]:
    """Return the collection's members and everyone who submitted to it, if they can see it, except the publisher."""
    collection = version.collection
    to_it = Q(memberships__collection=collection)
    if collection.is_public:
        to_it |= Q(pk__in=Submission.objects.filter(collection=collection).values("created_by"))
    reached = User.objects.filter(to_it, is_active=True).exclude(email="")
    return reached.exclude(pk=version.published_by_id or 0).distinct().order_by("pk")


def not_told_yet(version: GoldVersion) -> QuerySet[User]:
    """Return the people a version concerns who have not received an e-mail about it."""
    return concerned(version).exclude(pk__in=version.announced.values("user"))
