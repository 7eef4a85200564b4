"""Answers as tables for people: what stands in which row, and in what words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from qc4.measures.measure import Measure
from qc4.measures.parts import (
    CLASSIC_CLUSTER_TERMS,
    CLASSIC_TOPIC_TERMS,
    CLUSTER_PARTS,
    TOPIC_PARTS,
    ClassicTerms,
    ClusterParts,
    TopicParts,
)
from qc4.measures.registry import REGISTRY
from qc4.printing import Block, Table
from qc4.problems import Problem
from qc4.problems.wording import full_decimals, listed, percentage, printable
from qc4.views.policies import Policies
from qc4.views.view import Level

TEXT_COLUMNS = {"id", "best_topic"}
OUTLIER_TOPIC = "(outliers)"
"""The outlier topic in tables; it has no id."""
Place = tuple[Level, int | None]
"""A level, and the depth that clusters are cut at."""
Parts = Sequence[Mapping[str, Any]]


class Scored(Protocol):
    """A value of a measure on a level, at a depth, or why there is none."""

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


class Marked(Scored, Protocol):
    """A score that says whether overlap was taken away, as `qc4.measures.result.Score` has it."""

    @property
    def flattened(self) -> bool: ...
    @property
    def deepest(self) -> int | None: ...


class ChanceLevel(Scored, Protocol):
    """A score and what chance reaches, as `qc4.measures.calibration.ChanceLevel` has it."""

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


def score_blocks(scores: Sequence[Marked], policies: Policies, whole: str = "whole") -> list[Block]:
    """Measures down, levels and depths across; reasons for undefined values as numbered notes below.

    Args:
        policies: under which they are; titles name the unit that follows from them.
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
        blocks.append(f"depth: nested clusters cut there, of {last} depths, so that each page has one cluster\n")
    if any(score.flattened for score in scores):
        blocks.append("* a page in several topics or clusters counts for its first ones only (overlap = first)\n")
    if notes:
        blocks.append("".join(f"({number}) undefined: {reason}\n" for number, reason in enumerate(notes, 1)))
    return blocks


def part_blocks(clusters: Sequence[ClusterParts], topics: Sequence[TopicParts]) -> list[Block]:
    """QC4's parts, of clusters and of topics."""
    return [
        _parts_table("Clusters (QC4)", clusters, CLUSTER_PARTS),
        _parts_table("Topics of level 1 (QC4)", topics, TOPIC_PARTS),
    ]


def classic_blocks(terms: ClassicTerms) -> list[Block]:
    """The terms of the classic measures on one level, of clusters and of topics."""
    level = _place_title((terms["level"], None)).strip()
    return [
        _parts_table(f"Clusters (classic measures, {level})", terms["clusters"], CLASSIC_CLUSTER_TERMS),
        _parts_table(f"Topics (classic measures, {level})", terms["topics"], CLASSIC_TOPIC_TERMS),
    ]


def chance_blocks(levels: Sequence[ChanceLevel]) -> list[Block]:
    """A row per measure and level: the score, what shuffled clusters get, and where the score stands among them."""
    notes = list(dict.fromkeys(text for level in levels for text in (level.undefined, level.note) if text))
    head = ["", "", "score", "chance", "low", "high", "deviation", "percentile", "z", "p", "adjusted", ""]
    blocks: list[Block] = [Table([head, *(_chance_row(level, notes) for level in levels)], range(2, 11))]
    if notes:
        blocks.append("".join(f"({number}) {note}\n" for number, note in enumerate(notes, 1)))
    return blocks


def heading(query: str, pages: int, engine: str, more: str = "") -> str:
    """The first line of an answer."""
    named = f"Query {printable(query)}, " if query else ""
    return f"{named}{pages:,} pages, engine {engine}{more}\n"


def policy_line(policies: Policies) -> str:
    """The policies and their choices."""
    return f"Policies: {', '.join(f'{name} {choice}' for name, choice in policies.to_dict().items())}\n"


def removed_line(removed: Sequence[str]) -> str:
    """The clusters that QC4 does not look at."""
    return f"Clusters removed for QC4 (more than half outliers): {listed(removed) or 'none'}\n"


def warning_blocks(warnings: Iterable[Problem]) -> list[Block]:
    """A line for each warning."""
    text = "".join(f"{warning.severity}: {warning}\n" for warning in warnings)
    return [text] if text else []


def _chance_row(level: ChanceLevel, notes: Sequence[str]) -> list[str]:
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
    by_place: Mapping[tuple[str, Level, int | None], Marked],
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
    """The whole hierarchy first, then the levels, then all of them together; on each what is not cut first."""
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
