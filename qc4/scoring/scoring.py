"""Score one clustering against one gold standard with any measures of the catalogue.

`score` takes five steps:

1. `qc4.model.case.paired` makes a gold standard and a clustering, if labels were given.
2. `select` chooses the measures, and the levels of each.
3. `qc4.model.case.Case.build` matches the pages of the clustering with those of the gold standard.
4. `score_case` computes each measure on each level. A measure receives its input, such as a contingency table, from its
   `qc4.inputs.view.View`, which makes it once per case.
5. `qc4.scoring.results.ScoreResult` holds the scores and what is needed to compute them again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from qc4.inputs.undefined import Undefined
from qc4.inputs.view import Depths, Level, asked_once, depths_of, left_out
from qc4.measures.qc4 import removed_clusters
from qc4.measures.registry import REGISTRY, Measure, Need
from qc4.model.case import Case, GivenClustering, GivenGold, paired
from qc4.model.clustering import Clustering
from qc4.model.gold_standard import GoldStandard
from qc4.model.ids import check_order
from qc4.model.policies import Policies
from qc4.model.query_names import QueryNames
from qc4.model.vectors import Vectors
from qc4.problems import InputError, Problem, ProblemList
from qc4.progress import watched
from qc4.scoring.results import Score, ScoreResult, explanation
from qc4.version import ENGINE_VERSION
from qc4.wording import quoted

FROM_FILES: frozenset[Need] = frozenset(
    {"gold topics", "labelled sample", "page ranks", "cluster labels", "page texts"}
)
"""What a gold standard and a clustering provide; samples are drawn from the gold standard's topics."""


WITH_VECTORS: frozenset[Need] = FROM_FILES | {"vectors"}
"""What they provide together with vectors of the pages."""


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
    """Score a clustering; QC4 is computed only where one of its measures or ``explain`` asks for it.

    Args:
        gold, clustering: a gold standard and a clustering; or for either (pages,) labels, in the order of the page
            list, as their `from_labels` take them. A warning of the result says which labels were read as noise.
        measures: one or several, by key or not, in the order wanted; None for all that what is given suffices for.
        levels: numbers of levels and ``"all"``, or one of these; None for every level a measure exists on. Measures
            that see the whole hierarchy have no level and are always kept.
        policies: names and choices of `qc4.model.policies.Policies`; what is left out keeps its default.
        explain: add the parts behind the scores: QC4's per cluster, topic and page, and the terms of the classic
            measures on each level they are scored on.
        vectors: (pages, dimensions) in the order of the page list, for internal measures, which are left out without,
            or undefined where ``measures`` names them.
        depths: where nested clusters are cut for measures of one cluster per page: a number or several, 1 for the
            outermost clusters; ``"level"``, as deep as the level; or ``"finest"``; None for every depth, of more than
            10 the first 9 and the deepest, with a warning. Flat clusterings are not cut, and are at depth 1.
        noise: the labels that mean "in no cluster" or outlier, one or a list of them; None for the usual ones.

    Raises:
        InputError: unknown measures, levels, policies or depths; a clustering of another query; unknown pages; labels
            or vectors of another number of pages; an input that is not a gold standard, clustering or row of labels;
            ``noise`` without labels.

    >>> score([0, 0, 1, 1], ["a", "a", "b", "c"], "ari")
    <ScoreResult: 4 pages, ari on level 1 0.5714>
    """
    (gold, clustering, notes), depths = paired(gold, clustering, noise), asked_once(depths)
    problems, points = ProblemList(), None
    with collected(problems):
        refuse_other_query(gold, clustering)
    with collected(problems):
        rules = Policies.parse(policies)
    with collected(problems):
        plan = select(gold, measures, levels, FROM_FILES if vectors is None else WITH_VECTORS)
    with collected(problems):
        check_order(vectors, gold.page_ids, "vectors")
        points = Vectors.of(vectors) if not (vectors is None or isinstance(vectors, Vectors)) else vectors
    with collected(problems):
        case = Case.build(gold, clustering, points)
        depths_of(case, depths)
    problems.refuse_errors()
    scores = score_case(case, plan, rules, depths)
    any_cut = any(measure.view.cuts for measure, _ in plan)
    parts = explanation(case, rules, scores) if explain else None
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
        warnings=(*notes, *case.warnings, *(left_out(case, depths) if any_cut else ())),
        vectors=None if points is None else points.origin,
        case=case,
        noise=clustering.noise,
    )


def score_case(
    case: Case, plan: Iterable[tuple[Measure, Level]], policies: Policies, depths: Depths = None
) -> tuple[Score, ...]:
    """Compute each measure on its level, and where it cuts nested clusters at each of these depths, as of `score`.

    Whatever measures share is computed once and kept on the case.

    Raises:
        InputError: unknown depths.
    """
    places = cut_plan(case, plan, depths)
    return tuple(
        _score(case, measure, level, depth, policies)
        for measure, level, depth in watched(places, lambda place: place[0].key)
    )


def cut_plan(
    case: Case, plan: Iterable[tuple[Measure, Level]], depths: Depths = None
) -> list[tuple[Measure, Level, int | None]]:
    """Measures on their levels, and at which depth of the case's clusters: None where nothing is cut.

    Raises:
        InputError: unknown depths.
    """
    return [
        (measure, level, depth)
        for measure, level in plan
        for depth in (depths_of(case, depths, level) if measure.view.cuts else (None,))
    ]


def select(
    gold: GoldStandard,
    measures: Iterable[str | Measure] | None = None,
    levels: int | str | Iterable[int | str] | None = None,
    given: Set[Need] = FROM_FILES,
) -> list[tuple[Measure, Level]]:
    """Which measure is computed on which level: by measure, then by level from coarse to fine, ``"all"`` last.

    Args and errors as of `score`. A measure named together with levels must exist on one of them. Where no measures are
    named, those are chosen that need nothing but what is ``given``.
    """
    chosen = computable(given) if measures is None else REGISTRY.select(measures)
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


def computable(given: Set[Need]) -> list[Measure]:
    """The measures that need nothing but what is given, by family."""
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
        fix = "Leave levels out for all of them."
        problems.error("no-levels", "levels", "an empty list", f"one of {', '.join(map(str, available))}", fix)
    for level in wanted:
        if isinstance(level, bool) or level not in available:
            problems.error("unknown-level", "levels", repr(level), f"one of {', '.join(map(str, available))}")
    problems.refuse_errors()
    return wanted


def refuse_other_query(gold: GoldStandard, clustering: Clustering) -> None:
    """Raise InputError if the clustering is of another query than the gold standard."""
    if not (clustering.query and gold.document and gold.query_id):
        return
    names = QueryNames({gold.query_id: gold.document.query_text})
    if names.key(clustering.query) != gold.query_id:
        found, expected = f"a clustering of query {quoted(clustering.query)}", f"query {names.told(gold.query_id)}"
        raise InputError([Problem("other-query", "query", found, f"{expected}, which the gold standard is for")])


@contextmanager
def collected(problems: ProblemList, where: str = "") -> Iterator[None]:
    """Add what the block refuses to ``problems``, its places prefixed with ``where``, and go on to report it all."""
    try:
        yield
    except InputError as error:
        problems.extend(problem.within(where) if where else problem for problem in error.problems)
