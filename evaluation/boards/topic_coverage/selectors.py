"""Topic coverage: which topics of a gold version are covered, merged, split or missed by the clusters of algorithms.

A submission never changes, so its topics are counted once. Each submission has its own answer, and pages combine them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import fsum

import numpy as np
from django.db.models import Count, Sum

from accounts.person import Person
from annotations.models import Collection, GoldVersion, GoldVersionEntry
from evaluation.limits import TOPIC_ALGORITHMS
from evaluation.models import Clustering, Submission
from evaluation.ranking.entries import Entry
from evaluation.ranking.leaderboard import DEFAULT_RANKING, Selection, select
from evaluation.ranking.means import Means, best_first
from evaluation.ranking.standings import standings
from evaluation.ranking.wording import ScoredAlgorithm, reference_notes, source_words
from evaluation.scoring import cases
from evaluation.scoring.columns import columns
from evaluation.scoring.options import BoardOptions
from evaluation.scoring.scores import ScoredQuery
from qc4.arrays import FloatArray, IntArray
from qc4.measures.qc4 import HALF, Fate, topic_fates
from qc4.problems import InputError, Problem
from qc4.records import Record
from qc4.wording import counted as number_of
from qc4.wording import percentage
from work.answers import Answer, InputsDeleted, Pending

FATES = tuple(Fate)
SIZES = (1, 3, 6, 11, 21)
"""Lower ends of the groups of topics by number of pages: 1 to 2, 3 to 5, 6 to 10, 11 to 20, 21 or more."""

CHEAP_MEMBERSHIPS = 20_000
"""Pages in clusters and in topics that are processed in a tenth of a second."""
QUERY_COST = 800
"""Further cost of each query."""


@dataclass(frozen=True, slots=True)
class TopicsInputs:
    """Request for the topics of a gold version in the clusters of a submission.

    Attributes:
        collection, version, submission: ids.
        size: memberships of the clusterings plus pages of the gold standards, for the cost.
        queries: number of queries in the gold version.
    """

    collection: int
    version: int
    submission: int
    size: int
    queries: int

    @property
    def scope(self) -> str:
        return f"collection {self.collection}"

    @property
    def sources(self) -> tuple[str, ...]:
        return (f"submission {self.submission}",)


@dataclass(frozen=True, slots=True, eq=False)
class TopicCounts:
    """Counts of topics, grouped by query, depth and size.

    Attributes:
        keys: (groups, 3) id of the query, depth, index of the size in `SIZES`.
        fates: (groups, 4) number of topics with each fate of `FATES`.
        coverage: (groups,) sum of the topics' coverage.
    """

    keys: IntArray
    fates: IntArray
    coverage: FloatArray


def _compute(asked: Sequence[TopicsInputs]) -> list[TopicCounts]:
    """Return the counts of submissions against the same gold version."""
    submissions = [one.submission for one in asked]
    versions = {one.version for one in asked}
    entries = list(GoldVersionEntry.objects.filter(version__in=versions).select_related("gold__query", "gold__file"))
    if not entries or Submission.objects.filter(pk__in=submissions).count() < len(submissions):
        raise InputsDeleted
    given: dict[int, dict[int, Clustering]] = defaultdict(dict)
    for answer in Clustering.objects.filter(submission__in=submissions).select_related("file"):
        given[answer.submission_id][answer.query_id] = answer
    return [_counts(given[pk], entries) for pk in submissions]


def _counts(by_query: Mapping[int, Clustering], entries: Iterable[GoldVersionEntry]) -> TopicCounts:
    fates: dict[tuple[int, int, int], list[int]] = defaultdict(lambda: [0] * len(FATES))
    coverage: dict[tuple[int, int, int], list[float]] = defaultdict(list)
    for entry in entries:
        answer = by_query.get(entry.query_id)
        case = cases.without_clusters(entry.gold) if answer is None else cases.case(answer, entry.gold)
        for topic in topic_fates(case):
            key = (entry.query_id, topic.depth, max(1, bisect_right(SIZES, topic.size)) - 1)
            fates[key][FATES.index(topic.fate)] += 1
            coverage[key].append(topic.coverage)
    return TopicCounts(
        np.array(list(fates), dtype=np.int64).reshape(-1, 3),
        np.array(list(fates.values()), dtype=np.int64).reshape(-1, len(FATES)),
        np.array([fsum(coverage[key]) for key in fates]),
    )


TOPICS = Answer(
    "topics",
    TopicsInputs,
    TopicCounts,
    lambda asked: _compute([asked])[0],
    cost=lambda asked: asked.size + QUERY_COST * asked.queries,
    cheap=CHEAP_MEMBERSHIPS,
)


@dataclass(frozen=True, slots=True)
class TopicGroup(Record):
    """A group of topics: the number with each fate, and their mean coverage."""

    name: str
    topics: int
    covered: int
    merged: int
    split: int
    missed: int
    coverage: float | None

    @classmethod
    def of(cls, name: str, fates: IntArray, coverage: float) -> TopicGroup:
        """Return a group.

        Args:
            fates: (4,) number of topics with each fate of `FATES`.
            coverage: sum of the topics' coverage.
        """
        covered, merged, split, missed = fates.tolist()
        topics = covered + merged + split + missed
        return cls(name, topics, covered, merged, split, missed, coverage / topics if topics else None)

    @property
    def counts(self) -> tuple[int, ...]:
        """Number of topics with each fate, in the order of `FATES`."""
        return self.covered, self.merged, self.split, self.missed

    @property
    def share(self) -> float | None:
        """Share of the topics that is covered; None if there are no topics."""
        return self.covered / self.topics if self.topics else None


@dataclass(frozen=True)
class TopicRow(Record):
    """An algorithm's topics: all of them, by depth, by size, and by query."""

    KEYS = (
        "id=entry.algorithm.pk algorithm=entry.algorithm.name submission=entry.submission.pk all depths sizes queries"
    )

    entry: Entry
    all: TopicGroup
    depths: tuple[TopicGroup, ...]
    sizes: tuple[TopicGroup, ...]
    queries: tuple[TopicGroup, ...]


@dataclass(frozen=True)
class TopicsFound(Record):
    """Topic coverage of some algorithms on the requested queries.

    Attributes:
        rows: algorithms, the one that covers most topics first; reference clusterings last.
        qc4_f: algorithm id -> mean QC4-F, for the notes about reference clusterings.
        pending: number of algorithms still to be computed.
        left_out: number of algorithms beyond the maximum.
    """

    KEYS = (
        "collection=selection.collection.slug gold_version=selection.version?.number "
        "policies=selection.choice.policies left_out sentence notes methods rows"
    )

    selection: Selection
    rows: tuple[TopicRow, ...]
    pending: int = 0
    left_out: int = 0
    qc4_f: Mapping[int, float | None] = field(default_factory=dict)

    @cached_property
    def sentence(self) -> str:
        """Which algorithm covers most topics, and the fate of the others; reference clusterings are ignored."""
        ranked = [row for row in self.rows if not row.entry.is_reference]
        if not ranked:
            return ""
        best = ranked[0].all
        if not best.topics:
            return "These queries have no topics."
        name, covered = ranked[0].entry.algorithm.name, _percent(best.covered, best)
        is_most = len(ranked) > 1 and best.covered > ranked[1].all.covered
        most = ", more than any other algorithm" if is_most else ""
        return (
            f"Of {number_of(best.topics, 'topic')}, {name} covers {covered}{most}. "
            f"It merges {_percent(best.merged, best)} with others, splits {_percent(best.split, best)} and "
            f"misses {_percent(best.missed, best)}."
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """Explanations, if reference clusterings cover more topics than algorithms."""
        everybody = (
            ScoredAlgorithm(
                row.entry.algorithm.name,
                row.entry.algorithm.baseline,
                row.entry.is_reference,
                row.all.covered,
                self.qc4_f.get(row.entry.algorithm.pk),
            )
            for row in self.rows
        )
        return reference_notes(everybody, "covered topics", " on these queries")

    @property
    def methods(self) -> str:
        """Description of the method, for a paper."""
        half = f"{100 * HALF:g} %"
        return (
            "Topics of all levels count. Clusters with more than half outliers are excluded, as in QC4. A cluster "
            f"holds a topic if it has at least {half} of the topic's pages. It is about the topic if at least {half} "
            "of its own pages are the topic's. A topic is covered if one cluster holds it and is about it; otherwise "
            f"merged, if a cluster holds it; otherwise split, if the clusters about it have {half} of its pages "
            "together; otherwise missed. Coverage is the mean of QC4's page coverage over a topic's pages. The latest "
            f"run of each algorithm is used. {source_words(self.selection)}."
        )


def find_topics(collection: Collection, person: Person, choice: BoardOptions) -> TopicsFound:
    """Return topic coverage in a collection (already checked) for the chosen algorithms, by default the best ones.

    Raises:
        InputError: as `select`; if too many algorithms are chosen.
        Pending: some algorithms are still to be computed; the others are its `meanwhile`.
    """
    found = select(collection, person, choice)
    entries = [entry for entry in found.scored if not entry.is_gold or entry.algorithm.pk in choice.algorithms]
    if len(choice.algorithms) > TOPIC_ALGORITHMS:
        size = f"{len(choice.algorithms)} algorithms"
        raise InputError([Problem("too-many", "algorithms", size, f"at most {TOPIC_ALGORITHMS} at once")])
    left_out = max(0, len(entries) - TOPIC_ALGORITHMS)
    if found.version is None or not entries:
        return TopicsFound(found, ())
    try:
        means = _means(found)
    except Pending as pending:
        raise pending.showing(TopicsFound(found, (), len(entries) - left_out, left_out)) from None
    entries = best_first(entries, means[found.sort.key], found.sort.measure.better)[:TOPIC_ALGORITHMS]
    counted = zip(entries, TOPICS.get_all(_inputs(entries, found.version), _compute), strict=True)
    rows = [_row(entry, counts, found.queries) for entry, counts in counted if counts is not None]
    rows.sort(key=_sort_key)
    f = {pk: mean.value for pk, mean in means[DEFAULT_RANKING].items()}
    answer = TopicsFound(found, tuple(rows), len(entries) - len(rows), left_out, f)
    if answer.pending:
        raise Pending(answer)
    return answer


def _sort_key(row: TopicRow) -> tuple[bool, int, float, str]:
    """Sort key: algorithms that cover most topics first, reference clusterings last."""
    return row.entry.is_reference, -row.all.covered, -(row.all.coverage or 0.0), row.entry.algorithm.name


def _means(found: Selection) -> dict[str, Means]:
    """Return the means by the measure that ranks and by QC4-F."""
    shown = {found.sort.key: found.sort}
    if DEFAULT_RANKING not in shown:
        shown[DEFAULT_RANKING] = columns((DEFAULT_RANKING,), "", 1, found.choice.policies)[0]
    said, _ = standings(found.tested.question, tuple(shown.values()), None)
    return {key: said[column].means for key, column in shown.items()}


def _inputs(entries: Sequence[Entry], version: GoldVersion) -> list[TopicsInputs]:
    """Return the request for the latest run of each algorithm, with two database queries."""
    submissions = [entry.run.submission_id or 0 for entry in entries if entry.run]
    sums = Clustering.objects.filter(submission__in=submissions).order_by().values_list("submission")
    sizes = dict(sums.annotate(Sum("n_memberships")))
    of_gold = version.entries.aggregate(queries=Count("pk"), pages=Sum("gold__n_pages", default=0))
    return [
        TopicsInputs(version.collection_id, version.pk, pk, sizes.get(pk, 0) + of_gold["pages"], of_gold["queries"])
        for pk in submissions
    ]


def _row(entry: Entry, counts: TopicCounts, queries: Sequence[ScoredQuery]) -> TopicRow:
    """Return the row of an algorithm, limited to the requested queries."""
    asked = np.isin(counts.keys[:, 0], [query.pk for query in queries])
    keys, fates, coverage = counts.keys[asked], counts.fates[asked], counts.coverage[asked]
    depths = {depth: f"level {depth}" for depth in np.unique(keys[:, 1]).tolist()}
    sizes = {place: _size_words(bound) for place, bound in enumerate(SIZES)}
    return TopicRow(
        entry,
        TopicGroup.of("all", fates.sum(axis=0), fsum(coverage)),
        _groups(depths, keys[:, 1], fates, coverage),
        _groups(sizes, keys[:, 2], fates, coverage),
        _groups({query.pk: query.key for query in queries}, keys[:, 0], fates, coverage),
    )


def _groups(names: Mapping[int, str], keys: IntArray, fates: IntArray, coverage: FloatArray) -> tuple[TopicGroup, ...]:
    """Return a group for each named key, with the rows of this key added up, in the order of the names."""
    row = {key: number for number, key in enumerate(names)}
    at = np.array([row[key] for key in keys.tolist()], dtype=np.int64)
    summed = np.zeros((len(names), len(FATES)), dtype=np.int64)
    np.add.at(summed, at, fates)
    covered = np.bincount(at, coverage, len(names)).tolist()
    return tuple(TopicGroup.of(name, *of) for name, *of in zip(names.values(), summed, covered, strict=True))


def _size_words(bound: int) -> str:
    place = SIZES.index(bound)
    return f"{bound} or more" if place + 1 == len(SIZES) else f"{bound} to {SIZES[place + 1] - 1}"


def _percent(part: int, group: TopicGroup) -> str:
    return percentage(part, group.topics, 1)
