"""What the study found: per cell, per case, per clustering."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from qc4.records import Record
from qc4.scoring.results import Score
from studies.behaviour.case import StudyCase, StudyGroup
from studies.behaviour.column import Column, Part

Status = Literal["passed", "failed", "undefined"]


@dataclass(frozen=True, slots=True)
class SideScore(Record):
    """A side's value for one clustering, or the reason why it has none."""

    value: float | None
    undefined: str | None = None


@dataclass(frozen=True, slots=True)
class Verdict(Record):
    """One column on one case.

    ``reasons`` say what went wrong or why there is no value (none if passed); ``scores`` give, per clustering, the
    sides in the column's order.
    """

    case: str
    column: str
    status: Status
    reasons: tuple[str, ...]
    scores: Mapping[str, tuple[SideScore, ...]]


@dataclass(frozen=True, slots=True)
class Cell(Record):
    """One column on one group: passed if it passes every case, undefined if it fails none and lacks a value on one.

    ``printed`` is what the paper prints (True for Y), None where it prints nothing; ``explanation`` says why ours
    differs, None where it does not.
    """

    KEYS = "group column status printed agrees explanation verdicts"
    TITLE = "StudyCell"

    group: str
    column: str
    status: Status
    verdicts: tuple[Verdict, ...]
    printed: bool | None = None
    explanation: str | None = None

    @property
    def agrees(self) -> bool | None:
        """Whether the paper prints the same; None where it prints nothing."""
        return None if self.printed is None else self.printed == (self.status == "passed")


@dataclass(frozen=True, slots=True)
class CaseResult(Record):
    """A case with the scores of its clusterings: clustering -> part -> score.

    Attributes:
        expected: what the order should be and why, in words.
        order: keys of clusterings, best first; those in one inner list are equally good.
        only: the one side that may tell them apart.
        scores: clustering -> its scores: measure, reading, level, value or undefined.
    """

    KEYS = (
        "key=case.key title=case.title expected=case.expected pages=case.pages topics=case.topics "
        "clusterings=case.clusterings order=case.order only=case.only scores=_scores_with_readings"
    )

    case: StudyCase
    scores: Mapping[str, Mapping[Part, Score]]

    def _scores_with_readings(self) -> dict[str, list[dict[str, Any]]]:
        return {
            key: [{**part.to_dict(), **score.to_dict()} for part, score in found.items()]
            for key, found in self.scores.items()
        }


@dataclass(frozen=True, slots=True)
class GroupResult(Record):
    """A group with the results of its cases."""

    KEYS = "key=group.key title=group.title origin=group.origin tests=group.tests cases"

    group: StudyGroup
    cases: tuple[CaseResult, ...]


@dataclass(frozen=True, slots=True)
class StudyAgreement(Record):
    """How many cells the paper prints, and in how many of them it prints something else."""

    compared: int
    differing: int


@dataclass(frozen=True, slots=True)
class StudyResult(Record):
    """The whole study; ``cells`` by (group, column).

    As a dict it is the JSON of ``python -m studies behaviour --format json``.
    """

    KEYS = "engine agreement columns groups=_groups_with_scores cells=_every_cell"

    engine: str
    groups: tuple[StudyGroup, ...]
    columns: tuple[Column, ...]
    cases: Mapping[str, CaseResult]
    cells: Mapping[tuple[str, str], Cell]

    def cell(self, group: str, column: str) -> Cell:
        """One cell; KeyError if there is no such group or column."""
        return self.cells[group, column]

    @property
    def compared(self) -> tuple[Cell, ...]:
        """The cells the paper prints."""
        return tuple(cell for cell in self.cells.values() if cell.printed is not None)

    @property
    def differing(self) -> tuple[Cell, ...]:
        """The cells where the paper prints something else."""
        return tuple(cell for cell in self.compared if not cell.agrees)

    @property
    def agreement(self) -> StudyAgreement:
        return StudyAgreement(len(self.compared), len(self.differing))

    def _groups_with_scores(self) -> list[GroupResult]:
        return [GroupResult(group, tuple(self.cases[case.key] for case in group.cases)) for group in self.groups]

    def _every_cell(self) -> list[Cell]:
        return list(self.cells.values())
