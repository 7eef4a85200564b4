"""One submission's answer to a query, explained: all that a page or an answer shows of it, each part when asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from annotations.models import Gold
from annotations.selectors import gold as golds
from annotations.selectors.gold_tree import Tree, tree_of
from evaluation import cases
from evaluation.limits import CHANCE_MEASURES, CHANCE_MEMBERSHIPS, LISTED_UNCLUSTERED, OPEN_CLUSTERS
from evaluation.models import Clustering as ClusteringRow
from evaluation.models import Submission
from evaluation.questions import Question
from evaluation.selectors.columns import Column
from evaluation.selectors.explanation import ClusterView, Explanation, PlacedPage, RemovedView
from evaluation.selectors.why import explain
from evaluation.selectors.why_chance import chance, known_chance
from evaluation.selectors.why_choices import Choices, Lists, changes_of
from evaluation.selectors.why_classic import ClassicView, classic_level, classic_view
from evaluation.selectors.why_matrix import Matrix, matrix
from evaluation.selectors.why_size import refuse_what_is_too_large
from qc4.clustering.case import Case
from qc4.clustering.clustering import Cluster, Clustering
from qc4.gold.document import GoldDocument
from qc4.measures.calibration import DRAWS, Calibration
from qc4.measures.what_if import (
    Alone,
    Changes,
    ClusterChange,
    ScoreChange,
    TopicChange,
    WhatIf,
    changed_scores,
    one_at_a_time,
)

AGAINST = "against_"
"""In front of the changes to the other side."""


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """A measure before and after; ``gain`` is 1 where it gets better, -1 where worse, 0 where neither."""

    column: Column
    change: ScoreChange
    gain: int


@dataclass(frozen=True, slots=True)
class ClusterLine:
    """A cluster's row: what was found out about it (None where QC4 leaves it out), and which changes are ticked."""

    cluster: Cluster
    view: ClusterView | None
    removed: RemovedView | None
    number: int
    ticked: frozenset[str]


class Standard:
    """A gold standard, read once for all that are held against it."""

    def __init__(self, gold: Gold) -> None:
        self.gold = gold

    @cached_property
    def document(self) -> GoldDocument:
        return golds.read(self.gold)

    @cached_property
    def tree(self) -> Tree:
        return tree_of(self.document)


class Side:
    """A submission's clustering of a query against one gold standard."""

    def __init__(self, row: ClusteringRow, standard: Standard, choices: Choices, prefix: str = "") -> None:
        """InputError: it is too large to be explained."""
        self.gold = standard.gold
        refuse_what_is_too_large(row, self.gold)
        self.row, self.standard, self.choices, self.prefix = row, standard, choices, prefix
        self.changes = Changes()

    @property
    def submission(self) -> Submission:
        return self.row.submission

    @property
    def key(self) -> str:
        """What the page calls it in addresses and names of elements."""
        return self.prefix.strip("_") or "this"

    @cached_property
    def case(self) -> Case:
        return cases.case(self.row, self.gold)

    @cached_property
    def clustering(self) -> Clustering:
        return cases.clustering(self.row)

    @property
    def document(self) -> GoldDocument:
        return self.standard.document

    @cached_property
    def why(self) -> Explanation:
        return explain(self.case, self.clustering, self.document, self.choices.policies, self.standard.tree)

    def change(self, given: Lists) -> None:
        """Take the changes an address asks for.

        Raises:
            InputError: there are no such clusters, or they have no best topic.
        """
        wanted = changes_of(given, self.clustering, self.prefix)
        self._what_if(wanted)  # refuses before anything is shown
        self.changes = wanted

    @cached_property
    def what_if(self) -> WhatIf:
        """Before and after the changes."""
        return self._what_if(self.changes)

    def _what_if(self, changes: Changes) -> WhatIf:
        return changed_scores(self.case, self.clustering, changes, self.choices.plan, self.choices.policies)

    @cached_property
    def classic(self) -> ClassicView | None:
        """The terms of the classic measures; None if the page shows none of them."""
        level = classic_level(self.choices.shown)
        paths = {node.id: node.path for node in self.standard.tree.nodes}
        return None if level is None else classic_view(self.case, level, self._names, paths)

    @cached_property
    def score_lines(self) -> list[ScoreLine]:
        pairs = zip(self.choices.shown, self.what_if.scores, strict=True)
        return [ScoreLine(column, change, _gain(column, change)) for column, change in pairs]

    @cached_property
    def cluster_changes(self) -> list[tuple[str, ClusterChange]]:
        """The clusters that change, by the names people know."""
        return [(self.name(change.id), change) for change in self.what_if.clusters]

    @cached_property
    def topic_changes(self) -> list[tuple[str, TopicChange]]:
        names = {topic.id: topic.name for topic in self.why.topics}
        return [(names[change.id], change) for change in self.what_if.topics]

    @property
    def unclustered(self) -> Sequence[PlacedPage]:
        """The first pages that are in no cluster."""
        return self.why.unclustered[:LISTED_UNCLUSTERED]

    @property
    def n_other_unclustered(self) -> int:
        """How many more there are."""
        return len(self.why.unclustered) - len(self.unclustered)

    @property
    def many(self) -> bool:
        return len(self.why.clusters) > OPEN_CLUSTERS

    @cached_property
    def alone(self) -> list[tuple[str, Alone]]:
        """What dropping each cluster alone would do."""
        return [(self.name(one.id), one) for one in one_at_a_time(self.case, self.choices.policies)]

    @cached_property
    def matrix(self) -> Matrix:
        return matrix(self.case, self.clustering, self.document, self.choices.depth)

    @cached_property
    def lines(self) -> list[ClusterLine]:
        """A row for each cluster: those that count first, in file order."""
        views: Sequence[ClusterView] = self.why.clusters
        counted = [self._line(view.cluster, view, None, number) for number, view in enumerate(views, 1)]
        return counted + [self._line(removed.cluster, None, removed, 0) for removed in self.why.removed]

    def _line(
        self, cluster: Cluster, view: ClusterView | None, removed: RemovedView | None, number: int
    ) -> ClusterLine:
        ticked = frozenset(name for name, ids in self.changes.to_dict().items() if cluster.id in ids)
        return ClusterLine(cluster, view, removed, number, ticked)

    @property
    def question(self) -> Question:
        return Question(self.row.sha256, self.gold.sha256, self.choices.policies)

    @cached_property
    def known_chance(self) -> Calibration | None:
        """The chance level, if it was computed earlier."""
        return known_chance(self.question, self.choices.leading)

    @property
    def may_shuffle(self) -> bool:
        """Whether the chance level can be worked out while somebody waits."""
        return self.case.clusters.nnz <= CHANCE_MEMBERSHIPS and len(self.choices.leading) <= CHANCE_MEASURES

    def chance(self, draws: int = DRAWS, seed: int = 0) -> Calibration:
        """The chance level, computed if need be.

        Raises:
            InputError: that would take too long, or draws or seed are out of range.
        """
        return chance(self.question, self.case, self.choices.leading, draws, seed)

    def name(self, id: str) -> str:
        return self._names[id]

    @cached_property
    def _names(self) -> dict[str, str]:
        return {cluster.id: cluster.label or cluster.id for cluster in self.clustering.clusters}


def _gain(column: Column, change: ScoreChange) -> int:
    difference = round(change.difference or 0.0, 3)
    better = difference if column.measure.better == "higher" else -difference
    return (better > 0) - (better < 0)
