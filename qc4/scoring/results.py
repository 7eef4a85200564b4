"""Results of scoring: the scores, the information to compute them again, and their tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, fields, replace
from typing import Any, Protocol, TypeVar

from qc4.inputs.undefined import Undefined
from qc4.inputs.view import Level
from qc4.measures.registry import REGISTRY, Measure
from qc4.model.case import Case
from qc4.model.noise import NoiseLabel
from qc4.model.policies import Policies
from qc4.problems import InputError, Problem
from qc4.records import Record
from qc4.scoring.parts import (
    CLASSIC_CLUSTER_TERMS,
    CLASSIC_TOPIC_TERMS,
    CLUSTER_PARTS,
    TOPIC_PARTS,
    ClassicTerms,
    ClusterParts,
    PageParts,
    TopicParts,
    classic_terms,
    cluster_parts,
    page_parts,
    scored_levels,
    topic_parts,
)
from qc4.tables import Block, Table, as_html, as_text
from qc4.wording import counted, full_decimals, listed, percentage, printable

# --- Results as tables for users ---

TEXT_COLUMNS = {"id", "best_topic"}
OUTLIER_TOPIC = "(outliers)"
"""The outlier topic, which has no id, in tables."""
Place = tuple[Level, int | None]
"""A level, and the depth at which clusters are flattened."""
Parts = Sequence[Mapping[str, Any]]


class ScoredValue(Protocol):
    """A value of a measure on a level and at a depth, or the reason why there is none."""

    @property
    def measure(self) -> str: ...
    @property
    def level(self) -> Level: ...
    @property
    def depth(self) -> int | None: ...
    @property
    def value(self) -> float | None: ...
    @property
    def undefined(self) -> str | None: ...


class MarkedScore(ScoredValue, Protocol):
    """A score that says whether overlap was removed, like `qc4.scoring.results.Score`."""

    @property
    def flattened(self) -> bool: ...
    @property
    def deepest(self) -> int | None: ...


class ScoreWithChance(ScoredValue, Protocol):
    """A score compared with chance, like `qc4.scoring.calibration.ChanceLevel`."""

    @property
    def title(self) -> str: ...
    @property
    def mean(self) -> float | None: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...
    @property
    def deviation(self) -> float | None: ...
    @property
    def percentile(self) -> float | None: ...
    @property
    def z(self) -> float | None: ...
    @property
    def p(self) -> float | None: ...
    @property
    def adjusted(self) -> float | None: ...
    @property
    def note(self) -> str: ...
    @property
    def unit(self) -> str | None: ...


def score_blocks(scores: Sequence[MarkedScore], policies: Policies, whole: str = "whole") -> list[Block]:
    """Return a table with one row per measure and one column per level and depth, with notes on undefined values.

    Args:
        policies: the scoring options of the scores; titles name the resulting unit.
        whole: the title of the column of scores without a level.
    """
    places = sorted({(score.level, score.depth) for score in scores}, key=_place_order)
    notes = list(dict.fromkeys(score.undefined for score in scores if score.undefined))
    rows: list[list[str]] = [["", "", "", *(_place_title(place, whole) for place in places)]]
    keys = dict.fromkeys(score.measure for score in scores)
    by_place = {(score.measure, score.level, score.depth): score for score in scores}
    for family, measures in REGISTRY.by_family(REGISTRY.select(keys)):
        rows.append([family.title])
        named = (measure.under(policies) for measure in measures)
        rows += [_score_row(measure, places, by_place, notes) for measure in named]
    blocks: list[Block] = [Table(rows, range(3, 3 + len(places)))]
    if last := max((score.deepest or 0 for score in scores), default=0):
        blocks.append(
            f"depth (of {last}): the depth at which nested clusters are flattened, so that each page has one cluster\n"
        )
    if any(score.flattened for score in scores):
        blocks.append("* a page in several topics or clusters counts only for the first of each (overlap = first)\n")
    if notes:
        blocks.append("".join(f"({number}) undefined: {reason}\n" for number, reason in enumerate(notes, 1)))
    return blocks


def part_blocks(clusters: Sequence[ClusterParts], topics: Sequence[TopicParts]) -> list[Block]:
    """Return tables of QC4's components, for clusters and for topics."""
    return [
        _parts_table("Clusters (QC4)", clusters, CLUSTER_PARTS),
        _parts_table("Topics of level 1 (QC4)", topics, TOPIC_PARTS),
    ]


def classic_blocks(terms: ClassicTerms) -> list[Block]:
    """Return tables of the terms of the classic measures on one level, for clusters and for topics."""
    level = _place_title((terms["level"], None)).strip()
    return [
        _parts_table(f"Clusters (classic measures, {level})", terms["clusters"], CLASSIC_CLUSTER_TERMS),
        _parts_table(f"Topics (classic measures, {level})", terms["topics"], CLASSIC_TOPIC_TERMS),
    ]


def chance_blocks(levels: Sequence[ScoreWithChance]) -> list[Block]:
    """Return a table with one row per measure and level: the score, the shuffled clusters' scores, and its position."""
    notes = list(dict.fromkeys(text for level in levels for text in (level.undefined, level.note) if text))
    head = ["", "", "score", "chance", "low", "high", "deviation", "percentile", "z", "p", "adjusted", ""]
    blocks: list[Block] = [Table([head, *(_chance_row(level, notes) for level in levels)], range(2, 11))]
    if notes:
        blocks.append("".join(f"({number}) {note}\n" for number, note in enumerate(notes, 1)))
    return blocks


def heading(query: str, pages: int, engine: str, more: str = "") -> str:
    """Return the first line of a result."""
    named = f"Query {printable(query)}, " if query else ""
    return f"{named}{pages:,} pages, engine {engine}{more}\n"


def scoring_options_line(policies: Policies) -> str:
    """Return the scoring options and their values."""
    return f"Scoring options: {', '.join(f'{name} {choice}' for name, choice in policies.to_dict().items())}\n"


def removed_line(removed: Sequence[str]) -> str:
    """Return the line on clusters that QC4 ignores."""
    return f"Clusters removed for QC4 (more than half outliers): {listed(removed) or 'none'}\n"


def warning_blocks(warnings: Iterable[Problem]) -> list[Block]:
    """Return one line per warning."""
    text = "".join(f"{warning.severity}: {warning}\n" for warning in warnings)
    return [text] if text else []


def _chance_row(level: ScoreWithChance, notes: Sequence[str]) -> list[str]:
    where = _place_title((level.level, level.depth), "").strip()
    values = (level.value, level.mean, level.low, level.high, level.deviation)
    cells = ["–" if value is None else full_decimals(value) for value in values]
    cells.append("–" if level.percentile is None else percentage(level.percentile, 100, 1).removesuffix(" %"))
    cells.append("–" if level.z is None else full_decimals(level.z, 1))
    cells += ["–" if value is None else full_decimals(value) for value in (level.p, level.adjusted)]
    why = level.undefined or level.note
    named = f"{level.title} ({level.unit})" if level.unit else level.title
    return [named, where, *cells, f"({notes.index(why) + 1})" if why else ""]


def _score_row(
    measure: Measure,
    places: Sequence[Place],
    by_place: Mapping[tuple[str, Level, int | None], MarkedScore],
    notes: Sequence[str],
) -> list[str]:
    row = [f"  {measure.key}", measure.title, measure.arrow]
    for place in places:
        score = by_place.get((measure.key, *place))
        if score is None:
            row.append("")
        elif score.value is None:
            row.append(f"({notes.index(score.undefined or '') + 1}) ")
        else:
            row.append(f"{full_decimals(score.value)}{'*' if score.flattened else ' '}")
    return row


def _parts_table(title: str, parts: Parts, columns: Sequence[str]) -> Table:
    titles = [column.replace("_", " ") for column in columns]
    rows = [[f"  {titles[0]}", *titles[1:]]]
    for part in parts:
        cells = [_part_cell(column, part[column]) for column in columns]
        rows.append([f"  {cells[0]}", *cells[1:]])
    return Table(rows, [k for k, column in enumerate(columns) if column not in TEXT_COLUMNS], title)


def _part_cell(column: str, value: Any) -> str:
    if column in TEXT_COLUMNS:
        return OUTLIER_TOPIC if value is None else printable(str(value))
    if value is None:
        return "∞"
    return full_decimals(value) if isinstance(value, float) else str(value)


def _place_order(place: Place) -> tuple[int, int, int]:
    """Sort the whole hierarchy first, then the levels, then all levels together; without a depth first."""
    level, depth = place
    if level is None:
        return 0, 0, depth or 0
    return (1, level, depth or 0) if isinstance(level, int) else (2, 0, depth or 0)


def _place_title(place: Place, whole: str = "whole") -> str:
    level, depth = place
    if level is None:
        return f"{whole if depth is None else f'depth {depth}'} "
    name = f"level {level}" if isinstance(level, int) else "all levels"
    return f"{name} " if depth is None else f"{name}, depth {depth} "


# --- Scores by measure and level, and scores in one line ---

AtPlace = TypeVar("AtPlace", bound=ScoredValue)
FEW = 4
"""The maximum number of scores that are shown in one line."""


def score_value(scores: Sequence[ScoredValue], measure: str, level: Level = None, depth: int | None = None) -> float:
    """Return the value of one of the scores.

    Raises:
        InputError: the score was not computed.
        Undefined: it has no value; the message gives the reason.
    """
    found = find_score(scores, measure, level, depth)
    if found.value is None:
        raise Undefined(found.undefined)
    return found.value


def find_score(scores: Sequence[AtPlace], measure: str, level: Level = None, depth: int | None = None) -> AtPlace:
    """Return one of the scores; its level may be omitted if the measure has only one, and so may its depth.

    Raises:
        InputError: the score was not computed; the error lists the scores that were.
    """
    key = REGISTRY.key_of(measure)
    own = [score for score in scores if score.measure == key]
    if not own:
        raise InputError([_not_computed(scores, measure)])
    levels = list(dict.fromkeys(score.level for score in own))
    there = [score for score in own if score.level == (levels[0] if level is None and len(levels) == 1 else level)]
    if not there:
        raise InputError([_no_such_level(levels, measure, level)])
    depths = [score.depth for score in there]
    if depth not in depths and not (depth is None and len(depths) == 1):
        raise InputError([_no_such_depth(depths, depth)])
    return there[depths.index(depth) if depth in depths else 0]


def _not_computed(scores: Sequence[ScoredValue], measure: str) -> Problem:
    REGISTRY.get(measure)
    expected = f"one of {listed(list(dict.fromkeys(score.measure for score in scores)))}"
    return Problem("not-computed", "measure", f"{measure!r}, which was not computed", expected)


def _no_such_level(levels: Sequence[Level], measure: str, level: Level) -> Problem:
    if levels[0] is None:
        return Problem(
            "no-such-level",
            "level",
            repr(level),
            f"no level, as the measure's input is '{REGISTRY.get(measure).view.name}'",
        )
    expected = f"one of {', '.join(map(str, levels))}"
    if level is None:
        return Problem("no-level", "level", "none", expected, f"Choose one, such as level={levels[0]!r}.")
    return Problem("no-such-level", "level", repr(level), expected)


def _no_such_depth(depths: Sequence[int | None], depth: int | None) -> Problem:
    """Return the problem that no score of a measure on a level has this depth."""
    if depths[0] is None:
        return Problem("no-such-depth", "depth", repr(depth), "no depth, as nothing was flattened for this score")
    expected = f"one of {', '.join(map(str, depths))}"
    if depth is None:
        fix = f"Choose one; depth={depths[-1]} is the finest."
        return Problem("no-depth", "depth", "none", expected, fix)
    return Problem("no-such-depth", "depth", repr(depth), expected)


def place_words(score: ScoredValue, name: str = "") -> str:
    """Return measure (by default its key), level and depth of a score, for use in a sentence."""
    level = "" if score.level is None else f" on level {score.level}"
    return f"{name or score.measure}{level}{'' if score.depth is None else f' at depth {score.depth}'}"


def scores_in_one_line(name: str, scores: Sequence[ScoredValue], pages: int) -> str:
    """Return the scores in one line, with their values if there are few."""
    if len(scores) > FEW:
        values = f"{len(scores)} scores; print(result.table()) shows them"
    else:
        values = ", ".join(
            f"{place_words(score)} {'undefined' if score.value is None else f'{score.value:.4f}'}" for score in scores
        )
    return f"<{name}: {counted(pages, 'page')}, {values}>"


@dataclass(frozen=True, slots=True)
class Score(Record):
    """One measure on one level, at one depth: either a value or the reason why there is none.

    ``level`` is None for measures of the whole hierarchy. ``flattened`` marks a value for which the scoring option
    ``overlap = first`` counted some pages for their first topic or cluster only; show the mark with the value. ``unit``
    is nats or bits if the value is an amount of information, else None. ``depth`` is the depth at which nested clusters
    were flattened, 1 for the outermost clusters, and ``deepest`` the largest depth. Both are None if nothing was
    flattened: for flat clusterings, and for measures that need no partition.
    """

    KEYS = "measure level depth deepest? value undefined flattened? unit?"

    measure: str
    level: Level
    value: float | None
    undefined: str | None
    flattened: bool = False
    unit: str | None = None
    depth: int | None = None
    deepest: int | None = None


@dataclass(frozen=True, slots=True)
class ScoreResult(Record):
    """All scores of one clustering, with everything needed to compute them again.

    ``removed_clusters`` are the clusters that QC4 ignores, in file order, even if QC4 was not computed. ``clusters``,
    ``topics`` and ``page_coverage`` are QC4's components per remaining cluster (file order), per level-1 topic, and per
    page of each topic of every level; ``classic`` has the terms of the classic measures for each of their levels in
    ``scores``. They are None without ``explain``. ``vectors`` is the origin of the vectors; None without vectors.
    ``case`` is what was scored. ``noise`` are the labels that were read as "in no cluster", with their numbers of
    pages. As a dict it is the JSON object of ``python -m qc4 score --format json``; a notebook shows it as a table.
    """

    KEYS = (
        "engine query pages noise?=noise_read policies removed_clusters scores vectors? clusters? topics? classic? "
        "page_coverage?"
    )

    engine: str
    query: str
    pages: int
    policies: Policies
    removed_clusters: tuple[str, ...]
    scores: tuple[Score, ...]
    clusters: tuple[ClusterParts, ...] | None = None
    topics: tuple[TopicParts, ...] | None = None
    classic: tuple[ClassicTerms, ...] | None = None
    page_coverage: tuple[PageParts, ...] | None = None
    warnings: tuple[Problem, ...] = ()
    vectors: Mapping[str, Any] | None = None
    case: Case | None = field(default=None, repr=False, compare=False)
    noise: tuple[NoiseLabel, ...] = ()

    @property
    def noise_read(self) -> tuple[NoiseLabel, ...] | None:
        """The labels that were read as noise; None if there are none."""
        return self.noise or None

    def value(self, measure: str, level: Level = None, depth: int | None = None) -> float:
        """Return the value of one score.

        Args:
            level: may be omitted if the measure has scores on only one level.
            depth: may be omitted if the measure has one score on this level, as for every flat clustering.

        Raises:
            InputError: it was not computed; the error lists what was.
            Undefined: it has no value; the message gives the reason.

        >>> from qc4 import score
        >>> score([0, 0, 1], [0, 1, 1], "ari").value("ari")
        -0.5
        """
        return score_value(self.scores, measure, level, depth)

    def table(self) -> str:
        """Format all scores as text in columns: one row per measure, levels and depths across, and the warnings below.

        >>> from qc4 import score
        >>> print(score(["a", "a", "b", "b"], [0, 0, 0, 1], ["ari", "purity"]).table())  # doctest: +ELLIPSIS
        4 pages, engine ...
        Scoring options: ...
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
        """Return the components of these scores; compute them if they were not requested when scoring.

        Raises:
            InputError: they were not requested, and the result no longer has its case.

        >>> from qc4 import score
        >>> [part["best_topic"] for part in score(["a", "a", "b"], [0, 0, 1], "qc4").explain().clusters]
        ['a', 'b']
        """
        if (found := self._explanation()) is not None:
            return found
        if self.case is None:
            fix = "Score with explain=True."
            raise InputError(
                [Problem("not-explained", "result", "scores without their case", "scores with their case", fix)]
            )
        return explain_scores(self.case, self.policies, self.scores)

    def _explanation(self) -> Explanation | None:
        """The components that this result was created with."""
        if self.clusters is None or self.topics is None or self.classic is None or self.page_coverage is None:
            return None
        return Explanation(self.clusters, self.topics, self.classic, self.page_coverage)

    def __repr__(self) -> str:
        return scores_in_one_line("ScoreResult", self.scores, self.pages)

    def __copy__(self) -> ScoreResult:
        return replace(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> ScoreResult:
        """Copy everything except the case, which is immutable."""
        own = {each.name: deepcopy(getattr(self, each.name), memo) for each in fields(self) if each.name != "case"}
        return replace(self, **own)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without the case, which is large and holds caches. ``__getstate__`` cannot do this:
        Python 3.11.2 (Debian 12) replaces it in dataclasses with slots."""
        return type(self), tuple(None if each.name == "case" else getattr(self, each.name) for each in fields(self))

    def _repr_html_(self) -> str:
        return as_html([*self._blocks(), *warning_blocks(self.warnings)])

    def _blocks(self) -> list[Block]:
        head = heading(self.query, self.pages, self.engine) + scoring_options_line(self.policies)
        blocks: list[Block] = [head + removed_line(self.removed_clusters), *score_blocks(self.scores, self.policies)]
        if (found := self._explanation()) is not None:
            blocks += found.blocks()
        return blocks


@dataclass(frozen=True, slots=True)
class Explanation(Record):
    """The components of scores: lists of exactly the terms whose mean is the score.

    It prints as tables, without the pages.

    Attributes:
        clusters: QC4's components of the remaining clusters; AQ and WQ are means of their ``quality``.
        topics: QC4's components of the topics of level 1; AC and WC are means of their ``coverage``.
        classic: the terms of the classic measures, one entry for each of their levels.
        page_coverage: PC(d, t, l) of each page of each topic.
    """

    clusters: tuple[ClusterParts, ...]
    topics: tuple[TopicParts, ...]
    classic: tuple[ClassicTerms, ...]
    page_coverage: tuple[PageParts, ...]

    def blocks(self) -> list[Block]:
        return [
            *part_blocks(self.clusters, self.topics),
            *(block for one in self.classic for block in classic_blocks(one)),
        ]

    def __str__(self) -> str:
        return as_text(self.blocks())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return as_html(self.blocks())


def explain_scores(case: Case, policies: Policies, scores: Iterable[Score]) -> Explanation:
    """Return the components of these scores of a case."""
    levels = scored_levels((score.measure, score.level) for score in scores)
    return Explanation(
        cluster_parts(case, policies),
        topic_parts(case),
        tuple(classic_terms(case, level) for level in levels),
        page_parts(case),
    )
