"""Scores as CSV, one row per score, safe to open in a spreadsheet."""

from __future__ import annotations

from qc4.formats.spreadsheets import csv_table
from qc4.measures.calibration import Calibration, ChanceLevel
from qc4.measures.result import ScoreResult
from qc4.measures.two_clusterings import ClusteringComparison
from qc4.records import entries

CHANCE_COLUMNS = tuple(entry.key for entry in entries(ChanceLevel) if entry.key != "sentence")
ALIKE_COLUMNS = ("measure", "value", "undefined", "flattened", "pages", "engine")
COLUMNS = ("query", "measure", "level", "depth", "value", "undefined", "flattened", "engine")


def scores_csv(result: ScoreResult) -> str:
    """A header, then a row per score with what it takes to compute it again; values in full precision."""
    policies = result.policies.to_dict()
    rows = (
        [
            *(result.query, score.measure, score.level, score.depth, score.value, score.undefined),
            *("yes" if score.flattened else "", result.engine, *policies.values()),
        ]
        for score in result.scores
    )
    return csv_table([*COLUMNS, *policies], rows)


def alike_csv(found: ClusteringComparison) -> str:
    """A header, then a row per measure of two clusterings; values in full precision."""
    policies = found.policies.to_dict()
    rows = (
        [
            *(score.measure, score.value, score.undefined, "yes" if score.flattened else ""),
            *(found.pages, found.engine, *policies.values()),
        ]
        for score in found.scores
    )
    return csv_table([*ALIKE_COLUMNS, *policies], rows)


def chance_csv(found: Calibration) -> str:
    """A header, then a row per measure, level and depth with its chance level; values in full precision."""
    policies = found.policies.to_dict()
    rows = (
        [found.query, *map(level.to_dict().get, CHANCE_COLUMNS), found.seed, found.engine, *policies.values()]
        for level in found.levels
    )
    return csv_table(["query", *CHANCE_COLUMNS, "seed", "engine", *policies], rows)
