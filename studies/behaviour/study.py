"""Running the study: score every clustering of every case once, then judge every column."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from qc4.inputs.view import Level
from qc4.measures.registry import REGISTRY
from qc4.model.case import Case
from qc4.model.policies import Policies
from qc4.model.rules import prepare
from qc4.progress import track_progress
from qc4.scoring.results import Score
from qc4.scoring.scoring import score_case
from qc4.version import ENGINE_VERSION
from studies.behaviour import stored
from studies.behaviour.case import StudyCase, StudyClustering, StudyGroup
from studies.behaviour.cases import GROUPS
from studies.behaviour.column import StudyColumn, StudyPart, StudySide, catalogue_columns, paper_columns
from studies.behaviour.judge import judge
from studies.behaviour.result import CaseResult, SideScore, Status, StudyCell, StudyResult, Verdict

# The printed values of the paper's Table 1, and the explanations of our differing cells.

# Group -> the columns of `studies.behaviour.column.paper_columns` that pass it. The table's header stacks AP WP AR WR
# (4th column), AE WE AR WR (5th), WP WR (6th) and WE WR (7th).
_PASSED: dict[str, tuple[str, ...]] = {
    "overlapping-clusters": ("QC4",),
    "hierarchical-clusterings": ("QC4",),
    "perfect-clustering": ("QC4", "F", "AP+WP+AR+WR", "AE+WE+AR+WR", "WP+WR", "WE+WR", "AP", "WP", "AE", "WE"),
    "separate-measures": ("QC4", "AP+WP+AR+WR", "AE+WE+AR+WR", "WP+WR", "WE+WR"),
    "large-bias": ("QC4", "MI", "AP+WP+AR+WR", "AE+WE+AR+WR", "AR"),
    "small-bias": ("QC4",),
    "random-clustering": ("QC4", "MI", "AE+WE+AR+WR", "WE+WR", "AE", "WE"),
    "split-cluster": ("QC4", "MI"),
}
_COLUMNS = ("QC4", "MI", "F", "AP+WP+AR+WR", "AE+WE+AR+WR", "WP+WR", "WE+WR", "AP", "WP", "AR", "WR", "AE", "WE")


def printed_cell(group: str, column: str) -> bool | None:
    """Return True if the paper prints Y in this cell, False if it prints –, None if it has no such cell."""
    if group not in _PASSED or column not in _COLUMNS:
        return None
    return column in _PASSED[group]


EXPLANATIONS: dict[tuple[str, str], str] = {
    ("split-cluster", "F"): (
        "The paper prints –, but F as the paper defines it falls whenever a perfect cluster is split into disjoint "
        "pieces that are not topics. Each piece has F < 1 (a piece with p of its topic's t pages has 2p / (p + t)), "
        "while the whole cluster has F = 1, and the pieces together have the same weight. So F passes our cases and "
        "any others of this kind. The paper does not show its cases."
    ),
}
"""(group, column) -> explanation, for exactly the cells that differ from the printed ones."""


def run_study(columns: Sequence[StudyColumn] | None = None, groups: Sequence[StudyGroup] = GROUPS) -> StudyResult:
    """Compute the study with the default scoring options.

    Args:
        columns: the columns; None for those of Table 1 and the rest of the catalogue.
        groups: the groups of cases.
    """
    return _study(columns, groups, None)


def stored_study() -> StudyResult:
    """Return the whole study from its stored scores. Measures are computed only if the stored scores are outdated."""
    return _study(None, GROUPS, stored.read())


def computed_scores(groups: Iterable[StudyGroup] = GROUPS) -> stored.Scores:
    """Compute all scores of the study, for storing."""
    parts = _parts((*paper_columns(), *catalogue_columns()))
    return {
        case.key: {clustering.key: _computed(case, clustering, parts) for clustering in case.clusterings}
        for group in groups
        for case in group.cases
    }


def _study(
    columns: Sequence[StudyColumn] | None, groups: Sequence[StudyGroup], stored_scores: stored.Scores | None
) -> StudyResult:
    chosen = (*paper_columns(), *catalogue_columns()) if columns is None else tuple(columns)
    parts = _parts(chosen)
    all_cases = [case for group in groups for case in group.cases]
    cases = {
        case.key: CaseResult(case, _scores(case, parts, stored_scores))
        for case in track_progress(all_cases, lambda case: case.title)
    }
    cells = {
        (group.key, column.key): _cell(group, column, [_verdict(cases[case.key], column) for case in group.cases])
        for group in groups
        for column in chosen
    }
    return StudyResult(ENGINE_VERSION, tuple(groups), chosen, cases, cells)


def _parts(columns: Iterable[StudyColumn]) -> tuple[StudyPart, ...]:
    return tuple(dict.fromkeys(part for column in columns for part in column.parts))


def _scores(
    case: StudyCase, parts: Iterable[StudyPart], stored_scores: stored.Scores | None
) -> dict[str, dict[StudyPart, Score]]:
    """Return clustering -> part -> score.

    If a measure needs flat clusterings, nested ones are flattened: at depth 1 for the coarsest level, otherwise at the
    finest depth.
    """
    gold = prepare(case.gold)
    places = {part: (part.measure, part.level(gold)) for part in parts}
    found = {}
    for clustering in case.clusterings:
        scores = (
            _computed(case, clustering, parts) if stored_scores is None else stored_scores[case.key][clustering.key]
        )
        at: dict[tuple[str, Level], list[Score]] = {}
        for score in scores:
            at.setdefault((score.measure, score.level), []).append(score)
        found[clustering.key] = {
            part: at[place][0 if part.reading == "coarsest" else -1] for part, place in places.items()
        }
    return found


def _computed(case: StudyCase, clustering: StudyClustering, parts: Iterable[StudyPart]) -> tuple[Score, ...]:
    """Compute the scores of one clustering. Readings that select the same level are computed once."""
    gold = prepare(case.gold)
    places = dict.fromkeys((part.measure, part.level(gold)) for part in parts)
    plan = [(REGISTRY.get(key), level) for key, level in places]
    return tuple(score_case(Case.build(gold, clustering.as_clustering(gold.query_id)), plan, Policies()))


def _verdict(result: CaseResult, column: StudyColumn) -> Verdict:
    sides = {
        clustering: tuple(_side_score(side, scores) for side in column.sides)
        for clustering, scores in result.scores.items()
    }
    return judge(result.case, column, sides)


def _side_score(side: StudySide, scores: Mapping[StudyPart, Score]) -> SideScore:
    values = []
    for part in side.parts:
        score = scores[part]
        if score.value is None:
            return SideScore(None, score.undefined)
        values.append(score.value)
    return SideScore(math.fsum(values) / len(values))


def _cell(group: StudyGroup, column: StudyColumn, verdicts: Sequence[Verdict]) -> StudyCell:
    key = (group.key, column.key)
    return StudyCell(*key, _status(verdicts), tuple(verdicts), printed_cell(*key), EXPLANATIONS.get(key))


def _status(verdicts: Iterable[Verdict]) -> Status:
    statuses = {verdict.status for verdict in verdicts}
    if "failed" in statuses:
        return "failed"
    return "undefined" if "undefined" in statuses else "passed"
