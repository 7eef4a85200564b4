"""Answers as aligned text for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from qc4.measures.calibration import Calibration, ChanceLevel
from qc4.measures.measure import Measure
from qc4.measures.registry import REGISTRY
from qc4.measures.scoring import CLUSTER_PARTS, TOPIC_PARTS, Score, ScoreResult
from qc4.problems.alignment import aligned, printable
from qc4.problems.wording import counted, listed
from qc4.views.view import Level

TEXT_COLUMNS = {"id", "best_topic"}


def scores_table(result: ScoreResult) -> str:
    """Measures down, levels across; reasons for undefined values as numbered notes below."""
    levels = sorted({score.level for score in result.scores}, key=_level_order)
    notes = list(dict.fromkeys(score.undefined for score in result.scores if score.undefined))
    rows: list[list[str]] = [["", "", "", *map(_level_title, levels)]]
    keys = dict.fromkeys(score.measure for score in result.scores)
    by_place = {(score.measure, score.level): score for score in result.scores}
    for family, measures in REGISTRY.by_family(REGISTRY.select(keys)):
        rows.append([family.title])
        named = (measure.under(result.policies) for measure in measures)
        rows += [_score_row(measure, levels, by_place, notes) for measure in named]
    blocks = [_heading(result), aligned(rows, right=range(3, 3 + len(levels)))]
    if any(score.flattened for score in result.scores):
        blocks.append("* a page in several topics or clusters counts for its first ones only (overlap = first)\n")
    if notes:
        blocks.append("".join(f"({number}) undefined: {reason}\n" for number, reason in enumerate(notes, 1)))
    if result.clusters is not None and result.topics is not None:
        blocks.append("Clusters\n" + _parts_table(result.clusters, CLUSTER_PARTS))
        blocks.append("Topics of level 1\n" + _parts_table(result.topics, TOPIC_PARTS))
    return "\n".join(blocks)


def chance_table(found: Calibration) -> str:
    """A row per measure and level: the score, what shuffled clusters get, and where the score stands among them."""
    notes = list(dict.fromkeys(text for level in found.levels for text in (level.undefined, level.note) if text))
    head = ["", "", "score", "chance", "low", "high", "deviation", "percentile", "z", "p", "adjusted", ""]
    rows = [head, *(_chance_row(level, notes) for level in found.levels)]
    policies = ", ".join(f"{name} {choice}" for name, choice in found.policies.to_dict().items())
    query = f"Query {printable(found.query)}, " if found.query else ""
    draws = f"{counted(found.draws, 'draw')} of the same clusters with shuffled pages, seed {found.seed}"
    blocks = [
        f"{query}{found.pages:,} pages, engine {found.engine}; {draws}\nPolicies: {policies}\n",
        aligned(rows, right=range(2, 11)),
    ]
    if notes:
        blocks.append("".join(f"({number}) {note}\n" for number, note in enumerate(notes, 1)))
    return "\n".join(blocks)


def _chance_row(level: ChanceLevel, notes: Sequence[str]) -> list[str]:
    where = "" if level.level is None else _level_title(level.level).strip()
    values = (level.value, level.mean, level.low, level.high, level.deviation)
    cells = ["–" if value is None else f"{value:.4f}" for value in values]
    cells += ["–" if value is None else f"{value:.1f}" for value in (level.percentile, level.z)]
    cells += ["–" if value is None else f"{value:.4f}" for value in (level.p, level.adjusted)]
    why = level.undefined or level.note
    return [level.measure, where, *cells, f"({notes.index(why) + 1})" if why else ""]


def catalogue_table(measures: Iterable[Measure]) -> str:
    """One line per measure, by family."""
    rows = []
    for family, members in REGISTRY.by_family(measures):
        rows.append([family.title])
        rows += [[f"  {found.key}", found.arrow, found.range_words, found.title, found.meaning] for found in members]
    return aligned(rows)


def _heading(result: ScoreResult) -> str:
    policies = ", ".join(f"{name} {choice}" for name, choice in result.policies.to_dict().items())
    removed = listed(result.removed_clusters) or "none"
    query = f"Query {printable(result.query)}, " if result.query else ""
    return (
        f"{query}{result.pages:,} pages, engine {result.engine}\n"
        f"Policies: {policies}\n"
        f"Clusters removed for QC4 (more than half outliers): {removed}\n"
    )


def _score_row(
    measure: Measure, levels: Sequence[Level], by_place: Mapping[tuple[str, Level], Score], notes: Sequence[str]
) -> list[str]:
    row = [f"  {measure.key}", measure.title, measure.arrow]
    for level in levels:
        score = by_place.get((measure.key, level))
        if score is None:
            row.append("")
        elif score.value is None:
            row.append(f"({notes.index(score.undefined or '') + 1}) ")
        else:
            row.append(f"{score.value:.4f}{'*' if score.flattened else ' '}")
    return row


def _parts_table(parts: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> str:
    titles = [column.replace("_", " ") for column in columns]
    rows = [[f"  {titles[0]}", *titles[1:]]]
    for part in parts:
        cells = [_part_cell(column, part[column]) for column in columns]
        rows.append([f"  {cells[0]}", *cells[1:]])
    return aligned(rows, right=[k for k, column in enumerate(columns) if column not in TEXT_COLUMNS])


def _part_cell(column: str, value: Any) -> str:
    if column in TEXT_COLUMNS:
        return printable(str(value))
    if value is None:
        return "∞"
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def _level_order(level: Level) -> tuple[int, int]:
    """The whole hierarchy first, then the levels, then all of them together."""
    if level is None:
        return 0, 0
    return (1, level) if isinstance(level, int) else (2, 0)


def _level_title(level: Level) -> str:
    if level is None:
        return "whole "
    return f"level {level} " if isinstance(level, int) else "all levels "
