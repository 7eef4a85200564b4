"""What becomes of the topics of a gold version in the clusters of algorithms: covered, merged, split or missed.

A run never changes, so its topics are looked at once and kept (`Standing`), some runs in each request where there are
many.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import fsum
from typing import Any

from accounts.capacity import slow_work
from accounts.person import Person
from annotations.models import Collection, GoldVersion, GoldVersionEntry
from evaluation import cases
from evaluation.limits import TOPIC_ALGORITHMS, TOPIC_CASES
from evaluation.models import Clustering, Run
from evaluation.selectors.choice import Choice
from evaluation.selectors.column_means import Means, best_first
from evaluation.selectors.columns import columns
from evaluation.selectors.entries import Entry
from evaluation.selectors.keys import Keep, contents, digest
from evaluation.selectors.leaderboard import LEADS_BY, Selection, select
from evaluation.selectors.methods import source_words
from evaluation.selectors.references import Scored, reference_notes
from evaluation.selectors.scores import ScoredQuery
from evaluation.selectors.standings import means_alone
from qc4.measures.qc4 import HALF, Fate, topic_fates
from qc4.problems import InputError, Problem
from qc4.problems.wording import counted as number_of
from qc4.problems.wording import percentage
from qc4.records import Record

FATES = tuple(Fate)
SIZES = (1, 3, 6, 11, 21)
"""Topics are grouped by their pages: 1 to 2, 3 to 5, 6 to 10, 11 to 20, 21 or more."""

Topic = tuple[int, int, int, float]
"""Depth, size, number of its fate in `FATES`, coverage."""


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
    def of(cls, name: str, topics: Sequence[Topic]) -> Group:
        met = Counter(topic[2] for topic in topics)
        counts = {str(fate): met[number] for number, fate in enumerate(FATES)}
        mean = fsum(topic[3] for topic in topics) / len(topics) if topics else None
        return cls(name, len(topics), **counts, coverage=mean)

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
        pending: how many algorithms are still to be looked at; ask again.
        left_out: how many algorithms are not, because there are too many.
    """

    KEYS = (
        "collection=selection.collection.slug gold_version=selection.version?.number "
        "policies=selection.choice.policies pending left_out sentence notes methods rows"
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


def find_topics(
    collection: Collection,
    person: Person,
    choice: Choice,
    *,
    keep: Keep = lambda rows: None,
    at_once: int = TOPIC_CASES,
    wait: bool = True,
) -> TopicsFound:
    """The topics in the clusters of the chosen algorithms, or of the best ones by the measure that ranks, in a
    collection (already checked).

    Args:
        keep: stores what had to be worked out.
        at_once: how many clusterings are looked at now, and no fewer than one run's; the rest is ``pending``.
        wait: False looks at none where that would take long: where there are more of them than ``at_once``.

    Raises:
        InputError: as `select`; more algorithms than are looked at at once.
    """
    found = select(collection, person, choice)
    entries = [entry for entry in found.scored if not entry.is_gold or entry.algorithm.pk in choice.algorithms]
    if len(choice.algorithms) > TOPIC_ALGORITHMS:
        size = f"{len(choice.algorithms)} algorithms"
        raise InputError([Problem("too-many", "algorithms", size, f"at most {TOPIC_ALGORITHMS} at once")])
    left_out = max(0, len(entries) - TOPIC_ALGORITHMS)
    if found.version is None or not entries:
        return TopicsFound(found, ())
    means = _means(found)
    entries = best_first(entries, means[found.sort.key], found.sort.measure.better)[:TOPIC_ALGORITHMS]
    known = _kept([entry.run for entry in entries if entry.run], found.version, at_once, keep, wait=wait)
    rows = [_row(entry, known[entry.run.pk], found.queries) for entry in entries if entry.run and entry.run.pk in known]
    rows.sort(key=_place)
    f = {pk: mean.value for pk, mean in means[LEADS_BY].items()}
    return TopicsFound(found, tuple(rows), len(entries) - len(rows), left_out, f)


def _place(row: TopicRow) -> tuple[bool, int, float, str]:
    """Reference clusterings last; else the one that covers most first."""
    return row.entry.is_reference, -row.all.covered, -(row.all.coverage or 0.0), row.entry.algorithm.name


def _means(found: Selection) -> dict[str, Means]:
    """The means by the measure that ranks and by QC4-F."""
    tested = found.tested
    assert tested.question is not None  # there are entries with runs
    shown = {found.sort.key: found.sort}
    if LEADS_BY not in shown:
        shown[LEADS_BY] = columns((LEADS_BY,), "", 1, found.choice.policies)[0]
    alone = means_alone(tested.question, tested.tables(list(shown.values())))
    return {key: alone[column].means for key, column in shown.items()}


def _kept(
    runs: Sequence[Run], version: GoldVersion, at_once: int, keep: Keep, *, wait: bool
) -> dict[int, Mapping[str, list[Any]]]:
    """Run id -> query id -> its topics; worked out here for as many runs as fit."""
    keys = {digest("topics", run.pk): run for run in runs}
    found = {keys[key].pk: content for key, content in contents(keys).items()}
    left = {key: run for key, run in keys.items() if run.pk not in found}
    if not left or (not wait and len(left) * version.entries.count() > at_once):
        return found
    entries = list(GoldVersionEntry.objects.filter(version=version).select_related("gold__query", "gold__file"))
    now = dict(list(left.items())[: max(1, at_once // max(1, len(entries)))])
    answers: dict[int, dict[int, Clustering]] = defaultdict(dict)
    submissions = [run.submission_id for run in now.values()]
    for answer in Clustering.objects.filter(submission__in=submissions).select_related("file"):
        answers[answer.submission_id][answer.query_id] = answer
    with slow_work("topic coverage"):
        fresh = {key: _topics(answers[run.submission_id or 0], entries) for key, run in now.items()}
    keep(fresh)
    return found | {now[key].pk: content for key, content in fresh.items()}


def _topics(by_query: Mapping[int, Clustering], entries: Iterable[GoldVersionEntry]) -> dict[str, list[Topic]]:
    found = {}
    for entry in entries:
        answer = by_query.get(entry.query_id)
        case = cases.without_clusters(entry.gold) if answer is None else cases.case(answer, entry.gold)
        found[str(entry.query_id)] = [
            (fate.depth, fate.size, FATES.index(fate.fate), fate.coverage) for fate in topic_fates(case)
        ]
    return found


def _row(entry: Entry, known: Mapping[str, list[Any]], queries: Sequence[ScoredQuery]) -> TopicRow:
    by_query = {query.key: known[str(query.pk)] for query in queries}
    topics: list[Topic] = [topic for held in by_query.values() for topic in held]
    depths, sizes = defaultdict(list), defaultdict(list)
    for topic in topics:
        depths[topic[0]].append(topic)
        sizes[SIZES[max(1, bisect_right(SIZES, topic[1])) - 1]].append(topic)
    return TopicRow(
        entry,
        Group.of("all", topics),
        tuple(Group.of(f"level {depth}", depths[depth]) for depth in sorted(depths)),
        tuple(Group.of(_size_words(bound), sizes[bound]) for bound in SIZES),
        tuple(Group.of(key, held) for key, held in by_query.items()),
    )


def _size_words(bound: int) -> str:
    place = SIZES.index(bound)
    return f"{bound} or more" if place + 1 == len(SIZES) else f"{bound} to {SIZES[place + 1] - 1}"


def _percent(part: int, group: Group) -> str:
    return percentage(part, group.topics, 1)
