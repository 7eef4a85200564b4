"""The page of a behaviour study case: pictures of the gold standard and the clusterings, scores and verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest

from evaluation.charts.marks import HUES
from evaluation.study.selectors import WORDS, study
from studies.behaviour import StudyCase, StudyClustering, StudyColumn, StudyGroup, Verdict
from studies.behaviour.result import SideScore


@dataclass(frozen=True, slots=True)
class PageKind:
    """Pages with the same topics. ``hues`` has one colour per first-level topic; at most two are drawn."""

    label: str
    hues: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Box:
    """Pages that belong together: a topic, a cluster, or ``count`` clusters with the same contents."""

    title: str
    kinds: tuple[tuple[PageKind, int], ...]
    count: int = 1
    is_outside: bool = False

    @property
    def size(self) -> int:
        return sum(number for _, number in self.kinds)

    @property
    def words(self) -> str:
        """The contents as text: ``A 30 · B 10``."""
        return " · ".join(f"{kind.label} {number}" for kind, number in self.kinds)


@dataclass(frozen=True, slots=True)
class Shown:
    """A clustering: its place in the correct order (1 is best; ties share a place), its picture and its components."""

    key: str
    title: str
    place: int
    boxes: tuple[Box, ...]
    sides: tuple[tuple[str, SideScore], ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """One column's result on the case: the components of each clustering by name (↓ if lower is better), and the
    verdict.
    """

    column: StudyColumn
    verdict: Verdict
    words: str
    scores: tuple[tuple[tuple[str, SideScore], ...], ...]


@dataclass(frozen=True, slots=True)
class CaseView:
    """The contents of a case's page; ``judged`` is the chosen column's verdict, ``others`` those of all columns."""

    group: StudyGroup
    case: StudyCase
    gold: tuple[Box, ...]
    clusterings: tuple[Shown, ...]
    judged: Judged
    others: tuple[Judged, ...] = field(default=())


def case_view(group: StudyGroup, case: StudyCase, column: StudyColumn, *, with_others: bool = False) -> CaseView:
    """Return a case as judged by one column.

    Args:
        with_others: also include the verdicts of all columns.
    """
    kinds = _kinds(case)
    chosen = _judged(group, case, column)
    places = {key: number for number, tier in enumerate(case.order, 1) for key in tier}
    shown = tuple(
        Shown(found.key, found.title, places[found.key], _clusters(case, found, kinds), sides)
        for found, sides in zip(case.clusterings, chosen.scores, strict=True)
    )
    others = tuple(_judged(group, case, other) for other in study().columns) if with_others else ()
    return CaseView(group, case, _topics(case, kinds), shown, chosen, others)


def _judged(group: StudyGroup, case: StudyCase, column: StudyColumn) -> Judged:
    verdict = next(found for found in study().cell(group.key, column.key).verdicts if found.case == case.key)
    names = [f"{side.name} ↓" if side.better == "lower" else side.name for side in column.sides]
    scores = tuple(tuple(zip(names, verdict.scores[found.key], strict=True)) for found in case.clusterings)
    return Judged(column, verdict, WORDS[verdict.status], scores)


def _kinds(case: StudyCase) -> dict[str, PageKind]:
    """Each page's kind: the names of its own topics, and the colours of their first-level topics."""
    roots = [topic.id for topic in case.gold.topics if topic.parent is None]
    hue = {root: number % HUES for number, root in enumerate(roots)}
    within: dict[str, list[str]] = {page.id: [] for page in case.gold.pages}
    for topic in case.gold.topics:
        for page in topic.pages:
            within[page].append(topic.id)
    return {
        page: PageKind(
            "+".join(topic.rpartition("/")[2] for topic in topics) or "none",
            tuple(dict.fromkeys(hue[topic.partition("/")[0]] for topic in topics)),
        )
        for page, topics in within.items()
    }


def _topics(case: StudyCase, kinds: Mapping[str, PageKind]) -> tuple[Box, ...]:
    """A box per topic, including the pages of its subtopics."""
    return tuple(Box(" / ".join(topic.id.split("/")), _counted(topic.pages, kinds)) for topic in case.topics)


def _clusters(case: StudyCase, found: StudyClustering, kinds: Mapping[str, PageKind]) -> tuple[Box, ...]:
    """A box per cluster, with identical clusters in one box; then the pages in no cluster.

    If clusters have labels or are nested, each cluster has its own box, which shows this.
    """
    if found.labels or found.parents:
        return (*_named(found, kinds), *_outside(case, found, kinds))
    alike: dict[tuple[tuple[PageKind, int], ...], list[tuple[str, ...]]] = {}
    for cluster in found.clusters:
        alike.setdefault(_counted(cluster, kinds), []).append(cluster)
    return (*_boxes(alike), *_outside(case, found, kinds))


def _named(found: StudyClustering, kinds: Mapping[str, PageKind]) -> Iterator[Box]:
    rows = zip_longest(found.clusters, found.labels, found.parents)
    for number, (pages, label, parent) in enumerate(rows, 1):
        named, inside = f" “{label}”" if label else "", f" in cluster {parent}" if parent else ""
        yield Box(f"cluster {number}{named}{inside}", _counted(pages, kinds))


def _boxes(alike: Mapping[tuple[tuple[PageKind, int], ...], list[tuple[str, ...]]]) -> Iterator[Box]:
    number = 1
    for kinds, clusters in alike.items():
        title = f"cluster {number}" if len(clusters) == 1 else f"{len(clusters)} clusters like this"
        if len(clusters) > 1 and len({frozenset(pages) for pages in clusters}) == 1:
            title = f"{len(clusters)} clusters of the same pages"
        yield Box(title, kinds, len(clusters))
        number += len(clusters)


def _outside(case: StudyCase, found: StudyClustering, kinds: Mapping[str, PageKind]) -> Iterator[Box]:
    inside = {page for cluster in found.clusters for page in cluster}
    left = [page.id for page in case.gold.pages if page.id not in inside]
    if left:
        yield Box("in no cluster", _counted(left, kinds), is_outside=True)


def _counted(pages: Iterable[str], kinds: Mapping[str, PageKind]) -> tuple[tuple[PageKind, int], ...]:
    """The number of pages of each kind, with the kinds in the order of the page list."""
    counts = Counter(kinds[page] for page in pages)
    return tuple((kind, counts[kind]) for kind in dict.fromkeys(kinds.values()) if kind in counts)
