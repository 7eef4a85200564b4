"""The stored scores of the study. They come with the source, because computing them takes several seconds.

`make study` writes them again, and a test compares them with computed scores. The file contains a hash of the
engine's version, the measures' versions and the cases. If the hash does not match, the scores are not used.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from qc4.measures.registry import REGISTRY
from qc4.scoring.results import Score
from qc4.version import ENGINE_VERSION
from studies.behaviour.case import StudyGroup
from studies.behaviour.cases import GROUPS

FILE = Path(__file__).with_name("stored_scores.json")
FIELDS = ("measure", "level", "value", "undefined", "flattened", "unit", "depth", "deepest")

Scores = Mapping[str, Mapping[str, tuple[Score, ...]]]
"""Case -> clustering -> its scores in the order in which they are computed."""


def stamp(groups: Iterable[StudyGroup] = GROUPS) -> str:
    """Return a hash of everything that the scores depend on."""
    versions = {measure.key: measure.version for measure in REGISTRY.all()}
    given = [repr(case) for group in groups for case in group.cases]
    text = json.dumps([ENGINE_VERSION, versions, given], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def read(file: Path = FILE) -> Scores | None:
    """Return the stored scores; None if there are none, or if the engine, a measure or a case has changed since."""
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, json.JSONDecodeError):
        return None
    if content["stamp"] != stamp():
        return None
    measures, reasons = content["measures"], content["reasons"]
    return {
        case: {clustering: tuple(_score(row, measures, reasons) for row in rows) for clustering, rows in found.items()}
        for case, found in content["scores"].items()
    }


def format_scores(scores: Scores) -> str:
    """Format scores for the file, with one line per clustering. Numbers stand for reasons and for keys of measures."""
    every = [score for found in scores.values() for some in found.values() for score in some]
    measures = list(dict.fromkeys(score.measure for score in every))
    reasons = sorted({score.undefined for score in every if score.undefined is not None})
    numbers = {key: number for number, key in enumerate(measures)}
    why = {reason: number for number, reason in enumerate(reasons)}
    cases = []
    for case, found in scores.items():
        lines = [
            f"  {json.dumps(clustering)}: {_compact([_row(each, numbers, why) for each in some])}"
            for clustering, some in found.items()
        ]
        cases.append(f" {json.dumps(case)}: {{\n" + ",\n".join(lines) + "\n }")
    names = f'"measures": {_compact(measures)},\n"reasons": {_compact(reasons)}'
    return f'{{"stamp": "{stamp()}",\n{names},\n"scores": {{\n' + ",\n".join(cases) + "\n}}\n"


def _compact(value: list[Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _row(score: Score, measures: Mapping[str, int], reasons: Mapping[str, int]) -> list[Any]:
    """Return the fields of a score without default values at the end."""
    undefined = None if score.undefined is None else reasons[score.undefined]
    row = [measures[score.measure], score.level, score.value, undefined]
    rest = [score.flattened, score.unit, score.depth, score.deepest]
    while rest and not rest[-1]:
        rest.pop()
    return [*row, *rest] if rest or undefined is not None else row[:3]


def _score(row: list[Any], measures: list[str], reasons: list[str]) -> Score:
    whole: list[Any] = row + [None] * (len(FIELDS) - len(row))
    measure, level, value, undefined, flattened, unit, depth, deepest = whole
    reason = None if undefined is None else reasons[undefined]
    return Score(measures[measure], level, value, reason, bool(flattened), unit, depth, deepest)
