"""What becomes of the topics of a gold version in the clusters of algorithms: covered, merged, split or missed.

A run never changes, so its topics are looked at once: each run has an answer of its own, which pages put together.
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
from evaluation.ranking.leaderboard import LEADS_BY, Selection, select
from evaluation.ranking.means import Means, best_first
from evaluation.ranking.standings import standings
from evaluation.ranking.wording import Scored, reference_notes, source_words
from evaluation.scoring import cases
from evaluation.scoring.columns import columns
from evaluation.scoring.options import Choice
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
"""Topics are grouped by their pages: 1 to 2, 3 to 5, 6 to 10, 11 to 20, 21 or more."""

MEMBERSHIPS = 20_000
"""Pages in clusters and in topics that are looked at in a tenth of a second."""
QUERY = 800
"""What every query costs beside its pages."""


@dataclass(frozen=True, slots=True)
class TopicsAsked:
    """The topics of a gold version in the clusters of a submission.

    Attributes:
        collection, version, submission: ids.
        size: memberships of the clusterings and pages of the gold standards, for the cost.
        queries: how many queries the version has.
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
    """Topics counted together: those of a query that start on the same depth and are of similar size.

    Attributes:
        keys: (groups, 3) id of the query, depth, place of their size in `SIZES`.
        fates: (groups, 4) how many met each fate of `FATES`.
        coverage: (groups,) the sum of their coverage.
    """

    keys: IntArray
    fates: IntArray
    coverage: FloatArray


def _work_out(asked: Sequence[TopicsAsked]) -> list[TopicCounts]:
    """Of submissions against the same version."""
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
    TopicsAsked,
    TopicCounts,
    lambda asked: _work_out([asked])[0],
    cost=lambda asked: asked.size + QUERY * asked.queries,
    cheap=MEMBERSHIPS,
)


@dataclass(frozen=True, slots=True)
class Group(Record):
    """Some topics: how many met each fate, and the mean of their coverage."""

    name: str
    topics: int
    covered: int
    merged: int
    split: int
    missed: int
    coverage: float | None

    @classmethod
    def of(cls, name: str, fates: IntArray, coverage: float) -> Group:
        """Args: coverage: the sum of that of the topics."""
        covered, merged, split, missed = fates.tolist()
        topics = covered + merged + split + missed
        return cls(name, topics, covered, merged, split, missed, coverage / topics if topics else None)

    @property
    def counts(self) -> tuple[int, ...]:
        """In the order of `FATES`."""
        return self.covered, self.merged, self.split, self.missed

    @property
    def share(self) -> float | None:
        """The part that is covered."""
        return self.covered / self.topics if self.topics else None


@dataclass(frozen=True)
class TopicRow(Record):
    """An algorithm's topics: all of them, by depth, by size, and by query."""

    KEYS = (
        "id=entry.algorithm.pk algorithm=entry.algorithm.name submission=entry.submission.pk all depths sizes queries"
    )

    entry: Entry
    all: Group
    depths: tuple[Group, ...]
    sizes: tuple[Group, ...]
    queries: tuple[Group, ...]


@dataclass(frozen=True)
class TopicsFound(Record):
    """The topics of the asked queries in the clusters of some algorithms, the one that covers most first, then
    reference clusterings.

    Attributes:
        qc4_f: algorithm id -> its mean QC4-F, for what is said of references.
        pending: how many algorithms are still to be looked at.
        left_out: how many algorithms are not, because there are too many.
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
        """Which algorithm covers most, and what becomes of the other topics. References are not looked at."""
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
            f"Of {number_of(best.topics, 'topic')} {name} covers {covered}{most}; "
            f"{_percent(best.merged, best)} are merged with others, {_percent(best.split, best)} split and "
            f"{_percent(best.missed, best)} missed."
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What it means that references cover more topics than algorithms."""
        everybody = (
            Scored(
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
        """How it was computed, for a paper."""
        half = f"{100 * HALF:g} %"
        return (
            "Topics of all levels; clusters of which more than half are outliers are left out, as by QC4. A topic is "
            f"covered if a cluster has at least {half} of its pages and at least {half} of that cluster are of it; "
            f"else merged if a cluster has {half} of its pages; else split if clusters of which at least {half} are of "
            f"it have {half} of its pages together; else missed. Coverage: the mean of QC4's page coverage over a "
            "topic's pages. Of an algorithm with several runs the latest is looked at. "
            f"{source_words(self.selection)}."
        )


def find_topics(collection: Collection, person: Person, choice: Choice) -> TopicsFound:
    """The topics in the clusters of the chosen algorithms, or of the best ones by the measure that ranks, in a
    collection (already checked).

    Raises:
        InputError: as `select`; more algorithms than are looked at at once.
        Pending: some are still to be looked at; the others are its `meanwhile`.
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
    counted = zip(entries, TOPICS.get_all(_asked(entries, found.version), _work_out), strict=True)
    rows = [_row(entry, counts, found.queries) for entry, counts in counted if counts is not None]
    rows.sort(key=_place)
    f = {pk: mean.value for pk, mean in means[LEADS_BY].items()}
    answer = TopicsFound(found, tuple(rows), len(entries) - len(rows), left_out, f)
    if answer.pending:
        raise Pending(answer)
    return answer


def _place(row: TopicRow) -> tuple[bool, int, float, str]:
    """Reference clusterings last; else the one that covers most first."""
    return row.entry.is_reference, -row.all.covered, -(row.all.coverage or 0.0), row.entry.algorithm.name


def _means(found: Selection) -> dict[str, Means]:
    """The means by the measure that ranks and by QC4-F."""
    shown = {found.sort.key: found.sort}
    if LEADS_BY not in shown:
        shown[LEADS_BY] = columns((LEADS_BY,), "", 1, found.choice.policies)[0]
    said, _ = standings(found.tested.question, tuple(shown.values()), None)
    return {key: said[column].means for key, column in shown.items()}


def _asked(entries: Sequence[Entry], version: GoldVersion) -> list[TopicsAsked]:
    """What is asked of the latest run of each. Two queries to the database."""
    submissions = [entry.run.submission_id or 0 for entry in entries if entry.run]
    sums = Clustering.objects.filter(submission__in=submissions).order_by().values_list("submission")
    sizes = dict(sums.annotate(Sum("n_memberships")))
    of_gold = version.entries.aggregate(queries=Count("pk"), pages=Sum("gold__n_pages", default=0))
    return [
        TopicsAsked(version.collection_id, version.pk, pk, sizes.get(pk, 0) + of_gold["pages"], of_gold["queries"])
        for pk in submissions
    ]


def _row(entry: Entry, counts: TopicCounts, queries: Sequence[ScoredQuery]) -> TopicRow:
    """Of the queries that are asked for."""
    asked = np.isin(counts.keys[:, 0], [query.pk for query in queries])
    keys, fates, coverage = counts.keys[asked], counts.fates[asked], counts.coverage[asked]
    depths = {depth: f"level {depth}" for depth in np.unique(keys[:, 1]).tolist()}
    sizes = {place: _size_words(bound) for place, bound in enumerate(SIZES)}
    return TopicRow(
        entry,
        Group.of("all", fates.sum(axis=0), fsum(coverage)),
        _groups(depths, keys[:, 1], fates, coverage),
        _groups(sizes, keys[:, 2], fates, coverage),
        _groups({query.pk: query.key for query in queries}, keys[:, 0], fates, coverage),
    )


def _groups(names: Mapping[int, str], keys: IntArray, fates: IntArray, coverage: FloatArray) -> tuple[Group, ...]:
    """The rows with the same key added up, for each key that has a name, in the order of the names."""
    row = {key: number for number, key in enumerate(names)}
    at = np.array([row[key] for key in keys.tolist()], dtype=np.int64)
    summed = np.zeros((len(names), len(FATES)), dtype=np.int64)
    np.add.at(summed, at, fates)
    covered = np.bincount(at, coverage, len(names)).tolist()
    return tuple(Group.of(name, *of) for name, *of in zip(names.values(), summed, covered, strict=True))


def _size_words(bound: int) -> str:
    place = SIZES.index(bound)
    return f"{bound} or more" if place + 1 == len(SIZES) else f"{bound} to {SIZES[place + 1] - 1}"


def _percent(part: int, group: Group) -> str:
    return percentage(part, group.topics, 1)
