"""Score one clustering against one gold standard with any measures of the catalogue."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypedDict

import numpy as np

from qc4.clustering.case import Case
from qc4.clustering.clustering import Clustering
from qc4.gold.standard import GoldStandard
from qc4.measures.classic import TOPIC_SET
from qc4.measures.measure import Measure, Need
from qc4.measures.qc4 import cluster_matches, page_coverage, qc4, removed_clusters
from qc4.measures.registry import REGISTRY
from qc4.problems import InputError, Problem, ProblemList
from qc4.problems.wording import quoted
from qc4.records import Record, plain
from qc4.vectors.vectors import Vectors
from qc4.version import ENGINE_VERSION
from qc4.views.policies import Policies
from qc4.views.undefined import Undefined
from qc4.views.view import Level

FROM_FILES: frozenset[Need] = frozenset({"gold topics", "labelled sample", "page ranks"})
"""What a gold standard and a clustering provide; samples are drawn from the gold standard's topics."""
WITH_VECTORS: frozenset[Need] = FROM_FILES | {"vectors"}
"""What they provide together with vectors of the pages."""


class ClusterParts(TypedDict):
    """A cluster's parts of QC4, and how it matches its best topic; an infinite ``s_random`` is null."""

    id: str
    level: int
    best_topic: str
    size: int
    f: float
    precision: float
    recall: float
    purity: float
    classic_entropy: float
    entropy: float
    s_recall: float
    s_random: float | None
    quality: float


class TopicParts(TypedDict):
    """A level-1 topic's coverage CV(t), and its recall: the share of its pages in clusters that match it best.

    Source of the recall: QC4 paper, section 2.2, over the topics of level 1 and the outlier topic.
    """

    id: str
    coverage: float
    recall: float


class PageParts(TypedDict):
    """PC(d, t, l): how well a page of a topic is covered, ``level`` being the one that the topic starts on."""

    topic: str
    level: int
    page: str
    coverage: float


CLUSTER_PARTS, TOPIC_PARTS = tuple(ClusterParts.__annotations__), tuple(TopicParts.__annotations__)


@dataclass(frozen=True, slots=True)
class Score(Record):
    """One measure on one level: a value or the reason why there is none, never both.

    ``level`` is None for measures that see the whole hierarchy. ``flattened`` marks a value for which the policy
    ``overlap = first`` really counted pages for their first topic or cluster only; show the mark with the value.
    ``unit`` is nats or bits where the value is an amount of information, else None.
    """

    KEYS = "measure level value undefined flattened? unit?"

    measure: str
    level: Level
    value: float | None
    undefined: str | None
    flattened: bool = False
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class ScoreResult(Record):
    """All scores of one clustering, with what is needed to compute them again.

    ``removed_clusters`` are those that QC4 does not look at, whether or not it was computed; in file order.
    ``clusters``, ``topics`` and ``page_coverage`` are QC4's parts per remaining cluster (file order), per level-1
    topic, and per page of each topic of every level; None unless explained. ``vectors`` says where the vectors came
    from; None without vectors. As a dict it is the JSON object of
    ``python -m qc4 score --format json``.
    """

    KEYS = "engine query pages policies removed_clusters scores vectors? clusters? topics? page_coverage?"

    engine: str
    query: str
    pages: int
    policies: Policies
    removed_clusters: tuple[str, ...]
    scores: tuple[Score, ...]
    clusters: tuple[ClusterParts, ...] | None = None
    topics: tuple[TopicParts, ...] | None = None
    page_coverage: tuple[PageParts, ...] | None = None
    warnings: tuple[Problem, ...] = ()
    vectors: Mapping[str, Any] | None = None

    def value(self, measure: str, level: Level = None) -> float:
        """The value of one score.

        Raises:
            KeyError: it was not computed.
            Undefined: it has no value; the message says why.
        """
        for score in self.scores:
            if (score.measure, score.level) == (measure, level):
                if score.value is None:
                    raise Undefined(score.undefined)
                return score.value
        raise KeyError((measure, level))


def score(
    gold: GoldStandard,
    clustering: Clustering,
    measures: Iterable[str] | None = None,
    levels: int | str | Iterable[int | str] | None = None,
    policies: Policies | Mapping[str, str] | None = None,
    explain: bool = False,
    vectors: Vectors | None = None,
) -> ScoreResult:
    """Score a clustering; QC4 is computed only where one of its measures or ``explain`` asks for it.

    Args:
        measures: keys, in the order wanted; None for every measure that what is given here suffices for.
        levels: level numbers of the gold standard and ``"all"``, or one of these; None for every level a measure exists
            on. Measures that see the whole hierarchy have no level and are always kept.
        policies: names and choices of `qc4.views.policies.Policies`; what is left out keeps its default.
        explain: add QC4's parts per cluster, topic and page.
        vectors: one per page, in the order of the page list, for internal measures; without vectors they are left out,
            or undefined where ``measures`` names them.

    Raises:
        InputError: unknown measures, levels or policies; a clustering of another query; unknown pages; vectors of
            another number of pages.
    """
    problems = ProblemList()
    check_query(gold, clustering, problems)
    with collected(problems):
        rules = Policies.parse(policies)
    with collected(problems):
        plan = select(gold, measures, levels, FROM_FILES if vectors is None else WITH_VECTORS)
    with collected(problems):
        case = Case.build(gold, clustering, vectors)
    problems.refuse_errors()
    return ScoreResult(
        engine=ENGINE_VERSION,
        query=gold.query_id,
        pages=gold.n_pages,
        policies=rules,
        removed_clusters=removed_clusters(case),
        scores=score_case(case, plan, rules),
        clusters=_cluster_parts(case, rules) if explain else None,
        topics=_topic_parts(case) if explain else None,
        page_coverage=_page_parts(case) if explain else None,
        warnings=case.warnings,
        vectors=None if vectors is None else vectors.origin,
    )


def score_case(case: Case, plan: Iterable[tuple[Measure, Level]], policies: Policies) -> tuple[Score, ...]:
    """Compute each measure on its level; whatever measures share is computed once and kept on the case."""
    return tuple(_score(case, measure, level, policies) for measure, level in plan)


def select(
    gold: GoldStandard,
    measures: Iterable[str] | None = None,
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


def _cluster_parts(case: Case, policies: Policies) -> tuple[ClusterParts, ...]:
    result = qc4(case, policies.recall)
    parts = zip(map(plain, result.clusters), map(plain, cluster_matches(case, result)), strict=True)
    return tuple(_named({**part, **match}, CLUSTER_PARTS) for part, match in parts)


def _topic_parts(case: Case) -> tuple[TopicParts, ...]:
    recall = TOPIC_SET.of(case, 1, Policies()).recall.tolist()  # the outlier topic comes last
    parts = zip(qc4(case).topics, recall, strict=False)
    return tuple(_named({**plain(topic), "recall": share}, TOPIC_PARTS) for topic, share in parts)


def _page_parts(case: Case) -> tuple[PageParts, ...]:
    coverage, gold = page_coverage(case, qc4(case)).pages, case.gold
    first = gold.hierarchy.first.tolist()
    topics = np.repeat(np.arange(coverage.shape[0]), np.diff(coverage.indptr)).tolist()
    return tuple(
        PageParts(topic=gold.topic_ids[topic], level=first[topic], page=gold.page_ids[page], coverage=value)
        for topic, page, value in zip(topics, coverage.indices.tolist(), coverage.data.tolist(), strict=True)
    )


def _named(values: Mapping[str, Any], names: Sequence[str]) -> Any:
    return {name: values[name] for name in names}


def computable(given: Set[Need]) -> list[Measure]:
    """The measures that need nothing but what is given, by family."""
    return [measure for measure in REGISTRY.all() if given >= set(measure.needs)]


def _score(case: Case, measure: Measure, level: Level, policies: Policies) -> Score:
    try:
        value = measure.compute(case, level, policies)
    except Undefined as reason:
        return Score(measure.key, level, None, str(reason))
    flattened = measure.view.flattens(case, level, policies)
    return Score(measure.key, level, value, None, flattened, measure.unit_under(policies) or None)


def _checked_levels(gold: GoldStandard, levels: int | str | Iterable[int | str]) -> list[int | str]:
    available = [*gold.hierarchy.levels, "all"]
    wanted = [levels] if isinstance(levels, int | str) else list(levels)
    problems = ProblemList()
    for level in wanted:
        if isinstance(level, bool) or level not in available:
            problems.error("unknown-level", "levels", repr(level), f"one of {', '.join(map(str, available))}")
    problems.refuse_errors()
    return wanted


def check_query(gold: GoldStandard, clustering: Clustering, problems: ProblemList) -> None:
    if clustering.query and gold.query_id and clustering.query != gold.query_id:
        problems.error(
            "other-query",
            "query",
            f"a clustering of query {quoted(clustering.query)}",
            f"query {quoted(gold.query_id)}, which the gold standard is for",
        )


@contextmanager
def collected(problems: ProblemList, where: str = "") -> Iterator[None]:
    """Add what the block refuses to ``problems``, its places prefixed with ``where``, and go on to report it all."""
    try:
        yield
    except InputError as error:
        problems.extend(problem.within(where) if where else problem for problem in error.problems)
