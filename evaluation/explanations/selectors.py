"""The parts of the page that explains a submission's clustering of a query, and the links to related pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.core.paginator import Page, Paginator
from django.http import QueryDict

from accounts.person import Person
from annotations.challenges.access import hidden_gold
from annotations.gold.selectors import gold_tree
from annotations.models import Gold
from evaluation.access import visible_clusterings, visible_submissions
from evaluation.explanations.clusters import EXPLANATION, ClusterLink, ClusterView, Explanation, RemovedView
from evaluation.explanations.matrix import (
    MATRIX,
    PAGES_OF_CLUSTER,
    Matrix,
    MatrixInputs,
    MatrixResult,
    PagesInputs,
    is_drawn,
    load_matrix,
)
from evaluation.explanations.pair import ExplanationInputs
from evaluation.explanations.terms import CLASSIC, ClassicInputs, ClassicResult, classic_level
from evaluation.explanations.what_if import (
    CHANCE,
    ONE_AT_A_TIME,
    WHAT_IF,
    ChanceInputs,
    ExplanationOptions,
    WhatIfInputs,
    WhatIfResult,
    changes_of,
    check_chance_size,
    check_one_at_a_time,
    gain,
)
from evaluation.limits import EXPLAINED_CLUSTERS, LISTED_CLUSTERS, LISTED_ROWS
from evaluation.models import Clustering, Submission
from evaluation.scoring import cases
from evaluation.scoring.columns import BoardColumn
from evaluation.scoring.effective import last_by_key, rules_of
from qc4.problems import InputError
from qc4.scoring.what_if import Changes
from work.answers import Answer, AnswerFailed, Pending
from work.budget import TooManyAnswers

AGAINST_PREFIX = "against_"
"""Prefix of the URL parameters with changes to the second clustering."""
PAGE_PARAMETERS = ("page", "told", "alone", "terms", "term_topics", "topics", "removed", "unclustered", "common")
"""URL parameters with the page numbers of the lists."""
ResultT = TypeVar("ResultT")


@dataclass(frozen=True, slots=True)
class Part(Generic[ResultT]):
    """A part of the page: its content, or why there is none.

    Attributes:
        pending: whether the content is still being computed.
        refused: why it cannot be computed, in words.
    """

    found: ResultT | None = None
    pending: bool = False
    refused: str = ""


def load_part(read: Callable[[], ResultT], check: Callable[[], None] = lambda: None) -> Part[ResultT]:
    """Return the content of a part, or why there is none yet.

    Args:
        read: returns the content.
        check: raises InputError if the input is too large.
    """
    try:
        check()
    except InputError as error:
        problem = error.problems[0]
        return Part(refused=f"There are {problem.found}: {problem.expected}. {problem.fix}")
    try:
        return Part(read())
    except Pending:
        return Part(pending=True)
    except TooManyAnswers as error:
        return Part(refused=f"{error.sentence} {error.fix}")
    except AnswerFailed as error:
        return Part(refused=str(error))


@dataclass(frozen=True, slots=True)
class ListPage:
    """One page of a long list.

    Attributes:
        name: URL parameter of the page number.
        carried: the other URL parameters.
        element: id of the HTML element with the links to the other pages.
    """

    name: str
    page: Page[int]
    rows: Sequence[Any]
    carried: str
    element: str


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """A measure before and after a change; ``gain`` is 1 for better, -1 for worse and 0 for neither."""

    column: BoardColumn
    change: dict[str, Any]
    gain: int


@dataclass(frozen=True, slots=True)
class ClusterLine:
    """A cluster's row in the table of clusters.

    Attributes:
        view: explanation of the cluster; None if QC4 removes it.
        removed: facts about a removed cluster; None for others.
        ticked: names of the ticked changes.
        number: position among the clusters that count, from 1.
        told: page of the list that describes clusters one by one.
    """

    cluster: ClusterLink
    view: ClusterView | None
    removed: RemovedView | None
    ticked: frozenset[str]
    number: int
    told: int


class ClusteringExplanation:
    """A submission's clustering of a query against one gold standard."""

    def __init__(
        self, row: Clustering, gold: Gold, choices: ExplanationOptions, given: QueryDict, prefix: str = ""
    ) -> None:
        """Args: given: URL parameters; prefix: prefix of the parameters with changes."""
        self.row, self.gold, self.choices, self.given, self.prefix = row, gold, choices, given, prefix
        self.of = ExplanationInputs.of(row, gold, choices.policies)
        self.changes = Changes()
        self.what_if: Part[WhatIfResult] = Part()

    @property
    def submission(self) -> Submission:
        return self.row.submission

    @property
    def key(self) -> str:
        """Name in URLs and ids of HTML elements."""
        return self.prefix.strip("_") or "this"

    @cached_property
    def names(self) -> dict[str, str]:
        """Ids of clusters -> their names."""
        return cases.cluster_names(self.row)

    def change(self) -> None:
        """Apply the changes in the URL.

        Raises:
            InputError: if a cluster does not exist or has no best topic.
        """
        wanted = changes_of(self.given.getlist, self.names, self.prefix)
        if wanted:
            self._changed = WhatIfInputs(self.of, self.choices.places, wanted)
            self.what_if = load_part(lambda: WHAT_IF.get(self._changed))
            self.changes = wanted

    @cached_property
    def explanation(self) -> Part[Explanation]:
        return load_part(lambda: EXPLANATION.get(self.of))

    @property
    def why(self) -> Explanation:
        """The explanation; raises Pending while it is being computed."""
        if self.explanation.found is None:
            return EXPLANATION.get(self.of)
        return self.explanation.found

    @cached_property
    def chance(self) -> Part[dict[str, Any]]:
        """The comparison with chance."""
        asked = ChanceInputs(self.of, self.choices.leading)
        return load_part(lambda: CHANCE.get(asked), lambda: check_chance_size(asked))

    @cached_property
    def alone(self) -> Part[ListPage]:
        """The effect of dropping each cluster alone, with the cluster's name."""
        return load_part(self._alone, lambda: check_one_at_a_time(self.of))

    def _alone(self) -> ListPage:
        found = ONE_AT_A_TIME.get(self.of)
        listed = self._listed("alone", found.n_rows, ONE_AT_A_TIME, self.of, found, "rows")
        return replace(listed, rows=[(self.names[one.id], one) for one in listed.rows])

    @cached_property
    def classic(self) -> Part[ClassicResult]:
        """The terms of the classic measures; empty if the page shows none of these measures."""
        level = classic_level(self.choices.shown)
        return Part() if level is None else load_part(lambda: CLASSIC.get(ClassicInputs(self.of, level)))

    @cached_property
    def classic_lists(self) -> tuple[ListPage, ListPage] | None:
        """The terms of clusters and those of topics."""
        found = self.classic.found
        if found is None:
            return None
        asked = ClassicInputs(self.of, found.level)
        return (
            self._listed("terms", found.n_clusters, CLASSIC, asked, found, "clusters"),
            self._listed("term_topics", found.n_topics, CLASSIC, asked, found, "topics"),
        )

    @cached_property
    def lines(self) -> ListPage:
        """The rows of the table of clusters in file order; removed clusters come last."""
        why = self.why
        n = why.n_clusters + why.n_removed
        page = Paginator(range(n), LISTED_CLUSTERS).get_page(self.given.get("page"))
        start, stop = _row_range(page)
        counted = EXPLANATION.records(self.of, why, "clusters", start, min(stop, why.n_clusters))
        first = max(0, start - why.n_clusters)
        removed = EXPLANATION.records(self.of, why, "removed", first, max(0, stop - why.n_clusters))
        rows = [
            *(self._line(view.cluster, view, None, number) for number, view in enumerate(counted, start + 1)),
            *(self._line(one.cluster, None, one, 0) for one in removed),
        ]
        return self._at("page", page, rows)

    def _line(
        self, cluster: ClusterLink, view: ClusterView | None, removed: RemovedView | None, number: int
    ) -> ClusterLine:
        ticked = frozenset(name for name, ids in self.changes.to_dict().items() if cluster.id in ids)
        return ClusterLine(cluster, view, removed, ticked, number, -(-number // self.told_at_once))

    @property
    def ticked_elsewhere(self) -> list[tuple[str, str]]:
        """Changes to clusters on other pages of the list, as (URL parameter, cluster id)."""
        here = {line.cluster.id for line in self.lines.rows}
        changes = self.changes.to_dict().items()
        return [(self.prefix + name, id) for name, ids in changes for id in ids if id not in here]

    @property
    def told_at_once(self) -> int:
        """Number of clusters described at once; half as many if two clusterings are shown."""
        return EXPLAINED_CLUSTERS // 2 if self.given.get("against") else EXPLAINED_CLUSTERS

    @cached_property
    def told(self) -> ListPage:
        """The clusters that are described one by one."""
        return self._explained("told", self.why.n_clusters, "clusters", self.told_at_once)

    @cached_property
    def topics(self) -> ListPage:
        return self._explained("topics", self.why.n_topics, "topics")

    @cached_property
    def removed(self) -> ListPage:
        return self._explained("removed", self.why.n_removed, "removed")

    @cached_property
    def unclustered(self) -> ListPage:
        return self._explained("unclustered", self.why.n_unclustered, "unclustered")

    def _explained(self, name: str, n: int, field: str, size: int = LISTED_ROWS) -> ListPage:
        return self._listed(name, n, EXPLANATION, self.of, self.why, field, size)

    @property
    def said(self) -> str:
        """The effect of the changes in words, or why it is not known yet."""
        if self.what_if.found is None:
            return self.what_if.refused or "This is still being computed."
        return str(self.what_if.found.head["sentence"])

    @cached_property
    def score_lines(self) -> list[ScoreLine]:
        found = self.what_if.found
        changes = found.head["scores"] if found else ()
        return [
            ScoreLine(column, one, gain(column, one))
            for column, one in zip(self.choices.shown, changes, strict=bool(changes))
        ]

    @cached_property
    def cluster_changes(self) -> list[tuple[str, dict[str, Any]]]:
        """The first clusters that change, with their names."""
        return [(self.names[one["id"]], one) for one in self._first_changes("clusters")]

    @cached_property
    def topic_changes(self) -> list[tuple[str, dict[str, Any]]]:
        changes = self._first_changes("topics")
        names = {node.id: node.name for node in gold_tree(self.gold).nodes} if changes else {}
        return [(names[one["id"]], one) for one in changes]

    @property
    def has_more_changes(self) -> bool:
        found = self.what_if.found
        return found is not None and max(found.n_clusters, found.n_topics) > LISTED_ROWS

    def _first_changes(self, field: str) -> list[dict[str, Any]]:
        found = self.what_if.found
        if found is None:
            return []
        n = found.n_clusters if field == "clusters" else found.n_topics
        return WHAT_IF.records(self._changed, found, field, 0, min(n, LISTED_ROWS))

    @cached_property
    def matrix_asked(self) -> MatrixInputs:
        return MatrixInputs(self.of, self.choices.depth)

    @cached_property
    def matrix(self) -> Part[MatrixResult]:
        return load_part(lambda: MATRIX.get(self.matrix_asked))

    @cached_property
    def drawn(self) -> Matrix | None:
        """The matrix to draw; None if it is too large."""
        found = self.matrix.found
        return load_matrix(self.matrix_asked, found) if found and is_drawn(found) else None

    def pages(self, asked: PagesInputs) -> Part[ListPage]:
        """Return a list of pages of a cluster."""

        def read() -> ListPage:
            found = PAGES_OF_CLUSTER.get(asked)
            return self._listed("common", found.n_pages, PAGES_OF_CLUSTER, asked, found, "pages")

        return load_part(read)

    def _listed(
        self, name: str, n: int, answer: Answer[Any, Any], asked: Any, found: Any, field: str, size: int = LISTED_ROWS
    ) -> ListPage:
        """Return the page of a stored list that the URL asks for."""
        page = Paginator(range(n), size).get_page(self.given.get(name))
        return self._at(name, page, answer.records(asked, found, field, *_row_range(page)))

    def _at(self, name: str, page: Page[int], rows: Sequence[Any]) -> ListPage:
        rest = self.given.copy()
        rest.pop(name, None)
        return ListPage(name, page, rows, f"&{rest.urlencode()}" if rest else "", f"pages-{name}-{self.key}")

    @property
    def lists(self) -> list[ListPage]:
        """All lists that have more than one page."""
        every = (self.lines, self.told, self.topics, self.removed, self.unclustered, self.alone.found)
        return [one for one in (*every, *(self.classic_lists or ())) if one and one.page.has_other_pages()]


def _row_range(page: Page[int]) -> tuple[int, int]:
    """Return the indices of the first row of a page and of the row after its last."""
    return max(0, page.start_index() - 1), page.end_index()


# --- Links to related pages ---


@dataclass(frozen=True, slots=True)
class RelatedPages:
    """Related pages of an explanation.

    Attributes:
        beside: submissions to show side by side, by name: each algorithm's pinned or latest submission with a
            clustering of the query, and the one that is shown already.
        versions: numbers of the gold versions with the query, the latest first.
        before, after: the submission's clusterings of the previous and the next query.
    """

    beside: tuple[Submission, ...]
    versions: tuple[int, ...]
    before: Clustering | None
    after: Clustering | None


def related_pages(person: Person, row: Clustering, other: Clustering | None) -> RelatedPages:
    """Return the related pages of a clustering that is shown alone or beside another one (both already checked)."""
    versions = row.query.gold_entries.order_by("-version__number").values_list("version__number", flat=True)
    shown = visible_clusterings(person, row.submission).exclude(query__in=hidden_gold(person))
    ordered, place = shown.select_related("query"), row.query.position
    return RelatedPages(
        beside=_submissions_beside(person, row, other),
        versions=tuple(versions),
        before=ordered.filter(query__position__lt=place).order_by("-query__position").first(),
        after=ordered.filter(query__position__gt=place).order_by("query__position").first(),
    )


def _submissions_beside(person: Person, row: Clustering, other: Clustering | None) -> tuple[Submission, ...]:
    answers = visible_submissions(person, row.submission.collection).filter(clusterings__query=row.query)
    rows = answers.exclude(pk=row.submission_id).select_related("algorithm").order_by("pk")
    pinned = {rule.pinned for rule in rules_of(answers).values()}
    first = sorted(rows, key=lambda one: one.pk in pinned)
    found = {one.pk: one for one in last_by_key(first, lambda one: one.algorithm_id).values()}
    if other is not None:
        found[other.submission_id] = other.submission
    return tuple(sorted(found.values(), key=lambda one: (one.algorithm.name, one.pk)))
