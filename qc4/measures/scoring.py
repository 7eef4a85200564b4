"""Score one clustering against one gold standard with any measures of the catalogue."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from typing import Any, TypedDict, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from qc4.clustering.case import Case
from qc4.clustering.clustering import Clustering
from qc4.clustering.pairing import GivenClustering, GivenGold, paired
from qc4.gold.standard import GoldStandard
from qc4.measures.classic import TOPIC_SET
from qc4.measures.measure import Measure, Need
from qc4.measures.printed import Block, as_html, as_text
from qc4.measures.qc4 import cluster_matches, page_coverage, qc4, removed_clusters
from qc4.measures.registry import REGISTRY
from qc4.measures.tables import Scored, heading, part_blocks, policy_line, removed_line, score_blocks, warning_blocks
from qc4.problems import InputError, Problem, ProblemList
from qc4.problems.wording import counted, listed, quoted
from qc4.records import Record, plain
from qc4.vectors.vectors import Vectors
from qc4.version import ENGINE_VERSION
from qc4.views.policies import Policies
from qc4.views.undefined import Undefined
from qc4.views.view import Level

AtPlace = TypeVar("AtPlace", bound=Scored)

FROM_FILES: frozenset[Need] = frozenset(
    {"gold topics", "labelled sample", "page ranks", "cluster labels", "page texts"}
)
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


FEW = 4
"""So many scores are shown in one line."""
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
    from; None without vectors. ``case`` is what was scored. As a dict it is the JSON object of
    ``python -m qc4 score --format json``; a notebook shows it as a table.
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
    case: Case | None = field(default=None, repr=False, compare=False)

    def value(self, measure: str, level: Level = None) -> float:
        """The value of one score.

        Args:
            level: may be left out where the measure has one score only.

        Raises:
            InputError: it was not computed; what was is named.
            Undefined: it has no value; the message says why.

        >>> score([0, 0, 1], [0, 1, 1], "ari").value("ari")
        -0.5
        """
        return value_of(self.scores, measure, level)

    def table(self) -> str:
        """All scores as text in columns: measures down, levels across, and the warnings below.

        >>> print(score(["a", "a", "b", "b"], [0, 0, 0, 1], ["ari", "purity"]).table())  # doctest: +ELLIPSIS
        4 pages, engine ...
        Policies: ...
        Clusters removed for QC4 (more than half outliers): none
        <BLANKLINE>
                                    level 1
        Pair counting
          ari     Adjusted Rand  ↑   0.0000
        Set matching
          purity  Purity         ↑   0.7500
        <BLANKLINE>
        """
        return as_text([*self._blocks(), *warning_blocks(self.warnings)])

    def explain(self) -> Explanation:
        """QC4's parts per cluster, topic and page, whether or not they were asked for when it was scored.

        Raises:
            InputError: they were not, and what was scored is not kept.

        >>> [part["best_topic"] for part in score(["a", "a", "b"], [0, 0, 1], "qc4").explain().clusters]
        ['a', 'b']
        """
        if self.clusters is not None and self.topics is not None and self.page_coverage is not None:
            return Explanation(self.clusters, self.topics, self.page_coverage)
        if self.case is None:
            fix = "Score with explain=True."
            raise InputError([Problem("not-explained", "result", "scores alone", "the case they are of", fix)])
        return Explanation(_cluster_parts(self.case, self.policies), _topic_parts(self.case), _page_parts(self.case))

    def __repr__(self) -> str:
        return shown("ScoreResult", self.scores, self.pages)

    def __getstate__(self) -> list[Any]:
        """Pickled without the case, which is large and holds whatever measures keep."""
        return [None if each.name == "case" else getattr(self, each.name) for each in fields(self)]

    def _repr_html_(self) -> str:
        return as_html([*self._blocks(), *warning_blocks(self.warnings)])

    def _blocks(self) -> list[Block]:
        head = heading(self.query, self.pages, self.engine) + policy_line(self.policies)
        blocks: list[Block] = [head + removed_line(self.removed_clusters), *score_blocks(self.scores, self.policies)]
        if self.clusters is not None and self.topics is not None:
            blocks += part_blocks(self.clusters, self.topics, CLUSTER_PARTS, TOPIC_PARTS)
        return blocks


@dataclass(frozen=True, slots=True)
class Explanation(Record):
    """The parts of QC4: per remaining cluster, per topic of level 1, and per page of each topic. Prints as two tables,
    without the pages.
    """

    clusters: tuple[ClusterParts, ...]
    topics: tuple[TopicParts, ...]
    page_coverage: tuple[PageParts, ...]

    def blocks(self) -> list[Block]:
        return part_blocks(self.clusters, self.topics, CLUSTER_PARTS, TOPIC_PARTS)

    def __str__(self) -> str:
        return as_text(self.blocks())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return as_html(self.blocks())


def value_of(scores: Sequence[Score], measure: str, level: Level = None) -> float:
    """The value of one of the scores.

    Raises:
        InputError: it is not among them.
        Undefined: it has no value; the message says why.
    """
    found = computed(scores, measure, level)
    if found.value is None:
        raise Undefined(found.undefined)
    return found.value


def computed(scores: Sequence[AtPlace], measure: str, level: Level = None) -> AtPlace:
    """One of the scores; its level may be left out where it is the only one of the measure.

    Raises:
        InputError: it is not among them; what is there is named.
    """
    own = [score for score in scores if score.measure == measure]
    found = next((score for score in own if score.level == level), own[0] if level is None and len(own) == 1 else None)
    if found is None:
        raise InputError([_no_such_score(scores, own, measure, level)])
    return found


def _no_such_score(scores: Sequence[Scored], own: Sequence[Scored], measure: str, level: Level) -> Problem:
    if not own:
        REGISTRY.get(measure)
        expected = f"one of {listed(list(dict.fromkeys(score.measure for score in scores)))}"
        return Problem("not-computed", "measure", f"{measure!r}, which was not computed", expected)
    levels = ", ".join(str(score.level) for score in own)
    if level is None:
        fix = f"Say which: value({measure!r}, {own[0].level!r})."
        return Problem("no-level", "level", "none", f"one of {levels}", fix)
    return Problem("no-such-level", "level", repr(level), f"one of {levels}")


def shown(name: str, scores: Sequence[Score], pages: int) -> str:
    """Scores in one line: their values where they are few."""
    if len(scores) > FEW:
        values = f"{len(scores)} scores; print(result.table()) shows them"
    else:
        values = ", ".join(
            f"{score.measure}{'' if score.level is None else f' on level {score.level}'} "
            f"{'undefined' if score.value is None else f'{score.value:.4f}'}"
            for score in scores
        )
    return f"<{name}: {counted(pages, 'page')}, {values}>"


def score(
    gold: GivenGold,
    clustering: GivenClustering,
    measures: Iterable[str | Measure] | None = None,
    levels: int | str | Iterable[int | str] | None = None,
    policies: Policies | Mapping[str, str] | None = None,
    explain: bool = False,
    vectors: Vectors | ArrayLike | None = None,
) -> ScoreResult:
    """Score a clustering; QC4 is computed only where one of its measures or ``explain`` asks for it.

    Args:
        gold: a gold standard; or (pages,) its labels, a topic for each, as `GoldStandard.from_labels` takes them.
        clustering: a clustering; or (pages,) its labels, in the order of the gold standard's page list, as
            `Clustering.from_labels` takes them. The label -1 is noise on both sides; a warning of the result says so.
        measures: one key or several, or measures, in the order wanted; None for every measure that what is given here
            suffices for. `qc4.measures` lists them.
        levels: level numbers of the gold standard and ``"all"``, or one of these; None for every level a measure exists
            on. Measures that see the whole hierarchy have no level and are always kept.
        policies: names and choices of `qc4.views.policies.Policies`; what is left out keeps its default.
        explain: add QC4's parts per cluster, topic and page.
        vectors: (pages, dimensions) one per page, in the order of the page list, for internal measures; without vectors
            they are left out, or undefined where ``measures`` names them.

    Raises:
        InputError: unknown measures, levels or policies; a clustering of another query; unknown pages; labels or
            vectors of another number of pages; what is no gold standard, clustering or row of labels.

    >>> score([0, 0, 1, 1], ["a", "a", "b", "c"], "ari")
    <ScoreResult: 4 pages, ari on level 1 0.5714>
    """
    gold, clustering, notes = paired(gold, clustering)
    problems = ProblemList()
    points = None
    check_query(gold, clustering, problems)
    with collected(problems):
        rules = Policies.parse(policies)
    with collected(problems):
        plan = select(gold, measures, levels, FROM_FILES if vectors is None else WITH_VECTORS)
    with collected(problems):
        points = Vectors.of(vectors) if not (vectors is None or isinstance(vectors, Vectors)) else vectors
    with collected(problems):
        case = Case.build(gold, clustering, points)
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
        warnings=(*notes, *case.warnings),
        vectors=None if points is None else points.origin,
        case=case,
    )


def score_case(case: Case, plan: Iterable[tuple[Measure, Level]], policies: Policies) -> tuple[Score, ...]:
    """Compute each measure on its level; whatever measures share is computed once and kept on the case."""
    return tuple(_score(case, measure, level, policies) for measure, level in plan)


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
    given = [levels] if isinstance(levels, str) or not isinstance(levels, Iterable) else list(levels)
    wanted = [int(level) if isinstance(level, np.integer) else level for level in given]
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
