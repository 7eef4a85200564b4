"""The results of the study by cell, case and clustering."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from qc4.records import Record
from qc4.scoring.results import Score
from studies.behaviour.case import StudyCase, StudyGroup
from studies.behaviour.column import StudyColumn, StudyPart

Status = Literal["passed", "failed", "undefined"]


@dataclass(frozen=True, slots=True)
class SideScore(Record):
    """A component's value for one clustering, or the reason why it is undefined."""

    value: float | None
    undefined: str | None = None


@dataclass(frozen=True, slots=True)
class Verdict(Record):
    """The verdict on one column for one case.

    ``reasons`` explain why the column failed or is undefined; they are empty if it passed. ``scores`` has, for each
    clustering, the scores of the column's components in order.
    """

    case: str
    column: str
    status: Status
    reasons: tuple[str, ...]
    scores: Mapping[str, tuple[SideScore, ...]]


@dataclass(frozen=True, slots=True)
class StudyCell(Record):
    """The result of one column for one group.

    The status is passed if the column passes every case, and undefined if it fails no case but has no value for at
    least one. ``printed`` is the paper's cell (True for Y, None if it has none). ``explanation`` says why our cell
    differs; None if it does not.
    """

    KEYS = "group column status printed agrees explanation verdicts"

    group: str
    column: str
    status: Status
    verdicts: tuple[Verdict, ...]
    printed: bool | None = None
    explanation: str | None = None

    @property
    def agrees(self) -> bool | None:
        """True if the paper prints the same, False if it prints something else, None if it has no such cell."""
        return None if self.printed is None else self.printed == (self.status == "passed")


@dataclass(frozen=True, slots=True)
class CaseResult(Record):
    """A case with the scores of its clusterings: clustering -> part -> score.

    Attributes:
        expected: an explanation of the correct order.
        order: keys of clusterings, best first. Clusterings in the same inner list are equally good.
        only: the one component that may differ.
        scores: clustering -> its scores: measure, reading, level, and value or undefined.
    """

    KEYS = (
        "key=case.key title=case.title expected=case.expected pages=case.pages topics=case.topics "
        "clusterings=case.clusterings order=case.order only=case.only scores=_scores_with_readings"
    )

    case: StudyCase
    scores: Mapping[str, Mapping[StudyPart, Score]]

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
    """The number of cells that the paper prints, and the number of those that differ from ours."""

    compared: int
    differing: int


@dataclass(frozen=True, slots=True)
class StudyResult(Record):
    """The results of the whole study. ``cells`` is indexed by (group, column).

    Its dict is the JSON of ``python -m studies behaviour --format json``.
    """

    KEYS = "engine agreement columns groups=_groups_with_scores cells=_every_cell"

    engine: str
    groups: tuple[StudyGroup, ...]
    columns: tuple[StudyColumn, ...]
    cases: Mapping[str, CaseResult]
    cells: Mapping[tuple[str, str], StudyCell]

    def cell(self, group: str, column: str) -> StudyCell:
        """Return one cell. Raise KeyError if there is no such group or column."""
        return self.cells[group, column]

    @property
    def compared(self) -> tuple[StudyCell, ...]:
        """The cells that the paper prints."""
        return tuple(cell for cell in self.cells.values() if cell.printed is not None)

    @property
    def differing(self) -> tuple[StudyCell, ...]:
        """The cells that differ from the printed ones."""
        return tuple(cell for cell in self.compared if not cell.agrees)

    @property
    def agreement(self) -> StudyAgreement:
        return StudyAgreement(len(self.compared), len(self.differing))

    def _groups_with_scores(self) -> list[GroupResult]:
        return [GroupResult(group, tuple(self.cases[case.key] for case in group.cases)) for group in self.groups]

    def _every_cell(self) -> list[StudyCell]:
        return list(self.cells.values())
