"""Scoring of one clustering against one gold standard, with any measures of the catalogue.

`score` has five steps:

1. `qc4.model.case.gold_standard_and_clustering` builds a gold standard and a clustering if labels were given.
2. `select` chooses the measures, and the levels of each.
3. `qc4.model.case.Case.build` matches the pages of the clustering with those of the gold standard.
4. `score_case` computes each measure on each level. A measure receives its input, such as a contingency table, from
   its `qc4.inputs.view.View`, which creates it once per case.
5. `qc4.scoring.results.ScoreResult` contains the scores and everything needed to compute them again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from qc4.inputs.undefined import Undefined
from qc4.inputs.view import Depths, Level, depths_of, reusable_depths, unscored_depths_warnings
from qc4.measures.qc4 import removed_clusters
from qc4.measures.registry import REGISTRY, Measure, Need
from qc4.model.case import Case, GivenClustering, GivenGold, gold_standard_and_clustering
from qc4.model.clustering import Clustering
from qc4.model.gold_standard import GoldStandard
from qc4.model.ids import check_order
from qc4.model.policies import Policies
from qc4.model.query_names import QueryNames
from qc4.model.vectors import Vectors
from qc4.problems import InputError, Problem, ProblemList
from qc4.progress import track_progress
from qc4.scoring.results import Score, ScoreResult, explain_scores
from qc4.version import ENGINE_VERSION
from qc4.wording import quoted

FROM_FILES: frozenset[Need] = frozenset(
    {"gold topics", "labelled sample", "page ranks", "cluster labels", "page texts"}
)
"""The data that a gold standard and a clustering provide; samples are drawn from the gold standard's topics."""


WITH_VECTORS: frozenset[Need] = FROM_FILES | {"vectors"}
"""The data that they provide together with vectors of the pages."""


def score(
    gold: GivenGold,
    clustering: GivenClustering,
    measures: Iterable[str | Measure] | None = None,
    levels: int | str | Iterable[int | str] | None = None,
    policies: Policies | Mapping[str, str] | None = None,
    explain: bool = False,
    vectors: Vectors | ArrayLike | None = None,
    depths: Depths = None,
    noise: Any = None,
) -> ScoreResult:
    """Score a clustering. QC4 is computed only if ``measures`` includes one of its measures, or for ``explain``.

    Args:
        gold, clustering: a gold standard and a clustering. Either can also be given as (pages,) labels, in the order of
            the page list, as in `from_labels`. A warning in the result lists the labels that were read as noise.
        measures: one measure or several, by key or as objects, in order; None for all that the input suffices for.
        levels: numbers of levels, ``"all"``, or several of these; None for every level of each measure. Measures of the
            whole hierarchy have no level and are always included.
        policies: scoring options, by the names in `qc4.model.policies.Policies`; others have their defaults.
        explain: True to include the components of the scores: QC4's per cluster, topic and page, and the terms of the
            classic measures on each of their levels.
        vectors: (pages, dimensions) in the order of the page list, for internal measures. Without vectors these are
            omitted, or undefined if ``measures`` names them.
        depths: the depths at which nested clusters are flattened for measures that need one cluster per page: a number
            or several, 1 for the outermost clusters; ``"level"`` for the number of the level; ``"finest"``; or None for
            every depth (the first 9 and the deepest if there are more than 10, with a warning). Flat clusterings have
            depth 1.
        noise: one label, or a list of labels, that mean "in no cluster" or outlier; None for the usual ones.

    Raises:
        InputError: unknown measures, levels, scoring options or depths; a clustering of another query; unknown pages; a
            wrong number of labels or vectors; an input that is not a gold standard, clustering or row of labels;
            ``noise`` without labels.

    >>> score([0, 0, 1, 1], ["a", "a", "b", "c"], "ari")
    <ScoreResult: 4 pages, ari on level 1 0.5714>
    """
    (gold, clustering, notes), depths = gold_standard_and_clustering(gold, clustering, noise), reusable_depths(depths)
    problems, points = ProblemList(), None
    with collect_errors(problems):
        check_same_query(gold, clustering)
    with collect_errors(problems):
        rules = Policies.parse(policies)
    with collect_errors(problems):
        plan = select_measures(gold, measures, levels, FROM_FILES if vectors is None else WITH_VECTORS)
    with collect_errors(problems):
        check_order(vectors, gold.page_ids, "vectors")
        points = Vectors.of(vectors) if not (vectors is None or isinstance(vectors, Vectors)) else vectors
    with collect_errors(problems):
        case = Case.build(gold, clustering, points)
        depths_of(case, depths)
    problems.refuse_errors()
    scores = score_case(case, plan, rules, depths)
    any_cut = any(measure.view.cuts for measure, _ in plan)
    parts = explain_scores(case, rules, scores) if explain else None
    return ScoreResult(
        engine=ENGINE_VERSION,
        query=gold.query_id,
        pages=gold.n_pages,
        policies=rules,
        removed_clusters=removed_clusters(case),
        scores=scores,
        clusters=parts.clusters if parts else None,
        topics=parts.topics if parts else None,
        classic=parts.classic if parts else None,
        page_coverage=parts.page_coverage if parts else None,
        warnings=(*notes, *case.warnings, *(unscored_depths_warnings(case, depths) if any_cut else ())),
        vectors=None if points is None else points.origin,
        case=case,
        noise=clustering.noise,
    )


def score_case(
    case: Case, plan: Iterable[tuple[Measure, Level]], policies: Policies, depths: Depths = None
) -> tuple[Score, ...]:
    """Compute each measure on its level and, if it needs flattened clusters, at each of these depths, as in `score`.

    Values that measures share are computed once and cached on the case.

    Raises:
        InputError: unknown depths.
    """
    places = plan_with_depths(case, plan, depths)
    return tuple(
        _score(case, measure, level, depth, policies)
        for measure, level, depth in track_progress(places, lambda place: place[0].key)
    )


def plan_with_depths(
    case: Case, plan: Iterable[tuple[Measure, Level]], depths: Depths = None
) -> list[tuple[Measure, Level, int | None]]:
    """Return each measure, level and depth to compute; the depth is None if nothing is flattened.

    Raises:
        InputError: unknown depths.
    """
    return [
        (measure, level, depth)
        for measure, level in plan
        for depth in (depths_of(case, depths, level) if measure.view.cuts else (None,))
    ]


def select_measures(
    gold: GoldStandard,
    measures: Iterable[str | Measure] | None = None,
    levels: int | str | Iterable[int | str] | None = None,
    given: Set[Need] = FROM_FILES,
) -> list[tuple[Measure, Level]]:
    """Return each measure with each of its levels, from coarse to fine and ``"all"`` last.

    Arguments and errors as in `score`. A measure that is named together with levels must exist on one of them. Without
    ``measures``, all measures are chosen that need only what is ``given``.
    """
    chosen = computable_measures(given) if measures is None else REGISTRY.select(measures)
    wanted = None if levels is None else _checked_levels(gold, levels)
    problems = ProblemList()
    plan: list[tuple[Measure, Level]] = []
    for measure in chosen:
        available = measure.view.levels(gold)
        kept = [level for level in available if wanted is None or level is None or level in wanted]
        if not kept and measures is not None:
            found = f"measure {measure.key!r} on level {', '.join(map(str, wanted or ()))}"
            problems.error("no-such-level", "levels", found, f"level {', '.join(map(str, available))} for this measure")
        plan += [(measure, level) for level in kept]
    problems.refuse_errors()
    return plan


def computable_measures(given: Set[Need]) -> list[Measure]:
    """Return the measures that need only what is given, by family."""
    return [measure for measure in REGISTRY.all() if given >= set(measure.needs)]


def _score(case: Case, measure: Measure, level: Level, depth: int | None, policies: Policies) -> Score:
    last = None if depth is None else case.deepest
    try:
        value = measure.compute(case, level, policies, depth)
    except Undefined as reason:
        return Score(measure.key, level, None, str(reason), depth=depth, deepest=last)
    flattened = measure.view.flattens(case, level, policies, depth)
    return Score(measure.key, level, value, None, flattened, measure.unit_under(policies) or None, depth, last)


def _checked_levels(gold: GoldStandard, levels: int | str | Iterable[int | str]) -> list[int | str]:
    available = [*gold.hierarchy.levels, "all"]
    given = [levels] if isinstance(levels, str) or not isinstance(levels, Iterable) else list(levels)
    wanted = [int(level) if isinstance(level, np.integer) else level for level in given]
    problems = ProblemList()
    if not wanted:
        fix = "Omit levels to use all of them."
        problems.error("no-levels", "levels", "an empty list", f"one of {', '.join(map(str, available))}", fix)
    for level in wanted:
        if isinstance(level, bool) or level not in available:
            problems.error("unknown-level", "levels", repr(level), f"one of {', '.join(map(str, available))}")
    problems.refuse_errors()
    return wanted


def check_same_query(gold: GoldStandard, clustering: Clustering) -> None:
    """Raise InputError if clustering and gold standard are for different queries."""
    if not (clustering.query and gold.document and gold.query_id):
        return
    names = QueryNames({gold.query_id: gold.document.query_text})
    if names.key(clustering.query) != gold.query_id:
        found, expected = f"a clustering of query {quoted(clustering.query)}", f"query {names.told(gold.query_id)}"
        raise InputError([Problem("other-query", "query", found, f"{expected}, the query of the gold standard")])


@contextmanager
def collect_errors(problems: ProblemList, where: str = "") -> Iterator[None]:
    """Add input errors of the block to ``problems``, with ``where`` before their places, so that all are reported."""
    try:
        yield
    except InputError as error:
        problems.extend(problem.within(where) if where else problem for problem in error.problems)
