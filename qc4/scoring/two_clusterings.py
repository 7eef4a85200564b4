"""Comparison of two clusterings, neither of which is the gold standard, with every symmetric measure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from qc4.arrays import IntArray
from qc4.inputs.cover import ALL_TOPICS
from qc4.inputs.undefined import Undefined
from qc4.inputs.view import WHOLE_HIERARCHY, cut
from qc4.measures.registry import REGISTRY, Measure
from qc4.model.case import Case, GivenClustering, two_clusterings
from qc4.model.clustering import Clustering
from qc4.model.gold_standard import GoldStandard
from qc4.model.hierarchy import Hierarchy
from qc4.model.ids import NumberedIds, page_list
from qc4.model.policies import Policies
from qc4.model.query_names import QueryNames
from qc4.problems import InputError, Problem, ProblemList
from qc4.records import Record
from qc4.scoring.results import (
    Score,
    heading,
    score_blocks,
    score_value,
    scores_in_one_line,
    scoring_options_line,
    warning_blocks,
)
from qc4.scoring.scoring import collect_errors, score_case
from qc4.tables import Block, as_html, as_text
from qc4.text import unify_spellings
from qc4.version import ENGINE_VERSION
from qc4.wording import counted, listed

READ_POLICIES = ("unclustered", "overlap", "unit")
"""The scoring options that can change scores of two clusterings, which have no outliers and no QC4."""


@dataclass(frozen=True, slots=True)
class ClusteringComparison(Record):
    """The values of symmetric measures for two clusterings; a notebook shows it as a table.

    As a dict it is the JSON object of ``python -m qc4 alike --format json``.

    Attributes:
        pages: the number of compared pages.
        policies: how pages in no cluster and in several clusters were counted, in both clusterings.
        scores: one per measure, without levels.
    """

    KEYS = "engine pages policies scores"

    engine: str
    pages: int
    policies: Policies
    scores: tuple[Score, ...]
    warnings: tuple[Problem, ...] = ()

    def value(self, measure: str) -> float:
        """Return the value of one measure.

        Raises:
            InputError: it was not computed; the error lists what was.
            Undefined: it has no value; the message gives the reason.
        """
        return score_value(self.scores, measure)

    def table(self) -> str:
        """Format all values as text in columns, with the warnings below."""
        return as_text([*self._blocks(), *warning_blocks(self.warnings)])

    def __repr__(self) -> str:
        return scores_in_one_line("ClusteringComparison", self.scores, self.pages)

    def _repr_html_(self) -> str:
        return as_html([*self._blocks(), *warning_blocks(self.warnings)])

    def _blocks(self) -> list[Block]:
        return [
            heading("", self.pages, self.engine) + scoring_options_line(self.policies),
            *score_blocks(self.scores, self.policies, "value"),
        ]


def compare_clusterings(
    first: GivenClustering,
    second: GivenClustering,
    measures: Iterable[str | Measure] | None = None,
    policies: Policies | Mapping[str, str] | None = None,
    pages: Any = None,
    noise: Any = None,
) -> ClusteringComparison:
    """Compare two clusterings, neither of which is the gold standard. Their order does not matter.

    Measures of partitions use nested clusterings flattened at the deepest level, with a warning in the result.

    Args:
        first, second: clusterings, or (pages,) labels as in `Clustering.from_labels`.
        measures: keys of symmetric measures, in order; None for all of them.
        policies: ``unclustered`` decides how pages in no cluster of either clustering are treated: as singletons, as
            one cluster, or excluded. ``overlap`` is ``refuse``, or ``first``, which counts a page for its first
            cluster. There are no outliers.
        pages: ids of the pages; by default the clustered pages, which must be the same for both. If neither clustering
            knows them, the pages of all clusters are used, and warnings list the pages that one of them lacks.
        noise: one label, or a list of labels, that mean "in no cluster"; None for the usual ones.

    Raises:
        InputError: an input that is not a clustering; a wrong number of labels; clusterings of other pages or of
            different queries; unknown measures or scoring options; measures that need a gold standard; ``noise``
            without labels.

    >>> compare_clusterings([0, 0, 1, 1], ["a", "a", "b", "c"], ["ari", "vi"])
    <ClusteringComparison: 4 pages, ari 0.5714, vi 0.3466>
    """
    ids = None if pages is None else page_list(pages)
    one, two, notes = two_clusterings(first, second, ids, noise)
    problems = ProblemList()
    _check_queries(one, two, problems)
    with collect_errors(problems):
        rules = Policies.parse(policies)
    with collect_errors(problems):
        chosen = symmetric_measures(measures)
    problems.refuse_errors()
    listed = ids or _pages(one, two, problems)
    problems.refuse_errors()
    sides = _side(one, listed, "first", problems), _side(two, listed, "second", problems)
    problems.refuse_errors()
    if any(measure.view.cuts for measure in chosen):
        problems.extend(_flattening_warnings(sides))
    whole, flat = _Pair.of(sides, rules), _Pair.of(tuple(map(cut, sides)), rules)
    scores = tuple(_score(flat if measure.view.cuts else whole, measure, rules) for measure in chosen)
    n_pages = len(listed)
    return ClusteringComparison(ENGINE_VERSION, n_pages, rules, scores, (*notes, *problems.warnings))


def _check_queries(one: Clustering, two: Clustering, problems: ProblemList) -> None:
    if one.query and two.query and QueryNames.of_keys([one.query]).key(two.query) != one.query:
        found = f"a clustering of query {two.query!r}"
        problems.error("other-query", "second", found, f"query {one.query!r}, the query of the first")


def symmetric_measures(measures: Iterable[str | Measure] | None = None) -> tuple[Measure, ...]:
    """Return these measures, which must compare two groupings of pages symmetrically; by default all such measures.

    Raises:
        InputError: unknown measures, and measures that need a gold standard.
    """
    if measures is None:
        return tuple(each for each in REGISTRY.all() if _is_symmetric_comparison(each))
    chosen = REGISTRY.select(measures)
    problems = ProblemList()
    for each in chosen:
        if not _is_symmetric_comparison(each):
            found, expected = f"{each.key!r}, which needs to know which one is the gold standard", "a symmetric measure"
            fix = "Score against a gold standard."
            problems.error("not-symmetric", "measures", found, expected, fix)
    problems.refuse_errors()
    return chosen


def _is_symmetric_comparison(measure: Measure) -> bool:
    """Return True if a measure compares two groupings of pages symmetrically.

    Measures that use the whole hierarchy as more than sets of pages need the rules of a gold standard.
    """
    of_sets = measure.view.where is not WHOLE_HIERARCHY or measure.view is ALL_TOPICS
    return measure.symmetric and measure.needs == ("gold topics",) and of_sets


def _pages(one: Clustering, two: Clustering, problems: ProblemList) -> Sequence[str]:
    """Return the ids of all pages, and report pages that only one of the two knows.

    Raises:
        InputError: there are no pages.
    """
    if isinstance(one.pages, NumberedIds) and isinstance(two.pages, NumberedIds) and one.pages:
        return one.pages
    sources = [each.pages if each.pages is not None else _members(each) for each in (one, two)]
    joined = unify_spellings([page for source in sources for page in source])
    sides = [joined[: len(sources[0])], joined[len(sources[0]) :]]
    known = [side for each, side in zip((one, two), sides, strict=True) if each.pages is not None]
    found = tuple(dict.fromkeys(known[0] if known else joined))
    if not found and not joined:
        raise InputError([Problem("no-pages", "pages", "no page", "at least one page to measure on")])
    if known:
        _report_missing_pages(one, two, sides, problems)
    elif all(sides) and set(sides[0]).isdisjoint(sides[1]):
        expected = "two clusterings of the same pages"
        fix = "If this is intended, pass the ids of all pages: pages=[…]."
        problems.error("other-pages", "second", "no page in common with the first", expected, fix)
    else:
        _warn_of_other_pages(sides, problems)
    return found


def _report_missing_pages(
    one: Clustering, two: Clustering, sides: Sequence[Sequence[str]], problems: ProblemList
) -> None:
    """Report pages of one clustering that the other does not have, if the other knows all of its pages."""
    for where, other, here, there, all_known in (
        ("second", "first", sides[1], sides[0], one.pages is not None),
        ("first", "second", sides[0], sides[1], two.pages is not None),
    ):
        if not all_known or not (more := _only_in(here, there)):
            continue
        found = f"{counted(len(more), 'page')} that the {other} does not have: {listed(more)}"
        fix = "Correct the ids, or pass pages=[…] with the ids of all pages. Missing pages are then in no cluster."
        problems.error("other-pages", where, found, "the same pages in both", fix)


def _warn_of_other_pages(sides: Sequence[Sequence[str]], problems: ProblemList) -> None:
    for where, other, more in (
        ("first", "second", _only_in(sides[1], sides[0])),
        ("second", "first", _only_in(sides[0], sides[1])),
    ):
        if more:
            be = "is" if len(more) == 1 else "are"
            found = f"{counted(len(more), 'page')} of the {other} that {be} in no cluster: {listed(more)}"
            fix = "They are counted as the scoring option 'unclustered' defines."
            problems.warn("page-not-clustered", where, found, "the same pages in both", fix)


def _only_in(here: Sequence[str], there: Sequence[str]) -> list[str]:
    known = set(there)
    return [page for page in dict.fromkeys(here) if page not in known]


def _members(clustering: Clustering) -> list[str]:
    return [page for cluster in clustering.clusters for page in cluster.pages]


def _side(clustering: Clustering, pages: Sequence[str], where: str, problems: ProblemList) -> Case:
    """Return the clusters over these pages, without topics, and report problems and missing pages."""
    n_pages = len(pages)
    none = np.empty(0, dtype=np.int64)
    empty: sp.csr_array = sp.csr_array(np.empty((0, n_pages), dtype=np.int32))
    blank = GoldStandard(Hierarchy.build(empty, none, outliers=np.arange(n_pages)), pages, (), ())
    with collect_errors(problems, where):
        case = Case.build(blank, clustering)
        problems.extend(problem.within(where) for problem in case.warnings)
        return case
    return Case(blank, empty, ())


def _flattening_warnings(sides: Sequence[Case]) -> list[Problem]:
    """Return a warning for each clustering that is flattened for measures of partitions."""
    expected = "one cluster for each page"
    return [
        Problem(
            "nested", where, f"clusters nested to depth {depth}", expected,
            f"Measures of partitions use it flattened at depth {depth}.", "warning",
        )
        for where, depth in zip(("first", "second"), (side.deepest for side in sides), strict=True)
        if depth > 1
    ]  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Pair:
    """Both clusterings as one case, or the reason why there is none, and the numbers of pages in several clusters."""

    case: Case | Undefined
    overlaps: tuple[int, ...]

    @classmethod
    def of(cls, sides: Sequence[Case], policies: Policies) -> _Pair:
        first, second = (side.clusters for side in sides)
        overlaps = tuple(int((side.sum(axis=0) > 1).sum()) for side in (first, second))
        try:
            return cls(_case(first, second, policies), overlaps)
        except Undefined as reason:
            return cls(reason, overlaps)


def _case(first: sp.csr_array, second: sp.csr_array, policies: Policies) -> Case:
    """Return a case with the first as topics and the second as clusters, with unclustered pages treated as the option
    says.

    Raises:
        Undefined: no page remains.
    """
    alone = [np.flatnonzero(side.sum(axis=0) == 0) for side in (first, second)]
    if policies.unclustered == "drop":
        kept = np.setdiff1d(np.arange(first.shape[1]), np.concatenate(alone))
        if not kept.size:
            raise Undefined("no page is left when unclustered pages are dropped")
        sides = [side[:, kept] for side in (first, second)]
        sides = [sp.csr_array(side[np.diff(side.indptr) > 0]) for side in sides]
    else:
        together = policies.unclustered == "together"
        sides = [_with_alone(side, own, together) for side, own in zip((first, second), alone, strict=True)]
    topics, clusters = sides
    gold = GoldStandard.from_hierarchy(Hierarchy.build(topics, np.full(topics.shape[0], -1)))
    return Case(gold, clusters, tuple(map(str, range(clusters.shape[0]))))


def _with_alone(side: sp.csr_array, alone: IntArray, together: bool) -> sp.csr_array:
    """Return the sets, followed by those of the pages in no set."""
    if not alone.size:
        return side
    rows = np.zeros_like(alone) if together else np.arange(alone.size)
    shape = (int(rows.max()) + 1, side.shape[1])
    new = sp.csr_array((np.ones(alone.size, dtype=side.dtype), (rows, alone)), shape=shape)
    return sp.csr_array(sp.vstack([side, new], format="csr"))


def _score(pair: _Pair, measure: Measure, policies: Policies) -> Score:
    """Return the measure's value on the only level, or the reason why there is none."""
    case, overlaps = pair.case, pair.overlaps
    if isinstance(case, Undefined):
        return Score(measure.key, None, None, str(case))
    takes_first = "overlap" in measure.view.policies
    if takes_first and policies.overlap == "refuse" and any(overlaps):
        reasons = [
            f"{counted(number, 'page')} in more than one cluster of the {which}"
            for number, which in zip(overlaps, ("first", "second"), strict=True)
            if number
        ]
        return Score(measure.key, None, None, "; ".join(reasons))
    [found] = score_case(case, [(measure, measure.view.levels(case.gold)[0])], policies)
    return replace(found, level=None)
