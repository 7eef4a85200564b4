"""The columns of the study: one measure, or several measures that form a quality and a coverage component."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from qc4.inputs.view import Level
from qc4.measures.registry import REGISTRY, Better, Measure
from qc4.model.gold_standard import GoldStandard
from qc4.model.rules import prepare
from qc4.records import Record
from qc4.scoring.scoring import FROM_FILES
from studies.behaviour.case import SideName, gold

Reading = Literal["whole", "all", "coarsest", "finest"]
"""The topics that a measure uses: the whole hierarchy, all topics of all levels as one set, or one level."""


@dataclass(frozen=True, slots=True)
class StudyPart(Record):
    """One measure and the topics that it uses."""

    measure: str
    reading: Reading

    def level(self, standard: GoldStandard) -> Level:
        """Return the level of this gold standard that the reading selects."""
        if self.reading == "whole":
            return None
        if self.reading == "all":
            return "all"
        return 1 if self.reading == "coarsest" else max(standard.hierarchy.levels)


@dataclass(frozen=True, slots=True)
class StudySide(Record):
    """One component of a column: the mean of its measures, which are all better in the same direction."""

    name: SideName
    parts: tuple[StudyPart, ...]
    better: Better


@dataclass(frozen=True, slots=True)
class StudyColumn(Record):
    """A column of the table. ``key`` is permanent. ``paper`` is True for the 13 columns of Table 1."""

    key: str
    title: str
    sides: tuple[StudySide, ...]
    paper: bool = False

    @property
    def parts(self) -> tuple[StudyPart, ...]:
        return tuple(part for side in self.sides for part in side.parts)


def paper_columns() -> tuple[StudyColumn, ...]:
    """Return the 13 columns of Table 1 in order. As in the paper, the classic measures use the topics of all levels."""
    columns: list[tuple[str, tuple[StudySide, ...]]] = [
        ("QC4", (_side("quality", "whole", "quality"), _side("coverage", "whole", "coverage"))),
        ("MI", (_side("overall", "all", "mi"),)),
        ("F", (_side("overall", "all", "f"),)),
        ("AP+WP+AR+WR", (_side("quality", "all", "ap", "wp"), _side("coverage", "all", "ar", "wr"))),
        ("AE+WE+AR+WR", (_side("quality", "all", "ae", "we"), _side("coverage", "all", "ar", "wr"))),
        ("WP+WR", (_side("quality", "all", "wp"), _side("coverage", "all", "wr"))),
        ("WE+WR", (_side("quality", "all", "we"), _side("coverage", "all", "wr"))),
        ("AP", (_side("quality", "all", "ap"),)),
        ("WP", (_side("quality", "all", "wp"),)),
        ("AR", (_side("coverage", "all", "ar"),)),
        ("WR", (_side("coverage", "all", "wr"),)),
        ("AE", (_side("quality", "all", "ae"),)),
        ("WE", (_side("quality", "all", "we"),)),
    ]
    return tuple(StudyColumn(title, title, sides, paper=True) for title, sides in columns)


PAIRS = (
    ("pair_precision", "pair_recall"),
    ("purity", "inverse_purity"),
    ("homogeneity", "completeness"),
    ("cluster_entropy", "class_entropy"),
    ("bcubed_precision", "bcubed_recall"),
    ("reliability", "sensitivity"),
)
"""Pairs of measures that were designed to be used together: quality, coverage."""


def catalogue_columns() -> tuple[StudyColumn, ...]:
    """Return a column for every external measure, then the pairs. Measures of one level have a column per reading.

    The columns of Table 1 (the classic measures over all topics) are not repeated.
    """
    alone = [
        StudyColumn(f"{found.key}@{reading}", _title(found.title, reading), (_side("overall", reading, found.key),))
        for found in _external()
        for reading in _readings(found)
    ]
    together = [
        StudyColumn(
            f"{quality}+{coverage}@{reading}",
            _title(f"{REGISTRY.get(quality).title} + {REGISTRY.get(coverage).title}", reading),
            (_side("quality", reading, quality), _side("coverage", reading, coverage)),
        )
        for quality, coverage in PAIRS
        for reading in _readings(REGISTRY.get(quality))
    ]
    return (*alone, *together)


def _external() -> Iterator[Measure]:
    """Yield the measures that compare clusters with topics and need only files."""
    return (found for found in REGISTRY.all() if "gold topics" in found.needs and set(found.needs) <= FROM_FILES)


def _readings(measure: Measure) -> tuple[Reading, ...]:
    return ("whole",) if None in measure.view.levels(_smallest_gold()) else ("coarsest", "finest")


@cache
def _smallest_gold() -> GoldStandard:
    """Return a minimal gold standard, which is enough to ask a measure whether it uses levels."""
    return prepare(gold(1, {"A": [0]}))


def _side(name: SideName, reading: Reading, *keys: str) -> StudySide:
    directions = {REGISTRY.get(key).better for key in keys}
    if len(directions) > 1:
        raise ValueError(f"The measures {', '.join(keys)} are better in different directions, so they have no mean.")
    return StudySide(name, tuple(StudyPart(key, reading) for key in keys), directions.pop())


def _title(title: str, reading: Reading) -> str:
    return title if reading == "whole" else f"{title}, {reading} level"
