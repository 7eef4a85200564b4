"""The catalogue of measures for its pages: the results of a search, and everything about one measure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_args

from annotations.limits import SEARCH_CHARS
from evaluation.measures.worked_examples import (
    DegenerateCase,
    Example,
    WorkedExample,
    compute_example,
    degenerate_cases,
    example_for,
    page_table,
)
from qc4.inputs.view import Kind
from qc4.measures.registry import REGISTRY, Family, Measure, Need
from qc4.model.gold_document import Page
from qc4.scoring.results import Score
from qc4.scoring.scoring import FROM_FILES

KINDS: tuple[Kind, ...] = get_args(Kind)
NEEDS: tuple[Need, ...] = get_args(Need)
ACCEPTED: dict[Kind, str] = {
    "partition": "every page in one topic and one cluster",
    "overlap": "pages in several topics or clusters",
    "hierarchy": "topics of all levels at once",
    "outliers": "pages of no topic, by its own rule",
}
NOT_ACCEPTED: dict[Kind, str] = {
    "partition": "not made for partitions",
    "overlap": "undefined, with the pages that overlap; with overlap = first, a page counts only for its first one",
    "hierarchy": "computed on each level by itself, or without the levels",
    "outliers": "if topics matter, the policy outliers decides: omitted, or one more topic",
}
"""What happens with a kind of input that a measure does not accept."""


@dataclass(frozen=True, slots=True)
class MeasureFilter:
    """A search for measures. An empty field matches all measures.

    Attributes:
        words: each must be in the key, title, meaning, source or family's title.
        family: key of a family.
        accepts: an input that the measure can handle without a scoring option.
        needs: an input that the measure needs besides the clusters.
    """

    words: str = ""
    family: str = ""
    accepts: str = ""
    needs: str = ""

    @classmethod
    def read(cls, given: Mapping[str, str]) -> MeasureFilter:
        return cls(
            given.get("q", "")[:SEARCH_CHARS], given.get("family", ""), given.get("accepts", ""), given.get("needs", "")
        )

    def fit(self, measure: Measure, family: Family) -> bool:
        text = f"{measure.key} {measure.title} {measure.meaning} {measure.source} {family.title}".casefold()
        return (
            all(word in text for word in self.words.casefold().split())
            and self.family in ("", family.key)
            and (not self.accepts or self.accepts in measure.accepts)
            and (not self.needs or self.needs in measure.needs)
        )


def matching(choices: MeasureFilter) -> tuple[tuple[Family, tuple[Measure, ...]], ...]:
    """Return families with their matching measures, in the registry's order, without empty families."""
    return REGISTRY.by_family(
        measure for measure in REGISTRY.all() if choices.fit(measure, REGISTRY.family_of(measure))
    )


@dataclass(frozen=True, slots=True)
class Membership:
    """A row of an example's table: a topic or cluster, and for each of its pages the initial and hue of its topic.

    ``cells`` has None for pages outside; ``depth`` is 0 for level-1 topics and for outermost clusters.
    """

    name: str
    depth: int
    cells: tuple[tuple[str, int] | None, ...]


@dataclass(frozen=True, slots=True)
class Sibling:
    """Another measure of the family, with its value on the same example; None if it has a different example."""

    measure: Measure
    score: Score | None


@dataclass(frozen=True, slots=True)
class MeasurePage:
    """One measure with its computed example and degenerate cases."""

    measure: Measure
    family: Family
    worked: WorkedExample
    topics: tuple[Membership, ...]
    clusters: tuple[Membership, ...]
    counts: tuple[tuple[str, int, tuple[int, ...], int], ...]
    edges: tuple[DegenerateCase, ...]
    siblings: tuple[Sibling, ...]
    is_in_runs: bool

    @property
    def pairs(self) -> tuple[tuple[str, str, int], ...]:
        """Name, meaning and number of each kind of pair; empty unless the measure uses two partitions."""
        counts = self.worked.pairs
        if counts is None:
            return ()
        only_cluster, only_class = counts.same_cluster - counts.both, counts.same_class - counts.both
        return (
            ("TP", "in one class and in one cluster", counts.both),
            ("FP", "in one cluster, of different classes", only_cluster),
            ("FN", "of one class, in different clusters", only_class),
            (
                "TN",
                "of different classes, in different clusters",
                counts.total - counts.both - only_cluster - only_class,
            ),
            ("N", "all pairs", counts.total),
        )

    @property
    def accepted(self) -> tuple[tuple[Kind, bool, str], ...]:
        """Every kind of input, whether it is accepted, and what happens with it."""
        words = {kind: (ACCEPTED if kind in self.measure.accepts else NOT_ACCEPTED)[kind] for kind in KINDS}
        if "outliers" in self.measure.accepts and "outliers" in self.measure.view.policies:
            words["outliers"] = "pages of no topic; by policy they are omitted, or are one topic"
        if self.measure.view.cuts:
            words["hierarchy"] = f"{words['hierarchy']}; nested clusters cut at each depth"
        return tuple((kind, kind in self.measure.accepts, words[kind]) for kind in KINDS)

    @property
    def places(self) -> tuple[tuple[Page, float, float], ...]:
        """The pages of the example with their points; empty for examples without points."""
        example = self.worked.example
        return tuple((page, *point) for page, point in zip(example.gold.pages, example.points or (), strict=False))

    @property
    def cluster_names(self) -> tuple[str, ...]:
        return tuple(cluster.name for cluster in self.clusters)


def measure_page(key: str) -> MeasurePage:
    """Return everything about one measure; raise InputError, with similar keys, if the key is unknown."""
    measure = REGISTRY.get(key)
    family = REGISTRY.family_of(measure)
    example = example_for(measure)
    topics = _topic_rows(example)
    others = [other for other in REGISTRY.family(family.key) if other is not measure]
    return MeasurePage(
        measure,
        family,
        compute_example(measure),
        topics,
        _cluster_rows(example),
        _counts(example, topics),
        degenerate_cases(measure),
        tuple(Sibling(other, _first_score(other, example)) for other in others),
        FROM_FILES.issuperset(measure.needs),
    )


def _first_score(measure: Measure, example: Example) -> Score | None:
    return compute_example(measure).scores[0] if example_for(measure) is example else None


def _roots(example: Example) -> dict[str, tuple[str, int]]:
    """Return page -> initial and hue of its (first) level-1 topic; outliers are absent."""
    found: dict[str, tuple[str, int]] = {}
    roots = [topic for topic in example.gold.topics if topic.parent is None]
    for hue, root in reversed(list(enumerate(roots))):
        for topic in example.gold.topics:
            if root.id in (topic.id, topic.parent):
                found.update((page, (root.name[0], hue)) for page in topic.pages)
    return found


def _topic_rows(example: Example) -> tuple[Membership, ...]:
    """Return topics with the pages of their subtopics, then the outliers if there are any."""
    gold = example.gold
    hierarchy = example.case().gold.hierarchy
    hues = {topic.id: hue for hue, topic in enumerate(topic for topic in gold.topics if topic.parent is None)}
    rows = []
    for number, topic in enumerate(gold.topics):
        members = set(hierarchy.pages[[number]].indices.tolist())
        root = next(other for other in gold.topics if other.id == (topic.parent or topic.id))
        sign = (root.name[0], hues[root.id])
        cells = tuple(sign if page in members else None for page in range(len(gold.pages)))
        rows.append(Membership(topic.name, int(topic.parent is not None), cells))
    if gold.outliers:
        cells = tuple(("–", 7) if page.id in gold.outliers else None for page in gold.pages)
        rows.append(Membership("outliers", 0, cells))
    return tuple(rows)


def _cluster_rows(example: Example) -> tuple[Membership, ...]:
    """Return clusters; each page has the sign of its topic, so that mixed clusters are visible."""
    signs = _roots(example)
    return tuple(
        Membership(
            cluster.label or cluster.id,
            int(cluster.parent is not None),
            tuple(signs.get(page.id, ("–", 7)) if page.id in cluster.pages else None for page in example.gold.pages),
        )
        for cluster in example.clustering.clusters
    )


def _counts(example: Example, topics: tuple[Membership, ...]) -> tuple[tuple[str, int, tuple[int, ...], int], ...]:
    """Return for each topic: name, depth, pages shared with each cluster, number of pages."""
    shared = page_table(example).tolist()
    return tuple(
        (row.name, row.depth, tuple(cells), sum(cell is not None for cell in row.cells))
        for row, cells in zip(topics, shared, strict=False)  # the outliers are not a topic
    )
