"""The rule of the study: no component prefers the worse clustering, and at least one prefers the better one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from studies.behaviour.case import StudyCase
from studies.behaviour.column import StudyColumn, StudySide
from studies.behaviour.result import SideScore, Verdict

TOLERANCE = 1e-9
"""Values that differ by no more than this count as equal, because they differ only by rounding."""

SideScores = Mapping[str, tuple[SideScore, ...]]
"""Clustering -> its scores in the order of the column's components."""


def judge(case: StudyCase, column: StudyColumn, scores: SideScores) -> Verdict:
    """Decide whether a column ranks the clusterings of a case in their correct order.

    If the column has no value for one of them, the verdict is "undefined", which is different from "failed".
    """
    for clustering in case.clusterings:
        for score in scores[clustering.key]:
            if score.undefined is not None:
                return Verdict(case.key, column.key, "undefined", (score.undefined,), scores)
    faults = tuple(_faults(case, column, scores))
    return Verdict(case.key, column.key, "failed" if faults else "passed", faults, scores)


def _faults(case: StudyCase, column: StudyColumn, scores: SideScores) -> Iterator[str]:
    if case.only is not None and len(column.sides) == 1:
        yield "a single number cannot distinguish quality from coverage"
        return
    for tier in case.order:
        for first, second in pairwise(tier):
            yield from _unequal(column, scores, first, second)
    for better, worse in pairwise(case.order):
        for first in better:
            for second in worse:
                yield from _misplaced(case, column, scores, first, second)


def _unequal(column: StudyColumn, scores: SideScores, first: str, second: str) -> Iterator[str]:
    """Yield an error for each component on which two equally good clusterings score differently."""
    for side, one, other in zip(column.sides, scores[first], scores[second], strict=True):
        advantage = _advantage(side, one, other)
        if advantage:
            preferred, rejected = (first, second) if advantage > 0 else (second, first)
            yield f"{side.name} prefers “{preferred}” to “{rejected}”, although both are equally good"


def _misplaced(case: StudyCase, column: StudyColumn, scores: SideScores, better: str, worse: str) -> Iterator[str]:
    advantages = [
        (side, _advantage(side, one, other))
        for side, one, other in zip(column.sides, scores[better], scores[worse], strict=True)
    ]
    for side, advantage in advantages:
        if advantage < 0:
            yield f"{side.name} prefers “{worse}” to “{better}”"
        elif advantage > 0 and case.only not in (None, side.name):
            yield f"{side.name} falls from “{better}” to “{worse}”, although only {case.only} should fall"
    if not any(advantage for side, advantage in advantages if case.only in (None, side.name)):
        yield f"does not distinguish “{better}” from “{worse}”"


def _advantage(side: StudySide, better: SideScore, worse: SideScore) -> float:
    """Return by how much the first score is better than the second; 0 if they are equal."""
    assert better.value is not None
    assert worse.value is not None
    difference = better.value - worse.value
    if abs(difference) <= TOLERANCE:
        return 0.0
    return difference if side.better == "higher" else -difference
